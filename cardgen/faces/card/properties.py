"""Declarations of CSS: what a property or a shorthand says, as values of single properties (names with `_`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cardgen.faces.card.style import CLEAR, CORNERS, SIDES
from cardgen.faces.card.values import Dim, Url, significant, value_of
from cardgen.faces.profile import EVERYWHERE, PROPERTIES

_PARTS = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}
_BORDER = ("width", "style", "color")
_BORDER_INITIAL = {"width": Dim(3.0), "style": "none", "color": "currentcolor"}
_BACKGROUND_INITIAL = {
    "background_color": CLEAR,
    "background_image": None,
    "background_position": (0.0, 0.0),
    "background_size": (None, None),
    "background_repeat": "repeat",
}
# Where `auto` is a word like others, and not a length that is worked out.
_AUTO_WORDS = {"font-kerning", "align-self", "table-layout", "hyphens"}
_AMOUNTS = {"number", "percentage", "dimension"}
_NO_NEGATIVE = (
    "padding",
    "width",
    "height",
    "min-",
    "max-",
    "border",
    "font-size",
    "line-height",
    "flex",
    "gap",
    "row-",
)


def expand(name: str, tokens: list[Any], base_url: str) -> dict[str, Any]:
    """The values that a declaration gives to single properties. Raises ValueError when it is not of the profile."""
    parts = significant(tokens)
    if name not in PROPERTIES:
        raise ValueError(f"`{name}` is no property of the card profile")
    if not parts:
        raise ValueError(f"`{name}` has no value")
    if len(parts) == 1 and parts[0].type == "ident" and parts[0].lower_value in EVERYWHERE:
        return dict.fromkeys(_longhands(name), parts[0].lower_value)
    if name in _SHORTHANDS:
        return _SHORTHANDS[name](name, parts, base_url)
    if name in _LISTS:
        return {_under(name): _LISTS[name](name, parts, base_url)}
    if len(parts) != 1:
        raise ValueError(f"`{name}` takes one value")
    return {_under(name): _single(name, parts[0], base_url)}


def _under(name: str) -> str:
    return name.replace("-", "_")


def _single(name: str, token: Any, base_url: str) -> Any:
    value = value_of(token, name, base_url)
    if name.startswith(_NO_NEGATIVE) and token.type in _AMOUNTS and token.value < 0:
        raise ValueError(f"`{name}` cannot be less than 0")
    if name in _WORDS:
        value = _WORDS[name].get(value, value)
    return None if value == "auto" and name not in _AUTO_WORDS else value


_WORDS: dict[str, dict[Any, Any]] = {
    "max-width": {"none": float("inf")},
    "max-height": {"none": float("inf")},
    "letter-spacing": {"normal": 0.0},
    "word-spacing": {"normal": 0.0},
    "transform": {"none": None},
    "background-image": {"none": None},
    "hyphenate-character": {"auto": "‐"},
    "vertical-align": {"super": Dim(em=0.5), "sub": Dim(em=-0.5)},
}


def _longhands(name: str) -> list[str]:
    if name in {"margin", "padding"}:
        return [f"{name}_{side}" for side in SIDES]
    if name == "border":
        return [f"border_{side}_{what}" for side in SIDES for what in _BORDER]
    if name in {f"border-{side}" for side in SIDES}:
        return [f"{_under(name)}_{what}" for what in _BORDER]
    if name in {"border-width", "border-style", "border-color"}:
        return [f"border_{side}_{name[7:]}" for side in SIDES]
    if name == "border-radius":
        return [f"border_{corner}_radius" for corner in CORNERS]
    if name == "background":
        return list(_BACKGROUND_INITIAL)
    if name == "flex":
        return ["flex_grow", "flex_shrink", "flex_basis"]
    if name == "gap":
        return ["row_gap", "column_gap"]
    if name == "list-style":
        return ["list_style_type", "list_style_position"]
    if name == "text-decoration":
        return ["text_decoration_line"]
    return [_under(name)]


def _four(name: str, parts: list[Any], base_url: str) -> dict[str, Any]:
    values = [_single(name, part, base_url) for part in parts]
    if len(values) > 4:
        raise ValueError(f"`{name}` takes at most four values")
    around = [values[0], values[min(1, len(values) - 1)], values[2 if len(values) > 2 else 0]]
    around.append(values[3] if len(values) > 3 else around[1])
    return dict(zip(_longhands(name), around, strict=True))


def _border(name: str, parts: list[Any], base_url: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in parts:
        value = value_of(part, name, base_url)
        what = "width" if isinstance(value, Dim) else "color" if isinstance(value, tuple) else "style"
        if value == "currentcolor":
            what = "color"
        if what in found:
            raise ValueError(f"`{name}` has two values for its {what}")
        found[what] = value
    sides = SIDES if name == "border" else (name.removeprefix("border-"),)
    return {f"border_{side}_{what}": found.get(what, _BORDER_INITIAL[what]) for side in sides for what in _BORDER}


def _background(name: str, parts: list[Any], base_url: str) -> dict[str, Any]:
    found: dict[str, Any] = dict(_BACKGROUND_INITIAL)
    places: list[Any] = []
    sizes: list[Any] | None = None
    for part in parts:
        if part.type == "literal" and part.value == "/":
            sizes = []
            continue
        value = value_of(part, name, base_url)
        if isinstance(value, Url):
            found["background_image"] = value
        elif value in {"repeat", "no-repeat"}:
            found["background_repeat"] = value
        elif value == "currentcolor" or (isinstance(value, tuple) and len(value) == 4):
            found["background_color"] = value
        elif value == "none":
            continue
        elif sizes is not None and (isinstance(value, Dim) or value in {"auto", "cover", "contain"}):
            sizes.append(part)
        elif isinstance(value, Dim) or value in _PARTS:
            places.append(part)
        else:
            raise ValueError(f"`{part.serialize()}` stands in the wrong place of `{name}`")
    if places:
        found["background_position"] = _place("background-position", places, base_url)
    if sizes is not None:
        found["background_size"] = _size("background-size", sizes, base_url)
    return found


def _flex(name: str, parts: list[Any], base_url: str) -> dict[str, Any]:
    if len(parts) == 1 and parts[0].type == "ident":
        word = value_of(parts[0], name, base_url)
        grow = 0.0 if word == "none" else 1.0
        return {"flex_grow": grow, "flex_shrink": grow, "flex_basis": None}
    numbers: list[float] = []
    basis: Any = Dim()
    for part in parts:
        if part.type == "number" and len(numbers) < 2:
            numbers.append(float(part.value))
        elif part.type == "ident":
            basis = _single("flex-basis", part, base_url)
        else:
            basis = value_of(part, name, base_url)
    if not numbers:
        numbers = [1.0]
    return {"flex_grow": numbers[0], "flex_shrink": numbers[1] if len(numbers) > 1 else 1.0, "flex_basis": basis}


def _gap(name: str, parts: list[Any], base_url: str) -> dict[str, Any]:
    values = [_single(name, part, base_url) for part in parts]
    return {"row_gap": values[0], "column_gap": values[-1]}


def _list_style(name: str, parts: list[Any], base_url: str) -> dict[str, Any]:
    found = {"list_style_type": "disc", "list_style_position": "outside"}
    for part in parts:
        value = value_of(part, name, base_url)
        found["list_style_position" if value in {"inside", "outside"} else "list_style_type"] = value
    return found


def _decoration(name: str, parts: list[Any], base_url: str) -> dict[str, Any]:
    return {"text_decoration_line": _single(name, parts[0], base_url)}


_SHORTHANDS: dict[str, Callable[[str, list[Any], str], dict[str, Any]]] = {
    **dict.fromkeys(("margin", "padding", "border-width", "border-style", "border-color", "border-radius"), _four),
    **dict.fromkeys(("border", *(f"border-{side}" for side in SIDES)), _border),
    "background": _background,
    "flex": _flex,
    "gap": _gap,
    "list-style": _list_style,
    "text-decoration": _decoration,
}


def _place(name: str, parts: list[Any], base_url: str) -> tuple[Any, Any]:
    """Where something stands, across and along. A word for one direction leaves the other in the middle."""
    values = [value_of(part, name, base_url) for part in parts]
    if len(values) > 2:
        raise ValueError(f"`{name}` takes at most two values")
    if len(values) == 2 and (values[0] in {"top", "bottom"} or values[1] in {"left", "right"}):
        values.reverse()
    if len(values) == 1:
        values = ["center", *values] if values[0] in {"top", "bottom"} else [*values, "center"]
    if values[0] in {"top", "bottom"} or values[1] in {"left", "right"}:
        raise ValueError(f"`{name}` names one direction twice")
    across, along = (Dim(part=_PARTS[value]) if isinstance(value, str) else value for value in values)
    return across, along


def _size(name: str, parts: list[Any], base_url: str) -> Any:
    values = [value_of(part, name, base_url) for part in parts]
    if len(values) == 1 and values[0] in {"cover", "contain"}:
        return values[0]
    if not 1 <= len(values) <= 2 or {"cover", "contain"}.intersection(v for v in values if isinstance(v, str)):
        raise ValueError(f"`{name}` takes `cover`, `contain` or one or two sizes")
    across, along = (None if value == "auto" else value for value in (values[0], values[1] if values[1:] else "auto"))
    return across, along


def _split(parts: list[Any]) -> Iterator[list[Any]]:
    group: list[Any] = []
    for part in parts:
        if part.type == "literal" and part.value == ",":
            yield group
            group = []
        else:
            group.append(part)
    yield group


def _families(name: str, parts: list[Any], base_url: str) -> tuple[str, ...]:
    groups = list(_split(parts))
    if any(len(group) != 1 for group in groups):
        raise ValueError(f"`{name}` takes roles of fonts with `,` between")
    return tuple(value_of(group[0], name, base_url) for group in groups)


def _features(name: str, parts: list[Any], base_url: str) -> tuple[tuple[str, int], ...]:
    found = []
    for group in _split(parts):
        values = [value_of(part, name, base_url) for part in group]
        if values == ["normal"]:
            continue
        tag = values[0] if values else None
        if not isinstance(tag, str) or len(tag) != 4 or len(values) > 2:
            raise ValueError(f"`{name}` takes tags of four letters, each with a number, `on` or `off`")
        number = {"on": 1, "off": 0}.get(values[1], values[1]) if values[1:] else 1
        if not isinstance(number, int):
            raise ValueError(f"`{name}` takes tags of four letters, each with a number, `on` or `off`")
        found.append((tag, number))
    return tuple(found)


def _limits(name: str, parts: list[Any], base_url: str) -> tuple[int, int, int]:
    values = [value_of(part, name, base_url) for part in parts]
    if len(values) > 3:
        raise ValueError(f"`{name}` takes at most three values")
    defaults = (5, 2, 2)
    total, left, right = (
        values[0],
        values[1 % len(values)] if values[1:] else "auto",
        values[-1] if values[1:] else "auto",
    )
    found = (
        default if value == "auto" else value for value, default in zip((total, left, right), defaults, strict=True)
    )
    first, second, third = found
    return first, second, third


def _spacing(name: str, parts: list[Any], base_url: str) -> tuple[Any, Any]:
    values = [value_of(part, name, base_url) for part in parts]
    if len(values) > 2:
        raise ValueError(f"`{name}` takes at most two values")
    return values[0], values[-1]


def _content(name: str, parts: list[Any], base_url: str) -> tuple[str, ...] | None:
    values = [value_of(part, name, base_url) for part in parts]
    return None if values == ["none"] and parts[0].type == "ident" else tuple(values)


_LISTS: dict[str, Callable[[str, list[Any], str], Any]] = {
    "background-position": _place,
    "object-position": _place,
    "transform-origin": _place,
    "background-size": _size,
    "font-family": _families,
    "font-feature-settings": _features,
    "hyphenate-limit-chars": _limits,
    "border-spacing": _spacing,
    "content": _content,
}
