"""Tells `cardgen.faces.standing` what the fragments of a face hold. A face is walked once for each layout."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from math import inf

from msgspec import Struct

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.fonts import ink
from cardgen.faces.card.fragments import Fragment
from cardgen.faces.card.stacking import matrix_of
from cardgen.faces.card.style import Style
from cardgen.faces.standing import COMMON, At, Frame, Rect, Setting, Standing, Suspect, setting
from cardgen.model.trim import Trim

_FRAMES = frozenset(["block", "inline-block", "flex", "table", "cell", "picture"])


class _Place(Struct, frozen=True):
    """An absolute box: from where it is placed, what holds there, and what is around it."""

    part: Fragment
    x: float
    y: float
    at: At
    trail: tuple[Fragment, ...]

    def is_in(self, boxes: Set[int]) -> bool:
        """Whether it lies in one of these boxes, told by their ids."""
        return not boxes.isdisjoint(map(id, self.trail))


class Measured:
    """What stands on a face, and which absolute box each fitted field lies in (None: in none but the face)."""

    def __init__(self, face: Fragment, trim: Trim, fields: Collection[str]) -> None:
        self.standing = Standing(trim, 0.0, fields)
        self.holders: dict[str, Fragment | None] = {}
        self._trail: list[Fragment] = []
        # the absolute boxes in the order of the walk
        self._places: dict[int, _Place] = {}
        self._visit(face, face.x, face.y, At())

    def look_again(self, parts: Collection[Fragment]) -> None:
        """Look at absolute boxes that were laid out anew: what was seen in them before is forgotten."""
        outer = {id(part) for part in parts}
        # What lay in them is gone, whatever else it was.
        inner = {key for key, place in self._places.items() if place.is_in(outer)}
        gone = outer | inner
        for field in [field for field, holder in self.holders.items() if id(holder) in gone]:
            del self.holders[field]
            self.standing.fitted.pop(field, None)
        self.standing.forget(outer)
        for key in inner:
            del self._places[key]
        # In the order of the walk: a field belongs to the first box that names it.
        for place in [place for key, place in self._places.items() if key in outer]:
            self._trail = [*place.trail]
            self._visit(place.part, place.x + place.part.x, place.y + place.part.y, place.at)

    def _visit(self, part: Fragment, x: float, y: float, at: At) -> None:
        box = part.box
        if part.held is not None:
            self._places[id(part)] = _Place(part, x - part.x, y - part.y, at, tuple(self._trail))
        if box is not None:
            kind = box.kind
            if kind in _FRAMES:
                source = box.source
                if source.id.startswith("fit-"):
                    around = (part, *reversed(self._trail))
                    self.holders.setdefault(
                        source.id[4:], next((each for each in around if each.held is not None), None)
                    )
                at = self.standing.enter(_frame(part, box, x, y), at)
                if kind == "picture":
                    self._picture(part, box, x, y, at)
                    return
        self._trail.append(part)
        if box is not None and box.is_apart:
            self._parts(part, x, y, at)
        else:
            for child in part.inside:
                own = child.box
                if own is not None and own.kind == "text":
                    self._text(child, own, x + child.x, y + child.y, at)
                else:
                    self._visit(child, x + child.x, y + child.y, at)
        self._trail.pop()

    def _parts(self, face: Fragment, x: float, y: float, at: At) -> None:
        """The parts of a face that holds nothing but absolute boxes; those that faces have alike are looked at once."""
        for part in face.inside:
            if part.is_sound:
                continue
            before = self.standing.suspects
            self._visit(part, x + part.x, y + part.y, at)
            assert part.box is not None
            part.is_sound = part.box.is_settled and self.standing.suspects == before

    def _text(self, part: Fragment, box: Box, x: float, y: float, at: At) -> None:
        if at.is_background or not part.text.strip() or box.style.visibility != "visible":
            return
        rect = (x, y, x + part.width, y + part.height)
        if self.standing.text(rect, at):
            self._suspect(box, part.text, rect, at, part)

    def _picture(self, part: Fragment, box: Box, x: float, y: float, at: At) -> None:
        classes = box.source.classes
        if at.is_background or not box.is_inline or not classes or box.style.visibility != "visible":
            return
        if not COMMON.intersection(classes.split()):
            return
        rect = (x, y, x + part.width, y + part.height)
        if self.standing.icon(rect, at):
            self._suspect(box, f"[{box.source.alt or 'icon'}]", rect, at, None)

    def _suspect(self, box: Box, text: str, rect: Rect, at: At, part: Fragment | None) -> None:
        trail = self._trail[:]

        def names() -> Iterator[tuple[str, str]]:
            yield box.source.id, box.source.classes
            for around in reversed(trail):
                if around.box is not None:
                    yield around.box.source.id, around.box.source.classes

        def has_text() -> bool:
            line = next((around for around in reversed(trail) if around.box is None), None)
            return line is not None and _holds_letters(line)

        letters = None if part is None else (lambda: _letters(part, rect))
        self.standing.suspect(Suspect(text, rect, at, letters, names, has_text, frozenset(map(id, trail))))


def _frame(part: Fragment, box: Box, x: float, y: float) -> Frame:
    style, source = box.style, box.source
    hides = None
    if style.overflow != "visible":
        top, right, bottom, left = part.border
        hides = (x + left, y + top, x + part.width - right, y + part.height - bottom)
    return Frame(
        (x, y, x + part.width, y + part.height),
        source,
        source.id,
        source.layer == "background",
        style.position,
        box.is_marker,
        style.width is not None,
        style.height is not None,
        style.max_height != inf,
        (style.left is not None, style.right is not None, style.top is not None, style.bottom is not None),
        matrix_of(part, x, y) if style.transform is not None else None,
        hides,
        lambda: _setting(style),
    )


def _setting(style: Style) -> Setting:
    case = style.text_transform
    return setting(style.wraps, style.font_family, style.font_weight, case, style.font_size, style.letter_spacing)


def _holds_letters(part: Fragment) -> bool:
    return bool(part.text.strip()) or any(_holds_letters(child) for child in part.inside)


def _letters(part: Fragment, rect: Rect) -> Rect:
    """What the letters of a text take up, without the air that fonts leave around them."""
    assert part.box is not None
    size = part.box.style.size / 1000
    x, baseline = rect[0], rect[1] + part.baseline - part.above
    found: list[Rect] = []
    for run in part.runs:
        left, top, right, bottom = ink(run)
        spacing = part.letter * run.clusters + part.word * run.spaces
        if right > left:
            wider = spacing - part.letter
            found.append((x + left * size, baseline + top * size, x + right * size + wider, baseline + bottom * size))
        x += run.width * size + spacing
    if not found:
        return rect
    lefts, tops, rights, bottoms = zip(*found, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
