"""Reads gettext's PO format, strictly: what is not understood is reported with its line, never skipped in silence."""

from __future__ import annotations

import re

from msgspec import Struct, field

from cardgen.diagnostics import Report, Span

# A file that is something else altogether is told about a few times, not a thousand.
MAX_PROBLEMS = 20

_KEYWORD = re.compile(r"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d{1,3}\])?)(?=[\s\"]|$)\s*")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"\s*$')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "", '"': '"', "\\": "\\"}
_ORDER = ("msgctxt", "msgid", "msgstr")


class Item(Struct):
    """One entry of a file: its strings by keyword, where each stood, whether it is marked fuzzy.

    `comments` are a translator's own (`# `), `previous` the source that a stale translation was made from (`#|`).
    """

    texts: dict[str, str] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    fuzzy: bool = False
    comments: list[str] = field(default_factory=list)
    previous: str | None = None

    @property
    def context(self) -> str | None:
        """The msgctxt, if it has one."""
        return self.texts.get("msgctxt")


class _Broken(Exception):
    """A line that cannot be understood; the rest of its entry is left out."""

    def __init__(self, problem: str, at: int, hint: str = "") -> None:
        super().__init__(problem)
        self.at = at
        self.hint = hint


class _Plural(_Broken):
    """A line that gettext understands, and cards have no use for."""


def parse_po(text: str, file: str, report: Report) -> tuple[Item, ...]:
    """The entries of a PO file, the header among them; broken ones are reported and left out."""
    parser = _Parser(file, report)
    for number, line in enumerate(text.split("\n"), 1):
        parser.line(number, line.rstrip("\r"))
        if parser.problems >= MAX_PROBLEMS:
            return tuple(parser.found)
    parser.finish()
    return tuple(parser.found)


def obsolete_lines(text: str) -> tuple[str, ...]:
    """The lines of a PO file that keep entries for later (`#~`), as they stand."""
    return tuple(line.rstrip("\r") for line in text.split("\n") if line.startswith("#~"))


class _Parser:
    """Takes a file line by line. A class because an entry is spread over many lines."""

    def __init__(self, file: str, report: Report) -> None:
        self.file = file
        self.report = report
        self.found: list[Item] = []
        self.problems = 0
        self.item = Item()
        self.keyword = ""
        self.skipping = False

    def line(self, number: int, line: str) -> None:
        """Take one line."""
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        try:
            if text.startswith("#"):
                self._comment(text)
            elif text:
                self._strings(number, indent, text)
            elif "msgstr" in self.item.texts or self.skipping:
                self.finish()
        except _Plural as plural:
            self.problems += 1
            self.report.add("CG247", Span(self.file, number, indent + plural.at + 1), plural.hint)
            self.item, self.keyword, self.skipping = Item(), "", True
        except _Broken as broken:
            self._problem(Span(self.file, number, indent + broken.at + 1), str(broken), broken.hint)
            self.item, self.keyword, self.skipping = Item(), "", True

    def _problem(self, span: Span, problem: str, hint: str = "") -> None:
        self.problems += 1
        self.report.add("CG201", span, hint, problem=problem)

    def _comment(self, text: str) -> None:
        # `#~` is an entry that is kept for later: it says nothing now.
        if "msgstr" in self.item.texts or self.skipping:
            self.finish()
        if text.startswith("#,"):
            self.item.fuzzy = self.item.fuzzy or "fuzzy" in [flag.strip() for flag in text[2:].split(",")]
        elif text.startswith("#|"):
            self._previous(text[2:].strip())
        elif text == "#" or text.startswith("# "):
            self.item.comments.append(text[2:])

    def _previous(self, text: str) -> None:
        """A line of the previous source: told by nobody when it is broken, since nothing depends on it."""
        starts = text.startswith("msgid ")
        match = _STRING.match(text.removeprefix("msgid ").strip())
        if match is None or (not starts and self.item.previous is None):
            return
        part = _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[0]), match[1])
        self.item.previous = part if starts else (self.item.previous or "") + part

    def _strings(self, number: int, indent: int, text: str) -> None:
        match = _KEYWORD.match(text)
        if match is None:
            if not text.startswith('"'):
                if self.skipping:
                    return
                raise _Broken("expected `msgctxt`, `msgid`, `msgstr` or a text in quotes", 0)
            if self.skipping:
                return
            if not self.keyword:
                raise _Broken("a text in quotes that belongs to nothing", 0)
            self.item.texts[self.keyword] += _string(text, 0)
            return
        keyword = match[1]
        if keyword == "msgctxt" or (keyword == "msgid" and ("msgid" in self.item.texts or self.skipping)):
            self.finish()
        elif self.skipping:
            return
        if keyword == "msgid_plural" or "[" in keyword:
            raise _Plural("plural forms", 0, "write one `msgid` and one `msgstr`")
        if keyword in self.item.texts:
            raise _Broken(f"a second `{keyword}` in one entry", 0)
        wanted = _ORDER[_ORDER.index(keyword) - 1]
        if keyword == "msgstr" and wanted not in self.item.texts:
            raise _Broken("`msgstr` without a `msgid` above it", 0)
        self.item.texts[keyword] = _string(text[match.end() :], match.end())
        self.item.places[keyword] = Span(self.file, number, indent + 1)
        self.keyword = keyword

    def finish(self) -> None:
        """The entry so far is complete: keep it, and begin anew."""
        item, self.item, self.keyword, self.skipping = self.item, Item(), "", False
        if not item.texts:
            # A comment, and flags that belong to what follows.
            self.item = item
            return
        for keyword in ("msgid", "msgstr"):
            if keyword not in item.texts:
                self._problem(next(iter(item.places.values())), f"the entry has no `{keyword}`")
                return
        self.found.append(item)


def _string(text: str, at: int) -> str:
    if not text.startswith('"'):
        raise _Broken("expected a text in quotes", at)
    match = _STRING.match(text)
    if match is None:
        closing = re.match(r'"(?:[^"\\]|\\.)*"', text)
        if closing:
            raise _Broken("found more behind the closing quote", at + closing.end(), 'a quote inside a text is `\\"`')
        raise _Broken("a quote is opened here and not closed on its line", at)
    for escape in _ESCAPE.finditer(match[1]):
        if escape[1] not in _ESCAPED:
            raise _Broken(f"unknown escape `{escape[0]}`", at + 1 + escape.start(), "a backslash is written `\\\\`")
    return _ESCAPE.sub(lambda escape: _ESCAPED[escape[1]], match[1])
