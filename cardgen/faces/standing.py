"""Where the text of a face stands, read from WeasyPrint's boxes once they are laid out.

A face is walked once. What the letters themselves take up is asked of Pango only where a line comes near an edge: that
lays the line out again, while comparing boxes costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from weasyprint.formatting_structure import boxes
from weasyprint.layout.absolute import AbsolutePlaceholder
from weasyprint.text.ffi import FROM_UNITS, ffi, pango

from cardgen.model.face import Stray, StrayKind
from cardgen.model.trim import Trim

PX_PER_MM = 96 / 25.4
# Left, top, right, bottom in px: on the page, or before the turn of the element that they are in.
Rect = tuple[float, float, float, float]

# How far letters may stand where they should not before anybody is told, in mm: rounding at the cut and where something
# is hidden, the tail of a letter in a tight line, the accent on a capital at the top of a card (of 3 mm, 2 stay free).
TOLERANCE_MM: dict[StrayKind, float] = {"trim": 0.05, "hidden": 0.2, "box": 0.5, "safe": 1.0}

_FRAMES = (boxes.BlockLevelBox, boxes.AtomicInlineLevelBox, boxes.TableCellBox, boxes.InlineFlexBox)
# Classes that say how something is drawn, not what it is.
_COMMON = frozenset(["fit", "fit-text", "prose", "icon", "die"])


@dataclass(slots=True)
class Fitted:
    """A fitted box and its content, as they are before they are turned."""

    field: str
    element: Any
    matrix: Any
    box: Rect
    problem: StrayKind | None
    inner: Rect | None = None
    # how far its lines reach to the left and right: a word may be wider than the content's own box
    left: float = float("inf")
    right: float = float("-inf")

    def on_page(self) -> tuple[Rect, Rect] | None:
        """The box and its content on the page; None when the content is not there."""
        if self.inner is None:
            return None
        left, top, right, bottom = self.inner
        content = (min(left, self.left), top, max(right, self.right), bottom)
        return _turned(self.matrix, self.box), _turned(self.matrix, content)


@dataclass(frozen=True, slots=True)
class _At:
    """What holds for the boxes inside of an element."""

    matrix: Any = None
    fit: Fitted | None = None
    # the boxes that bound text in width and in height
    wide: Any = None
    tall: Any = None
    # what is visible at all, on the page
    clip: Rect | None = None
    background: bool = False


class Standing:
    """The fitted boxes and the texts of one page, which holds one face. `prefix` begins the ids of its fitted boxes."""

    def __init__(self, page: Any, trim: Trim, prefix: str, fields: Collection[str]) -> None:
        bleed, width, height = (mm * PX_PER_MM for mm in (trim.bleed, trim.size.width, trim.size.height))
        self.fitted: dict[str, Fitted] = {}
        self._root = page._page_box
        self._prefix = prefix
        self._fields = fields
        self._trim = (bleed, bleed, bleed + width, bleed + height)
        self._safe = trim.safe * PX_PER_MM
        self._near = _grown(self._trim, (TOLERANCE_MM["safe"] - trim.safe) * PX_PER_MM)
        self._far = TOLERANCE_MM["box"] * PX_PER_MM
        # texts and icons that come near an edge, with the box that they were laid out in
        self._suspects: list[tuple[Any, Rect, _At]] = []
        self._visit(self._root, _At())

    def _visit(self, box: Any, at: _At) -> None:
        if isinstance(box, AbsolutePlaceholder):
            box = box._box
        if isinstance(box, boxes.TextBox):
            self._text(box, at)
            return
        if isinstance(box, _FRAMES):
            at = self._enter(box, at)
            if isinstance(box, boxes.InlineReplacedBox):
                self._picture(box, at)
        for child in box.children:
            self._visit(child, at)

    def _enter(self, box: Any, at: _At) -> _At:
        style, element = box.style, box.element
        matrix, fit, wide, tall, clip, background = at.matrix, at.fit, at.wide, at.tall, at.clip, at.background
        absolute = style["position"] in {"absolute", "fixed"}
        if box.transformation_matrix:
            matrix = box.transformation_matrix @ matrix if matrix else box.transformation_matrix
        if absolute or box.is_outside_marker or box.transformation_matrix:
            # It stands where it was put: what it was taken out of does not bound it.
            wide = tall = None
        if not isinstance(style["width"], str) or (absolute and "auto" not in (style["left"], style["right"])):
            wide = box
        if not isinstance(style["height"], str) or (absolute and "auto" not in (style["top"], style["bottom"])):
            tall = box
        if style["overflow"] != "visible":
            seen = _turned(matrix, _padding_box(box))
            clip = seen if clip is None else _common(clip, seen)
        if element is not None:
            id = element.get("id")
            if id is not None and id.startswith(self._prefix):
                fit = self._fit(box, id[len(self._prefix) :], fit, matrix, tall is box)
            elif id is not None and id.startswith("face-"):
                wide = tall = None
            background = background or element.get("data-layer") == "background"
        return _At(matrix, fit, wide, tall, clip, background)

    def _fit(self, box: Any, name: str, fit: Fitted | None, matrix: Any, is_sized: bool) -> Fitted | None:
        if name in self._fields:
            known = self.fitted.get(name)
            if known is None:
                problem = _problem(box.style, is_sized)
                known = self.fitted[name] = Fitted(name, box.element, matrix, _border_box(box), problem)
            # Anonymous boxes inside share its element. A second box of the field is measured like any other text.
            return known if known.element is box.element else None
        if fit is not None and fit.inner is None and name == f"{fit.field}-text":
            fit.inner = _border_box(box)
        return fit

    def _text(self, box: Any, at: _At) -> None:
        if at.background or not box.text.strip() or box.style["visibility"] != "visible":
            return
        left, top = box.position_x, box.position_y + box.margin_top
        rect = (left, top, left + box.width, top + box.height)
        fit = at.fit
        if fit is None:
            far = _out_of_box(rect, at) > self._far
        else:
            far = False
            if at.matrix is fit.matrix:
                fit.left, fit.right = min(fit.left, rect[0]), max(fit.right, rect[2])
        page = _turned(at.matrix, rect)
        if far or _beyond(page, self._near) > 0 or (at.clip is not None and _beyond(page, at.clip) > 0):
            self._suspects.append((box, rect, at))

    def _picture(self, box: Any, at: _At) -> None:
        if at.background or box.style["visibility"] != "visible" or not _COMMON.intersection(_classes(box)):
            return
        rect = _border_box(box)
        if _beyond(_turned(at.matrix, rect), self._trim) > 0:
            self._suspects.append((box, rect, at))

    def strays(self, key: str) -> tuple[Stray, ...]:
        """What stands where it should not on the face `key`: for each box the worst of each kind."""
        found: dict[tuple[StrayKind, str], Stray] = {}
        for fitted in self.fitted.values():
            if fitted.problem is not None:
                found[fitted.problem, fitted.field] = Stray(key, fitted.problem, fitted.field, True, 0.0, "")
        for box, rect, at in self._suspects:
            stray = self._judge(key, box, rect, at)
            if stray is not None and stray.by > (known.by if (known := found.get((stray.kind, stray.box))) else 0.0):
                found[stray.kind, stray.box] = stray
        return tuple(found.values())

    def _judge(self, key: str, box: Any, rect: Rect, at: _At) -> Stray | None:
        is_text = isinstance(box, boxes.TextBox)
        if is_text:
            rect = _letters(box)
        page = _turned(at.matrix, rect)
        by: dict[StrayKind, float] = {"trim": _beyond(page, self._trim)}
        if at.clip is not None:
            by["hidden"] = _beyond(page, at.clip)
        if is_text:
            by["box"] = _out_of_box(rect, at) if at.fit is None else 0.0
            by["safe"] = by["trim"] + self._safe
        kind = next((kind for kind, far in by.items() if far > TOLERANCE_MM[kind] * PX_PER_MM), None)
        if kind is None:
            return None
        trail = _trail(self._root, box)
        if not is_text and at.fit is None and not _has_text(trail):
            return None  # a picture, not a letter
        text = box.text if is_text else f"[{box.element.get('alt') or 'icon'}]"
        name = at.fit.field if at.fit is not None else _name(trail)
        return Stray(key, kind, name, at.fit is not None, by[kind] / PX_PER_MM, text.strip()[:60])


def _problem(style: Any, is_sized: bool) -> StrayKind | None:
    """What a fitted box lacks."""
    if not is_sized and getattr(style["max_height"], "value", 0.0) == float("inf"):
        return "unsized"
    across, along = (style["left"], style["right"]), (style["top"], style["bottom"])
    if style["position"] in {"absolute", "fixed"}:
        return "unplaced" if across == ("auto", "auto") or along == ("auto", "auto") else None
    # In the flow, a place that was stated says that the box was meant to be taken out of it.
    return "unplaced" if style["position"] == "static" and {*across, *along} != {"auto"} else None


def _letters(box: Any) -> Rect:
    """What the letters of a text take up, without the air that fonts leave around them."""
    ink = ffi.new("PangoRectangle *")
    box.pango_layout.reactivate(box.style)
    line, _ = box.pango_layout.get_first_line()
    pango.pango_layout_line_get_extents(line, ink, ffi.NULL)
    box.pango_layout.deactivate()
    left = box.position_x + ink.x * FROM_UNITS
    top = box.position_y + box.baseline + ink.y * FROM_UNITS
    return left, top, left + ink.width * FROM_UNITS, top + ink.height * FROM_UNITS


def _trail(root: Any, wanted: Any) -> list[Any]:
    """The boxes from the page down to one of them."""
    todo: list[tuple[Any, list[Any]]] = [(root, [])]
    while todo:
        box, trail = todo.pop()
        if isinstance(box, AbsolutePlaceholder):
            box = box._box
        trail = [*trail, box]
        if box is wanted:
            return trail
        todo += [(child, trail) for child in box.children]
    return []


def _has_text(trail: list[Any]) -> bool:
    """Whether there are letters in the line that a box stands in."""
    line = next((box for box in reversed(trail) if isinstance(box, boxes.LineBox)), None)
    texts = line.descendants() if line is not None else ()
    return any(isinstance(box, boxes.TextBox) and box.text.strip() for box in texts)


def _name(trail: list[Any]) -> str:
    """What people call the element: the classes of the nearest one that has any of its own."""
    for box in reversed(trail):
        if box.element is not None and (box.element.get("id") or "").startswith("face-"):
            break
        own = [name for name in _classes(box) if name not in _COMMON]
        if own:
            return "." + ".".join(own)
    return "face"


def _classes(box: Any) -> list[str]:
    return (box.element.get("class") or "").split() if box.element is not None else []


def _border_box(box: Any) -> Rect:
    left, top, width, height = box.hit_area()
    return left, top, left + width, top + height


def _padding_box(box: Any) -> Rect:
    left, top = box.padding_box_x(), box.padding_box_y()
    return left, top, left + box.padding_width(), top + box.padding_height()


def _turned(matrix: Any, rect: Rect) -> Rect:
    """The upright rectangle around one that an element's matrix turns."""
    if matrix is None:
        return rect
    corners = [matrix.transform_point(x, y) for x in rect[::2] for y in rect[1::2]]
    across, along = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(along), max(across), max(along)


def _grown(rect: Rect, by: float) -> Rect:
    return rect[0] - by, rect[1] - by, rect[2] + by, rect[3] + by


def _common(one: Rect, two: Rect) -> Rect:
    return max(one[0], two[0]), max(one[1], two[1]), min(one[2], two[2]), min(one[3], two[3])


def _beyond(rect: Rect, bounds: Rect) -> float:
    """How far the rectangle reaches out of the bounds, in px; less than 0 when it lies within."""
    return max(bounds[0] - rect[0], bounds[1] - rect[1], rect[2] - bounds[2], rect[3] - bounds[3])


def _out_of_box(rect: Rect, at: _At) -> float:
    """How far text reaches out of the boxes that bound it."""
    far = 0.0
    if at.wide is not None:
        left, _, right, _ = _border_box(at.wide)
        far = max(left - rect[0], rect[2] - right)
    if at.tall is not None:
        _, top, _, bottom = _border_box(at.tall)
        far = max(far, top - rect[1], rect[3] - bottom)
    return far
