"""Diagnostics: a place, a code with its arguments, a hint. All problems are gathered; none stops the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from cardgen.codes import CODES
from cardgen.codes import Severity as Severity

# Among more names than these nobody looks for the nearest: many wrong names among many would take minutes.
MOST_NAMES = 2000


class Span(Struct, frozen=True, order=True):
    """A place in a file: its name relative to the project, line and column, both from 1 (0: the whole file)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        name = printable(self.file)
        return f"{name}:{self.line}:{self.column}" if self.line else name


class Diagnostic(Struct, frozen=True):
    """One problem: a code of `cardgen.codes`, the arguments of its message, where it is, and what may help."""

    code: str
    arguments: Mapping[str, object]
    span: Span | None = None
    hint: str = ""
    count: int = 1

    @property
    def severity(self) -> Severity:
        """How bad it is, from the table."""
        return CODES[self.code].severity

    @property
    def label(self) -> str:
        """What stands in brackets: the code, or the id of the game's rule that was broken."""
        return str(self.arguments["rule"]) if self.code in {"CG610", "CG612", "CG615"} else self.code

    @property
    def message(self) -> str:
        """What was found and what was expected, in one sentence, control characters made visible."""
        arguments = {name: _Told(printable(value)) for name, value in self.arguments.items()}
        text = CODES[self.code].message.format_map(arguments)
        return text if self.count == 1 else f"{text} (and {self.count - 1} more)"

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """By place, then by code and message, so that reports do not depend on the order of discovery."""
        span = self.span or Span("")
        return span.file, span.line, span.column, self.code, self.message

    def cause(self) -> tuple[object, ...]:
        """What problems with the same cause have in common: all but whom they befell."""
        code = CODES[self.code]
        span = self.span or Span("")
        rest = sorted((name, str(value)) for name, value in self.arguments.items() if name not in code.each)
        return self.code, span.file, span.line, span.column, self.hint, *rest


class Report(Struct):
    """Gathers diagnostics. The only mutable value that the stages share."""

    items: list[Diagnostic] = field(default_factory=list)

    def add(self, code: str, span: Span | None = None, hint: str = "", **arguments: object) -> None:
        """Note one problem."""
        self.items.append(Diagnostic(code, arguments, span, hint))

    def extend(self, items: Iterable[Diagnostic]) -> None:
        """Take over problems that were found elsewhere, in a worker for example."""
        self.items.extend(items)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.sorted())

    def __len__(self) -> int:
        return len(self.items)

    def sorted(self) -> list[Diagnostic]:
        """Every problem by place; those of the same cause are one, with their number."""
        found: dict[tuple[object, ...], dict[tuple[str, int, int, str, str], Diagnostic]] = {}
        for item in self.items:
            found.setdefault(item.cause(), {}).setdefault(item.sort_key(), item)
        merged = []
        for same in found.values():
            first = same[min(same)]
            merged.append(replace(first, count=len(same)) if len(same) > 1 else first)
        return sorted(merged, key=Diagnostic.sort_key)

    def has_errors(self, strict: bool = False) -> bool:
        """Whether a run should end with exit code 1; `strict` counts warnings as well."""
        bad = {"error", "warning"} if strict else {"error"}
        return any(item.severity in bad for item in self.items)


class _Told(str):
    """An argument of a message. `{count:text is|texts are}` is `1 text is` or `2 texts are`."""

    def __format__(self, spec: str) -> str:
        one, bar, many = spec.partition("|")
        if not bar:
            return super().__format__(spec)
        return f"{self} {one if self == '1' else many}"


def printable(value: object) -> str:
    """The text of a value with control characters made visible and overlong text cut."""
    text = str(value)
    if len(text) > 300:
        text = text[:297] + "..."
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _visible(char) for char in text)


def _visible(char: str) -> str:
    number = ord(char)
    if char == "\n":
        return "\\n"
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, or None when nothing is near enough to be worth offering."""
    name, names = name[:80], sorted(known)
    if len(names) > MOST_NAMES:
        return None
    from rapidfuzz import fuzz, process  # nobody who makes no mistakes waits for it

    found = process.extractOne(name, names, scorer=fuzz.ratio, score_cutoff=60)
    if found:
        return found[0]
    # A part of a longer name, or a name with something around it.
    parts = [other for other in names if min(len(name), len(other)) > 3 and (name in other or other in name)]
    return min(parts, key=len, default=None)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint: the nearest known name, else the known names when they are few."""
    names = sorted(set(known))
    guess = nearest(name, names)
    if guess is not None:
        return f"did you mean `{guess}`?"
    if names and len(names) <= 12:
        return f"known: {', '.join(names)}"
    return ""
