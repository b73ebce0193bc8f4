"""Where the text of a face stands, and what of it stands where it should not: the same for every engine.

An engine walks its boxes once and tells here what it meets. What the letters themselves take up is asked for only where
a line comes near an edge: that is dear, while comparing boxes costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence, Set
from typing import NamedTuple

from msgspec import Struct

from cardgen.faces.fit import Fits
from cardgen.geometry import Box
from cardgen.model.face import Face, Fit, Lines, Stray, StrayKind
from cardgen.model.trim import Trim

PX_PER_MM = 96 / 25.4
# Left, top, right, bottom in px: on the page, or before the turn of the element that they are in.
Rect = tuple[float, float, float, float]
# a b c d e f, as CSS has them.
Matrix = tuple[float, float, float, float, float, float]

# How far letters may stand where they should not before anybody is told, in mm: rounding at the cut and where something
# is hidden, the tail of a letter in a tight line, the accent on a capital at the top of a card (of 3 mm, 2 stay free).
TOLERANCE_MM: dict[StrayKind, float] = {"trim": 0.05, "hidden": 0.2, "box": 0.5, "safe": 1.0}

# Classes that say how something is drawn, not what it is.
COMMON = frozenset(["fit", "fit-text", "prose", "icon", "die"])


class Setting(NamedTuple):
    """How the text in an element is set: whether lines may break, the type (see `Lines.type`), and the size in px."""

    wraps: bool
    type: str
    em: float


PLAIN = Setting(True, "", 0.0)


def setting(wraps: bool, family: Sequence[str], weight: object, case: str, em: float, spacing: float) -> Setting:
    """The setting of an element's style; `em` and `spacing` (between letters) in px."""
    return Setting(wraps, f"{family[0] if family else ''} {weight} {case} {spacing / em if em else 0:.2f}", em)


class Fitted(Struct, eq=False):
    """A fitted box and its content, as they are before they are turned."""

    field: str
    element: object
    matrix: Matrix | None
    box: Rect
    problem: StrayKind | None
    inner: Rect | None = None
    # how far its lines reach to the left and right: a word may be wider than the content's own box
    left: float = float("inf")
    right: float = float("-inf")
    # the length of its text, the lines that it stands in, and where the last of them ends
    length: float = 0.0
    lines: int = 0
    lowest: float = float("-inf")
    setting: Setting = PLAIN

    def add(self, rect: Rect) -> None:
        """Take note of a text or an icon in it, before it is turned, in the order in which they are read."""
        left, top, right, bottom = rect
        self.length += right - left
        # Letters of several sizes overlap in a line; in columns beside one another the same line counts once.
        if (top + bottom) / 2 > self.lowest:
            self.lines += 1
            self.lowest = bottom

    def run(self) -> Lines:
        """How its text runs."""
        left, top, right, bottom = (value / PX_PER_MM for value in self.box)
        taken = (self.inner[3] - self.inner[1]) / PX_PER_MM if self.inner is not None else 0.0
        wraps, type, em = self.setting
        return Lines(
            self.length / PX_PER_MM, self.lines, taken, right - left, bottom - top, wraps, type, em / PX_PER_MM
        )

    def on_page(self) -> tuple[Rect, Rect] | None:
        """The box and its content on the page; None when the content is not there."""
        if self.inner is None:
            return None
        left, top, right, bottom = self.inner
        content = (min(left, self.left), top, max(right, self.right), bottom)
        return turned(self.matrix, self.box), turned(self.matrix, content)


class At(Struct, frozen=True):
    """What holds for the boxes inside of an element."""

    matrix: Matrix | None = None
    fit: Fitted | None = None
    # the borders of the boxes that bound text in width and in height
    wide: Rect | None = None
    tall: Rect | None = None
    # what is visible at all, on the page
    clip: Rect | None = None
    is_background: bool = False
    # what lies within is surely where it may be; None where that cannot be told so simply
    room: Rect | None = None


class Frame(Struct, frozen=True):
    """What is told of a box that other boxes stand in.

    `edges` are the stated left, right, top and bottom, by whether they are; `matrix` is the box's own turn.
    """

    border: Rect
    element: object
    id: str
    is_background: bool
    position: str
    is_marker: bool
    has_width: bool
    has_height: bool
    has_most_height: bool
    edges: tuple[bool, bool, bool, bool]
    matrix: Matrix | None = None
    # the inner edge of its border, when it hides what leaves it
    hides: Rect | None = None
    setting: Callable[[], Setting] = lambda: PLAIN


class Suspect(Struct, frozen=True):
    """A text or an icon that comes near an edge. `letters` tells what its letters take up, None for an icon; `names`
    the ids and classes of the elements around it, the nearest first; `has_text` whether its line holds letters;
    `within` says, for `Standing.forget`, which boxes it lies in."""

    text: str
    rect: Rect
    at: At
    letters: Callable[[], Rect] | None
    names: Callable[[], Iterator[tuple[str, str]]]
    has_text: Callable[[], bool]
    within: frozenset[int] = frozenset()


class Standing:
    """The fitted boxes and the texts of one face, whose trim begins at (`origin`, `origin`) of its page, in px."""

    def __init__(self, trim: Trim, origin: float, fields: Collection[str]) -> None:
        width, height = trim.size.width * PX_PER_MM, trim.size.height * PX_PER_MM
        self.fitted: dict[str, Fitted] = {}
        self._fields = fields
        self._origin = origin
        self._trim = (origin, origin, origin + width, origin + height)
        self._safe = trim.safe * PX_PER_MM
        self._near = _grown(self._trim, (TOLERANCE_MM["safe"] - trim.safe) * PX_PER_MM)
        self._far = TOLERANCE_MM["box"] * PX_PER_MM
        self._suspects: list[Suspect] = []

    @property
    def suspects(self) -> int:
        """How many things have to be looked at so far."""
        return len(self._suspects)

    def enter(self, frame: Frame, at: At) -> At:
        """What holds inside of a box."""
        matrix, fit, wide, tall, clip = at.matrix, at.fit, at.wide, at.tall, at.clip
        left, right, top, bottom = frame.edges
        is_absolute = frame.position == "absolute"
        if frame.matrix is not None:
            matrix = combined(frame.matrix, matrix)
        if is_absolute or frame.is_marker or frame.matrix is not None:
            # It stands where it was put: what it was taken out of does not bound it.
            wide = tall = None
        if frame.has_width or (is_absolute and left and right):
            wide = frame.border
        is_tall = frame.has_height or (is_absolute and top and bottom)
        if is_tall:
            tall = frame.border
        if frame.hides is not None:
            seen = turned(matrix, frame.hides)
            clip = seen if clip is None else _common(clip, seen)
        if frame.id.startswith("fit-"):
            fit = self._fit(frame, frame.id[4:], fit, matrix, is_tall)
        elif frame.id.startswith("face-"):
            wide = tall = None
        room = None
        if matrix is None:
            room = _narrowed(self._near, clip, 0.0)
            if fit is None:
                room = _narrowed(room, wide, self._far, is_tall=False)
                room = _narrowed(room, tall, self._far, is_wide=False)
        return At(matrix, fit, wide, tall, clip, at.is_background or frame.is_background, room)

    def _fit(self, frame: Frame, name: str, fit: Fitted | None, matrix: Matrix | None, is_tall: bool) -> Fitted | None:
        if name in self._fields:
            known = self.fitted.get(name)
            if known is None:
                known = Fitted(name, frame.element, matrix, frame.border, _problem(frame, is_tall))
                self.fitted[name] = known
            # Anonymous boxes inside share its element. A second box of the field is measured like any other text.
            return known if known.element is frame.element else None
        if fit is not None and fit.inner is None and name == f"{fit.field}-text":
            fit.inner = frame.border
            fit.setting = frame.setting()
        return fit

    def text(self, rect: Rect, at: At) -> bool:
        """Take note of a visible text that is not background; whether it has to be looked at."""
        fit, room = at.fit, at.room
        if (
            fit is None and room is not None
            and room[0] <= rect[0] and room[1] <= rect[1] and rect[2] <= room[2] and rect[3] <= room[3]
        ):  # fmt: skip
            return False
        far = False
        if fit is None:
            far = _out_of_box(rect, at) > self._far
        elif at.matrix is fit.matrix:
            fit.left, fit.right = min(fit.left, rect[0]), max(fit.right, rect[2])
            fit.add(rect)
        page = rect if at.matrix is None else turned(at.matrix, rect)
        return far or beyond(page, self._near) > 0 or (at.clip is not None and beyond(page, at.clip) > 0)

    def icon(self, rect: Rect, at: At) -> bool:
        """Take note of a visible picture in a text; whether it has to be looked at."""
        if at.fit is not None and at.matrix is at.fit.matrix:
            at.fit.length += rect[2] - rect[0]
        return beyond(turned(at.matrix, rect), self._trim) > 0

    def suspect(self, suspect: Suspect) -> None:
        """Keep what has to be looked at until somebody asks for strays."""
        self._suspects.append(suspect)

    def forget(self, boxes: Set[int]) -> None:
        """Keep nothing of what lies in one of these boxes: it is looked at again."""
        self._suspects = [suspect for suspect in self._suspects if boxes.isdisjoint(suspect.within)]

    def strays(self, key: str) -> tuple[Stray, ...]:
        """What stands where it should not on the face `key`: for each box the worst of each kind."""
        found: dict[tuple[StrayKind, str], Stray] = {}
        for fitted in self.fitted.values():
            if fitted.problem is not None:
                found[fitted.problem, fitted.field] = Stray(key, fitted.problem, fitted.field, True, 0.0, "")
        for suspect in self._suspects:
            stray = self._judge(key, suspect)
            if stray is not None and stray.by > (known.by if (known := found.get((stray.kind, stray.box))) else 0.0):
                found[stray.kind, stray.box] = stray
        return tuple(found.values())

    def _judge(self, key: str, suspect: Suspect) -> Stray | None:
        at = suspect.at
        rect = suspect.rect if suspect.letters is None else suspect.letters()
        page = turned(at.matrix, rect)
        by: dict[StrayKind, float] = {"trim": beyond(page, self._trim)}
        if at.clip is not None:
            by["hidden"] = beyond(page, at.clip)
        if suspect.letters is not None:
            by["box"] = _out_of_box(rect, at) if at.fit is None else 0.0
            by["safe"] = by["trim"] + self._safe
        kind = next((kind for kind, far in by.items() if far > TOLERANCE_MM[kind] * PX_PER_MM), None)
        if kind is None:
            return None
        if suspect.letters is None and at.fit is None and not suspect.has_text():
            return None  # a picture, not a letter
        name = at.fit.field if at.fit is not None else _name(suspect.names())
        return Stray(key, kind, name, at.fit is not None, by[kind] / PX_PER_MM, suspect.text.strip()[:60])

    def fits(self, face: Face, fits: Fits) -> Iterator[Fit]:
        """How the fitted boxes of a face came out with these fits."""
        for field in face.fits:
            fitted = self.fitted.get(field)
            boxes = fitted.on_page() if fitted is not None else None
            if fitted is not None and boxes is not None:
                tight, scale = fits.get(field, (False, 1.0))
                box, content = self._box(boxes[0]), self._box(boxes[1])
                yield Fit(face.key, field, box, content, scale, tight, fitted.run())

    def _box(self, rect: Rect) -> Box:
        left, top, right, bottom = ((value - self._origin) / PX_PER_MM for value in rect)
        return Box(left, top, right - left, bottom - top)


def _problem(frame: Frame, is_tall: bool) -> StrayKind | None:
    """What a fitted box lacks."""
    if not is_tall and not frame.has_most_height:
        return "unsized"
    left, right, top, bottom = frame.edges
    if frame.position == "absolute":
        return None if (left or right) and (top or bottom) else "unplaced"
    # In the flow, a place that was stated says that the box was meant to be taken out of it.
    return "unplaced" if frame.position == "static" and any(frame.edges) else None


def _name(around: Iterator[tuple[str, str]]) -> str:
    """What people call the element: the classes of the nearest one that has any of its own."""
    for id, classes in around:
        if id.startswith("face-"):
            break
        own = [name for name in classes.split() if name not in COMMON]
        if own:
            return "." + ".".join(own)
    return "face"


def combined(inner: Matrix, outer: Matrix | None) -> Matrix:
    """The matrix of both: first the inner one, then the outer one."""
    if outer is None:
        return inner
    a, b, c, d, e, f = inner
    oa, ob, oc, od, oe, of = outer
    return (
        a * oa + b * oc,
        a * ob + b * od,
        c * oa + d * oc,
        c * ob + d * od,
        e * oa + f * oc + oe,
        e * ob + f * od + of,
    )


def turned(matrix: Matrix | None, rect: Rect) -> Rect:
    """The upright rectangle around one that an element's matrix turns."""
    if matrix is None:
        return rect
    a, b, c, d, e, f = matrix
    across = [a * x + c * y + e for x in rect[::2] for y in rect[1::2]]
    along = [b * x + d * y + f for x in rect[::2] for y in rect[1::2]]
    return min(across), min(along), max(across), max(along)


def _grown(rect: Rect, by: float) -> Rect:
    return rect[0] - by, rect[1] - by, rect[2] + by, rect[3] + by


def _common(one: Rect, two: Rect) -> Rect:
    return max(one[0], two[0]), max(one[1], two[1]), min(one[2], two[2]), min(one[3], two[3])


def _narrowed(room: Rect, by: Rect | None, far: float, is_wide: bool = True, is_tall: bool = True) -> Rect:
    """What of the room lies within bounds, or not farther out of them, in one direction or both."""
    if by is None:
        return room
    left, top, right, bottom = room
    if is_wide:
        left, right = max(left, by[0] - far), min(right, by[2] + far)
    if is_tall:
        top, bottom = max(top, by[1] - far), min(bottom, by[3] + far)
    return left, top, right, bottom


def beyond(rect: Rect, bounds: Rect) -> float:
    """How far the rectangle reaches out of the bounds, in px; less than 0 when it lies within."""
    return max(bounds[0] - rect[0], bounds[1] - rect[1], rect[2] - bounds[2], rect[3] - bounds[3])


def _out_of_box(rect: Rect, at: At) -> float:
    """How far text reaches out of the boxes that bound it."""
    far = 0.0
    if at.wide is not None:
        far = max(at.wide[0] - rect[0], rect[2] - at.wide[2])
    if at.tall is not None:
        far = max(far, at.tall[1] - rect[1], rect[3] - at.tall[3])
    return far
