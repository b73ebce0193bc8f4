"""Which text of a game is to blame for a box that overflows or for what was pushed out of its place, and where it is
written: a label that is too long moves what stands beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser

from msgspec import Struct, field

from cardgen.diagnostics import Report, Span
from cardgen.faces.findings import Blamed
from cardgen.files import Shelf
from cardgen.model.face import Face
from cardgen.model.game import Game
from cardgen.pipeline.languages import catalog_of
from cardgen.pipeline.translation.contents import Finder

_VOID = frozenset(["img", "br", "hr", "wbr", "input"])
# How far up from what is out of place the culprit is looked for: the element, what it stands in, and what that does.
LEVELS = 3


class _Element(Struct, eq=False):
    """An element of a face: its classes and the parts of its text, of which the first is all of it."""

    id: str
    classes: frozenset[str]
    above: _Element | None
    parts: list[str] = field(default_factory=lambda: [""])

    @property
    def text(self) -> str:
        return " ".join(self.parts[0].split())


class Blame:
    """Finds the texts to blame on the faces of games, each in its language. Reads a catalog when it is first asked."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._finders: dict[tuple[str, str], Finder] = {}
        self._places: dict[tuple[str, str], Mapping[str, Span]] = {}

    def of(self, game: Game, face: Face, box: str, text: str) -> Blamed | None:
        """The text to blame when `text` of the element `box` is out of place, or does not fit.

        `box` is a fitted field's name or an element's classes (`.a.b`); with neither, any text of the face may be it.
        """
        own, *around = self._candidates(game, face, box, text)
        contexts = list(dict.fromkeys([*own, *(context for level in around for context in level)]))
        # What grew the most on its way from the source; else the longest of its own: others are where they were meant.
        best = max(contexts, key=lambda context: _growth(game, context), default="")
        if not best or _growth(game, best) <= 0:
            best = max(own, key=lambda context: len(_text(game, context)), default="")
        return Blamed(best, self._place(game, best), best in own and bool(box)) if best else None

    def _candidates(self, game: Game, face: Face, box: str, text: str) -> list[tuple[str, ...]]:
        """The texts of the element, then those of what it stands in, level by level, but not of the whole face."""
        finder = self._finders.get((game.id, game.lang))
        if finder is None:
            finder = self._finders[game.id, game.lang] = Finder(game)
        elements = list(_elements(face.html))
        element = _wanted(elements, box, text) if box else elements[0]
        found: list[tuple[str, ...]] = []
        # Nothing but its own text makes a fitted box overflow.
        for _ in range(1 if box in face.fits else LEVELS):
            if element is None or (found and element.above is None):
                break
            found.append(finder.contents(face, element.parts).contexts)
            element = element.above
        return found or [()]

    def _place(self, game: Game, context: str) -> Span:
        # What is not translated, or only of an older text, is printed as the source has it.
        if game.lang == game.source or context not in game.words:
            return game.strings[context].span
        places = self._places.get((game.id, game.lang))
        if places is None:
            catalog = catalog_of(game, game.lang, self._shelf, Report())
            entries = catalog.entries.items() if catalog is not None else ()
            places = self._places[game.id, game.lang] = {name: entry.span for name, entry in entries if entry.target}
        return places.get(context, game.strings[context].span)


def _text(game: Game, context: str) -> str:
    return game.words.get(context, game.strings[context].text)


def _growth(game: Game, context: str) -> int:
    return len(_text(game, context)) - len(game.strings[context].text)


def _wanted(elements: Iterable[_Element], box: str, text: str) -> _Element | None:
    """The innermost element of that name with that text in it; of several the first."""
    wanted = " ".join(text.split()).casefold()
    classes = frozenset(box.split(".")) - {""}
    best: _Element | None = None
    for element in elements:
        named = element.id == f"fit-{box}-text" or (box.startswith(".") and classes <= element.classes)
        if named and (not wanted or wanted in element.text.casefold()):
            return element
        if named and best is None:
            best = element
    return best


def _elements(html: str) -> Iterator[_Element]:
    """The elements of a face in the order in which they begin; the first is the face itself."""
    reader = _Reader()
    reader.feed(html)
    return iter(reader.found)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found = [_Element("", frozenset(), None)]
        self.open = [self.found[0]]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter an element."""
        for element in self.open:
            element.parts[0] += " " if tag != "b" and tag != "i" else ""
        if tag in _VOID:
            return
        told = {name: value or "" for name, value in attrs}
        element = _Element(told.get("id", ""), frozenset(told.get("class", "").split()), self.open[-1])
        self.found.append(element)
        self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element: its text is a part of all that it stands in."""
        if tag in _VOID or len(self.open) == 1:
            return
        done = self.open.pop()
        for element in self.open:
            element.parts.append(done.parts[0])
            element.parts[0] += " " if tag != "b" and tag != "i" else ""

    def handle_data(self, data: str) -> None:
        """Text of all elements that are open."""
        for element in self.open:
            element.parts[0] += data
