"""Files that somebody broke beside an open page: what is wrong, what they said before, and writing over them."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from msgspec import Struct

from cardgen.diagnostics import Span
from cardgen.errors import FileProblem
from cardgen.files import write_atomic

# Of so many files is remembered what they said when they could be read last.
KEPT = 256


class Broken(FileProblem):
    """A file that is no valid YAML: where, and the line itself, which says it in every language."""

    def __init__(self, span: Span, message: str, line: str) -> None:
        super().__init__(f"{span}: {message}")
        self.span = span
        self.line = line


class Breakage(Struct, frozen=True):
    """A broken file as a page tells of it; `known` says whether anybody knows what it said before."""

    file: str
    line: int
    column: int
    text: str
    known: bool


class LastGood:
    """The texts of files as they were when they could be read last, the newest few."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, str] = OrderedDict()

    def note(self, file: str, text: str) -> None:
        """Remember the text of a file that was just read."""
        self._texts[file] = text
        self._texts.move_to_end(file)
        while len(self._texts) > KEPT:
            self._texts.popitem(last=False)

    def of(self, file: str) -> str | None:
        """What a file said when it was read last; None when nobody read it."""
        return self._texts.get(file)

    def breakage(self, error: Broken) -> Breakage:
        """What a page tells of a broken file."""
        span = error.span
        return Breakage(span.file, span.line, span.column, error.line, span.file in self._texts)


def put_aside(path: Path, data: bytes) -> Path:
    """Keep what a file holds beside it, under a name that nothing reads and nobody has. Raises FileProblem."""
    aside = free_name(path)
    write_atomic(aside, data)
    return aside


def free_name(path: Path) -> Path:
    """The name beside a file that the next one that is put aside gets. Raises FileProblem when there are too many."""
    names = (path.with_name(f"{path.name}.broken{number}") for number in ("", *range(2, 1000)))
    aside = next((name for name in names if not name.exists()), None)
    if aside is None:
        raise FileProblem(f"there are too many `{path.name}.broken` files; remove some")
    return aside
