"""Tells `cardgen.faces.standing` what WeasyPrint's boxes hold once they are laid out. A face is walked once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from weasyprint.formatting_structure import boxes
from weasyprint.layout.absolute import AbsolutePlaceholder
from weasyprint.text.ffi import FROM_UNITS, ffi, pango

from cardgen.faces.standing import COMMON, PX_PER_MM, At, Frame, Rect, Setting, Standing, Suspect, setting
from cardgen.model.trim import Trim

_FRAMES = (boxes.BlockLevelBox, boxes.AtomicInlineLevelBox, boxes.TableCellBox, boxes.InlineFlexBox)


def standing_of(page: Any, trim: Trim, prefix: str, fields: Collection[str]) -> Standing:
    """What stands on a page, which holds one face. `prefix` begins the ids of its fitted boxes, before `fit-`."""
    walk = _Walk(page._page_box, Standing(trim, trim.bleed * PX_PER_MM, fields), prefix)
    walk.visit(walk.root, At())
    return walk.standing


class _Walk:
    def __init__(self, root: Any, standing: Standing, prefix: str) -> None:
        self.root, self.standing, self.prefix = root, standing, prefix

    def visit(self, box: Any, at: At) -> None:
        if isinstance(box, AbsolutePlaceholder):
            box = box._box
        if isinstance(box, boxes.TextBox):
            self._text(box, at)
            return
        if isinstance(box, _FRAMES):
            at = self.standing.enter(self._frame(box), at)
            if isinstance(box, boxes.InlineReplacedBox):
                self._picture(box, at)
        for child in box.children:
            self.visit(child, at)

    def _frame(self, box: Any) -> Frame:
        style, element = box.style, box.element
        id = (element.get("id") or "") if element is not None else ""
        position = style["position"]
        matrix = box.transformation_matrix
        return Frame(
            _border_box(box),
            element,
            id.removeprefix(self.prefix),
            element is not None and element.get("data-layer") == "background",
            "absolute" if position in {"absolute", "fixed"} else position,
            box.is_outside_marker,
            not isinstance(style["width"], str),
            not isinstance(style["height"], str),
            getattr(style["max_height"], "value", 0.0) != float("inf"),
            (style["left"] != "auto", style["right"] != "auto", style["top"] != "auto", style["bottom"] != "auto"),
            matrix.values if matrix else None,
            _padding_box(box) if style["overflow"] != "visible" else None,
            lambda: _setting(style),
        )

    def _text(self, box: Any, at: At) -> None:
        if at.is_background or not box.text.strip() or box.style["visibility"] != "visible":
            return
        left, top = box.position_x, box.position_y + box.margin_top
        rect = (left, top, left + box.width, top + box.height)
        if self.standing.text(rect, at):
            self._suspect(box, box.text, rect, at, is_text=True)

    def _picture(self, box: Any, at: At) -> None:
        if at.is_background or box.style["visibility"] != "visible" or not COMMON.intersection(_classes(box).split()):
            return
        rect = _border_box(box)
        if self.standing.icon(rect, at):
            self._suspect(box, f"[{box.element.get('alt') or 'icon'}]", rect, at, is_text=False)

    def _suspect(self, box: Any, text: str, rect: Rect, at: At, is_text: bool) -> None:
        def names() -> Iterator[tuple[str, str]]:
            for around in reversed(_trail(self.root, box)):
                if around.element is not None:
                    yield around.element.get("id") or "", _classes(around)

        letters = (lambda: _letters(box)) if is_text else None
        self.standing.suspect(Suspect(text, rect, at, letters, names, lambda: _has_text(_trail(self.root, box))))


def _setting(style: Any) -> Setting:
    wraps, spacing = style["white_space"] not in ("nowrap", "pre"), style["letter_spacing"]
    spacing = spacing if isinstance(spacing, float) else 0.0
    case = style["text_transform"]
    return setting(wraps, style["font_family"], style["font_weight"], case, style["font_size"], spacing)


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


def _classes(box: Any) -> str:
    return (box.element.get("class") or "") if box.element is not None else ""


def _border_box(box: Any) -> Rect:
    left, top, width, height = box.hit_area()
    return left, top, left + width, top + height


def _padding_box(box: Any) -> Rect:
    left, top = box.padding_box_x(), box.padding_box_y()
    return left, top, left + box.padding_width(), top + box.padding_height()
