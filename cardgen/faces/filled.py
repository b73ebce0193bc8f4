"""Faces that were filled before: in a process that stays, a card that did not change is not filled again."""

from __future__ import annotations

from itertools import count
from typing import Any

from cardgen.model.face import Face

# Which face: game, language, card, side, layout, what is left out.
Name = tuple[object, ...]


class Filled:
    """The faces of the last build by name, each with all that it was made of. What a build did not ask for is forgotten
    when the next one begins."""

    def __init__(self) -> None:
        self._now: dict[Name, tuple[tuple[object, ...], tuple[str, ...], list[str], Face]] = {}
        self._before = self._now
        self._values: dict[object, tuple[object, int]] = {}
        self._numbers = count()

    def begin(self) -> None:
        """Begin another build."""
        self._before, self._now = self._now, {}

    def number(self, name: object, value: object) -> int:
        """A number for a value that many faces share: that of the last time, while the value of that name is equal."""
        known = self._values.get(name)
        if known is None or known[0] != value:
            self._values[name] = known = value, next(self._numbers)
        return known[1]

    def find(self, name: Name, made_of: tuple[object, ...], digests: Any) -> Face | None:
        """The face of that name, if it was made of the same; `digests` gives those of its pictures as they are now."""
        known = self._before.get(name)
        if known is None or known[0] != made_of or digests(known[1]) != known[2]:
            return None
        self._now[name] = known
        return known[3]

    def keep(
        self, name: Name, made_of: tuple[object, ...], urls: tuple[str, ...], digests: list[str], face: Face
    ) -> None:
        """Keep a face, what it was made of, the addresses in it, and the digests of what stands behind these."""
        self._now[name] = made_of, urls, digests, face
