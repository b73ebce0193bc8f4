"""Cut guides as DXF, in millimetres, for programs that take no SVG.

DXF R12 in its text form: an entity is a list of pairs of a code and a value. Polylines with bulges are all that a cut
needs; y goes upwards. (ezdxf reads and writes everything that DXF has, and brings numpy for it: 40 MB for forty lines.)
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.exports.cut.lines import LAYERS, Guide
from cardgen.exports.cut.shared import Layer, Line
from cardgen.exports.cut.svg import number

# The colours of the SVG, by AutoCAD's numbers.
COLOURS: dict[Layer, int] = {"cut": 1, "slit": 3, "fold": 5, "registration": 7}

_Pair = tuple[int, str]


def dxf(guide: Guide) -> str:
    """The file, with a layer for each kind of line."""
    pairs = [*_header(guide), *_tables(), (0, "SECTION"), (2, "ENTITIES")]
    for line in guide.lines:
        pairs += _polyline(line, guide.paper.height)
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def _header(guide: Guide) -> Iterator[_Pair]:
    yield from ((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"))
    # 4 is millimetres. R12 does not know the variable; programs that look for it find it.
    yield from ((9, "$INSUNITS"), (70, "4"), (9, "$MEASUREMENT"), (70, "1"))
    yield from ((9, "$EXTMIN"), (10, "0"), (20, "0"), (30, "0"))
    yield from ((9, "$EXTMAX"), (10, number(guide.paper.width)), (20, number(guide.paper.height)), (30, "0"))
    yield (0, "ENDSEC")


def _tables() -> Iterator[_Pair]:
    yield from ((0, "SECTION"), (2, "TABLES"))
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, "1"), (0, "LTYPE"), (2, "CONTINUOUS"), (70, "0"))
    yield from ((3, "Solid line"), (72, "65"), (73, "0"), (40, "0"), (0, "ENDTAB"))
    yield from ((0, "TABLE"), (2, "LAYER"), (70, str(len(LAYERS))))
    for layer in LAYERS:
        yield from ((0, "LAYER"), (2, layer.upper()), (70, "0"), (62, str(COLOURS[layer])), (6, "CONTINUOUS"))
    yield from ((0, "ENDTAB"), (0, "ENDSEC"))


def _polyline(line: Line, height: float) -> Iterator[_Pair]:
    layer = line.layer.upper()
    yield from ((0, "POLYLINE"), (8, layer), (66, "1"), (10, "0"), (20, "0"), (30, "0"), (70, str(int(line.closed))))
    for (x, y), bulge in zip(line.points, line.bulges, strict=True):
        yield from ((0, "VERTEX"), (8, layer), (10, number(x)), (20, number(height - y)), (30, "0"))
        if bulge:
            # DXF's arcs are positive counter-clockwise, seen with y upwards; ours clockwise on paper.
            yield (42, f"{-bulge:.9f}")
    yield from ((0, "SEQEND"), (8, layer))
