"""Drawings as PDF operators: paths and lines of text over or under the faces of a sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from cardgen.model.drawing import Colour, Path, Text
from cardgen.pdf.operators import number, numbers
from cardgen.units import mm_to_pt

# A run of glyphs in one font: its resource name, the glyph ids in hex, and their advance in em.
Run = tuple[str, str, float]
Typeset = Callable[[str], list[Run]]

# The text's own x and y axis on a page with y upwards, by quarter turns clockwise.
_AXES = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))


def draw(
    items: Iterable[Path | Text],
    height: float,
    typeset: Typeset,
    drawn: dict[tuple[object, float], str] | None = None,
) -> bytes:
    """The operators that draw `items` on a page of `height` mm; `typeset` makes runs of glyphs of a line of text.

    `drawn` remembers what became of them, for somebody who draws many sheets with the same `typeset` and keeps the items:
    most lie on many sheets as the same value, the texts as equal ones.
    """
    known = {} if drawn is None else drawn
    parts = []
    for item in tuple(items):
        same = id(item), height
        part = known.get(same)
        if part is None:
            part = _path(item, height) if isinstance(item, Path) else known.get((item, height))
            if part is None:
                part = known[item, height] = _text(item, height, typeset)  # type: ignore[arg-type]
            known[same] = part
        parts.append(part)
    return "".join(f"q\n{part}Q\n" for part in parts if part).encode("ascii")


# Marks and rulers are the same on every sheet.
@lru_cache(maxsize=64)
def _path(path: Path, height: float) -> str:
    if path.stroke is None and path.fill is None:
        return ""
    ops = []
    if path.stroke is not None:
        ops.append(f"{_colour(path.stroke, 'G', 'RG')}\n{number(mm_to_pt(path.width))} w\n")
        if path.dash:
            ops.append(f"[{numbers(*map(mm_to_pt, path.dash))}] 0 d\n")
    if path.fill is not None:
        ops.append(f"{_colour(path.fill, 'g', 'rg')}\n")
    for line in path.lines:
        for index, (x, y) in enumerate(line):
            ops.append(f"{numbers(mm_to_pt(x), mm_to_pt(height - y))} {'l' if index else 'm'}\n")
        if path.closed:
            ops.append("h\n")
    ops.append("B\n" if path.stroke is not None and path.fill is not None else "f\n" if path.stroke is None else "S\n")
    return "".join(ops)


def _text(text: Text, height: float, typeset: Typeset) -> str:
    runs = typeset(text.text)
    if not runs:
        return ""
    advance = sum(em for _, _, em in runs)
    room = mm_to_pt(text.room)
    size = min(text.size, room / advance) if room and advance else text.size
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * advance * size
    a, b, c, d = _AXES[text.turns % 4]
    x, y = mm_to_pt(text.x) - a * back, mm_to_pt(height - text.y) - b * back
    ops = [f"BT\n{_colour(text.colour, 'g', 'rg')}\n{numbers(a, b, c, d, x, y)} Tm\n"]
    # Tj moves on by the glyphs' widths, so the runs of one line follow each other by themselves.
    ops += [f"/{name} {number(size)} Tf\n<{glyphs}> Tj\n" for name, glyphs, _ in runs]
    return "".join([*ops, "ET\n"])


def _colour(colour: Colour, grey: str, rgb: str) -> str:
    # Grey where it is grey: black as RGB would be printed in four inks, and marks would show their misregistration.
    if colour[0] == colour[1] == colour[2]:
        return f"{number(colour[0])} {grey}"
    return f"{numbers(*colour)} {rgb}"
