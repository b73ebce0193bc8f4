"""Reads values of CSS as the card profile has them: what tinycss2 has parsed becomes numbers, words and colours.

Lengths are CSS pixels (1/96 inch) as soon as that is known: a `Dim` still depends on the size of the type or of the
box around. What a value may be at all stands in `cardgen.faces.profile`; anything else raises ValueError, so that
nothing is drawn wrongly in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any
from urllib.parse import urljoin

from msgspec import Struct
from tinycss2.color4 import parse_color

from cardgen.faces.card.display import Colour
from cardgen.faces.profile import PROPERTIES

PX_PER_MM = 96 / 25.4
_PX = {"mm": PX_PER_MM, "pt": 96 / 72}
CURRENT = "currentcolor"
_TURNS = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}


class Dim(Struct, frozen=True):
    """A length in px, plus so many times the size of the type, plus a part (1 = 100 %) of what it refers to."""

    px: float = 0.0
    em: float = 0.0
    part: float = 0.0

    def plus(self, other: Dim, sign: int = 1) -> Dim:
        """The sum (or, by sign, the difference) of both."""
        return Dim(self.px + sign * other.px, self.em + sign * other.em, self.part + sign * other.part)

    def times(self, factor: float) -> Dim:
        """So many times this."""
        return Dim(self.px * factor, self.em * factor, self.part * factor)

    def computed(self, em: float) -> float | Dim:
        """The length in px where type is `em` px large; still a Dim when a part of the box around is in it."""
        px = self.px + self.em * em
        return Dim(px, 0.0, self.part) if self.part else px


def used(value: Any, base: float) -> float:
    """A computed length in px, where 100 % are `base` px."""
    return value.px + value.part * base if type(value) is Dim else value


def significant(tokens: Sequence[Any]) -> list[Any]:
    """The tokens without white space and comments."""
    return [token for token in tokens if token.type not in {"whitespace", "comment"}]


def value_of(token: Any, name: str, base_url: str) -> Any:
    """The value that one token gives to a property (or to one place of a shorthand). Raises ValueError."""
    allowed = PROPERTIES[name]
    kinds = allowed.kinds
    if token.type == "ident":
        word: str = token.lower_value
        if word in allowed.words:
            return word
        if "family" in kinds:
            return token.value
    if token.type == "string" and ("string" in kinds or "family" in kinds):
        return token.value
    if token.type == "url" and "url" in kinds:
        return Url(urljoin(base_url, token.value))
    if token.type == "function" and token.lower_name == "url" and "url" in kinds:
        return Url(urljoin(base_url, "".join(part.value for part in token.arguments if part.type == "string")))
    if token.type == "function" and token.lower_name == "rotate" and "turn" in kinds:
        return _turn(token)
    if "colour" in kinds and token.type in {"ident", "hash", "function"}:
        colour = _colour(token)
        if colour is not None:
            return colour
    if token.type in {"number", "percentage", "dimension", "function"}:
        return _amount(token, kinds)
    raise ValueError(f"`{token.serialize()}` is no value of `{name}` in the card profile")


class Url(Struct, frozen=True):
    """The address of a picture."""

    url: str


def _amount(token: Any, kinds: Sequence[str]) -> float | int | Dim:
    if token.type == "number" and token.is_integer and "integer" in kinds:
        return int(token.int_value)
    found = calculated(token)
    if isinstance(found, Dim):
        if found.part and "percentage" not in kinds:
            raise ValueError(f"a percentage (`{token.serialize()}`) cannot stand here")
        if "length" in kinds or "percentage" in kinds:
            return found
    elif "number" in kinds:
        return found
    elif "length" in kinds and found == 0:
        return Dim()
    raise ValueError(f"`{token.serialize()}` cannot stand here")


def calculated(token: Any) -> float | Dim:
    """A number as float, a length or percentage as Dim; `calc(…)` is worked out. Raises ValueError."""
    if token.type == "number":
        found: float | Dim = float(token.value)
    elif token.type == "percentage":
        found = Dim(part=token.value / 100)
    elif token.type == "dimension" and token.lower_unit == "em":
        found = Dim(em=token.value)
    elif token.type == "dimension" and token.lower_unit in _PX:
        found = Dim(token.value * _PX[token.lower_unit])
    elif token.type == "() block" or (token.type == "function" and token.lower_name == "calc"):
        parts = significant(token.content if token.type == "() block" else token.arguments)
        found = _sum(parts)
    else:
        raise ValueError(f"`{token.serialize()}` is not a length or number of the card profile")
    numbers = (found.px, found.em, found.part) if isinstance(found, Dim) else (found,)
    if not all(isfinite(number) and abs(number) < 1e9 for number in numbers):
        raise ValueError(f"`{token.serialize()}` has no finite value")
    return found


def _sum(parts: list[Any]) -> float | Dim:
    """`a + b - c`, each of them a product."""
    terms: list[tuple[int, list[Any]]] = [(1, [])]
    for part in parts:
        if part.type == "literal" and part.value in "+-":
            terms.append((1 if part.value == "+" else -1, []))
        elif part.type in {"number", "dimension", "percentage"} and terms[-1][1] and _is_signed(part, terms[-1][1]):
            terms.append((1, [part]))
        else:
            terms[-1][1].append(part)
    total: float | Dim | None = None
    for sign, factors in terms:
        term = _product(factors)
        if total is None:
            total = term if sign > 0 else _times(term, -1.0)
        elif isinstance(total, Dim) and isinstance(term, Dim):
            total = total.plus(term, sign)
        elif isinstance(total, float) and isinstance(term, float):
            total += sign * term
        else:
            raise ValueError("a number and a length cannot be added up")
    assert total is not None
    return total


def _is_signed(part: Any, before: list[Any]) -> bool:
    """Whether a number brings its own sign and so begins a term, as in `1mm -2mm`."""
    return before[-1].type != "literal" and part.representation[:1] in {"+", "-"}


def _product(factors: list[Any]) -> float | Dim:
    if not factors:
        raise ValueError("a value is missing in `calc(…)`")
    result = calculated(factors[0])
    for sign, factor in zip(factors[1::2], factors[2::2], strict=True):
        if sign.type != "literal" or sign.value not in "*/":
            raise ValueError(f"`{sign.serialize()}` is no sign of `calc(…)`")
        other = calculated(factor)
        if sign.value == "/":
            if isinstance(other, Dim) or other == 0:
                raise ValueError("only a number that is not 0 divides")
            result = _times(result, 1 / other)
        elif isinstance(other, Dim):
            if isinstance(result, Dim):
                raise ValueError("two lengths cannot be multiplied")
            result = other.times(result)
        else:
            result = _times(result, other)
    return result


def _times(value: float | Dim, factor: float) -> float | Dim:
    return value.times(factor) if isinstance(value, Dim) else value * factor


def _colour(token: Any) -> Colour | str | None:
    found = parse_color(token)
    if found is None or isinstance(found, str):
        return CURRENT if found is not None else None
    if found.space not in {"srgb", "rgb"}:
        return None
    red, green, blue = (min(1.0, max(0.0, part or 0.0)) for part in found.coordinates)
    return red, green, blue, min(1.0, max(0.0, found.alpha))


def _turn(token: Any) -> tuple[int, int, int, int]:
    """The matrix (a b c d) of a quarter turn."""
    parts = significant(token.arguments)
    if len(parts) == 1 and parts[0].type in {"dimension", "number"}:
        number = parts[0].value
        is_angle = (parts[0].type == "number" and number == 0) or getattr(parts[0], "lower_unit", "") == "deg"
        if is_angle and number % 90 == 0:
            return _TURNS[int(number) % 360]
    raise ValueError(f"`{token.serialize()}` is no quarter turn")
