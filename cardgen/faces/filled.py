"""Faces that were filled before: what a face is made of tells whether it must be filled again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from cardgen.model.card import Card
from cardgen.text.hashes import begun, written


class KeptFace(Struct, frozen=True, array_like=True):
    """What filling gave: the face's key, its markup and fitted boxes, the addresses in it, and a hash of what stood
    behind these."""

    key: str
    markup: bytes
    fits: dict[str, float]
    urls: tuple[str, ...]
    pictures: bytes


class Filled:
    """The faces of the last build by a hash of what each was made of. What a build did not ask for is forgotten when the
    next one begins."""

    def __init__(self, before: Mapping[bytes, KeptFace] | None = None) -> None:
        """`before` are those that another process has kept."""
        self.now: dict[bytes, KeptFace] = {}
        # whether there is any now that was not there before
        self.is_new = False
        self._before = before or {}
        # the hashes of cards that a process keeps, by their ids, each with its card
        self._cards: dict[int, tuple[Card, bytes | None]] = {}

    def begin(self) -> None:
        """Begin another build. One that came to no faces, since the project could not be read, has forgotten none."""
        if self.now:
            self._before, self.now = self.now, {}
        if len(self._cards) > 2 * len(self._before) + 1000:
            self._cards = {}  # most are of cards that have changed since

    def of_card(self, card: Card) -> bytes | None:
        """A hash of what a face may show of a card; None where cards that differ may have the same one."""
        known = self._cards.get(id(card))
        if known is None or known[0] is not card:
            text = written(card.id, card.kind, card.values)
            self._cards[id(card)] = known = card, _digest([text]) if text is not None else None
        return known[1]

    def find(self, made_of: bytes, digests: Callable[[Iterable[str]], list[str]]) -> KeptFace | None:
        """The face that was made of the same; `digests` gives those of its pictures as they are now."""
        known = self._before.get(made_of)
        if known is None or _digest(digests(known.urls)) != known.pictures:
            return None
        self.now[made_of] = known
        return known

    def keep(
        self, made_of: bytes, key: str, markup: bytes, fits: dict[str, float], urls: tuple[str, ...], digests: list[str]
    ) -> None:
        """Keep what was filled just now."""
        self.now[made_of] = KeptFace(key, markup, fits, urls, _digest(digests))
        self.is_new = True


class MadeOf:
    """Hashes what faces are made of that have much in common, which is hashed once. Their pictures are apart."""

    def __init__(self, *common: object) -> None:
        text = written(*common)
        self._begun = begun(text) if text is not None else None

    def digest(self, card: bytes | None) -> bytes | None:
        """The hash of the face of a card that has this hash; None when it cannot be told from another one."""
        if self._begun is None or card is None:
            return None
        hashed = self._begun.copy()
        hashed.update(card)
        return bytes(hashed.digest())


def _digest(digests: list[str]) -> bytes:
    return bytes(begun("".join(digests)).digest())
