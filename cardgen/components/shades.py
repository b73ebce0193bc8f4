"""Colours as they print: which ink reads on a colour, a paler one, and patterns where two would be the same grey."""

from __future__ import annotations

from collections.abc import Sequence

DARK, LIGHT = "#1f2022", "#ffffff"
# What tells areas apart that are as dark as each other; the first is none at all.
PATTERNS = ("plain", "hatch", "dots", "cross", "bars")
# Less than this apart in L* two areas that do not touch look the same on a black-and-white printer.
SAME_GREY = 12.0


def lightness(colour: str) -> float:
    """CIE L* of a colour `#rrggbb`, from 0 for black to 100 for white: how light its grey is to the eye."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return float(116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27)


def ink_on(colour: str) -> str:
    """Dark or light, whichever reads better on `colour`."""
    return DARK if lightness(colour) > 55 else LIGHT


def paler(colour: str, part: float) -> str:
    """`colour` mixed with white: 0 leaves it, 1 is white."""
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(c + (255 - c) * part):02x}" for c in channels)


def patterns_of(colours: Sequence[str]) -> list[str]:
    """A pattern for each colour, so that two which print as the same grey have different ones.

    With more such colours than there are patterns the last pattern is used again.
    """
    found: list[str] = []
    for at, colour in enumerate(colours):
        grey = lightness(colour)
        taken = {found[other] for other in range(at) if abs(lightness(colours[other]) - grey) < SAME_GREY}
        found.append(next((pattern for pattern in PATTERNS if pattern not in taken), PATTERNS[-1]))
    return found
