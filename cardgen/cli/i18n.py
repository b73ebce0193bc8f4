"""`cardgen i18n`: files for translators and back, and how far a translation is."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.common import Common, common_options, own_project, relative, unknown, working
from cardgen.cli.show import counted, show, show_json, summary
from cardgen.diagnostics import Report
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from cardgen.i18n.summary import Row
    from cardgen.model.game import Game
    from cardgen.model.project import Project
    from cardgen.pipeline.translation.boxes import Boxed
    from cardgen.pipeline.translation.exchange import Imported


# What became of texts that a file brought, in the order in which it is told.
_BECAME = ("added", "changed", "confirmed", "stale", "refused")


@click.group("i18n")
def i18n_group() -> None:
    """Translate a set: files for translators, what is missing or stale, review, fit."""


@i18n_group.command("export")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--in-place", is_flag=True, help="Bring the project's own files up to date, for programs that work there."
)
@click.option("--no-fit", is_flag=True, help="Do not draw the cards to tell how much text fits.")
@common_options
def export_command(games: tuple[str, ...], common: Common, in_place: bool, no_fit: bool) -> None:
    """Write a PO file for each game and language, for Poedit, Weblate or OmegaT, below output/i18n."""
    report = Report()
    own_project(common, games)
    files = []
    with working(common) as workers:
        from cardgen.load.project import load_project
        from cardgen.pipeline.languages import catalog_name
        from cardgen.pipeline.translation.boxes import boxed_texts, notes_of
        from cardgen.pipeline.translation.exchange import export_po

        project = load_project(common.project, report)
        for owner, game in chosen_games(project, games):
            wanted = languages_of(owner, game, common.languages)
            boxed = [] if no_fit else boxed_texts(owner, [game], wanted, workers, report)
            for lang in wanted:
                notes = notes_of(text for text in boxed if text.lang == lang)
                name = catalog_name(game.id, lang)
                path = common.project / name if in_place else common.output / "i18n" / game.id / f"{lang}.po"
                made = export_po(owner, game, lang, path, notes, report)
                if made is not None:
                    files.append(made)
    shown: list[dict[str, Any]] = [
        {"path": relative(made.path), "game": made.game, "lang": made.lang, "texts": made.texts} for made in files
    ]
    if common.format == "json":
        show_json(report, files=shown)
    else:
        show(report, common.format)
        for line in shown:
            click.echo(f"{line['path']}  {counted(line['texts'], 'text')}")
    sys.exit(1 if report.has_errors(common.strict) else 0)


@i18n_group.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="The game the file is for.  [default: what its header says]")
@click.option("--confirmed", is_flag=True, help="Stale translations that come back unchanged were read and are right.")
@click.option("--dry-run", is_flag=True, help="Only say what would change.")
@common_options
def import_command(files: tuple[Path, ...], common: Common, game: str | None, confirmed: bool, dry_run: bool) -> None:
    """Take PO files that translators send back into the project. Texts are found by their msgctxt alone."""
    from cardgen.load.project import load_project
    from cardgen.pipeline.translation.exchange import import_po

    report = Report()
    if common.shipped:
        raise UsageError("there is no cardgen.yaml here or above: a translation is taken into a project")
    if len(common.languages) > 1:
        raise UsageError("a file is for one language: name one `--lang`")
    lang = common.languages[0] if common.languages else None
    done: list[Imported] = []
    for file in files:
        # Each file is taken into what the ones before it left.
        project = load_project(common.project, Report() if done else report)
        made = import_po(project, file, report, game, lang, confirmed, not dry_run) if project is not None else None
        if made is not None:
            done.append(made)
    shown = [
        {
            "path": relative(item.path),
            "game": item.game,
            "lang": item.lang,
            "added": list(item.merged.added),
            "changed": list(item.merged.changed),
            "stale": list(item.merged.stale),
            "refused": list(item.merged.refused),
            "confirmed": list(item.merged.confirmed),
        }
        for item in done
    ]
    if common.format == "json":
        show_json(report, files=shown)
    else:
        show(report, common.format)
        for line in shown:
            parts = [f"{len(line[key])} {key}" for key in _BECAME if line[key]]
            click.echo(f"{line['path']}  {', '.join(parts) or 'nothing new'}{' (not written)' if dry_run else ''}")
        click.echo(summary(report))
    sys.exit(1 if report.has_errors(common.strict) else 0)


@i18n_group.command("status")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--fields", is_flag=True, help="A line for each field, not only for each kind.")
@click.option("--list", "listed", is_flag=True, help="Name every text that is not done.")
@common_options
def status_command(games: tuple[str, ...], common: Common, fields: bool, listed: bool) -> None:
    """How far each translation is: done, missing, stale, unreviewed, the same as the source; by kind and field.

    With --strict anything that is not done is a problem (exit code 1).
    """
    from cardgen.i18n.states import states_of
    from cardgen.i18n.summary import rows_of
    from cardgen.load.project import load_project
    from cardgen.pipeline.translation.exchange import own_catalog

    report = Report()
    own_project(common, games)
    project = load_project(common.project, report)
    tables = []
    undone = 0
    for owner, game in chosen_games(project, games):
        for lang in languages_of(owner, game, common.languages):
            catalog = own_catalog(owner, game, lang, report)
            items = list(states_of(game, catalog, lang))
            open_items = [item for item in items if item.state != "done"]
            undone += len(open_items)
            tables.append((game.id, lang, rows_of(items, fields), open_items))
    if common.format == "json":
        show_json(
            report,
            translations=[
                {
                    "game": id,
                    "lang": lang,
                    "total": _totals(rows),
                    "rows": [{"group": row.group, "field": row.field or None, **row.counts} for row in rows],
                    "open": [{"context": item.context, "state": item.state} for item in open_items],
                }
                for id, lang, rows, open_items in tables
            ],
        )
    else:
        show(report, common.format)
        for id, lang, rows, open_items in tables:
            for line in _table(f"{id} {lang}", rows):
                click.echo(line)
            for item in open_items if listed else ():
                click.echo(f"  {item.state:<10}  {item.context}")
    sys.exit(1 if report.has_errors(common.strict) or (common.strict and undone) else 0)


@i18n_group.command("fit")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--most", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many to name.")
@common_options
def fit_command(games: tuple[str, ...], common: Common, most: int) -> None:
    """The tightest boxes and the smallest sizes, by language: what to shorten first."""
    report = Report()
    own_project(common, games)
    found: list[tuple[str, str, list[Boxed]]] = []
    with working(common) as workers:
        from cardgen.load.project import load_project
        from cardgen.pipeline.translation.boxes import boxed_texts

        project = load_project(common.project, report)
        for owner, game in chosen_games(project, games):
            wanted = common.languages or game.languages
            texts = boxed_texts(owner, [game], wanted, workers, report)
            found += [(game.id, lang, [text for text in texts if text.lang == lang]) for lang in wanted]
    if common.format == "json":
        show_json(report, languages=[_fit_json(id, lang, texts, most) for id, lang, texts in found if texts])
    else:
        show(report, common.format)
        for id, lang, texts in found:
            for line in _fit_lines(id, lang, texts, most) if texts else ():
                click.echo(line)
    sys.exit(1 if report.has_errors(common.strict) else 0)


@i18n_group.command("review")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--open", "only_open", is_flag=True, help="Only what is not done: cards with such a text, and other texts."
)
@common_options
def review_command(games: tuple[str, ...], common: Common, only_open: bool) -> None:
    """A PDF for reviewers on paper: each card in the source and in the translation, its texts beside them.

    What stands on no card (labels, rules, tables, booklets) follows as a table of source and translation.
    """
    report = Report()
    own_project(common, games)
    written: list[dict[str, Any]] = []
    with working(common) as workers:
        from cardgen.files import write_atomic
        from cardgen.load.project import load_project
        from cardgen.model.translation import STATES
        from cardgen.pipeline.translation.review import review_pdf

        states = STATES[1:] if only_open else STATES
        project = load_project(common.project, report)
        for owner, game in chosen_games(project, games):
            for lang in languages_of(owner, game, common.languages):
                made = review_pdf(owner, game, lang, states, workers, report)
                if made is not None:
                    path = common.output / game.id / lang / "review.pdf"
                    write_atomic(path, made.data)
                    shown = {"path": relative(path), "game": game.id, "lang": lang}
                    written.append({**shown, "cards": made.cards, "texts": made.texts})
    if common.format == "json":
        show_json(report, files=written)
    else:
        show(report, common.format)
        for line in written:
            click.echo(f"{line['path']}  {counted(line['cards'], 'card')}, {counted(line['texts'], 'other text')}")
        if not written:
            click.echo("nothing to review")
    sys.exit(1 if report.has_errors(common.strict) else 0)


@i18n_group.command("words")
@click.argument("language", metavar="LANG")
@common_options
def words_command(language: str, common: Common) -> None:
    """Print the entry of a language in layouts/_words.yaml, which sheets and posts speak: what it lacks, in English."""
    from cardgen.load.project import load_project
    from cardgen.pipeline.translation.words import words_entry

    report = Report()
    project = load_project(common.project, report)
    if project is None:
        show(report, common.format)
        sys.exit(1)
    entry, lacks = words_entry(project, language)
    if common.format == "json":
        show_json(report, lang=language, lacking=list(lacks), entry=entry)
    else:
        click.echo(entry, nl=False)
    sys.exit(1 if common.strict and lacks else 0)


def chosen_games(project: Project | None, names: Iterable[str]) -> list[tuple[Project, Game]]:
    """The games that were named, or all, with their project. Raises UsageError for one that does not exist."""
    if project is None:
        return []
    for name in names:
        if name not in project.games:
            raise UsageError(unknown("game", name, project.games))
    return [(project, game) for id, game in project.games.items() if not names or id in names]


def languages_of(project: Project, game: Game, wanted: tuple[str, ...]) -> list[str]:
    """The languages a game is translated to, those that were asked for. Raises UsageError for any other."""
    from cardgen.load.languages import adding_language

    known = [lang for lang in game.languages if lang != game.source]
    for lang in wanted:
        if lang not in known:
            told = unknown("translation into", lang, known) if known else f"{game.id} has no translations"
            adding = "" if lang == game.source else f"; to add it, {adding_language(project.shelf, [game.id])}"
            raise UsageError(told + adding)
    return [lang for lang in known if not wanted or lang in wanted]


def _totals(rows: Iterable[Row]) -> dict[str, int]:
    from cardgen.model.translation import STATES

    rows = list(rows)
    return {state: sum(row.counts[state] for row in rows) for state in STATES}


def _table(title: str, rows: tuple[Row, ...]) -> Iterator[str]:
    from cardgen.model.translation import STATES

    names = [" ".join(filter(None, (row.group, row.field))) for row in rows]
    width = max(map(len, [title, *names]), default=0)
    yield f"{title:<{width}}  " + "  ".join(f"{state:>10}" for state in STATES)
    for name, row in zip(names, rows, strict=True):
        yield f"{name:<{width}}  " + "  ".join(f"{row.counts[state] or '·':>10}" for state in STATES)
    totals = _totals(rows)
    yield f"{'all':<{width}}  " + "  ".join(f"{totals[state] or '·':>10}" for state in STATES)


def _fit_lines(id: str, lang: str, texts: list[Boxed], most: int) -> Iterator[str]:
    from cardgen.pipeline.translation.boxes import tightest

    over = sum(text.overflow > 0 for text in texts)
    smaller = [text.scale for text in texts if text.scale < 1]
    least = f"{min(smaller):.0%}" if smaller else "100%"
    yield f"{id} {lang}: {counted(len(texts), 'boxed text')}, {len(smaller)} set smaller, the smallest {least}, {over} too long"
    for text in tightest(texts, most):
        state = f"{text.overflow:.1f} mm too long" if text.overflow else f"{text.scale:.0%}"
        tight = ", lines closer" if text.tight else ""
        yield f"  {text.name}  {state}{tight}, {text.full:.0%} full, {text.characters} characters"


def _fit_json(id: str, lang: str, texts: list[Boxed], most: int) -> dict[str, Any]:
    from cardgen.pipeline.translation.boxes import tightest

    return {
        "game": id,
        "lang": lang,
        "texts": len(texts),
        "smaller": sum(text.scale < 1 for text in texts),
        "smallest": min(text.scale for text in texts),
        "too_long": sum(text.overflow > 0 for text in texts),
        "tightest": [
            {
                "name": text.name,
                "contexts": list(text.contexts),
                "layout": text.layout,
                "scale": round(text.scale, 3),
                "lines_closer": text.tight,
                "fill": round(text.full, 3),
                "one_line": text.is_one_line,
                "natural_mm": round(text.lines.natural / text.scale, 2),
                "overflow_mm": round(text.overflow, 2),
                "characters": text.characters,
                "box_mm": [round(text.width, 2), round(text.height, 2)],
            }
            for text in tightest(texts, most)
        ],
    }
