"""Which texts of a game stand in which fitted box of a face: found by their words, so that no layout has to tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from msgspec import Struct

from cardgen.i18n.wording import SENTENCE_WORDS
from cardgen.model.face import Face
from cardgen.model.game import Game
from cardgen.text.markup import plain

_WORDS = re.compile(r"\w+")
_VOID = {"img", "br", "hr", "wbr", "input"}
# What begins a line of its own; anything else stands in the line.
_BLOCKS = {"div", "p", "li", "ul", "ol", "td", "th", "tr", "table", "tbody", "thead", "h1", "h2", "h3", "h4", "br"}
_Key = tuple[str, ...]


class Contents(Struct, frozen=True):
    """What stands in a box: the letters in all, and the texts of the game among it; `whole` when one text is all."""

    characters: int
    contexts: tuple[str, ...]
    whole: bool


class Finder:
    """Finds the texts of a game, in its language, in the boxes of its faces."""

    def __init__(self, game: Game) -> None:
        self.cards = frozenset(game.cards)
        self.alone: dict[_Key, list[str]] = {}
        self.long: dict[_Key, list[tuple[_Key, str]]] = {}
        for context, source in game.strings.items():
            text = game.words.get(context, source.text)
            words = tuple(_WORDS.findall(plain(text, " ") if source.rich else text))
            if words:
                self.alone.setdefault(words, []).append(context)
            # One word may stand anywhere; it is found where it stands by itself.
            if len(words) > 1:
                self.long.setdefault(words[:2], []).append((words, context))

    def boxes(self, face: Face) -> dict[str, Contents]:
        """What stands in each box of a face, by the box's field."""
        reader = _Boxes()
        reader.feed(face.html)
        return {field: self.contents(face, parts) for field, parts in reader.found.items()}

    def contents(self, face: Face, parts: Sequence[str]) -> Contents:
        """What stands in an element of a face: `parts` are all of its text, then that of each element inside of it."""
        text = " ".join(" ".join(part.split()) for part in parts[:1])
        whole = tuple(_WORDS.findall(text))
        exact = [context for context in self.alone.get(whole, ()) if self._belongs(context, face, whole)]
        if exact:
            return Contents(len(text), tuple(exact), True)
        pieces = [tuple(_WORDS.findall(part)) for part in parts[1:]]
        inside = [(words, context) for words in pieces for context in self.alone.get(words, ())]
        inside += self._inside(whole)
        found = dict.fromkeys(context for words, context in inside if self._belongs(context, face, words))
        return Contents(len(text), tuple(found), False)

    def _inside(self, words: _Key) -> Iterator[tuple[_Key, str]]:
        for at in range(len(words) - 1):
            for wanted, context in self.long.get(words[at : at + 2], ()):
                if words[at : at + len(wanted)] == wanted:
                    yield wanted, context

    def _belongs(self, context: str, face: Face, words: _Key) -> bool:
        """Whether a text may stand on a face: that of another card or component says the same by chance, unless it is
        long."""
        first, _, rest = context.partition("/")
        if first in self.cards:
            own = bool(face.component) or face.label.partition("/")[0] == first
            return own or len(words) >= SENTENCE_WORDS
        return first != "components" or rest.partition(".")[0] == face.component


class _Boxes(HTMLParser):
    """Reads the boxes of a face: of each the text of all, then that of each element and each line inside of it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {}
        self.field = ""
        self.depth = 0
        self.all: list[str] = []
        self.parts: list[str] = []
        self.open: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter a box, or an element of one."""
        if not self.field:
            id = dict(attrs).get("id") or ""
            if id.startswith("fit-") and id.endswith("-text"):
                self.field, self.depth, self.all, self.parts, self.open = id[4:-5], 1, [], [], [[]]
            return
        if tag in _BLOCKS:
            self._line()
        if tag not in _VOID:
            self.depth += 1
            self.open.append([])

    def handle_endtag(self, tag: str) -> None:
        """Leave an element, or the box."""
        if not self.field or tag in _VOID:
            return
        self.depth -= 1
        self.parts.append("".join(self.open.pop()))
        if tag in _BLOCKS:
            self._line()
        if self.depth == 0:
            self.found[self.field] = ["".join(self.all), *self.parts]
            self.field = ""

    def handle_data(self, data: str) -> None:
        """Text of a box."""
        if self.field:
            self.all.append(data)
            for texts in self.open:
                texts.append(data)

    def _line(self) -> None:
        """What is next begins a line: words on either side are two."""
        self.all.append(" ")
        for texts in self.open:
            texts.append(" ")
