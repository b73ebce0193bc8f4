"""Noting what was printed: a new file in the project's folder `printed`, which no later run touches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import structs

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem, UsageError
from cardgen.files import Shelf
from cardgen.load.ledger import FOLDER, PRINTING_ID, write_printing
from cardgen.load.shared import names_in
from cardgen.model.ledger import Ledger, Printing, Snapshot
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.pipeline.ledger.compare import compare
from cardgen.pipeline.ledger.held import beside, chosen, is_date
from cardgen.pipeline.ledger.snapshots import Snapshots
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import choose


def as_they_are(
    project: Project, ledger: Ledger, names: Sequence[str], languages: Sequence[str], options: Options, report: Report
) -> list[Snapshot]:
    """Every print that the user named as it is now, made with these options.

    When nothing is named: what was noted before, made as it was then; the first time everything. Cards that have errors
    now stay noted as they were: nobody can have printed them.
    """
    held = ledger.latest()
    found: list[tuple[Product, Snapshot]] = []
    empty: list[Snapshot] = []
    if names or not held:
        maker = Snapshots(project)
        products = make_products(project, choose(project, names, languages, report), options, report)
        for product in products:
            if product.print.booklet:
                report.add("CG690", product.print.span, print=product.name)
            else:
                found.append((product, maker.of(product, options)))
    else:
        for item in beside(project, chosen(project, held, (), languages, report), options, report):
            if item.product is not None:
                found.append((item.product, item.now))
            elif item.snapshot.items:
                empty.append(item.now)
    return [_with_lost(product, snapshot, held, report) for product, snapshot in found] + empty


def _with_lost(
    product: Product, snapshot: Snapshot, held: Mapping[str, tuple[Printing, Snapshot]], report: Report
) -> Snapshot:
    """The snapshot, with the cards that have errors as they were noted before; they are reported."""
    before = held[product.name][1].items if product.name in held else {}
    # What could not be read at all is named by nobody; it is missing.
    missing = [label for label in before if label not in snapshot.items] if product.game.partial else []
    lost = tuple(dict.fromkeys((*product.left_out, *missing)))
    if not lost:
        return snapshot
    cards = ", ".join(lost[:5]) + (", …" if len(lost) > 5 else "")
    report.add("CG405", product.print.span, print=product.name, cards=cards)
    kept = {label: before[label] for label in lost if label in before}
    if not kept:
        return snapshot
    # What stays as it was was made with the layouts and fonts of then: only beside these is it told why it changed.
    was = held[product.name][1]
    layouts = {**snapshot.layouts, **was.layouts}
    return structs.replace(snapshot, items={**snapshot.items, **kept}, layouts=layouts, fonts=was.fonts)


def nothing_new(ledger: Ledger, snapshots: Sequence[Snapshot]) -> bool:
    """Whether all of this is noted already: the same cards by the same names, as often, made with the same options."""
    held = ledger.latest()
    return all(snapshot.name in held and _same(held[snapshot.name][1], snapshot) for snapshot in snapshots)


def _same(old: Snapshot, new: Snapshot) -> bool:
    return old.options == new.options and old.items.keys() == new.items.keys() and not compare(old, new, "", "").items


def name_for(shelf: Shelf, ledger: Ledger, name: str | None, date: str) -> str:
    """The name of a new printing: the one wanted, else its date and a number. Raises UsageError for one that is taken."""
    taken = {PurePosixPath(file).stem for file in names_in(Shelf(shelf.roots[:1]), FOLDER, ".yaml", Report())}
    if name is None:
        return next(free for n in range(1, len(taken) + 2) if (free := f"{date[:10]}-{n}") not in taken)
    if re.fullmatch(PRINTING_ID.pattern, name) is None or len(name) > PRINTING_ID.max_length:
        raise UsageError(f"`{name}` cannot be the name of a printing; use {PRINTING_ID.what}")
    if name == "last" or is_date(name):
        raise UsageError(f"`{name}` already means something else to `--since`; choose another name")
    if name.casefold() in {other.casefold() for other in taken}:
        raise UsageError(f"a printing `{name}` is noted already, in {FOLDER}/{name}.yaml; choose another name")
    return name


def note(
    root: Path, ledger: Ledger, name: str, date: str, snapshots: Sequence[Snapshot], report: Report
) -> Path | None:
    """Write a printing, and say where; None after reporting that the disk refused."""
    number = max((printing.number for printing in ledger.printings), default=0) + 1
    held = {snapshot.name: snapshot for snapshot in snapshots}
    file = f"{FOLDER}/{name}.yaml"
    try:
        return write_printing(root, Printing(name, number, date, held, Span(file)))
    except FileProblem as error:
        report.add("CG501", Span(file), problem=str(error))
        return None
