"""`cardgen import`: cards and translations that people have as JSON, into a project."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from msgspec import Struct
from msgspec.structs import replace

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import FileProblem
from cardgen.files import MAX_YAML, Shelf, write_atomic
from cardgen.i18n.catalog import Catalog, Entry
from cardgen.i18n.merge import merge
from cardgen.i18n.states import normal
from cardgen.i18n.writer import write_po
from cardgen.load.import_map import read_import_map
from cardgen.load.project import icon_names, load_project
from cardgen.load.shared import read_node
from cardgen.model.game import Field, Kind
from cardgen.model.imported import FieldMap, ImportMap
from cardgen.model.project import Project
from cardgen.pipeline.languages import catalog_name
from cardgen.pipeline.translation.exchange import own_catalog
from cardgen.text.foreign import from_html, from_plain, names_in_brackets

MAX_COPIES = 999


class Written(Struct, frozen=True):
    """A file that an import wrote, and how many cards or texts it holds."""

    path: Path
    count: int


class _Found(Struct, frozen=True):
    """A card of a file: its code there, its id here, its data."""

    code: str
    id: str
    data: Mapping[str, Any]


class _Reading(Struct, frozen=True):
    """How values are read: by the map, into the fields of a kind, with the icons that there are.

    `strange` counts names in brackets that are no icons; it grows.
    """

    plan: ImportMap
    kind: Kind
    icons: frozenset[str]
    strange: Counter[str]


def import_json(project: Project, file: Path, report: Report) -> list[Written]:
    """Write the cards that a map finds into the project, one file a pack, and their translations.

    What cannot be used is reported with its file and card, and left out. Existing card files of the same name are
    replaced, translations are taken in as `i18n import` does it.
    """
    shelf = Shelf((file.parent.resolve(),))
    node = read_node(shelf, file.name, report)
    plan = read_import_map(node, report) if node is not None else None
    game = project.games.get(plan.game) if plan is not None else None
    if plan is None:
        return []
    place = Span(file.name, 1, 1)
    if game is None:
        report.add("CG104", place, did_you_mean(plan.game, project.games), what="game", name=plan.game)
        return []
    kind = game.kinds.get(plan.kind)
    if kind is None:
        report.add("CG104", place, did_you_mean(plan.kind, game.kinds), what="kind", name=plan.kind)
        return []
    for name in plan.fields:
        if name not in kind.fields:
            report.add("CG102", place, did_you_mean(name, kind.fields), key=name, what=f"kind `{kind.id}`")
            return []
    folder = project.shelf.roots[0] / "cards" / game.id / "cards"
    written: list[Written] = []
    ids: dict[str, str] = {}
    packs: dict[str, list[_Found]] = {}
    reading = _Reading(plan, kind, frozenset(icon_names(project.shelf, game.id)), Counter())
    for name in _files(shelf, plan.cards, report):
        found = list(_cards(shelf, name, plan, ids, report))
        if found:
            packs[name] = found
            cards = {item.id: dict(_card(item, name, reading, report)) for item in found}
            path = folder / f"{slug(PurePosixPath(name).stem)}.yaml"
            _write(path, _yaml(cards), report)
            written.append(Written(path, len(cards)))
    if plan.translations and plan.languages and written:
        fresh = frozenset(item.path.name for item in written)
        written += _translations(project, shelf, reading, packs, fresh, report)
    if reading.strange:
        names = ", ".join(f"[{name}]" for name, _ in reading.strange.most_common(5))
        more = ", …" if len(reading.strange) > 5 else ""
        hint = f"draw it as `layouts/{game.id}/icons/NAME.svg` and import again, if it is one"
        report.add("CG555", place, hint, count=reading.strange.total(), names=names + more)
    return written


def slug(text: str) -> str:
    """A text as an id: lower-case letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-")


def _files(shelf: Shelf, pattern: str, report: Report) -> list[str]:
    folder = pattern.split("*", 1)[0].rpartition("/")[0] or "."
    try:
        names = shelf.names(folder, ".json")
    except FileProblem as error:
        report.add("CG001", Span(folder), problem=str(error))
        return []
    found = [name for name in (name.removeprefix("./") for name in names) if fnmatch(name, pattern)]
    if not found:
        report.add("CG001", Span(pattern), problem=f"there is no file `{pattern}`")
    return found


def _cards(shelf: Shelf, name: str, plan: ImportMap, ids: dict[str, str], report: Report | None) -> Iterator[_Found]:
    """The cards of one file; `ids` are those known, by code, and grow. Without a report nothing is said."""
    quiet = report if report is not None else Report()
    try:
        data = json.loads(shelf.read(name, MAX_YAML))
    except FileProblem as error:
        quiet.add("CG001", Span(name), problem=str(error))
        return
    except (ValueError, RecursionError) as error:
        quiet.add("CG551", Span(name, getattr(error, "lineno", 1), getattr(error, "colno", 1)), problem=str(error))
        return
    if plan.list_key:
        data = _get(data, plan.list_key)
    if isinstance(data, Mapping):
        data = [{plan.id_key: code, **item} for code, item in data.items() if isinstance(item, Mapping)]
    if not isinstance(data, list):
        quiet.add("CG551", Span(name, 1, 1), "name the key that holds it: `list`", problem="there is no list of cards")
        return
    for index, item in enumerate(data):
        if not isinstance(item, Mapping):
            quiet.add("CG552", Span(name), number=index + 1, problem="it is no object")
            continue
        if any(str(_get(item, key)) not in values for key, values in plan.only.items()):
            continue
        code = _get(item, plan.id_key)
        if not isinstance(code, (str, int)) or not slug(str(code)):
            quiet.add("CG552", Span(name), number=index + 1, problem=f"it has no usable `{plan.id_key}`")
            continue
        id = slug(str(code))
        if report is not None and id in ids:
            quiet.add("CG552", Span(name), number=index + 1, problem=f"`{code}` is in `{ids[id]}` already")
            continue
        ids.setdefault(id, name)
        yield _Found(str(code), id, item)


def _get(data: Any, path: str) -> Any:
    for key in path.split("."):
        if isinstance(data, Mapping):
            data = data.get(key)
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            return None
    return data


def _card(item: _Found, file: str, reading: _Reading, report: Report) -> Iterator[tuple[str, Any]]:
    yield "kind", reading.kind.id
    copies = _copies(item, file, reading.plan.copies_key, report)
    if copies != 1:
        yield "copies", copies
    for name, source in reading.plan.fields.items():
        value = _value(item.data, source, reading.kind.fields[name], reading)
        if value is not None and value != "":
            yield name, value


def _copies(item: _Found, file: str, key: str, report: Report) -> int:
    """How many there are of a card; what cannot be taken as it stands there is told."""
    stated = _get(item.data, key) if key else None
    if stated is None or stated == "":
        return 1
    number = stated
    if isinstance(stated, str) and re.fullmatch(r"\s*-?\d{1,9}\s*", stated):
        number = int(stated)
    whole = isinstance(number, int) and not isinstance(number, bool)
    taken = max(0, min(number, MAX_COPIES)) if whole else 1
    if not whole or taken != number:
        shown = json.dumps(stated, ensure_ascii=False)[:40]
        report.add("CG553", Span(file), card=item.code, found=shown, most=MAX_COPIES, taken=taken)
    return taken


def _value(data: Mapping[str, Any], source: FieldMap, field: Field, reading: _Reading) -> Any:
    raw = _get(data, source.key)
    if raw is None or raw == "":
        raw = source.default or None
    if raw is None:
        return None
    if isinstance(raw, list):
        inner = field.of if field.type == "list" and field.of is not None else None
        if inner is None:
            raw = ", ".join(map(str, raw))
        else:
            return [_one(item, source, inner, reading) for item in raw]
    if field.type == "list" and field.of is not None:
        # Databases write lists of traits as one text: `Item. Weapon.`
        return [
            _one(part.strip(), source, field.of, reading) for part in re.split(r"[.,;]\s*", str(raw)) if part.strip()
        ]
    return _one(raw, source, field, reading)


def _one(raw: Any, source: FieldMap, field: Field, reading: _Reading) -> Any:
    if str(raw) in source.values:
        raw = source.values[str(raw)]
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, (int, float)) and field.type in ("integer", "number"):
        return raw
    text = unicodedata.normalize("NFC", str(raw).replace("\r\n", "\n").replace("\u00ad", ""))
    if field.type == "rich":
        if source.markup == "html":
            reading.strange.update(name for name in names_in_brackets(text) if name not in reading.icons)
            return from_html(text, reading.icons).strip()
        return (from_plain(text) if source.markup == "none" else text).strip()
    return text.strip()


def _translations(
    project: Project,
    shelf: Shelf,
    reading: _Reading,
    packs: Mapping[str, list[_Found]],
    fresh: frozenset[str],
    report: Report,
) -> Iterator[Written]:
    """Take the translations in; `fresh` are the names of the files that were just written."""
    plan = reading.plan
    # The texts are those of the cards as they were just written; what is wrong with other files was so before.
    loaded = Report()
    again = load_project(project.shelf.roots[0], loaded)
    folder = f"cards/{plan.game}/cards/"
    report.extend(item for item in loaded.items if item.span and item.span.file.removeprefix(folder) in fresh)
    game = again.games.get(plan.game) if again is not None else None
    if again is None or game is None:
        return
    kind = game.kinds[plan.kind]
    for lang in plan.languages:
        if lang not in game.languages or lang == game.source:
            known = [one for one in game.languages if one != game.source]
            report.add(
                "CG104", Span(f"cards/{game.id}/game.yaml"), did_you_mean(lang, known), what="language", name=lang
            )
            continue
        entries: dict[str, Entry] = {}
        there = 0
        for name in packs:
            other = plan.translations.replace("{lang}", lang).replace("{file}", PurePosixPath(name).stem)
            place = Span(other)
            # A pack that is not translated yet is missing, not wrong.
            try:
                if shelf.find(other) is None:
                    continue
            except FileProblem as error:
                report.add("CG001", place, problem=str(error))
                continue
            there += 1
            for item in _cards(shelf, other, replace(plan, only={}), {}, report):
                for field, source in plan.fields.items():
                    target = _value(item.data, source, kind.fields[field], reading)
                    for context, text in _texts(f"{item.id}/{field}", target):
                        known_text = game.strings.get(context)
                        # What stands there in the source's words was left for later.
                        if known_text is not None and text != known_text.text:
                            entries[context] = Entry(normal(known_text.text), normal(text), False, place, place)
        if not there:
            report.add("CG554", Span(plan.translations.replace("{lang}", lang)), lang=lang)
        own = own_catalog(again, game, lang, report)
        if own is not None and entries:
            merged = merge(game, own, Catalog(lang, catalog_name(game.id, lang), entries), report)
            path = again.shelf.roots[0] / catalog_name(game.id, lang)
            _write(path, write_po(game, merged.catalog), report)
            yield Written(path, len(entries))


def _texts(context: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield context, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(f"{context}.{index}", item)


def _yaml(cards: Mapping[str, Mapping[str, Any]]) -> bytes:
    text = yaml.dump(dict(cards), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120)
    return text.encode("utf-8")


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, so that people can read and edit them."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def _write(path: Path, data: bytes, report: Report) -> None:
    try:
        write_atomic(path, data)
    except FileProblem as error:
        report.add("CG501", Span(path.name), problem=str(error))
