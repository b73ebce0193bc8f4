"""What a process that stays keeps: the drawings of the last build, and what it wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Set
from pathlib import Path

from msgspec import Struct

from cardgen.diagnostics import Diagnostic, Report
from cardgen.model.face import Rendering
from cardgen.model.product import Made
from cardgen.pdf.writer import deflated
from cardgen.pipeline.keep.parts import Keeper, faces_of, parts_of

Deflate = Callable[[bytes], bytes]

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
        if self._beneath is not None and there != keys:
            parts += self._beneath.find(keys - there)
        self._held = list(parts)
        return parts

    def keys(self) -> set[str]:
        """The keys of all faces that are held here or beneath."""
        if self._known is None:
            self._known = self._beneath.keys() if self._beneath is not None else set()
        return self._known.union(*map(faces_of, self._held))

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
        # by product the compressed contents of its sheets, by the digests of what they were: most sheets stay as they are
        self._sheets: dict[str, dict[bytes, bytes]] = {}

    def write(self, name: str, made_of: object, report: Report, write: Callable[[Deflate], list[Made]]) -> list[Made]:
        """The files of a product: as they are, when they were made of the same and nobody touched them, else written.

        `made_of` is all that they depend on. What was told of them is told again. `write` is given what compresses.
        """
        known = self._written.get(name)
        if known is not None and known.made_of == made_of and all(_time(made.path) == at for made, at in known.files):
            report.extend(known.problems)
            return [made for made, _ in known.files]
        before = len(report.items)
        sheets = Sheets(self._sheets.get(name, {}))
        files = write(sheets)
        self._sheets[name] = sheets.now
        told = tuple(report.items[before:])
        self._written[name] = _Written(made_of, tuple((made, _time(made.path)) for made in files), told)
        return files


class Sheets:
    """The compressed contents of sheets by the hashes of what they were; compresses what was not the last time."""

    def __init__(self, before: Mapping[bytes, bytes]) -> None:
        self.now: dict[bytes, bytes] = {}
        # whether there is any now that was not there before
        self.is_new = False
        self._before = before

    def __call__(self, content: bytes) -> bytes:
        """A content as it is stored."""
        digest = hashlib.sha256(content).digest()
        found = self.now.get(digest) or self._before.get(digest)
        if found is None:
            found = deflated(content)
            self.is_new = True
        self.now[digest] = found
        return found


def _time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return -1
