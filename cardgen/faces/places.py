"""Where in layouts and style sheets something was written that came out wrong on a face: for people, as near as can be.

Called for what is to be reported only; layouts and style sheets are searched as text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from cardgen.diagnostics import Span
from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets
from cardgen.files import MAX_LAYOUT

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NAMED = re.compile(r"""\b(?:include|import|from|extends)\s+["']([^"']+)["']""")
_PLACING = re.compile(r"(?:^|[;\s])(?:left|top|right|bottom|width|height)\s*:")


class Places:
    """Finds places in the layouts and style sheets of a project; each file is read once."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._texts: dict[str, str] = {}

    def rule(self, css: Collection[str], names: Collection[str]) -> Span | None:
        """The rule that most likely places an element with these classes, in one of its layout's style sheets."""
        best: tuple[tuple[bool, bool, int], Span] | None = None
        for number, sheet in enumerate(css):
            file = f"layouts/{sheet}"
            text = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), self._text(file))
            for rule in _RULE.finditer(text):
                for selector in rule[1].split(","):
                    if not any(re.search(rf"\.{re.escape(name)}(?![\w-])", selector) for name in names):
                        continue
                    last = re.split(r"[\s>]+", selector.strip())[-1]
                    is_its_own = any(re.search(rf"\.{re.escape(name)}(?![\w-])", last) for name in names)
                    worth = (is_its_own, bool(_PLACING.search(rule[2])), number)
                    if best is None or worth > best[0]:
                        start = rule.start(1) + len(rule[1]) - len(rule[1].lstrip())
                        best = worth, _at(file, text, start)
        return best[1] if best is not None else None

    def classes(self, css: Collection[str]) -> set[str]:
        """Every class that the style sheets name."""
        texts = (_COMMENT.sub("", self._text(f"layouts/{sheet}")) for sheet in css)
        return {
            name
            for text in texts
            for rule in _RULE.findall(text)
            for name in re.findall(r"\.([A-Za-z][\w-]*)", rule[0])
        }

    def words(self, layout: str, css: Collection[str], wanted: Collection[str]) -> Span:
        """Where a layout, what it includes, or its style sheets first say one of the wanted words; else the layout."""
        for file in self.files(layout, css):
            found = [place for word in wanted if (place := self.word(file, word)).line]
            if found:
                return min(found)
        return Span(f"layouts/{layout}.html.j2")

    def word(self, file: str, wanted: str) -> Span:
        """Where a file first says a word; the file when it does not."""
        text = self._text(file)
        at = text.find(wanted)
        return _at(file, text, at) if at >= 0 else Span(file)

    def files(self, layout: str, css: Collection[str]) -> list[str]:
        """A layout, what it includes, and its style sheets."""
        return [*self._files(f"{layout}.html.j2"), *(f"layouts/{sheet}" for sheet in css)]

    def lines(self, span: Span, count: int = 8) -> str:
        """So many lines of a file, from that of a place on."""
        first = (span.line or 1) - 1
        return "\n".join(self._text(span.file).splitlines()[first : first + count])

    def _files(self, name: str) -> Iterator[str]:
        """A layout and all that it includes or imports by name."""
        todo, seen = [name], set[str]()
        while todo:
            file = todo.pop(0)
            if file not in seen:
                seen.add(file)
                yield f"layouts/{file}"
                todo += _NAMED.findall(self._text(f"layouts/{file}"))

    def _text(self, file: str) -> str:
        if file not in self._texts:
            try:
                self._texts[file] = self._assets.shelf.read(file, MAX_LAYOUT).decode("utf-8-sig", "replace")
            except FileProblem:
                self._texts[file] = ""
        return self._texts[file]


def _at(file: str, text: str, at: int) -> Span:
    return Span(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
