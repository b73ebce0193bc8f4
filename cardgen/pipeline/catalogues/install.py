"""Puts a newer catalogue in its place, and its version on the entries of saved bands: all of it or nothing."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.files import MAX_IMAGE, MAX_YAML, Shelf, own_path, read_bounded, remove_file, write_atomic
from cardgen.load import yamledit
from cardgen.load.catalogues import installed_text, record_name
from cardgen.load.nodes import parse_yaml
from cardgen.load.project import band_reader
from cardgen.load.stamps import stamp as stamp_entries
from cardgen.load.trees import Tree, tree_of
from cardgen.model.catalogue import CataloguePack, Installed
from cardgen.model.game import BandKind, Game
from cardgen.pipeline.catalogues.compare import BandChange
from cardgen.pipeline.catalogues.own import card_ids

BACKUPS = "catalogue-backups"
# A zip file carries dates; the same files give the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


class Change(Struct, frozen=True):
    """A file of the project: what it holds now (None: it is not there) and what it will hold."""

    file: str
    old: bytes | None
    new: bytes


def changed_files(shelf: Shelf, pack: CataloguePack) -> list[Change]:
    """The files of a pack that the project's own folder does not have in this very form. Raises FileProblem."""
    found = []
    for file, data in pack.files.items():
        path = own_path(shelf, file)
        old = read_bounded(path, file, MAX_IMAGE) if path.exists() else None
        if old != data:
            found.append(Change(file, old, data))
    return found


def changed_by_hand(changes: Sequence[Change], installed: Installed | None) -> list[str]:
    """The files that would be replaced though they are not as a pack left them."""
    known = installed.files if installed is not None else {}
    return [item.file for item in changes if item.old is not None and known.get(item.file) != _digest(item.old)]


def stamped_bands(
    shelf: Shelf,
    new: Game,
    bands: Sequence[BandChange],
    kept: Collection[tuple[str, int]],
    version: str,
    before: str,
    report: Report,
) -> list[Change]:
    """The bands' files with versions on their entries: `version`, but the old one, or `before`, on those that are kept.

    `kept` are bands' names and entries' numbers. What would not be a band any more is reported.
    """
    found = []
    for item in bands:
        kind = new.bands[item.band.kind]
        stamp = kind.choices.version if kind.choices is not None else ""
        if not stamp:
            continue
        file = item.band.file
        old = read_bounded(own_path(shelf, file), file, MAX_YAML)
        root = parse_yaml(old, file, Report())
        tree = tree_of(root) if root is not None else {}
        entries = tree.get(kind.entries) if isinstance(tree, dict) else None
        if not isinstance(tree, dict) or not isinstance(entries, list):
            continue
        wanted = [dict(entry) if isinstance(entry, dict) else entry for entry in entries]
        for entry in item.entries:
            line = wanted[entry.number - 1]
            if isinstance(line, dict):
                line[stamp] = (entry.version or before) if (item.name, entry.number) in kept else version
        try:
            text = _written(old.decode("utf-8-sig"), tree, {**tree, kind.entries: wanted}, kind, stamp)
        except FileProblem as error:
            report.add("CG637", Span(file), band=item.band.title, problem=str(error))
            continue
        change = Change(file, old, text.encode())
        if not any(entry.gone for entry in item.entries):
            _still_a_band(shelf, new, change, item.band.title, report)
        if change.new != old:
            found.append(change)
    return found


def _written(text: str, old: dict[str, Tree], wanted: dict[str, Tree], kind: BandKind, field: str) -> str:
    """A band's text with its new stamps: nothing else is touched if it can be helped. Raises FileProblem."""
    if wanted == old:
        return text
    before, after = old[kind.entries], wanted[kind.entries]
    assert isinstance(before, list) and isinstance(after, list)
    stamps = {n: str(line[field]) for n, line in enumerate(after) if isinstance(line, dict) and line != before[n]}
    stamped = stamp_entries(text, kind.entries, field, stamps)
    root = parse_yaml(stamped.encode(), "file", Report()) if stamped is not None else None
    if stamped is not None and root is not None and tree_of(root) == wanted:
        return stamped
    return yamledit.edit(text, None, wanted, kind.fields)


def _still_a_band(shelf: Shelf, new: Game, change: Change, title: str, report: Report) -> None:
    told = Report()
    root = parse_yaml(change.new, change.file, told)
    if root is None or band_reader(shelf, new, told).read(root, change.file) is None:
        problem = told.items[0].message if told.items else "it could not be read any more"
        report.add("CG637", Span(change.file), band=title, problem=problem)


def install(
    shelf: Shelf, pack: CataloguePack, changes: Sequence[Change], others: Sequence[Change], installed: Installed | None
) -> Path | None:
    """Write the pack's files, others (bands, kept cards) and the record of them, and say where what they replace is kept.

    When one cannot be written those before it are put back. Raises FileProblem.
    """
    record = own_path(shelf, record_name(pack.game))
    digests = {**(installed.files if installed is not None else {})}
    digests |= {file: _digest(data) for file, data in pack.files.items()}
    entries = {**(installed.entries if installed is not None else {})}
    entries |= {file: card_ids(file, data) for file, data in pack.files.items() if "/cards/" in file}
    said = installed_text(Installed(pack.version, digests, entries)).encode()
    before = read_bounded(record, record_name(pack.game), MAX_YAML) if record.exists() else None
    # The record comes last: a run that is cut off is taken up by the next one, which finds these files as they should be.
    every = [*changes, *others, Change(record_name(pack.game), before, said)]
    replaced = {item.file: item.old for item in every if item.old is not None and item.old != item.new}
    backup = _back_up(shelf, pack.game, installed, replaced) if replaced else None
    done: list[Change] = []
    try:
        for item in every:
            done.append(item)
            write_atomic(own_path(shelf, item.file), item.new)
    except BaseException:
        for item in reversed(done):
            path = own_path(shelf, item.file)
            if item.old is None:
                remove_file(path)
            elif read_bounded(path, item.file, MAX_IMAGE) != item.old:
                write_atomic(path, item.old)
        if backup is not None:
            remove_file(backup)
        raise
    return backup


def _back_up(shelf: Shelf, game: str, installed: Installed | None, files: Mapping[str, bytes]) -> Path:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for file, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(file, _DATE), data, zipfile.ZIP_DEFLATED)
    version = "".join(c if c.isalnum() or c in ".-_" else "-" for c in installed.version) if installed else "first"
    number = 1
    while (path := own_path(shelf, f"{BACKUPS}/{game}-{version}-{number}.zip")).exists():
        number += 1
    write_atomic(path, target.getvalue())
    return path


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
