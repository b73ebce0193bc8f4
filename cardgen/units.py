"""Lengths with units. A bare number is an error: nobody should have to guess millimetres from inches."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from msgspec import Struct

from cardgen.errors import UnitError

MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
MM_PER_PT = MM_PER_INCH / PT_PER_INCH

# Exact millimetres of each unit, so that 1/8in is 3.175 and not a rounded neighbour of it.
_UNITS: dict[str, Fraction] = {
    "mm": Fraction(1),
    "cm": Fraction(10),
    "in": Fraction(254, 10),
    "pt": Fraction(254, 720),
}
_LENGTH = re.compile(r"\s*([+-]?)(?:(\d{1,9})/(\d{1,9})|(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))\s*([a-zA-Z\"]*)\s*")


class Length(Struct, frozen=True, order=True):
    """A length, kept in millimetres."""

    mm: float

    @property
    def pt(self) -> float:
        """The length in PDF points (1/72 inch)."""
        return self.mm / MM_PER_PT

    def px(self, dpi: float) -> float:
        """The length in pixels at `dpi` dots an inch, not rounded."""
        return self.mm / MM_PER_INCH * dpi

    def __str__(self) -> str:
        return f"{format_mm(self.mm)}mm"


def parse_length(text: str) -> Length:
    """Read a length such as `63mm`, `2.5in`, `1/8in`, `0.5cm` or `10pt`.

    Raises UnitError, whose text says what was found and expected and, for a bare number, what was likely meant.
    """
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise UnitError(f"expected a length such as `63mm` or `1/8in`, found `{text}`")
    sign, top, bottom, decimal, unit = match.groups()
    if unit not in _UNITS:
        number = decimal or f"{top}/{bottom}"
        if not unit:
            raise UnitError(f"a length needs a unit; did you mean `{sign}{number}mm`?")
        raise UnitError(f"unknown unit `{unit}`; the units are mm, cm, in and pt")
    if bottom is not None and int(bottom) == 0:
        raise UnitError(f"`{text.strip()}` divides by zero")
    value = Fraction(int(top), int(bottom)) if bottom is not None else Fraction(decimal)
    mm = value * _UNITS[unit]
    return Length(float(-mm if sign == "-" else mm))


def mm_to_pt(mm: float) -> float:
    """Millimetres to PDF points."""
    return mm / MM_PER_PT


def pt_to_mm(pt: float) -> float:
    """PDF points to millimetres."""
    return pt * MM_PER_PT


def format_mm(mm: float) -> str:
    """A millimetre figure for people: at most three decimals, no trailing zeros, never `-0`."""
    if not math.isfinite(mm):
        raise UnitError(f"not a finite length: {mm}")
    text = f"{mm:.3f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text
