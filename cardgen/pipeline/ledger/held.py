"""What was printed beside what would be printed now, print by print."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from cardgen.diagnostics import Report, did_you_mean
from cardgen.errors import UsageError
from cardgen.model.ledger import Changes, Ledger, PrintedWith, Printing, Snapshot
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.pipeline.ledger.compare import compare
from cardgen.pipeline.ledger.snapshots import Snapshots
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import Target, choose
from cardgen.pipeline.wishes import Wish


class Held(Struct, frozen=True):
    """A print in one language as people hold it, what it is now (None: it is no more), and the options it is made with."""

    printing: Printing
    snapshot: Snapshot
    product: Product | None
    options: Options
    # the snapshot that would be made now
    now: Snapshot


def chosen(
    project: Project,
    held: dict[str, tuple[Printing, Snapshot]],
    names: Sequence[str],
    languages: Sequence[str],
    report: Report,
) -> list[tuple[Printing, Snapshot]]:
    """Of what was printed, what the user named (`game` or `game/print`, languages); all of it when nothing is named.

    What exists and was never printed is reported. Raises UsageError for names that do not exist.
    """
    for name in names:
        if not any(_is_named(snapshot, (name,)) for _, snapshot in held.values()):
            choose(project, (name,), (), report)
            report.add("CG421", None, "`cardgen build` prints all of it", name=name)
    spoken = {snapshot.lang for _, snapshot in held.values()}
    for lang in languages:
        if lang not in spoken:
            choose(project, (), (lang,), report)
            report.add("CG421", None, "`cardgen build` prints all of it", name=lang)
    return [
        (printing, snapshot)
        for printing, snapshot in held.values()
        if (not names or _is_named(snapshot, names)) and (not languages or snapshot.lang in languages)
    ]


def _is_named(snapshot: Snapshot, names: Iterable[str]) -> bool:
    return any(name in (snapshot.game, f"{snapshot.game}/{snapshot.print}") for name in names)


def beside(
    project: Project, wanted: Iterable[tuple[Printing, Snapshot]], options: Options, report: Report
) -> list[Held]:
    """Each snapshot with its product as it is now, made with the options that it was printed with unless others are given.

    What cannot be made, because of errors that are reported, is left out: whether it has changed cannot be told.
    """
    groups: dict[Options, list[tuple[Printing, Snapshot]]] = {}
    for printing, snapshot in wanted:
        groups.setdefault(merged(options, snapshot.options), []).append((printing, snapshot))
    maker = Snapshots(project)
    found = []
    for used, group in groups.items():
        targets = _targets(project, [snapshot for _, snapshot in group])
        products = {product.name: product for product in make_products(project, targets, used, report)}
        for printing, snapshot in group:
            product = products.get(snapshot.name)
            if product is not None:
                found.append(Held(printing, snapshot, product, used, maker.of(product, used)))
            elif not report.has_errors():
                nothing = structs.replace(snapshot, items={})
                found.append(Held(printing, snapshot, None, used, nothing))
    return sorted(found, key=lambda item: _place(project, item.snapshot))


def _targets(project: Project, snapshots: Iterable[Snapshot]) -> list[Target]:
    wanted: dict[tuple[str, str], list[str]] = {}
    for snapshot in snapshots:
        wanted.setdefault((snapshot.game, snapshot.lang), []).append(snapshot.print)
    targets = []
    for (id, lang), prints in wanted.items():
        game = project.games.get(id)
        if game is not None and lang in game.languages:
            items = tuple(item for item in game.prints.values() if item.id in prints)
            targets.append(Target(game, lang, items))
    return targets


def _place(project: Project, snapshot: Snapshot) -> tuple[int, int, int, str]:
    """Where a build would come to it: games, languages and prints in their order, what is gone last."""
    game = project.games.get(snapshot.game)
    if game is None:
        return len(project.games), 0, 0, snapshot.name
    languages, prints = list(game.languages), list(game.prints)
    return (
        list(project.games).index(snapshot.game),
        languages.index(snapshot.lang) if snapshot.lang in languages else len(languages),
        prints.index(snapshot.print) if snapshot.print in prints else len(prints),
        snapshot.name,
    )


def merged(options: Options, printed: PrintedWith) -> Options:
    """The options of a run, and where it asks for nothing, those of the printing."""
    asked = options.no_backgrounds or options.low_ink
    wish = options.wish
    return structs.replace(
        options,
        no_backgrounds=options.no_backgrounds if asked else printed.no_backgrounds,
        low_ink=options.low_ink if asked else printed.low_ink,
        backs=options.backs or printed.backs,
        wish=Wish(
            wish.size if wish.size is not None else printed.size,
            wish.sets if wish.sets is not None else printed.sets,
            wish.scale if wish.scale is not None else printed.scale,
        ),
    )


def changes_of(held: Held) -> Changes:
    """What has changed of one print."""
    product = held.product
    title = product.print.title if product is not None else held.snapshot.print
    unknown = product.left_out if product is not None else ()
    changes = compare(held.snapshot, held.now, title, held.printing.id, unknown)
    if product is None or not product.game.partial:
        return changes
    # A card that could not be read at all is in no list of those that have errors: what seems gone may be one of these.
    gone = tuple(item.label for item in changes.items if item.kind == "gone")
    items = tuple(item for item in changes.items if item.kind != "gone")
    return structs.replace(changes, items=items, unknown=tuple(sorted({*changes.unknown, *gone})))


def until(ledger: Ledger, since: str) -> Printing | None:
    """The printing that `last` (None), a printing's name or a date stands for: of a date, the last one up to its end.

    Raises UsageError for what is none of them.
    """
    if since == "last":
        return None
    for printing in ledger.printings:
        if printing.id == since:
            return printing
    if is_date(since):
        before = [printing for printing in ledger.printings if printing.date[:10] <= since]
        if before:
            return before[-1]
        first = ledger.printings[0]
        raise UsageError(f"nothing was printed up to {since}; the first printing is `{first.id}` of {first.date[:10]}")
    hint = did_you_mean(since, [printing.id for printing in ledger.printings])
    raise UsageError(f"there is no printing `{since}`; " + (hint or "`last`, a printing's name or a date is wanted"))


def is_date(text: str) -> bool:
    """Whether a text is a date as it is written here, `2026-11-30`."""
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
