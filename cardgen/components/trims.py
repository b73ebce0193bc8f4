"""Trims that follow from a component's geometry instead of from layouts/_trims.yaml."""

from __future__ import annotations

from cardgen.geometry import Size
from cardgen.model.trim import Trim
from cardgen.units import format_mm


def derived_trim(width: float, height: float, bleed: float = 0.0, safe: float = 0.0) -> Trim:
    """The trim of a face of `width` x `height` mm that paints `bleed` mm beyond it; equal sizes give equal trims."""
    # Engines draw the faces of one trim together, by its id.
    size = f"{format_mm(width)}x{format_mm(height)}"
    return Trim(f"{size}+{format_mm(bleed)}", f"{size} mm", Size(width, height), bleed, safe, 0.0)
