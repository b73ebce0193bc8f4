"""Computed style: what every element looks like, as plain values.

Lengths are px or, where they depend on the box around, a `Dim` with a part. A style is made once for all elements of
the same path (see `cascade`) and shared by them; it is compared by identity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from msgspec import Struct

from cardgen.faces.card.display import BLACK, BorderStyle, Colour
from cardgen.faces.card.fonts import FontSet
from cardgen.faces.card.shaping import TextStyle
from cardgen.faces.card.values import CURRENT, Dim, Url, used

Length = float | Dim
CLEAR: Colour = (0.0, 0.0, 0.0, 0.0)
SIDES = ("top", "right", "bottom", "left")
CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")


class Style(Struct, eq=False, kw_only=True):
    """The computed values of one element. The defaults are the initial values; `None` is `auto`.

    Nothing changes a style once it is made; it is not frozen because Python makes a frozen one of so many values ten times
    as slowly, and a text that is scaled to fit needs new ones.
    """

    # inherited
    color: Colour = BLACK
    font_family: tuple[str, ...] = ()
    font_size: float = 16.0
    font_weight: int = 400
    font_style: str = "normal"
    font_kerning: str = "auto"
    font_feature_settings: tuple[tuple[str, int], ...] = ()
    # `normal`, a factor, or a length in px
    line_height: float | Dim | None = None
    letter_spacing: float = 0.0
    word_spacing: float = 0.0
    text_align: str = "start"
    text_indent: Length = 0.0
    text_transform: str = "none"
    white_space: str = "normal"
    overflow_wrap: str = "normal"
    hyphens: str = "manual"
    hyphenate_limit_zone: Length = 0.0
    hyphenate_limit_chars: tuple[int, int, int] = (5, 2, 2)
    hyphenate_character: str = "‐"
    list_style_type: str = "disc"
    list_style_position: str = "outside"
    border_collapse: str = "separate"
    border_spacing: tuple[float, float] = (0.0, 0.0)
    visibility: str = "visible"
    lang: str = ""
    # whether lines and rows begin at the right
    is_rtl: bool = False
    # handed down to all that the element holds
    text_decoration_line: frozenset[str] = frozenset()
    # not inherited
    display: str = "inline"
    position: str = "static"
    top: Length | None = None
    right: Length | None = None
    bottom: Length | None = None
    left: Length | None = None
    width: Length | None = None
    height: Length | None = None
    # None: `auto`, which differs from 0 for the items of a flex box
    min_width: Length | None = None
    min_height: Length | None = None
    max_width: Length = inf
    max_height: Length = inf
    box_sizing: str = "content-box"
    margin_top: Length | None = 0.0
    margin_right: Length | None = 0.0
    margin_bottom: Length | None = 0.0
    margin_left: Length | None = 0.0
    padding_top: Length = 0.0
    padding_right: Length = 0.0
    padding_bottom: Length = 0.0
    padding_left: Length = 0.0
    overflow: str = "visible"
    z_index: int | None = None
    opacity: float = 1.0
    transform: tuple[int, int, int, int] | None = None
    transform_origin: tuple[Length, Length] = (Dim(part=0.5), Dim(part=0.5))
    border_top_width: float = 0.0
    border_right_width: float = 0.0
    border_bottom_width: float = 0.0
    border_left_width: float = 0.0
    border_top_style: BorderStyle = "none"
    border_right_style: BorderStyle = "none"
    border_bottom_style: BorderStyle = "none"
    border_left_style: BorderStyle = "none"
    border_top_color: Colour = BLACK
    border_right_color: Colour = BLACK
    border_bottom_color: Colour = BLACK
    border_left_color: Colour = BLACK
    border_top_left_radius: Length = 0.0
    border_top_right_radius: Length = 0.0
    border_bottom_right_radius: Length = 0.0
    border_bottom_left_radius: Length = 0.0
    background_color: Colour = CLEAR
    background_image: Url | None = None
    background_position: tuple[Length, Length] = (0.0, 0.0)
    # `cover`, `contain`, or width and height
    background_size: str | tuple[Length | None, Length | None] = (None, None)
    background_repeat: str = "repeat"
    object_fit: str = "fill"
    object_position: tuple[Length, Length] = (Dim(part=0.5), Dim(part=0.5))
    flex_direction: str = "row"
    flex_wrap: str = "nowrap"
    justify_content: str = "flex-start"
    align_items: str = "stretch"
    align_self: str = "auto"
    flex_grow: float = 0.0
    flex_shrink: float = 1.0
    flex_basis: Length | None = None
    row_gap: Length = 0.0
    column_gap: Length = 0.0
    # a word, or how far the baseline is lifted, in px
    vertical_align: str | float = "baseline"
    table_layout: str = "auto"
    content: tuple[str, ...] | None = None
    # worked out: how its text is set and how large (in the steps that Pango has), the height of a line and where the
    # baseline lies in it, in px
    text: TextStyle
    size: float = 0.0
    # the width of a space with its letter and word spacing, in px
    space: float = 0.0
    line: float = 0.0
    baseline: float = 0.0
    # whether it would stand in a line, had it not been taken out of the flow
    was_inline: bool = False
    # whether any edge (margin, padding) or size depends on the box around
    is_relative: bool = False
    # whether anything is painted for the box itself
    is_painted: bool = False

    @property
    def wraps(self) -> bool:
        """Whether lines may break at spaces."""
        return self.white_space != "nowrap"

    @property
    def collapses(self) -> bool:
        """Whether spaces in a row become one."""
        return self.white_space != "pre-wrap"


_DERIVED = ("text", "size", "space", "line", "baseline", "was_inline", "is_relative", "is_painted")
INITIAL: dict[str, Any] = {
    name: default
    for name, default in zip(Style.__struct_fields__, Style.__struct_defaults__, strict=True)
    if name not in _DERIVED
}
_NAMES = list(INITIAL)
INHERITED = frozenset(_NAMES[: _NAMES.index("text_decoration_line")])
_RELATIVE = [
    *("width", "height", "min_width", "min_height", "max_width", "max_height"),
    *(f"{edge}_{side}" for edge in ("margin", "padding") for side in SIDES),
]
_COLOURS = ("background_color", *(f"border_{side}_color" for side in SIDES))


def computed(
    specified: Mapping[str, Any], parent: Style | None, fonts: FontSet, is_root: bool = False, lang: str | None = None
) -> Style:
    """The computed style of an element with these cascaded values (by name with `_`), below `parent`.

    The values are those of `cardgen.faces.card.properties`; `inherit` and `initial` are among them.
    """
    values: dict[str, Any] = {name: getattr(parent, name) for name in INHERITED} if parent is not None else {}
    given: dict[str, Any] = {}
    for name, value in specified.items():
        if value == "inherit":
            given[name] = getattr(parent, name) if parent is not None else INITIAL[name]
        elif value == "initial":
            given[name] = INITIAL[name]
        else:
            given[name] = value
    em = _font_size(given, parent)
    for name, value in given.items():
        compute = _COMPUTE.get(name)
        values[name] = compute(value, em) if compute is not None else _length(value, em)
    values["font_size"] = em
    if lang is not None:
        values["lang"] = lang
    above = parent.text_decoration_line if parent is not None else frozenset()
    values["text_decoration_line"] = values.get("text_decoration_line", frozenset()) | above
    _settle(values, is_root)
    colour = values.get("color", BLACK)
    for name in _COLOURS:
        if values.get(name, CURRENT if name != "background_color" else None) == CURRENT:
            values[name] = colour
    values["text"] = _text(values, fonts)
    values["size"] = int(em * 1024) / 1024
    values["space"] = _space(values)
    values["line"], values["baseline"] = _strut(values)
    aligned = values.get("vertical_align")
    if isinstance(aligned, Dim):
        values["vertical_align"] = used(aligned, values["line"])
    values["is_relative"] = any(isinstance(values.get(name), Dim) for name in _RELATIVE)
    values["is_painted"] = (
        values.get("background_color", CLEAR)[3] > 0
        or values.get("background_image") is not None
        or any(values.get(f"border_{side}_width") for side in SIDES)
    )
    return Style(**values)


def _font_size(given: dict[str, Any], parent: Style | None) -> float:
    above: float = parent.font_size if parent is not None else INITIAL["font_size"]
    size = given.get("font_size", above)
    return used(size.computed(above), above) if isinstance(size, Dim) else float(size)


def _length(value: Any, em: float) -> Any:
    """A value whose lengths are px, or parts of the box around."""
    if isinstance(value, Dim):
        return value.computed(em)
    if isinstance(value, tuple) and value and isinstance(value[0], (Dim, type(None))):
        return tuple(_length(part, em) for part in value)
    return value


def _line_height(value: Any, em: float) -> Any:
    if isinstance(value, Dim):
        # A length is handed down as it is; only a factor is applied anew.
        return Dim(used(value.computed(em), em))
    return None if value == "normal" else value


def _decoration(value: Any, em: float) -> Any:
    return frozenset() if value == "none" else frozenset([value]) if isinstance(value, str) else value


_COMPUTE: dict[str, Callable[[Any, float], Any]] = {
    "line_height": _line_height,
    "text_decoration_line": _decoration,
    "font_weight": lambda value, em: {"normal": 400, "bold": 700}.get(value, value),
    "opacity": lambda value, em: min(1.0, max(0.0, value.part if isinstance(value, Dim) else value)),
}


def _settle(values: dict[str, Any], is_root: bool) -> None:
    """Values that depend on each other."""
    for side in SIDES:
        if values.get(f"border_{side}_style", "none") == "none":
            values[f"border_{side}_width"] = 0.0
    if is_root or values.get("position", "static") == "absolute":
        display = values.get("display", "inline")
        values["was_inline"] = display.startswith("inline")
        if display in {"inline", "inline-block"} or display.startswith("table-"):
            values["display"] = "block"


def _text(values: Mapping[str, Any], fonts: FontSet) -> TextStyle:
    def get(name: str) -> Any:
        return values.get(name, INITIAL[name])

    return fonts.style(
        get("font_family"),
        get("font_weight"),
        get("font_style") == "italic",
        get("font_feature_settings"),
        get("font_kerning") != "none",
        spaced=get("letter_spacing") != 0,
    )


def _space(values: Mapping[str, Any]) -> float:
    advance = values["text"].shape(" ", values.get("lang", ""))[0].width
    spacing = values.get("letter_spacing", 0.0) + values.get("word_spacing", 0.0)
    return float(round(advance * values["size"] * 1.024) / 1024 + spacing)


def _strut(values: Mapping[str, Any]) -> tuple[float, float]:
    """The height of a line and where its baseline lies in it."""
    em, size = values["font_size"], values["size"]
    if em == 0:
        return 0.0, 0.0
    metrics = values["text"].metrics
    height = (metrics.ascent + metrics.descent) * size
    stated = values.get("line_height")
    line = height if stated is None else stated.px if isinstance(stated, Dim) else stated * em
    return line, metrics.ascent * size + (line - height) / 2


def anonymous(style: Style, display: str) -> Style:
    """The style of a box that no element stands for, inside of one with `style`."""
    values = {
        name: getattr(style, name)
        for name in (*INHERITED, "text_decoration_line", "text", "size", "space", "line", "baseline")
    }
    return Style(**values, display=display)
