"""What the YAML parser complains about, told to somebody who writes cards: where it went wrong and what may help."""

from __future__ import annotations

import re

import yaml
from msgspec import Struct

from cardgen.diagnostics import Diagnostic, Span

_QUOTES = "a text that starts with `{char}` needs quotes, or a block: `|` and the text on the next lines, indented"
# Characters that begin something else than a text. `#` begins a comment and never gets here.
_SPECIAL = "*&!%@`[]{}|>,"
_VALUE = re.compile(r"^\s*(?:- +)*(?:[^\s:#]+: +)?(?:- +)*(?P<char>[" + re.escape(_SPECIAL) + "\"'])")
_BEHIND = {
    "'": "an apostrophe inside single quotes is written twice; or use double quotes around the text",
    '"': "what stands behind the closing quote belongs inside; a quote inside double quotes needs a backslash",
}


class _Known(Struct, frozen=True):
    """A complaint of the parser: its words, whether the beginning of the context is the better place, our words."""

    problem: str
    context: str
    at_context: bool
    message: str
    hint: str = ""
    # whether a value that begins with a special character is the likely cause
    special: bool = False


_KNOWN = (
    _Known("mapping values are not allowed", "", False, "found a second `: ` on the line",
           "a text that holds `: ` needs quotes; a key stands on its own line"),
    _Known("did not find expected alphabetic", "alias", True, "`*` at the beginning repeats an anchor", special=True),
    _Known("did not find expected alphabetic", "anchor", True, "`&` at the beginning names an anchor", special=True),
    _Known("end of stream", "quoted", True, "a quoted text is opened here and not closed"),
    _Known("document indicator", "quoted", True, "a quoted text is opened here and not closed"),
    _Known("could not find expected ':'", "", True, "expected `key: value`, found a line without a colon",
           "is the colon missing, or the indentation of a text that goes on?"),
    _Known("cannot start any token", "", False, "`{char}` cannot begin a value"),
    _Known("unknown escape", "", False, "unknown escape in double quotes",
           "use single quotes where a backslash is meant"),
    _Known("expected ',' or ']'", "", True, "a list is opened here with `[` and not closed"),
    _Known("expected ',' or '}'", "", True, "a mapping is opened here with `{{` and not closed"),
    _Known("did not find expected key", "block mapping", False, "expected a key or the end of the mapping",
           "is the indentation that of the lines above?", special=True),
    _Known("did not find expected '-'", "", False, "expected a line that starts with `- `, as the ones above",
           "is the indentation that of the lines above?"),
    _Known("block sequence entries are not allowed", "", False, "a list that starts with `- ` must begin on its own line"),
    _Known("expected <document start>", "", False, "found more text behind the end of the document"),
    _Known("undefined tag handle", "", False, "`!` at the beginning is a tag; values carry no tags", special=True),
    _Known("expected node content", "flow", False, "expected a value", "is a bracket above open?"),
    _Known("expected comment or line break", "block scalar", True, "`{char}` at the beginning begins a block of text",
           special=True),
    _Known("nesting depth", "", False, "nested too deeply"),
)  # fmt: skip


def explain(error: yaml.YAMLError, text: str, file: str) -> Diagnostic:
    """The diagnostic for an error of the parser."""
    if not isinstance(error, yaml.MarkedYAMLError):
        reason = str(error).splitlines()[0] if str(error) else "it cannot be read"
        return Diagnostic("CG003", {"problem": reason}, Span(file, 1, 1))
    problem, context = error.problem or "it cannot be read", error.context or ""
    mark = error.problem_mark or error.context_mark
    known = next((item for item in _KNOWN if item.problem in problem and item.context in context), None)
    if known is None:
        reason = f"{context}: {problem}" if context else problem
        return Diagnostic("CG003", {"problem": reason.strip()}, _span(file, mark))
    if known.at_context and error.context_mark:
        mark = error.context_mark
    span = _span(file, mark)
    lines = text.split("\n")
    line = lines[span.line - 1] if 0 < span.line <= len(lines) else ""
    char = line[span.column - 1 : span.column]
    begins = _VALUE.match(line)
    # A value that begins with a special character and goes on as text is the usual cause of most of these.
    hint = known.hint
    if begins and known.special and begins.start("char") < span.column:
        hint = _BEHIND.get(begins["char"]) or _QUOTES.format(char=begins["char"])
    elif char and char in _SPECIAL and "{char}" in known.message:
        hint = _QUOTES.format(char=char)
    return Diagnostic("CG003", {"problem": known.message.format(char=char)}, span, hint)


def _span(file: str, mark: yaml.error.Mark | None) -> Span:
    return Span(file, mark.line + 1, mark.column + 1) if mark else Span(file, 1, 1)
