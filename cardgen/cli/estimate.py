"""What printing takes, said before it is done: sheets, how well the paper is used, ink."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardgen.model.product import Made
    from cardgen.pdf.ink import Ink


def ink_of_files(files: Iterable[Made]) -> dict[Path, dict[str, Any]]:
    """The ink of each file as JSON has it: whole pages of solid colour."""
    return {
        made.path: {
            "ink_pages": {
                name: round(getattr(ink, name), 3) for name in ("cyan", "magenta", "yellow", "black", "total")
            }
        }
        for made, ink in _inks(files)
    }


def print_estimate(files: Iterable[Made]) -> None:
    """A table, a row for each file, with what all of it takes below."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from cardgen.pdf.ink import Ink

    rows = list(_inks(files))
    total = Ink()
    for _, ink in rows:
        total = total.plus(ink)
    sheets = sum(made.sheets for made, _ in rows)
    table = Table(box=box.SIMPLE, show_footer=True, pad_edge=False)
    table.add_column("file", "all of it", overflow="fold")
    table.add_column("sheets", str(sheets), justify="right", no_wrap=True)
    table.add_column("paper used", justify="right", no_wrap=True)
    for name in ("cyan", "magenta", "yellow", "black"):
        table.add_column(name, f"{getattr(total, name):.2f}", justify="right", no_wrap=True)
    table.add_column("ink, in pages", f"{total.total:.2f}", justify="right", no_wrap=True)
    for made, ink in rows:
        inks = [f"{getattr(ink, name):.2f}" for name in ("cyan", "magenta", "yellow", "black", "total")]
        # Backs in a file of their own go on the paper of their fronts.
        used = f"{made.used:.0f} %" if made.sheets else "fed again"
        table.add_row(f"{made.game}/{made.lang}/{made.path.name}", str(made.sheets), used, *inks)
    Console(highlight=False, width=110).print(table)


def _inks(files: Iterable[Made]) -> list[tuple[Made, Ink]]:
    from cardgen.pdf.ink import ink_of

    return [(made, ink_of(made.path.read_bytes(), made.pages)) for made in files]
