"""`i18n export` and `i18n import`: PO files out of a project and back into it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import FileProblem
from cardgen.files import MAX_PO, read_bounded, write_atomic
from cardgen.i18n.catalog import Catalog, read_catalog
from cardgen.i18n.keep import kept_po
from cardgen.i18n.merge import Merged, merge
from cardgen.i18n.wording import check_wording
from cardgen.i18n.writer import write_po
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.pipeline.languages import catalog_name, catalog_of
from cardgen.text.decode import decode_text

_LANGUAGE = re.compile(r'^"Language: *([A-Za-z_-]{2,12})', re.MULTILINE)
_PROJECT = re.compile(r'^"Project-Id-Version: *([a-z0-9_-]+)', re.MULTILINE)

# What people send by mistake, by its first bytes.
_OTHER_FILES = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP archive or a document of an office",
    b"\xde\x12\x04\x95": "a compiled catalog (`.mo`)",
    b"\x95\x04\x12\xde": "a compiled catalog (`.mo`)",
    b"<?xml": "an XML file",
}


class Exported(Struct, frozen=True):
    """A PO file that was written."""

    path: Path
    game: str
    lang: str
    texts: int


def export_po(
    project: Project, game: Game, lang: str, path: Path, notes: Mapping[str, str], report: Report
) -> Exported | None:
    """Write the PO file of a game for translators; None when its catalog cannot be used, which is reported."""
    own = own_catalog(project, game, lang, report)
    if own is None:
        return None
    check_wording(game, own, report)
    try:
        write_atomic(path, write_po(game, own, notes))
    except FileProblem as error:
        report.add("CG501", Span(path.name), problem=str(error))
        return None
    return Exported(path, game.id, lang, len(game.strings))


def own_catalog(project: Project, game: Game, lang: str, report: Report) -> Catalog | None:
    """What the project has of a translation; an empty catalog where it has none yet, None where it cannot be read."""
    name = catalog_name(game.id, lang)
    try:
        exists = project.shelf.find(name) is not None
    except FileProblem as error:
        report.add("CG001", Span(name), problem=str(error))
        return None
    if not exists:
        return Catalog(lang, name, {})
    catalog = catalog_of(game, lang, project.shelf, report)
    # What could not be read would be lost by writing the rest.
    return None if catalog is None or catalog.partial else catalog


class Imported(Struct, frozen=True):
    """What an import did, and to which file."""

    game: str
    lang: str
    path: Path
    merged: Merged


def import_po(
    project: Project,
    file: Path,
    report: Report,
    game_id: str | None = None,
    lang: str | None = None,
    confirmed: bool = False,
    write: bool = True,
) -> Imported | None:
    """Take a translator's file into the project. Game and language are the header's, unless they are named."""
    # It lies anywhere: the path as it was given is what people find it by.
    called = file.as_posix()
    try:
        data = read_bounded(file, called, MAX_PO)
    except FileProblem as error:
        report.add("CG001", Span(called), problem=str(error))
        return None
    if not _is_po(data, called, report):
        return None
    stated = "`--lang`" if lang else "its name"
    target = _target(project, data, called, game_id, lang, report)
    if target is None:
        return None
    game, lang = target
    theirs = read_catalog(data, lang, called, report, stated)
    own = own_catalog(project, game, lang, report)
    if theirs is None or own is None or any(item.code == "CG207" for item in report):
        return None
    absent = [context for context in game.strings if context not in theirs.entries]
    if absent and not theirs.partial:
        first = ", ".join(absent[:3]) + (", …" if len(absent) > 3 else "")
        report.add("CG245", Span(called, 1, 1), count=len(absent), total=len(game.strings), first=first)
    merged = merge(game, own, theirs, report, confirmed)
    check_wording(game, _where_it_came_from(merged.catalog, theirs), report)
    path = project.shelf.roots[0] / catalog_name(game.id, lang)
    if write:
        try:
            _write(project, path, game, own, merged.catalog)
        except FileProblem as error:
            report.add("CG501", Span(catalog_name(game.id, lang)), problem=str(error))
            return None
    return Imported(game.id, lang, path, merged)


def _write(project: Project, path: Path, game: Game, own: Catalog, catalog: Catalog) -> None:
    """Write the catalog: into the lines of the file that is there, which stays untouched where nothing changed."""
    data = project.shelf.read(own.file, MAX_PO) if own.entries else b""
    text = decode_text(data, own.file, Report()) or ""
    try:
        made = kept_po(game, text, own, catalog).encode()
    except ValueError:
        # There is none yet, or only a program's, all of its header in one line.
        made = write_po(game, catalog)
    if made != data:
        write_atomic(path, made)


def _where_it_came_from(catalog: Catalog, theirs: Catalog) -> Catalog:
    """The entries that the file brought: what is wrong with the others was there before."""
    entries = {
        context: entry
        for context, entry in catalog.entries.items()
        if (new := theirs.entries.get(context)) is not None and new.target == entry.target
    }
    return Catalog(catalog.lang, catalog.file, entries)


def _meant(game: Game, stated: str) -> str:
    """The language of a game that a header names: `pl_PL` is `pl`, and the other way about, where only that can be."""
    known = [lang for lang in game.languages if lang != game.source]
    alike = [lang for lang in known if lang.partition("-")[0] == stated.partition("-")[0]]
    return alike[0] if stated not in known and len(alike) == 1 else stated


def _is_po(data: bytes, name: str, report: Report) -> bool:
    """Whether there is any entry in it; a file that is something else is not asked for its header, and told to be."""
    if not data.strip():
        report.add("CG009", Span(name, 1, 1))
        return False
    # A text in another encoding than UTF-8 is told by what reads it.
    if b"msgid" in data.replace(b"\0", b""):
        return True
    kind = next((kind for start, kind in _OTHER_FILES.items() if data.startswith(start)), "")
    found = f"it begins as {kind} does" if kind else "it has no `msgid`"
    hint = "translators send back what `cardgen i18n export` wrote, or a part of it"
    report.add("CG201", Span(name, 1, 1), hint, problem=found)
    return False


def _target(
    project: Project, data: bytes, name: str, game_id: str | None, lang: str | None, report: Report
) -> tuple[Game, str] | None:
    head = data[:4000].decode("utf-8", "replace")
    place = Span(name, 1, 1)
    stated = _PROJECT.search(head)
    game_id = game_id or (stated[1] if stated else "")
    game = project.games.get(game_id)
    if game is None:
        found = f"`{game_id}`, which is no game of the project" if game_id else "no `Project-Id-Version`"
        hint = did_you_mean(game_id, project.games) if game_id else "name it: `--game NAME`"
        report.add("CG237", place, hint, problem=f"the header names {found}")
        return None
    wanted = _LANGUAGE.search(head)
    said = wanted[1].replace("_", "-") if wanted else ""
    if wanted and not lang and _meant(game, said) != said:
        report.add("CG246", place, found=wanted[1], taken=_meant(game, said))
    lang = lang or _meant(game, said)
    if lang not in game.languages or lang == game.source:
        found = f"`{lang}`, which {game.id} is not translated to" if lang else "no `Language`"
        known = [one for one in game.languages if one != game.source]
        hint = did_you_mean(lang, known) if lang else "name it: `--lang CODE`"
        report.add("CG237", place, hint, problem=f"the header names {found}")
        return None
    return game, lang
