"""Outlines of SVG shapes as segments: lines and cubic curves in absolute numbers, which a PDF takes as they are.

Circles and arcs are approximated by the curves that the reference engine takes, so that both draw the same outline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import atan2, cos, hypot, pi, radians, sin, sqrt, tan

from cardgen.faces.card.display import Matrix
from cardgen.faces.card.outlines import ROUND, nums

# An operator of PDF (m, l, c, h) and its coordinates.
Segment = tuple[str, tuple[float, ...]]
Path = list[Segment]

_TOKEN = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_ARGUMENTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
_FLAG = re.compile(r"[\s,]*([01])")
_QUARTER = 4 * (sqrt(2) - 1) / 3


def path_data(text: str) -> Path:
    """The segments of a `d` attribute. What follows an error is left out, as SVG has it."""
    path: Path = []
    x = y = start_x = start_y = 0.0
    # The last control point, for curves that go on smoothly, and the command it belonged to.
    control, last = (0.0, 0.0), ""
    for command, values in _commands(text):
        kind, relative = command.lower(), command.islower()
        dx, dy = (x, y) if relative else (0.0, 0.0)
        if kind == "z":
            path.append(("h", ()))
            x, y = start_x, start_y
        elif kind == "m":
            x, y = start_x, start_y = values[0] + dx, values[1] + dy
            path.append(("m", (x, y)))
        elif kind in "lhv":
            x = values[0] + dx if kind != "v" else x
            y = values[-1] + dy if kind != "h" else y
            path.append(("l", (x, y)))
        elif kind == "a":
            end = values[5] + dx, values[6] + dy
            path += _arc((x, y), values[0], values[1], values[2], bool(values[3]), bool(values[4]), end)
            x, y = end
        else:
            points = [value + (dx, dy)[index % 2] for index, value in enumerate(values)]
            if kind in "st":
                smooth = last in ("cs" if kind == "s" else "qt")
                points = [*((2 * x - control[0], 2 * y - control[1]) if smooth else (x, y)), *points]
            control = points[-4], points[-3]
            if kind in "qt":
                points = _raised(x, y, points)
            path.append(("c", tuple(points)))
            x, y = points[-2:]
        last = kind
    return path


def _commands(text: str) -> Iterator[tuple[str, list[float]]]:
    values: list[float] = []
    command, at = "", 0
    while match := _TOKEN.search(text, at):
        if text[at : match.start()].strip(" \t\r\n,"):
            return
        if match[1]:
            if values:
                return
            command = match[1]
            at = match.end()
            if command in "Zz":
                yield command, []
            continue
        # The flags of arcs need no space after them.
        if command in "Aa" and len(values) in (3, 4) and (flag := _FLAG.match(text, at)):
            match = flag
            values.append(float(flag[1]))
        else:
            values.append(float(match[2]))
        at = match.end()
        if not command or command in "Zz":
            return
        if len(values) == _ARGUMENTS[command.lower()]:
            yield command, values
            values = []
            command = {"m": "l", "M": "L"}.get(command, command)


def _raised(x: float, y: float, points: list[float]) -> list[float]:
    """A quadratic curve from (x, y) as a cubic one."""
    qx, qy, end_x, end_y = points
    return [(x + 2 * qx) / 3, (y + 2 * qy) / 3, (end_x + 2 * qx) / 3, (end_y + 2 * qy) / 3, end_x, end_y]


def _arc(
    start: tuple[float, float], rx: float, ry: float, turn: float, large: bool, sweep: bool, end: tuple[float, float]
) -> Path:
    """An elliptical arc as one curve, or three where it is the larger one (SVG 1.1, F.6.5 for the centre)."""
    rx, ry = abs(rx), abs(ry)
    if start == end:
        return []
    if not rx or not ry:
        return [("l", end)]
    c, s = cos(radians(turn)), sin(radians(turn))
    half_x, half_y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    px, py = c * half_x + s * half_y, -s * half_x + c * half_y
    grown = max(1.0, hypot(px / rx, py / ry))
    rx, ry = rx * grown, ry * grown
    far = (px / rx) ** 2 + (py / ry) ** 2
    factor = sqrt(max(0.0, 1 / far - 1)) * (1 if large != sweep else -1)
    ux, uy = factor * rx * py / ry, -factor * ry * px / rx
    cx, cy = c * ux - s * uy + (start[0] + end[0]) / 2, s * ux + c * uy + (start[1] + end[1]) / 2
    first, last = atan2((py - uy) / ry, (px - ux) / rx), atan2((-py - uy) / ry, (-px - ux) / rx)
    angle = (last - first) % (2 * pi) if sweep else -((first - last) % (2 * pi))
    count = 3 if large else 1
    step = angle / count
    reach = 4 / 3 * tan(step / 4)

    def point(x: float, y: float) -> tuple[float, float]:
        return c * rx * x - s * ry * y + cx, s * rx * x + c * ry * y + cy

    path: Path = []
    for index in range(count):
        a, b = first + index * step, first + (index + 1) * step
        one = point(cos(a) - reach * sin(a), sin(a) + reach * cos(a))
        two = point(cos(b) + reach * sin(b), sin(b) - reach * cos(b))
        path.append(("c", (*one, *two, *(end if index == count - 1 else point(cos(b), sin(b))))))
    return path


def oval(cx: float, cy: float, rx: float, ry: float) -> Path:
    """A circle or an ellipse."""
    kx, ky = rx * ROUND, ry * ROUND
    return [
        ("m", (cx + rx, cy)),
        ("c", (cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry)),
        ("c", (cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy)),
        ("c", (cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry)),
        ("c", (cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy)),
        ("h", ()),
    ]


def rectangle(x: float, y: float, width: float, height: float, rx: float, ry: float) -> Path:
    """A rectangle, its corners rounded."""
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    right, bottom = x + width, y + height
    if rx <= 0 or ry <= 0:
        return [("m", (x, y)), ("l", (right, y)), ("l", (right, bottom)), ("l", (x, bottom)), ("h", ())]
    kx, ky = rx * (1 - _QUARTER), ry * (1 - _QUARTER)
    return [
        ("m", (x + rx, y)),
        ("l", (right - rx, y)),
        ("c", (right - kx, y, right, y + ky, right, y + ry)),
        ("l", (right, bottom - ry)),
        ("c", (right, bottom - ky, right - kx, bottom, right - rx, bottom)),
        ("l", (x + rx, bottom)),
        ("c", (x + kx, bottom, x, bottom - ky, x, bottom - ry)),
        ("l", (x, y + ry)),
        ("c", (x, y + ky, x + kx, y, x + rx, y)),
        ("h", ()),
    ]


def points(text: str, closed: bool) -> Path:
    """A polyline or a polygon."""
    values = [float(number) for number in re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", text)]
    found: Path = [("l" if at else "m", (values[at], values[at + 1])) for at in range(0, len(values) - 1, 2)]
    return [*found, ("h", ())] if closed and found else found


def operators(path: Path) -> str:
    """The segments as a content stream has them."""
    return "".join([f"{nums(*values)} {name}\n" if values else f"{name}\n" for name, values in path])


def times(one: Matrix, two: Matrix) -> Matrix:
    """The matrix that does `one`, then `two`."""
    (a, b, c, d, e, f), (g, h, i, j, k, m) = one, two
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def moved(path: Path, matrix: Matrix) -> Path:
    """A path under a matrix."""
    a, b, c, d, e, f = matrix
    return [
        (
            name,
            tuple(
                value for x, y in zip(v[::2], v[1::2], strict=True) for value in (a * x + c * y + e, b * x + d * y + f)
            ),
        )
        for name, v in path
    ]


def bounds(path: Path) -> tuple[float, float, float, float]:
    """The left, top, width and height of a path; curves are taken at their extremes."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for _, values in path:
        if len(values) == 6:
            xs += _extremes(x, *values[0::2])
            ys += _extremes(y, *values[1::2])
        if values:
            x, y = values[-2:]
            xs.append(x)
            ys.append(y)
    if not xs:
        return 0.0, 0.0, 0.0, 0.0
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def _extremes(p0: float, p1: float, p2: float, p3: float) -> list[float]:
    """Where a curve turns back in one direction."""
    a, b, c = 3 * (p1 - p0), 6 * (p0 - 2 * p1 + p2), 3 * (p3 - 3 * p2 + 3 * p1 - p0)

    def at(t: float) -> float:
        u = 1 - t
        return p0 * u**3 + 3 * p1 * t * u * u + 3 * p2 * t * t * u + p3 * t**3

    if abs(c) < 1e-12:
        roots = [-a / b] if b else []
    else:
        root = b * b - 4 * a * c
        roots = [(-b + sign * sqrt(root)) / (2 * c) for sign in (1, -1)] if root >= 0 else []
    return [at(t) for t in roots if 0 < t < 1]
