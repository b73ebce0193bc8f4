"""Printers' profiles: how a file states one, and how one is written."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.files import MAX_YAML, read_bounded
from cardgen.load.nodes import parse_yaml
from cardgen.load.reader import BAD, Reader
from cardgen.load.shapes import Choice, Key, Measure, Number, Record
from cardgen.model.printer import LEAST_SCALE, MOST_OFFSET, MOST_SCALE, MOST_TURN, Offset, Printer
from cardgen.units import format_mm

_FACTOR = Key(Number(LEAST_SCALE, MOST_SCALE), 1.0)
_SCALE = Record("scale", {"short": _FACTOR, "long": _FACTOR})
_AWAY = Key(Measure(-MOST_OFFSET, MOST_OFFSET))
_OFFSET = Record("offset", {"x": _AWAY, "y": _AWAY})
PRINTER = Record(
    "printer",
    {
        "flip": Key(Choice(("long-edge", "short-edge")), "long-edge", "the edge that paper is turned over along"),
        "scale": Key(_SCALE, None, "how long a millimetre comes out along the paper's short and long edge"),
        "turn": Key(Number(-MOST_TURN, MOST_TURN), 0.0, "degrees that backs are turned, clockwise seen from behind"),
        "portrait": Key(_OFFSET, None, "how far backs of standing pages lie right of and below their place"),
        "landscape": Key(_OFFSET, None, "the same of lying pages"),
    },
)


def read_printer(path: Path, id: str, report: Report) -> Printer | None:
    """The printer of a file, or None after reporting what is wrong with it, under the file's whole name."""
    name = path.as_posix()
    try:
        data = read_bounded(path, name, MAX_YAML)
    except FileProblem as error:
        report.add("CG001", None, problem=str(error))
        return None
    found = Report()
    node = parse_yaml(data, name, found)
    reader = Reader(found)
    raw = BAD if node is None else reader.read(node, PRINTER)
    # Half a profile would put backs where nobody wants them.
    spoiled = raw is BAD or reader.bad
    hint = "mend the file, or delete it and measure again with `cardgen calibrate`"
    report.extend(
        replace(item, hint="; ".join(filter(None, (item.hint, hint)))) if spoiled else item for item in found.items
    )
    if spoiled:
        return None
    scale = raw["scale"] or {"short": 1.0, "long": 1.0}
    offsets = [Offset(**raw[key]) if raw[key] else None for key in ("portrait", "landscape")]
    return Printer(id, raw["flip"], scale["short"], scale["long"], raw["turn"], *offsets)


def printer_text(printer: Printer) -> str:
    """The file of a printer."""
    lines = [
        f"# How the printer `{printer.id}` prints, measured with `cardgen calibrate`.",
        f"flip: {printer.flip}",
        "# How long a millimetre comes out along the paper's short and long edge.",
        f"scale: {{short: {printer.scale_short:.6f}, long: {printer.scale_long:.6f}}}",
        "# How far backs are turned, in degrees clockwise, seen from behind.",
        f"turn: {printer.turn:.4f}",
        "# How far backs lie right of and below their place, seen from behind, on pages that stand or lie.",
    ]
    for name, offset in (("portrait", printer.portrait), ("landscape", printer.landscape)):
        if offset is not None:
            lines.append(f"{name}: {{x: {format_mm(offset.x)}mm, y: {format_mm(offset.y)}mm}}")
    return "\n".join(lines) + "\n"
