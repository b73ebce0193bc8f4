"""Reads game.yaml: dice, keywords, tracks, tables, kinds and prints, and the texts a translator sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import structs

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.load.definitions import GAME, RESERVED_FIELDS
from cardgen.load.fields import Known, make_fields
from cardgen.load.nodes import Node
from cardgen.load.reader import BAD, Reader
from cardgen.model.game import CardOdds, Die, Game, Keyword, Kind, Print, Table, Track, TrackBand
from cardgen.model.wording import names_of, titled
from cardgen.text.expressions import Expression, ExpressionError, compile_expression
from cardgen.text.sandbox import split_hint

if TYPE_CHECKING:
    from cardgen.model.game import BandKind
    from cardgen.model.kit import KitPart
    from cardgen.model.odds import Situation

T = TypeVar("T")


def read_game(
    root: Node, id: str, file: str, icons: tuple[str, ...], report: Report
) -> tuple[Game, Known, Reader] | None:
    """The game without its cards and decks, what its cards may refer to, and the places of its values.

    None when there is nothing sound.
    """
    reader = Reader(report)
    raw = reader.read(root, GAME)
    if raw is BAD:
        return None
    dice = {
        name: Die(name, item["title"], item["letter"], item["colour"], item["ink"], item["icon"] or f"die-{name}", item["faces"])
        for name, item in raw["dice"].items()
    }  # fmt: skip
    keywords = {
        name: Keyword(name, item["title"], item["text"], item["parameter"]) for name, item in raw["keywords"].items()
    }
    tracks = {name: _track(name, item, file, reader) for name, item in raw["tracks"].items()}
    tables = {name: _table(name, item, file, reader) for name, item in raw["tables"].items()}
    if raw["source"] not in raw["languages"] and reader.whole("languages"):
        hint = f"write `languages: [{', '.join((raw['source'], *raw['languages']))}]`"
        report.add("CG118", reader.span(file, "languages"), hint, name=raw["source"])
    for die in dice.values():
        if raw["dice"][die.id]["icon"] and die.icon not in icons:
            place = reader.span(file, f"dice.{die.id}.icon")
            report.add("CG104", place, did_you_mean(die.icon, icons), what="icon", name=die.icon)
    known = Known(
        _whole(dice, "dice", reader),
        _whole(keywords, "keywords", reader),
        _whole(tracks, "tracks", reader),
        icons,
        tuple(raw["kinds"]),
        {
            "dice": _torn("dice", reader),
            "keywords": _torn("keywords", reader),
            "tracks": _torn("tracks", reader),
            "kinds": reader.lost("kinds"),
        },
    )
    kinds = {name: _kind(name, item, file, reader, known) for name, item in raw["kinds"].items()}
    bands = _band_kinds(raw["bands"], file, reader, known)
    _check_titles(raw["fields"], [*kinds.values(), *bands.values()], file, reader)
    kinds = {id: structs.replace(kind, fields=titled(kind.fields, raw["fields"])) for id, kind in kinds.items()}
    bands = {id: structs.replace(kind, fields=titled(kind.fields, raw["fields"])) for id, kind in bands.items()}
    prints = {name: _print(name, item, kinds, file, reader) for name, item in raw["prints"].items()}
    game = Game(
        id=id,
        title=raw["title"],
        subtitle=raw["subtitle"],
        version=raw["version"],
        source=raw["source"],
        languages=raw["languages"],
        credits=raw["credits"],
        licence=raw["licence"],
        report_url=raw["report_url"],
        labels=raw["labels"],
        dice=dice,
        keywords=keywords,
        tracks=tracks,
        tables=tables,
        kinds=kinds,
        prints=prints,
        cards={},
        decks={},
        strings={},
        lang=raw["source"],
        rules=raw["rules"],
        bands=bands,
        kit=tuple(_kit_part(item, f"kit.{index}", file, reader) for index, item in enumerate(raw["kit"])),
        odds=_situations(raw["odds"], file, reader),
    )
    return game, known, reader


def _check_titles(raw: Mapping[str, Any], kinds: Sequence[Kind | BandKind], file: str, reader: Reader) -> None:
    """A title of what no field is called was meant for another."""
    known = {name for kind in kinds for name in names_of(kind.fields)}
    whole = reader.whole("kinds") and reader.whole("bands")
    for name in raw if whole else ():
        if name not in known:
            place = reader.key_span(file, f"fields.{name}")
            reader.report.add("CG104", place, did_you_mean(name, known), what="field", name=name)


def _band_kinds(raw: Mapping[str, Any], file: str, reader: Reader, known: Known) -> dict[str, BandKind]:
    if not raw:
        return {}
    from cardgen.load.bands import make_band_kind

    made = {name: make_band_kind(name, item, file, reader, known) for name, item in raw.items()}
    return {name: kind for name, kind in made.items() if kind is not None}


def _situations(raw: Mapping[str, Any], file: str, reader: Reader) -> dict[str, Situation]:
    if not raw:
        return {}
    from cardgen.load.odds import make_situations

    return make_situations(raw, file, reader)


def _torn(section: str, reader: Reader) -> frozenset[str]:
    """The names of a section of which something was reported: what cards say about them cannot be judged."""
    names = {path.split(".")[1] for path in reader.bad if path.startswith(f"{section}.")}
    return frozenset(names)


def _whole(values: dict[str, T], section: str, reader: Reader) -> dict[str, T]:
    torn = _torn(section, reader)
    return {name: value for name, value in values.items() if name not in torn}


def _track(id: str, raw: dict[str, Any], file: str, reader: Reader) -> Track:
    bands = tuple(
        TrackBand(band["id"], band["title"], band["from"], band["to"], band["colour"]) for band in raw["bands"]
    )
    if not reader.whole(f"tracks.{id}"):
        return Track(id, raw["title"], raw["from"], raw["to"], bands)
    expected: int | None = raw["from"]
    for index, band in enumerate(bands):
        if band.start != (band.start if expected is None else expected) or band.end < band.start:
            place = reader.span(file, f"tracks.{id}.bands.{index}")
            problem = "it ends before it starts" if band.end < band.start else f"it must start at {expected}"
            reader.report.add("CG109", place, band=band.id, start=band.start, end=band.end, problem=problem)
        # Behind a band that ends before it starts nobody knows where the next one should begin.
        expected = band.end + 1 if band.end >= band.start else None
    if expected not in (None, raw["to"] + 1):
        place = reader.span(file, f"tracks.{id}.to")
        reader.report.add("CG113", place, track=id, last=bands[-1].end, end=raw["to"])
    _unique([band.id for band in bands], "band", f"tracks.{id}.bands", file, reader)
    return Track(id, raw["title"], raw["from"], raw["to"], bands)


def _unique(names: list[str], what: str, path: str, file: str, reader: Reader) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            reader.report.add("CG105", reader.span(file, f"{path}.{index}"), what=what, name=name, other="")


def _table(id: str, raw: dict[str, Any], file: str, reader: Reader) -> Table:
    for index, row in enumerate(raw["rows"]):
        if len(row) != len(raw["columns"]):
            place = reader.span(file, f"tables.{id}.rows.{index}")
            reader.report.add("CG026", place, found=len(row), allowed=f"{len(raw['columns'])}, as many as columns")
    return Table(id, raw["title"], raw["columns"], raw["rows"])


def _kind(id: str, raw: dict[str, Any], file: str, reader: Reader, known: Known) -> Kind:
    path = f"kinds.{id}"
    fields = make_fields(raw["fields"], RESERVED_FIELDS, f"{path}.fields", file, reader, known)
    derived: dict[str, str] = {}
    for name, source in raw["derived"].items():
        place = reader.span(file, f"{path}.derived.{name}")
        if name in RESERVED_FIELDS:
            reader.report.add("CG106", place, what="field", name=name)
        elif name in raw["fields"]:
            reader.report.add("CG105", place, what="field", name=name, other="")
        else:
            derived[name] = source
    span = reader.span(file, path)
    odds = {name: CardOdds(**item, span=reader.span(file, f"{path}.odds.{name}")) for name, item in raw["odds"].items()}
    return Kind(id, raw["title"], raw["trim"], raw["front"], raw["back"], fields, derived, span, odds)


def lost_fields(kind: Kind, places: Reader) -> frozenset[str]:
    """The fields that a kind declares and that were reported as unusable: cards may state them all the same."""
    return frozenset(places.names.get(f"kinds.{kind.id}.fields", ())) - kind.fields.keys()


def _print(id: str, raw: dict[str, Any], kinds: Mapping[str, Kind], file: str, reader: Reader) -> Print:
    path = f"prints.{id}"
    stated = [key for key in ("deck", "kinds", "components", "booklet") if reader.written(f"{path}.{key}")]
    if len(stated) != 1:
        reader.report.add("CG114", reader.span(file, path), print=id)
    if reader.written(f"{path}.paper_thickness") and "booklet" not in stated:
        reader.report.add("CG122", reader.span(file, f"{path}.paper_thickness"), print=id)
    for index, kind in enumerate(raw["kinds"]):
        if kind not in kinds and kind not in reader.lost("kinds"):
            place = reader.span(file, f"{path}.kinds.{index}")
            reader.report.add("CG104", place, did_you_mean(kind, kinds), what="kind", name=kind)
    wanted = tuple(kind for kind in raw["kinds"] if kind in kinds)
    return Print(
        id, raw["title"], raw["version"], raw["changes"], raw["deck"], wanted, raw["sheet"], raw["backs"],
        reader.span(file, path), raw["components"], raw["booklet"], raw["paper_thickness"],
    )  # fmt: skip


def _kit_part(raw: dict[str, Any], path: str, file: str, reader: Reader) -> KitPart:
    from cardgen.model.kit import KitPart

    place = reader.span(file, path)
    of_cards = [key for key in ("cards", "brings", "entries", "itself") if raw[key]]
    stated = [key for key in ("deck", "component") if raw[key]]
    if len(of_cards) > 1 or len(stated) > 1 or not stated + of_cards or (of_cards and raw["deck"]):
        reader.report.add("CG120", place)
    return KitPart(**raw, span=place)


def compile_derived(kind: Kind, file: str, places: Reader, report: Report) -> list[tuple[str, Expression, Span]]:
    """The derived fields of a kind in the order in which they can be computed.

    What is wrong is reported and left out, and what depends on it with it.
    """
    compiled: dict[str, Expression] = {}
    lost = set(lost_fields(kind, places)) | places.lost(f"kinds.{kind.id}.derived")
    known = {*kind.fields, *kind.derived, *lost, *RESERVED_FIELDS}
    for name, source in kind.derived.items():
        place = places.span(file, f"kinds.{kind.id}.derived.{name}")
        try:
            expression = compile_expression(source)
        except ExpressionError as error:
            problem, hint = split_hint(str(error))
            report.add("CG110", place, hint, field=name, problem=problem)
            lost.add(name)
            continue
        if _wrong_names(expression, known, place, report):
            lost.add(name)
        else:
            compiled[name] = expression
    ordered: list[tuple[str, Expression, Span]] = []
    while compiled:
        ready = [name for name, item in compiled.items() if not _needs(item) & compiled.keys()]
        if not ready:
            circle = _circle(compiled)
            place = places.span(file, f"kinds.{kind.id}.derived.{circle[0]}")
            report.add("CG112", place, fields=" -> ".join((*circle, circle[0])))
            break
        for name in ready:
            expression = compiled.pop(name)
            if _needs(expression) & lost:
                lost.add(name)
            else:
                ordered.append((name, expression, places.span(file, f"kinds.{kind.id}.derived.{name}")))
    return ordered


def _circle(compiled: Mapping[str, Expression]) -> list[str]:
    # Every one of these needs another one of them: following that need must come round.
    path = [min(compiled)]
    while (following := min(_needs(compiled[path[-1]]) & compiled.keys())) not in path:
        path.append(following)
    return path[path.index(following) :]


def _needs(expression: Expression) -> set[str]:
    return {attribute for name, attribute in expression.attributes if name == "card"}


def _wrong_names(expression: Expression, fields: set[str], place: Span, report: Report) -> bool:
    wrong = False
    for name in sorted(expression.names - {"card", "game"}):
        hint = f"write `card.{name}`" if name in fields else did_you_mean(name, ["card", "game"])
        report.add("CG111", place, hint, name=name)
        wrong = True
    for name, attribute in sorted(expression.attributes):
        if name == "card" and attribute not in fields:
            report.add("CG111", place, did_you_mean(attribute, fields), name=f"card.{attribute}")
            wrong = True
    return wrong
