"""Boxes that are kept because faces have them alike, and what has to be as it was when they are used again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from cardgen.faces.assets import Assets
from cardgen.faces.card.boxes import Box
from cardgen.faces.card.natural import Natural, natural_of


class Known(Struct, eq=False):
    """A box that faces have alike, and whether a space comes before what follows it; the pictures that it was made with,
    and the job that has last seen that these are what they were."""

    box: Box | None
    is_spaced: bool
    pictures: tuple[tuple[str, Natural | None], ...] = ()
    job: int = 0


class Memory:
    """Finds and keeps boxes. `pictures` are those that were looked at for the face that is being made."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._job = 0
        self.pictures: list[tuple[str, Natural | None]] = []

    def begin(self) -> None:
        """Begin another job: pictures may have changed since the last one."""
        self._job += 1

    def size(self, url: str) -> Natural | None:
        """The size of a picture, which what is being made depends on."""
        size = natural_of(self._assets, url)
        self.pictures.append((url, size))
        return size

    def find(self, known: dict[Any, Known], key: object) -> Known | None:
        """What was kept under a key, if it would be made alike now."""
        found = known.get(key)
        if found is not None and found.pictures:
            if found.job != self._job and any(natural_of(self._assets, url) != size for url, size in found.pictures):
                _forget([known.pop(key)])
                return None
            found.job = self._job
            self.pictures += found.pictures
        return found

    def keep(self, known: dict[Any, Known], most: int, key: object, made: Known, start: int) -> None:
        """Keep a box under a key, among so many at most. The pictures from `start` on were looked at for it."""
        if len(known) >= most:
            _forget(known.values())
            known.clear()
        made.pictures, made.job = tuple(self.pictures[start:]), self._job
        known[key] = made


def _forget(known: Iterable[Known]) -> None:
    """Let boxes go: how one was laid out leads back to it, and such a ring would wait for a collection of everything."""
    todo = [each.box for each in known if each.box is not None]
    while todo:
        box = todo.pop()
        box.laid = None
        todo += box.inside
