"""Cut guides as SVG, in millimetres: one user unit is one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from cardgen.exports.cut.lines import LAYERS, Guide
from cardgen.exports.cut.shared import Layer, Line

# Programs of cutting machines tell lines apart by colour.
COLOURS: dict[Layer, str] = {"cut": "#ff0000", "slit": "#00a000", "fold": "#0000ff", "registration": "#000000"}
_WIDTH = 0.1


def svg(guide: Guide) -> str:
    """The file: a group for each kind of line (`cut`, `slit`, `fold`, `registration`), in it a path for each, named for its piece."""
    width, height = number(guide.paper.width), number(guide.paper.height)
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        f"<title>{escape(guide.sheet)}</title>",
    ]
    for layer in LAYERS:
        lines = [line for line in guide.lines if line.layer == layer]
        if lines:
            parts.append(f'<g id="{layer}" fill="none" stroke="{COLOURS[layer]}" stroke-width="{_WIDTH}">')
            parts += _paths(layer, lines)
            parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _paths(layer: Layer, lines: list[Line]) -> Iterator[str]:
    for count, line in enumerate(lines, 1):
        id = re.sub(r"[^A-Za-z0-9_.-]+", "-", f"{layer}-{count}-{line.name}").strip("-")
        yield f'<path id={quoteattr(id)} d="{path_data(line)}"><title>{escape(line.name)}</title></path>'


def path_data(line: Line) -> str:
    """The `d` of a line."""
    (x, y), *rest = line.points
    ends = [*rest, line.points[0]] if line.closed else rest
    parts = [f"M{number(x)} {number(y)}"]
    for (x0, y0), (x1, y1), bulge in zip(line.points, ends, line.bulges, strict=False):
        if bulge:
            # The radius of an arc from its chord and the tangent of a quarter of its angle.
            radius = math.dist((x0, y0), (x1, y1)) * (1 + bulge * bulge) / (4 * abs(bulge))
            parts.append(f"A{number(radius)} {number(radius)} 0 0 {int(bulge > 0)} {number(x1)} {number(y1)}")
        elif (x1, y1) != line.points[0] or not line.closed:
            parts.append(f"L{number(x1)} {number(y1)}")
    return " ".join([*parts, "Z"] if line.closed else parts)


def number(mm: float) -> str:
    """Millimetres to a tenth of a micrometre."""
    text = f"{mm:.4f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text
