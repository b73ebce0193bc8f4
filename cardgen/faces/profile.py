"""The card profile, as a table: the part of HTML and CSS that a card's layout keeps to.

A layout states `{% set profile = "card" %}` and is then held to this table by `cardgen.faces.lint`, so that a fast
engine of our own can take it unchanged. `docs/card-profile.md` is generated from here. What is not in the table is
not in the profile; `INSTEAD` says what to use in place of what people reach for.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Kind = Literal["length", "percentage", "number", "integer", "colour", "url", "string", "family", "turn"]

PROFILES = ("card",)


class Property(Struct, frozen=True):
    """What one property takes: kinds of values and words, at most so many of them, and signs between them."""

    group: str
    kinds: tuple[Kind, ...] = ()
    words: tuple[str, ...] = ()
    most: int = 1
    signs: str = ""
    note: str = ""


KINDS: dict[Kind, str] = {
    "length": "a number with one of the units, `0`, or `calc(…)`",
    "percentage": "a number with `%`, or `calc(…)`",
    "number": "a number without a unit, or `calc(…)`",
    "integer": "a whole number without a unit",
    "colour": "`#rgb`, `#rrggbb` and the same with alpha, a CSS name, `rgb(…)`, `rgba(…)`, `transparent`, `currentColor`",
    "url": "`url(…)` of a picture of the project",
    "string": "a text in quotes",
    "family": "a font role of fonts.yaml",
    "turn": "`rotate(90deg)`, `rotate(180deg)`, `rotate(270deg)`, the same backwards, `rotate(0deg)`",
}

UNITS = ("mm", "pt", "em")
# mm per unit, for hints: what is meant is usually a length of the profile in other clothes.
OTHER_UNITS = {"px": 25.4 / 96, "cm": 10.0, "in": 25.4, "q": 0.25, "pc": 25.4 / 6}

# What every property takes besides its own words.
EVERYWHERE = ("inherit", "initial")

PROPERTIES: dict[str, Property] = {}


def _add(
    group: str, names: str, kinds: str = "", words: str = "", most: int = 1, signs: str = "", note: str = ""
) -> None:
    for name in names.split():
        if name in PROPERTIES:
            raise ValueError(f"property {name} stands in the table twice")
        kinds_of: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind in kinds.split())
        PROPERTIES[name] = Property(group, kinds_of, tuple(words.split()), most, signs, note)


_SIDES = ("top", "right", "bottom", "left")
_LINES = "none solid dashed dotted"


def _sides(pattern: str) -> str:
    return " ".join(pattern.format(side) for side in _SIDES)


_B = "Boxes"
_add(
    _B,
    "display",
    words="block inline inline-block list-item flex table table-header-group table-row-group table-row table-cell none",
)
_add(_B, "position", words="static relative absolute")
_add(_B, "top right bottom left", "length percentage", "auto")
_add(_B, "width height", "length percentage", "auto")
_add(_B, "min-width min-height", "length percentage")
_add(_B, "max-width max-height", "length percentage", "none")
_add(_B, "box-sizing", words="content-box border-box")
_add(_B, "margin", "length percentage", "auto", most=4)
_add(_B, _sides("margin-{}"), "length percentage", "auto")
_add(_B, "padding", "length percentage", most=4)
_add(_B, _sides("padding-{}"), "length percentage")
_add(_B, "overflow", words="visible hidden", note="For pictures in round frames. A text that is cut is still reported.")
_add(_B, "visibility", words="visible hidden")
_add(_B, "z-index", "integer", "auto")
_add(_B, "opacity", "number percentage")
_add(_B, "transform", "turn", "none", note="Quarter turns only: they keep text and pictures sharp and boxes upright.")
_add(_B, "transform-origin", "length percentage", "left center right top bottom", most=2)

_B = "Borders and backgrounds"
_add(_B, "border " + _sides("border-{}"), "length colour", _LINES, most=3)
_add(_B, "border-width", "length", most=4)
_add(_B, "border-style", "", _LINES, most=4)
_add(_B, "border-color", "colour", most=4)
_add(_B, _sides("border-{}-width"), "length")
_add(_B, _sides("border-{}-style"), "", _LINES)
_add(_B, _sides("border-{}-color"), "colour")
_add(_B, "border-radius", "length percentage", most=4)
_add(
    _B,
    "border-top-left-radius border-top-right-radius border-bottom-right-radius border-bottom-left-radius",
    "length percentage",
)
_add(
    _B,
    "background",
    "colour url length percentage",
    "none left center right top bottom auto cover contain repeat no-repeat",
    most=7,
    signs="/",
    note="One layer.",
)
_add(_B, "background-color", "colour")
_add(_B, "background-image", "url", "none")
_add(_B, "background-position", "length percentage", "left center right top bottom", most=2)
_add(_B, "background-size", "length percentage", "auto cover contain", most=2)
_add(_B, "background-repeat", "", "repeat no-repeat")

_B = "Pictures"
_add(_B, "object-fit", words="fill contain cover")
_add(_B, "object-position", "length percentage", "left center right top bottom", most=2)

_B = "Rows and columns (flex)"
_PLACES = "flex-start flex-end center"
_add(_B, "flex-direction", words="row column")
_add(_B, "flex-wrap", words="nowrap wrap")
_add(_B, "justify-content", words=f"{_PLACES} space-between space-around space-evenly")
_add(_B, "align-items", words=f"{_PLACES} stretch baseline")
_add(_B, "align-self", words=f"auto {_PLACES} stretch baseline")
_add(_B, "flex", "number length percentage", "none auto", most=3)
_add(_B, "flex-grow flex-shrink", "number")
_add(_B, "flex-basis", "length percentage", "auto")
_add(_B, "gap", "length percentage", most=2)
_add(_B, "row-gap column-gap", "length percentage")

_B = "Text"
_add(_B, "color", "colour")
_add(_B, "font-family", "family", most=8, signs=",", note="Roles only; no system font is ever used.")
_add(_B, "font-size", "length percentage")
_add(_B, "font-weight", "integer", "normal bold")
_add(_B, "font-style", words="normal italic")
_add(_B, "font-kerning", words="auto normal none")
_add(_B, "font-feature-settings", "string integer", "normal on off", most=8, signs=",")
_add(_B, "line-height", "number length percentage", "normal")
_add(_B, "letter-spacing word-spacing", "length", "normal")
_add(_B, "text-align", words="left right center justify start end")
_add(_B, "text-indent", "length percentage")
_add(_B, "text-transform", words="none uppercase lowercase capitalize")
_add(_B, "text-decoration text-decoration-line", words="none underline line-through")
_add(_B, "vertical-align", "length percentage", "baseline sub super top text-top middle text-bottom bottom")
_add(_B, "white-space", words="normal nowrap pre-line pre-wrap")
_add(_B, "overflow-wrap", words="normal break-word anywhere")
_add(_B, "hyphens", words="none manual auto")
_add(_B, "hyphenate-limit-zone", "length percentage")
_add(_B, "hyphenate-limit-chars", "integer", "auto", most=3)
_add(_B, "hyphenate-character", "string", "auto")

_B = "Lists and tables"
_add(_B, "list-style", words="none disc circle square decimal inside outside", most=2)
_add(_B, "list-style-type", words="none disc circle square decimal")
_add(_B, "list-style-position", words="inside outside")
_add(_B, "table-layout", words="auto fixed")
_add(_B, "border-collapse", words="collapse separate")
_add(_B, "border-spacing", "length", most=2)

_B = "Generated text"
_add(
    _B,
    "content",
    "string",
    "none",
    most=4,
    note="Only for `::before` and `::after`; texts that people read come from the data.",
)

FUNCTIONS: dict[str, str] = {
    "calc": "wherever a length, a percentage or a number may stand; `+ - * /` and brackets over values of the profile",
    "var": "wherever a value may stand: a custom property (`--name: …`), with or without a fallback",
    "rgb": "a colour",
    "rgba": "a colour",
    "rotate": "in `transform`, by quarter turns",
    "url": "a picture of the project",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What a template may hold. The engine itself adds html, head, body and the face's own element.
ELEMENTS = _words("div p span b i strong em br img ul ol li table thead tbody tr td th article section h1 h2 h3 h4")
SVG_ELEMENTS = _words("svg g path circle ellipse rect line polyline polygon defs clipPath title desc")
# Elements of HTML that have no end tag, those outside the profile too.
VOID = _words("br img hr input link meta wbr col area base embed source track param")
ATTRIBUTES = _words("class id style lang src alt colspan rowspan")
ATTRIBUTE_PREFIXES = ("data-", "aria-")

PSEUDO_CLASSES = ("first-child", "last-child", "root")
PSEUDO_ELEMENTS = ("before", "after")
SELECTORS: dict[str, str] = {
    "`p`": "an element of the profile",
    "`.name`": "a class; several of them (`.fit.name`) mean all of them",
    "`.a .b`": "a descendant",
    "`.a > .b`": "a child",
    "`.a, .b`": "either",
    "`:first-child`, `:last-child`": "the first or last element of its parent",
    "`:root`": "the page, to declare custom properties",
    "`::before`, `::after`": "text before or after what the element holds (`:before` and `:after` are the same)",
}

# --- what to use instead: hints of the lint, and a chapter of the docs --------------------------------------------

_NO_CUT = "a text that does not fit is never cut: put it into a `fit` box"
_SVG = "draw it in an SVG file and name that with `url(…)` or `<img>`"
_EDGE = "the page and its edges are the engine's"
INSTEAD: dict[str, str] = {
    "float": "place the box absolutely, or use a flex row",
    "clear": "place the box absolutely, or use a flex row",
    "grid": "use flex rows and columns, absolute boxes, or a table",
    "columns": "use two boxes side by side",
    "column-count": "use two boxes side by side",
    "inset": "write `top`, `right`, `bottom` and `left`",
    "font": "write `font-family`, `font-size`, `font-weight`, `font-style` and `line-height`",
    "font-variant": 'write `font-feature-settings`, for example "smcp" or "tnum"',
    "box-shadow": _SVG,
    "text-shadow": _SVG,
    "filter": "paint it into the picture itself",
    "backdrop-filter": "paint it into the picture itself",
    "mask": _SVG,
    "clip-path": f"use `border-radius` with `overflow: hidden`, or {_SVG}",
    "mix-blend-mode": "use `opacity`",
    "border-image": _SVG,
    "outline": "use `border`",
    "rotate": "write `transform: rotate(90deg)`",
    "scale": "give the box its size; a picture fills it",
    "translate": "write `left` and `top`",
    "order": "write the elements in the order they are drawn in",
    "text-overflow": _NO_CUT,
    "line-clamp": _NO_CUT,
    "list-style-image": "use `::before` with a text, or an `<img>` in the item",
    "text-justify": "write `text-align`",
    "direction": "write `lang` on the element",
    "size": _EDGE,
    "page": _EDGE,
    "bleed": _EDGE,
    "marks": _EDGE,
    "break-before": _EDGE,
    "break-after": _EDGE,
    "break-inside": _EDGE,
    "transition": "paper does not move",
    "animation": "paper does not move",
    "cursor": "paper does not move",
}
INSTEAD_VALUES: dict[str, str] = {
    "grid": INSTEAD["grid"],
    "inline-flex": "use `flex` in a box of its own",
    "inline-grid": INSTEAD["grid"],
    "inline-table": "use `inline-block`",
    "fixed": "use `absolute`; a face is its own page",
    "sticky": "use `absolute`",
    "oblique": "use `italic`",
    "bolder": "write the weight: 400, 600, 700",
    "lighter": "write the weight: 400, 600, 700",
    "row-reverse": INSTEAD["order"],
    "column-reverse": INSTEAD["order"],
    "start": "use `flex-start`",
    "end": "use `flex-end`",
    "ellipsis": _NO_CUT,
    "clip": "use `hidden`",
    "scroll": "use `hidden`",
    "double": "put a box with a border into a box with a border",
    "unset": "use `inherit` or `initial`",
    "revert": "use `inherit` or `initial`",
    "serif": "name a role of fonts.yaml",
    "sans-serif": "name a role of fonts.yaml",
    "monospace": "name a role of fonts.yaml",
}
INSTEAD_FUNCTIONS: dict[str, str] = {
    "linear-gradient": _SVG,
    "radial-gradient": _SVG,
    "conic-gradient": _SVG,
    "repeating-linear-gradient": _SVG,
    "repeating-radial-gradient": _SVG,
    "scale": INSTEAD["scale"],
    "scalex": INSTEAD["scale"],
    "scaley": INSTEAD["scale"],
    "translate": INSTEAD["translate"],
    "translatex": INSTEAD["translate"],
    "translatey": INSTEAD["translate"],
    "skew": _SVG,
    "matrix": "use `rotate(90deg)`, and `left` and `top`",
    "min": "use `calc(…)` or a plain length",
    "max": "use `calc(…)` or a plain length",
    "clamp": "use `calc(…)` or a plain length; texts are scaled by `fit`",
    "attr": "write the text into the element",
    "counter": "write the text into the element",
    "hsl": "write `#rrggbb` or `rgb(…)`",
    "hsla": "write `#rrggbb` or `rgba(…)`",
    "cmyk": "write `#rrggbb` or `rgb(…)`",
    "device-cmyk": "write `#rrggbb` or `rgb(…)`",
    "image": "use `url(…)`",
}
INSTEAD_AT_RULES: dict[str, str] = {
    "font-face": "fonts are declared in fonts/fonts.yaml and named by role",
    "page": _EDGE,
    "import": "list the style sheet in the layout's `css`",
    "media": "leave it out; what is printed is all there is",
    "supports": "leave it out; everything of the profile is supported",
    "charset": "leave it out; every file is UTF-8",
}
INSTEAD_ELEMENTS: dict[str, str] = {
    "style": "put the rules into a style sheet and list it in the layout's `css`",
    "link": "list the style sheet in the layout's `css`",
    "script": "layouts are filled by Jinja; nothing runs on paper",
    "a": "paper has no links; use `span`",
    "u": "use `span` with `text-decoration: underline`",
    "small": "use `span` with a `font-size`",
    "sub": "use `span` with `vertical-align: sub`",
    "sup": "use `span` with `vertical-align: super`",
    "center": "use `text-align: center`",
    "font": "use `span` and a style sheet",
    "hr": "use a `div` with a border",
    "html": "a layout is what stands inside of a face; the engine adds the page",
    "head": "a layout is what stands inside of a face; the engine adds the page",
    "body": "a layout is what stands inside of a face; the engine adds the page",
    "picture": "use `img`",
    "object": "use `img`",
    "figure": "use `div`",
    "figcaption": "use `div`",
    "caption": "use a row of the table, or `div`",
    "tfoot": "use `tbody`",
    "dl": "use `ul` or a table",
    "h5": "use `h4`, or `div` with a class",
    "h6": "use `h4`, or `div` with a class",
}
INSTEAD_SVG = "put the drawing into an SVG file and show it with `img`"
