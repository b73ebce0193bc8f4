"""How a text that overflows is made to fit: tighten the leading, then scale down to the declared minimum."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cardgen.model.face import Fit

# field -> (leading tightened, scale)
Fits = dict[str, tuple[bool, float]]

# Less than a hair: rounding of the engine's own units.
TOLERANCE_MM = 0.05
# How often a face is laid out anew at most.
MAX_FIT_ROUNDS = 8
_MOST, _LEAST = 0.985, 0.8

# Why a face cannot be drawn whose own flow is longer than it.
RUNS_OVER = "its content runs over the face; give it boxes with `fit` or absolute places"

FIELD_PATH = re.compile(r"[A-Za-z0-9_.-]{1,80}")
_MARK = re.compile(r"--fit:([A-Za-z0-9_.-]+)")


def fit_mark(field: str) -> str:
    """What stands in a layout's `style` until the engine knows how large the field's text may be."""
    return f"--fit:{field}"


def resolve_marks(html: str, styles: Mapping[str, str]) -> str:
    """The HTML with every mark replaced by its field's style; full size needs none."""
    return _MARK.sub(lambda match: styles.get(match[1], ""), html)


def fits(fit: Fit) -> bool:
    """Whether the content lies inside its box."""
    return fit.overflow <= TOLERANCE_MM


def next_fit(fit: Fit, least: float) -> tuple[bool, float] | None:
    """What to try next (tight, scale), or None when it fits or nothing is left to try.

    The scale is estimated from the areas: text that is smaller in both directions fills its square.
    """
    if fits(fit):
        return None
    if not fit.tight:
        return True, fit.scale
    if fit.scale <= least:
        return None
    wide = _room(fit.box.width, fit.content.width)
    tall = _room(fit.box.height, fit.content.height)
    # What is too wide needs all of it; what is only too tall also gains in width, line by line.
    factor = wide if wide < 1 else tall**0.5
    return True, max(least, fit.scale * max(_LEAST, min(_MOST, factor)))


def _room(box: float, content: float) -> float:
    """The part of the content that the box has room for; 1 when that is all, within rounding."""
    return box / content if content > box + TOLERANCE_MM else 1.0
