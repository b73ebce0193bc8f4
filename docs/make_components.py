"""Writes docs/components.md from the makers' options: `python docs/make_components.py`; with --check it only compares."""

from __future__ import annotations

import sys
from pathlib import Path

from cardgen.components.scenery import STYLES
from cardgen.load import shapes
from cardgen.load.component_shapes import MAKES
from cardgen.load.shapes import REQUIRED, Key, Shape
from cardgen.units import format_mm

PAGE = Path(__file__).with_name("components.md")
INTRO = Path(__file__).with_name("components-intro.md")


def page() -> str:
    """The text of the page."""
    parts = [
        "<!-- Written by docs/make_components.py; the prose is in components-intro.md. -->\n",
        INTRO.read_text("utf-8"),
    ]
    for make, (options, keys) in sorted(MAKES.items()):
        about = " ".join((options.__doc__ or "").split())
        parts.append(f"\n## {make}\n\n{about}\n\n" + _table(keys))
        if make == "scenery":
            styles = "; ".join(f"{form}: {', '.join(f'`{one}`' for one in known)}" for form, known in STYLES.items())
            parts.append(f"\nStyles by form, the first of each its own: {styles}.\n")
        for name, key in keys.items():
            inner = _record(key.shape)
            if inner is not None:
                parts.append(f"\nEach of `{name}`:\n\n" + _table(inner.keys))
                for below, deeper in inner.keys.items():
                    record = _record(deeper.shape)
                    # `front` and `back` are of one shape, told once.
                    if record is not None and below != "back":
                        parts.append(f"\n`{below}` of it, and `back`:\n\n" + _table(record.keys))
    return "".join(parts)


def _table(keys: dict[str, Key] | object) -> str:
    lines = ["| key | value | default | about |", "|---|---|---|---|"]
    for name, key in dict(keys).items():  # type: ignore[call-overload]
        lines.append(f"| `{name}` | {_value(key.shape)} | {_default(key)} | {key.about} |")
    return "\n".join(lines) + "\n"


def _record(shape: Shape) -> shapes.Record | None:
    if isinstance(shape, (shapes.Mapped, shapes.Sequence)):
        shape = shape.of
    return shape if isinstance(shape, shapes.Record) else None


def _default(key: Key) -> str:
    if key.default is REQUIRED:
        return "required"
    if key.default in ("", (), None):
        return ""
    if isinstance(key.shape, shapes.Measure):
        return f"{format_mm(float(str(key.default)))}mm"
    if isinstance(key.default, bool):
        return "yes" if key.default else "no"
    if isinstance(key.default, tuple):
        return "[" + ", ".join(f"{item:g}" for item in key.default) + "]"
    return f"{key.default:g}" if isinstance(key.default, float) else str(key.default)


def _value(shape: Shape) -> str:
    match shape:
        case shapes.Measure():
            return f"a length, {_range(shape.min, shape.max, 'mm')}"
        case shapes.Integer():
            return f"a whole number, {_range(shape.min, shape.max)}"
        case shapes.Number():
            return f"a number, {_range(shape.min, shape.max)}"
        case shapes.Choice():
            return ", ".join(f"`{word}`" for word in shape.values)
        case shapes.Boolean():
            return "yes or no"
        case shapes.Sequence():
            return f"a list: {_value(shape.of)}"
        case shapes.Mapped():
            return "a mapping by id"
        case shapes.Record():
            return "a mapping"
        case shapes.Text():
            return shape.what
        case _:
            return "a value"


def _range(low: float | None, high: float | None, unit: str = "") -> str:
    ends = [f"{value:g}{unit}" for value in (low, high) if value is not None]
    return " to ".join(ends)


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text("utf-8") != page())
    PAGE.write_text(page(), "utf-8")
