"""`cardgen release`: the files of a set under its version, what changed, who made it, what is open, and a post."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.files import MAX_YAML, move, read_bounded, remove_folder, write_atomic
from cardgen.i18n.states import states_of
from cardgen.model.game import Game
from cardgen.model.product import Made
from cardgen.model.project import Project
from cardgen.model.sheet import SheetWords
from cardgen.pipeline.build import build
from cardgen.pipeline.languages import in_language
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import Target
from cardgen.pipeline.translation.credits import check_credits
from cardgen.pipeline.translation.exchange import own_catalog
from cardgen.pipeline.versions.diff import CardChange, Change, card_texts, changes, compare_cards, own_texts
from cardgen.pipeline.versions.posts import Post, as_bbcode, as_markdown
from cardgen.pipeline.versions.unraised import Before, check_versions
from cardgen.workers import Workers

MANIFEST = "release.json"


class Released(Struct, frozen=True):
    """What a release wrote."""

    folder: Path
    files: tuple[Path, ...]


def lacking(project: Project, game: Game, lang: str) -> dict[str, str]:
    """What the source has and the translation lacks: msgctxt and state of every text that is not done."""
    if lang == game.source:
        return {}
    catalog = own_catalog(project, game, lang, Report())
    return {item.context: item.state for item in states_of(game, catalog, lang) if item.state not in ("done", "same")}


def release(
    project: Project,
    game: Game,
    languages: Sequence[str],
    output: Path,
    before: Before | None,
    anyway: bool,
    workers: Workers,
    report: Report,
) -> Released | None:
    """Write the release of a game below `output`; None when it is refused, which is reported.

    It is refused while a translation lacks something or a check finds an error, unless `anyway`.
    """
    open_texts = {lang: lacking(project, game, lang) for lang in languages}
    found = Report()
    for lang, undone in open_texts.items():
        if undone:
            what = f"{len(undone)} {'text is' if len(undone) == 1 else 'texts are'} not done: {', '.join(list(undone)[:3])}{', …' if len(undone) > 3 else ''}"
            found.add("CG550", Span(f"cards/{game.id}/i18n/{lang}.po"), game=game.id, lang=lang, what=what)
    targets = [Target(game, lang, tuple(game.prints.values())) for lang in languages]
    check_credits(project, targets, found)
    report.extend(found.items)
    if found.items and not anyway:
        return None
    folder = output / f"{game.id}-{game.version}"
    # What an attempt that was refused has left to be looked at.
    remove_folder(folder / game.id)
    built = Report()
    made = build(project, targets, folder, Options(), workers, built).files
    report.extend(built.items)
    if built.has_errors() and not anyway:
        count = sum(item.severity == "error" for item in built)
        what = f"a check finds {count} {'error' if count == 1 else 'errors'}; what was drawn lies there to be looked at"
        report.add("CG550", Span(f"cards/{game.id}/game.yaml"), game=game.id, lang=", ".join(languages), what=what)
        return None
    made = tuple(_named(item, game.prints[item.print].version, folder) for item in made)
    remove_folder(folder / game.id)
    written = [item.path for item in made]
    games = {lang: in_language(game, lang, project.shelf, {}, Report()) for lang in languages}
    cards = {lang: card_texts(one) for lang, one in games.items()}
    texts = {lang: own_texts(one) for lang, one in games.items()}
    if before is not None:
        check_versions(game, before, cards, texts, report)
    for lang, one in games.items():
        post = _post(one, project.words.get(lang, SheetWords()), made, before, cards, texts, open_texts[lang])
        for suffix, text in (("md", as_markdown(post)), ("bbcode.txt", as_bbcode(post))):
            path = folder / lang / f"post.{suffix}"
            write_atomic(path, text.encode("utf-8"))
            written.append(path)
    manifest = {
        "game": game.id,
        "version": game.version,
        "since": before.version if before is not None else None,
        "files": [_file(item, folder) for item in made],
        "credits": {
            lang: {
                "title": one.title,
                "source": one.subtitle,
                "credits": one.credits,
                "translators": one.translators,
                "licence": one.licence,
                "report_url": one.report_url,
            }
            for lang, one in games.items()
        },
        "errata": [
            {"card": card.id, "revision": card.revision, "date": card.errata}
            for card in game.cards.values()
            if card.errata or card.revision
        ],
        "lacking": open_texts,
        "prints": {item.id: item.version for item in game.prints.values()},
        "cards": cards,
        "texts": texts,
    }
    path = folder / MANIFEST
    write_atomic(path, (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))
    return Released(folder, (*written, path))


def last_release(output: Path, game: Game) -> Before | None:
    """The newest release below `output` of another version; None when there is none that can be read."""
    known = [path for path in output.glob(f"{game.id}-*/{MANIFEST}") if path.parent.name != f"{game.id}-{game.version}"]
    for path in sorted(known, key=lambda path: _natural(path.parent.name), reverse=True):
        before = read_manifest(path)
        if before is not None:
            return before
    return None


def read_manifest(path: Path) -> Before | None:
    """What a release says of its state; None when it cannot be read."""
    try:
        data: Any = json.loads(read_bounded(path, path.name, MAX_YAML))
        return Before(str(data["version"]), dict(data["cards"]), dict(data["texts"]), dict(data.get("prints", {})))
    except (FileProblem, ValueError, KeyError, TypeError):
        return None


def before_of(game: Game, project: Project, languages: Sequence[str]) -> Before:
    """A state of a project as what a release is compared with."""
    games = {lang: in_language(game, lang, project.shelf, {}, Report()) for lang in languages if lang in game.languages}
    cards = {lang: card_texts(one) for lang, one in games.items()}
    texts = {lang: own_texts(one) for lang, one in games.items()}
    return Before(game.version, cards, texts, {item.id: item.version for item in game.prints.values()})


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|\D+", name)]


def _named(item: Made, version: str, folder: Path) -> Made:
    """A file under the name that it is handed on by: game, print, version and language."""
    variant = item.path.stem.removeprefix(item.print)
    path = folder / item.lang / f"{item.game}-{item.print}{variant}-v{version}-{item.lang}.pdf"
    move(item.path, path)
    return structs.replace(item, path=path)


def _file(item: Made, folder: Path) -> dict[str, object]:
    return {
        "path": item.path.relative_to(folder).as_posix(),
        "sha256": item.sha256,
        "bytes": item.size,
        "pages": item.pages,
        "lang": item.lang,
        "print": item.print,
    }


def _post(
    game: Game,
    words: SheetWords,
    made: Sequence[Made],
    before: Before | None,
    cards: Mapping[str, Mapping[str, Mapping[str, str]]],
    texts: Mapping[str, Mapping[str, str]],
    open_texts: Mapping[str, str],
) -> Post:
    lang = game.lang
    changed: list[CardChange] = []
    own: list[Change] = []
    if before is not None:
        changed = list(compare_cards(before.cards.get(lang, {}), cards[lang]))
        own = list(changes(before.texts.get(lang, {}), texts[lang]))
    return Post(
        game=game,
        words=words,
        files=tuple(
            (game.prints[item.print].title, game.prints[item.print].version, item.path.name, item.pages)
            for item in made
            if item.lang == lang
        ),
        since=before.version if before is not None else None,
        changed=tuple(changed),
        texts=len(own),
        lacking=tuple(open_texts),
    )
