"""Calibration: the sheet to print and measure, and from its readings the printer's profile."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from cardgen.diagnostics import Report, did_you_mean
from cardgen.errors import CardgenError, DoesNotFit, UsageError
from cardgen.files import write_atomic
from cardgen.geometry import Size
from cardgen.load.printer import read_printer
from cardgen.model.printer import Offset, Printer
from cardgen.model.project import Project
from cardgen.model.sheet import PAPERS, Flip, Grid, Imprint, SheetTemplate, SheetWords
from cardgen.model.trim import Trim
from cardgen.pdf.writer import write_pdf
from cardgen.pipeline.fonts import label_fonts
from cardgen.pipeline.printers import known_printers, path_of, write_printer
from cardgen.sheets.calibration import Readings, calibration_sheet, measured
from cardgen.sheets.correct import corrected
from cardgen.sheets.grid import compute_grid
from cardgen.units import format_mm

DEFAULT_SHEET, DEFAULT_TRIM = "3x3", "poker-eu"
# Two measurements that turn backs by more than these degrees apart contradict each other.
CONTRADICTION = 0.3
# Sizes further off than this come from the print dialogue rather than from the printer.
SUSPICIOUS = 0.015


class Learnt(Struct, frozen=True):
    """A profile that was written, where, and what it replaces: of each figure that was measured before and is another
    now, its name and the old and the new one."""

    printer: Printer
    path: Path
    replaced: tuple[tuple[str, str, str], ...] = ()


class Bench(Struct, frozen=True):
    """A sheet to calibrate with: the template, its paper as it lies, the cuts that it has for the trim it is for."""

    template: SheetTemplate
    paper: Size
    grid: Grid | None


def bench(project: Project, sheet: str | None, paper: str | None) -> Bench:
    """The sheet that is named, on the paper that is; by default the one for nine cards. Raises UsageError."""
    wanted = paper or project.paper or "a4"
    name = sheet or f"{wanted}-{DEFAULT_SHEET}"
    template = project.sheets.get(name)
    if template is None:
        known = [
            id for id, item in project.sheets.items() if item.paper is not None and id != f"{item.paper}-gutterfold"
        ]
        hint = did_you_mean(name, known) or f"known: {', '.join(sorted(known))}"
        raise UsageError(f"there is no sheet `{name}`; {hint}")
    if template.paper is None:
        raise UsageError(f"`{name}` is one face a page, which is for screens and print services: nothing to calibrate")
    if name == f"{template.paper}-gutterfold":
        raise UsageError(
            f"`{name}` is folded: its backs are printed beside their fronts, and no printer can miss; calibrate with "
            f"`{template.paper}-{DEFAULT_SHEET}`"
        )
    if paper is not None and template.paper != paper:
        raise UsageError(f"`{name}` lies on {template.paper}, not on {paper}; name a sheet of {paper}, or no paper")
    size = PAPERS[template.paper].size
    grids = [grid for trim in _trims(project, name) if (grid := _grid(template, trim, size)) is not None]
    if template.arrange == "grid" and grids:
        return Bench(template, grids[0].paper, grids[0])
    return Bench(template, size.turned() if template.orientation == "landscape" else size, None)


def _trims(project: Project, sheet: str) -> list[Trim]:
    """The trims that the sheet may be for, the likeliest first: those of prints that lie on it, then the usual one where
    it is for any or for nine cards, then the largest."""
    used = []
    for game in project.games.values():
        for item in game.prints.values():
            deck = game.decks.get(item.deck or "")
            cards = [game.cards[id].kind for id in deck.cards] if deck is not None else []
            if item.sheet == sheet:
                used += [game.kinds[kind].trim for kind in (*item.kinds, *cards)]
    by_size = sorted(project.trims, key=lambda id: -project.trims[id].size.width * project.trims[id].size.height)
    template = project.sheets[sheet]
    usual = [DEFAULT_TRIM] if not template.columns or sheet.endswith(f"-{DEFAULT_SHEET}") else []
    names = dict.fromkeys([*used, *usual, *by_size])
    return [project.trims[name] for name in names if name in project.trims]


def _grid(template: SheetTemplate, trim: Trim, paper: Size) -> Grid | None:
    try:
        return compute_grid(template, trim, paper)
    except DoesNotFit:
        return None


def write_sheet(
    project: Project, sheet: Bench, lang: str, flip: Flip, output: Path, name: str, printer: Printer | None = None
) -> Path:
    """Write `output/calibration/<lang>/<sheet>.pdf` and say where.

    `name` is the printer that the sheet's command names. With a `printer` the sheet is corrected for it, to see whether
    it is right. Raises FileProblem when the disk refuses.
    """
    template = sheet.template
    words = project.words.get(lang, SheetWords())
    options = f"--sheet {template.id}" + (" --flip short-edge" if flip == "short-edge" else "")
    command = (
        f"cardgen calibrate --printer {name} {options}",
        '--measured "ax=…  ay=…  bx=…  by=…  width=…  height=…"',
    )
    imprint = Imprint(f"{words.calibrate_title} {template.id}", "", lang)
    checked = printer.id if printer is not None else ""
    imposition = calibration_sheet(template, sheet.grid, sheet.paper, imprint, words, flip, command, checked)
    fonts = label_fonts(project)
    if not fonts:
        raise CardgenError("the sheet needs a font for its words, and fonts/fonts.yaml has none that can be used")
    data = write_pdf(corrected(imposition, printer, flip), [], fonts)
    suffix = f"-{checked}" if checked else ""
    turned = "-short-edge" if flip == "short-edge" else ""
    path = output / "calibration" / lang / f"{template.id}{turned}{suffix}.pdf"
    write_atomic(path, data)
    return path


def learn(sheet: Bench, text: str, name: str, flip: Flip, report: Report) -> Learnt | None:
    """Write the profile that readings such as `ax=0.5 ay=-1 bx=0.3 by=-1 width=149.5 height=199.5` give.

    What they do not tell is kept from a profile of that name. None after reporting that this one cannot be used. Raises
    UsageError for readings that cannot be, FileProblem when the disk refuses; then nothing is written.
    """
    readings = read_readings(text)
    known: Printer | None = Printer(name, flip)
    before = None
    if name in known_printers():
        known = before = read_printer(path_of(name), name, report)
    if known is None:
        return None
    printer = measured(readings, sheet.paper, flip, known)
    for what, scale in (("short", printer.scale_short), ("long", printer.scale_long)):
        if abs(scale - 1) > SUSPICIOUS:
            hint = "print the sheet at 100 %, not fitted to the page, and measure again"
            report.add("CG510", None, hint, edge=what, percent=f"{scale * 100:.1f}")
    path = write_printer(printer)
    if before is None:
        return Learnt(printer, path)
    if _has_offset(before) and abs(printer.turn - before.turn) > CONTRADICTION:
        hint = "printers turn every sheet alike; measure a second sheet, and this one again"
        report.add("CG511", None, hint, printer=name, old=f"{before.turn:.2f}", new=f"{printer.turn:.2f}")
    return Learnt(printer, path, tuple(_replaced(before, printer)))


def _has_offset(printer: Printer) -> bool:
    """Whether its backs were measured; else its turn is no measurement."""
    return printer.portrait is not None or printer.landscape is not None


def _replaced(old: Printer, new: Printer) -> Iterator[tuple[str, str, str]]:
    told: list[tuple[str, str, str]] = [
        ("flip", old.flip, new.flip),
        ("scale, short edge", f"{old.scale_short:.4f}", f"{new.scale_short:.4f}"),
        ("scale, long edge", f"{old.scale_long:.4f}", f"{new.scale_long:.4f}"),
    ]
    if _has_offset(old):
        told.append(("turn", f"{old.turn:.2f} degrees", f"{new.turn:.2f} degrees"))
    for name, before, after in (("portrait", old.portrait, new.portrait), ("landscape", old.landscape, new.landscape)):
        if before is not None and after is not None:
            told.append((name, _offset(before), _offset(after)))
    yield from (row for row in told if row[1] != row[2])


def _offset(offset: Offset) -> str:
    # Hundredths of a millimetre: more is not read from a sheet.
    return f"{format_mm(round(offset.x, 2))}, {format_mm(round(offset.y, 2))} mm"


def read_readings(text: str) -> Readings:
    """The readings in a text of `name=number`, parted by spaces, commas or semicolons. Raises UsageError."""
    names = list(Readings.__struct_fields__)
    found: dict[str, float] = {}
    # A comma before a letter parts readings; one between digits is a decimal comma.
    plain = re.sub(r"(?<=[\d.])\s+mm\b", "mm", re.sub(r"\s*=\s*", "=", text.strip()))
    for part in re.split(r"[\s;]+|,(?=\s*[^\W\d])", plain):
        if not part.rstrip(","):
            continue
        name, equals, value = part.rstrip(",").partition("=")
        name = name.casefold()
        if not equals or name not in names:
            hint = did_you_mean(name, names) if equals else "such as `ax=0.5`"
            raise UsageError(f"`{part}` is no reading; {hint or f'known: {chr(44).join(names)}'}")
        if name in found:
            raise UsageError(f"`{name}` is there twice")
        found[name] = _number(name, value)
    missing = [name for name in ("ax", "ay", "bx", "by") if name not in found]
    if not found:
        raise UsageError(f"no readings; expected {', '.join(names)}, such as `ax=0.5 ay=-1 bx=0.3 by=-1 width=149.5`")
    if 0 < len(missing) < 4:
        raise UsageError(f"ax, ay, bx and by go together; missing: {', '.join(missing)}")
    return Readings(**found)


def _number(name: str, value: str) -> float:
    # A minus sign as word processors write it, a decimal comma, a unit: all of them are meant well.
    plain = value.replace("\N{MINUS SIGN}", "-").replace(",", ".").removesuffix("mm")
    if re.fullmatch(r"[-+]?(\d{1,6}(\.\d{0,6})?|\.\d{1,6})", plain) is None or not math.isfinite(float(plain)):
        raise UsageError(f"`{name}={value}`: expected millimetres, such as `{name}={_EXAMPLES[name]}`")
    return float(plain)


_EXAMPLES = {"ax": "0.5", "ay": "-1.25", "bx": "0.5", "by": "-1.25", "width": "149.5", "height": "199.5"}
