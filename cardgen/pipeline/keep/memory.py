"""What a process that stays keeps: the drawings of the last build, and what it wrote."""

from __future__ import annotations

from collections.abc import Callable, Set
from pathlib import Path

from msgspec import Struct

from cardgen.diagnostics import Diagnostic, Report
from cardgen.model.face import Rendering
from cardgen.model.product import Made
from cardgen.pdf.sheets import Sheets
from cardgen.pipeline.keep.parts import Keeper, faces_of, parts_of

# Every edit leaves a rendering of a face or two. From so many on their faces are drawn anew, together.
MOST_SMALL, SMALL = 12, 8


class Drawings:
    """The renderings that the last build used; `beneath` is asked for what is not among them."""

    def __init__(self, beneath: Keeper | None = None) -> None:
        self._held: list[Rendering] = []
        self._beneath = beneath
        # The keys beneath, looked up once: an edit should not wait for the disk. What is kept later is added.
        self._known: set[str] | None = None

    def find(self, keys: Set[str]) -> list[Rendering]:
        """Renderings of faces among `keys`; what is of no use for these is forgotten."""
        parts = parts_of(self._held, keys)
        small = [part for part in parts if len(faces_of(part)) < SMALL]
        if len(small) > MOST_SMALL:
            parts = [part for part in parts if part not in small]
        there = {key for part in parts for key in faces_of(part)}
        missing = keys & self._beneath_keys() - there if there != keys else set[str]()
        if self._beneath is not None and missing:
            parts += self._beneath.find(missing)
        self._held = list(parts)
        return parts

    def keys(self) -> set[str]:
        """The keys of all faces that are held here or beneath."""
        return self._beneath_keys().union(*map(faces_of, self._held))

    def _beneath_keys(self) -> set[str]:
        if self._known is None:
            self._known = self._beneath.keys() if self._beneath is not None else set()
        return self._known

    def keep(self, rendering: Rendering) -> None:
        """Take in what was drawn just now."""
        self._held.append(rendering)
        if self._beneath is not None:
            self._beneath.keep(rendering)
            if self._known is not None:
                self._known |= faces_of(rendering)


class _Written(Struct, frozen=True):
    """What the files of a product were made of, and how they lie on the disk."""

    made_of: object
    files: tuple[tuple[Made, int], ...]
    problems: tuple[Diagnostic, ...]


class Products:
    """What the last build wrote of each product, so that a product of which nothing changed is not written again."""

    def __init__(self) -> None:
        self._written: dict[str, _Written] = {}
        # by product its sheets: most stay as they are
        self._sheets: dict[str, Sheets] = {}

    def write(self, name: str, made_of: object, report: Report, write: Callable[[Sheets], list[Made]]) -> list[Made]:
        """The files of a product: as they are, when they were made of the same and nobody touched them, else written.

        `made_of` is all that they depend on. What was told of them is told again. `write` is given the sheets of the last
        time.
        """
        known = self._written.get(name)
        if known is not None and known.made_of == made_of and all(_time(made.path) == at for made, at in known.files):
            report.extend(known.problems)
            return [made for made, _ in known.files]
        before = len(report.items)
        last = self._sheets.get(name)
        self._sheets[name] = sheets = Sheets(last.now if last is not None else None)
        files = write(sheets)
        told = tuple(report.items[before:])
        self._written[name] = _Written(made_of, tuple((made, _time(made.path)) for made in files), told)
        return files


def _time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return -1
