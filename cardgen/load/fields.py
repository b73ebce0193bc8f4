"""Fields of a kind: from what game.yaml declares to the shapes that cards are read with, and to finished values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.diagnostics import Report, did_you_mean
from cardgen.load import nodes, shapes
from cardgen.load.reader import BAD, Reader
from cardgen.model.game import Die, Field, Keyword, KeywordUse, Track


@dataclass(frozen=True, slots=True)
class Known:
    """What references may point to."""

    dice: Mapping[str, Die]
    keywords: Mapping[str, Keyword]
    tracks: Mapping[str, Track]
    icons: tuple[str, ...]
    kinds: tuple[str, ...]


def make_field(raw: dict[str, Any], path: str, file: str, reader: Reader) -> Field | None:
    """A Field from the record that was read, or None after reporting options that contradict its type."""
    report = reader.report
    place = reader.span(file, path)
    kind = raw["type"]
    needs = {"list": "of", "bands": "of", "record": "fields", "choice": "values"}.get(kind)
    if needs and raw[needs] is None:
        report.add("CG025", place, key=needs, what=f"{kind} field")
        return None
    if kind == "bands" and not raw["track"]:
        report.add("CG025", place, key="track", what="bands field")
        return None
    values = raw["values"] or {}
    if not isinstance(values, dict):
        values = {value: value for value in values}
    inner = make_field(raw["of"], f"{path}.of", file, reader) if raw["of"] else None
    if raw["of"] and inner is None:
        return None
    fields = {
        name: made
        for name, sub in (raw["fields"] or {}).items()
        if (made := make_field(sub, f"{path}.fields.{name}", file, reader)) is not None
    }
    bounds = {key: _bound(raw[key], kind, f"{path}.{key}", file, reader) for key in ("min", "max")}
    return Field(
        type=kind,
        required=raw["required"],
        default=raw["default"],
        about=raw["about"],
        translate=raw["translate"],
        max_length=raw["max_length"],
        min=bounds["min"],
        max=bounds["max"],
        values=values,
        kinds=raw["kinds"],
        of=inner,
        min_items=raw["min_items"],
        max_items=raw["max_items"],
        fields=fields,
        track=raw["track"],
    )


def _bound(text: str | None, kind: str, path: str, file: str, reader: Reader) -> float | None:
    if text is None:
        return None
    shape: shapes.Shape = shapes.Measure() if kind == "length" else shapes.Number()
    value = reader.read(nodes.Scalar(text, reader.span(file, path), True), shape, path)
    return None if value is BAD else float(value)


def shape_of(field: Field, known: Known) -> shapes.Shape:
    """The shape that values of `field` are read with."""
    match field.type:
        case "text":
            return shapes.Text(field.max_length)
        case "rich":
            return shapes.Text(field.max_length, multiline=True)
        case "integer":
            return shapes.Integer(field.min, field.max)
        case "number":
            return shapes.Number(field.min, field.max)
        case "boolean":
            return shapes.Boolean()
        case "choice":
            return shapes.Choice(tuple(field.values))
        case "die":
            return shapes.Name("die", tuple(known.dice))
        case "icon":
            return shapes.Name("icon", known.icons)
        case "keyword":
            name = shapes.Name("keyword", tuple(known.keywords))
            use = shapes.Mapped(name, shapes.Text(60), 1)
            return shapes.Either(scalar=name, mapping=use, what="a keyword or `{keyword: parameter}`")
        case "card":
            return shapes.Name("card")
        case "image":
            return shapes.Text(200, what="a file name")
        case "length":
            return shapes.Measure(field.min, field.max)
        case "list":
            assert field.of is not None
            return shapes.Sequence(shape_of(field.of, known), field.min_items, field.max_items)
        case "record":
            keys = {name: key_of(sub, known) for name, sub in field.fields.items()}
            return shapes.Record("record", keys, code="CG102")
        case "bands":
            assert field.of is not None
            track = known.tracks.get(field.track)
            bands = [band.id for band in track.bands] if track else []
            inner = shape_of(field.of, known)
            return shapes.Record(f"`{field.track}` bands", {band: shapes.Key(inner) for band in bands})


def key_of(field: Field, known: Known) -> shapes.Key:
    """The key of a card's record for `field`. Defaults are filled in later, by `finish`."""
    return shapes.Key(shape_of(field, known), shapes.REQUIRED if field.required else None, field.about)


def read_default(field: Field, known: Known, path: str, file: str, reader: Reader) -> Any:
    """The field's default read as a card's value would be; None when it has none or it was reported."""
    if field.default is None or field.type in {"list", "record", "bands"}:
        return None
    node = nodes.Scalar(str(field.default), reader.span(file, f"{path}.default"), True)
    value = reader.read(node, shape_of(field, known), f"{path}.default")
    return None if value is BAD else value


def finish(value: Any, field: Field, known: Known, path: str, file: str, reader: Reader) -> Any:
    """The value as layouts and expressions see it: references resolved, absent lists empty."""
    if value is None:
        return () if field.type == "list" else None
    match field.type:
        case "die":
            return known.dice[value]
        case "keyword":
            return _keyword(value, known, path, file, reader)
        case "list":
            assert field.of is not None
            items = [finish(item, field.of, known, f"{path}.{i}", file, reader) for i, item in enumerate(value)]
            return tuple(item for item in items if item is not None)
        case "record":
            return {name: finish(value[name], sub, known, f"{path}.{name}", file, reader)
                    for name, sub in field.fields.items() if name in value}  # fmt: skip
        case "bands":
            assert field.of is not None
            return {band: finish(item, field.of, known, f"{path}.{band}", file, reader) for band, item in value.items()}
        case _:
            return value


def _keyword(value: Any, known: Known, path: str, file: str, reader: Reader) -> KeywordUse | None:
    place = reader.span(file, path)
    name, parameter = (value, None) if isinstance(value, str) else next(iter(value.items()))
    keyword = known.keywords[name]
    if not isinstance(value, str) and len(value) > 1:
        reader.report.add("CG026", place, found=len(value), allowed="one keyword")
        return None
    if (keyword.parameter == "none") != (parameter is None):
        wanted = {"none": "no parameter", "integer": "a whole number", "text": "a text"}[keyword.parameter]
        hint = f"write `{name}`" if keyword.parameter == "none" else f"write `{{{name}: …}}`"
        reader.report.add("CG107", place, hint, keyword=name, wanted=wanted)
        return None
    if keyword.parameter == "integer":
        number = reader.read(nodes.Scalar(str(parameter), place, True), shapes.Integer(0, 1000), path)
        return None if number is BAD else KeywordUse(keyword, number)
    return KeywordUse(keyword, parameter)


def check_tracks(field: Field, tracks: Mapping[str, Track], report: Report, place: Any) -> None:
    """Report a `bands` field whose track the game does not have, at any depth."""
    if field.type == "bands" and field.track not in tracks:
        report.add("CG104", place, did_you_mean(field.track, tracks), what="track", name=field.track)
    for sub in (field.of, *field.fields.values()):
        if sub is not None:
            check_tracks(sub, tracks, report, place)
