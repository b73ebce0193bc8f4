"""Fields of a kind: from what game.yaml declares to the shapes that cards are read with, and to finished values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field, structs

from cardgen.diagnostics import did_you_mean
from cardgen.load import nodes, shapes
from cardgen.load.definitions import FIELD
from cardgen.load.reader import BAD, Reader
from cardgen.model.game import Die, Field, Keyword, KeywordUse, Track

# Which options say something about which type; the first row holds for all.
_EVERYWHERE = ("type", "required", "title", "about")
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "text": ("default", "max_length", "translate"),
    "rich": ("default", "max_length", "translate"),
    "integer": ("default", "min", "max"),
    "number": ("default", "min", "max"),
    "boolean": ("default",),
    "choice": ("default", "values"),
    "die": ("default",),
    "keyword": ("default",),
    "card": ("default", "kinds"),
    "icon": ("default",),
    "image": ("default", "frame"),
    "length": ("default", "min", "max"),
    "list": ("of", "min_items", "max_items"),
    "record": ("fields", "limits"),
    "bands": ("track", "of"),
}
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "list": ("of",),
    "bands": ("track", "of"),
    "record": ("fields",),
    "choice": ("values",),
}


class Known(Struct, frozen=True):
    """What references may point to; `lost` names, by section, what was declared but reported as unusable."""

    dice: Mapping[str, Die]
    keywords: Mapping[str, Keyword]
    tracks: Mapping[str, Track]
    icons: tuple[str, ...]
    kinds: tuple[str, ...]
    lost: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def lost_in(self, section: str) -> frozenset[str]:
        """The names of a section of game.yaml that cannot be used."""
        return self.lost.get(section, frozenset())


def make_fields(
    raw: Mapping[str, Any], reserved: tuple[str, ...], path: str, file: str, reader: Reader, known: Known
) -> dict[str, Field]:
    """The fields of a kind of card or band; what is wrong, and names that mean something else already, is reported."""
    fields: dict[str, Field] = {}
    for name, item in raw.items():
        if name in reserved:
            reader.report.add("CG106", reader.span(file, f"{path}.{name}"), what="field", name=name)
            continue
        made = make_field(item, f"{path}.{name}", file, reader, known)
        if made is not None:
            fields[name] = made
    _check_limits(fields, path, file, reader)
    return fields


def _check_limits(fields: Mapping[str, Field], path: str, file: str, reader: Reader) -> None:
    """Report a record that limits something that is no record beside it, and what it limits without being there."""
    for name, item in fields.items():
        if not item.limits:
            continue
        others = {id: other.fields for id, other in fields.items() if other.type == "record" and id != name}
        if item.limits not in others:
            place = reader.span(file, f"{path}.{name}.limits")
            reader.report.add("CG104", place, did_you_mean(item.limits, others), what="record", name=item.limits)
            continue
        known = others[item.limits]
        for sub in item.fields:
            if sub not in known:
                place = reader.key_span(file, f"{path}.{name}.fields.{sub}")
                what = f"field of `{item.limits}`"
                reader.report.add("CG104", place, did_you_mean(sub, known), what=what, name=sub)


def make_field(raw: dict[str, Any], path: str, file: str, reader: Reader, known: Known) -> Field | None:
    """A Field from the record that was read, or None after reporting what is wrong with it."""
    kind = raw["type"]
    if not _options_fit(kind, raw, path, file, reader):
        return None
    track = raw["track"]
    if track and track not in known.tracks:
        if track not in known.lost_in("tracks"):
            place = reader.span(file, f"{path}.track")
            reader.report.add("CG104", place, did_you_mean(track, known.tracks), what="track", name=track)
        return None
    kinds = tuple(name for name in raw["kinds"] if name in known.kinds or name in known.lost_in("kinds"))
    for index, name in enumerate(raw["kinds"]):
        if name not in kinds:
            place = reader.span(file, f"{path}.kinds.{index}")
            reader.report.add("CG104", place, did_you_mean(name, known.kinds), what="kind", name=name)
    inner = make_field(raw["of"], f"{path}.of", file, reader, known) if raw["of"] else None
    if raw["of"] and inner is None:
        return None
    fields: dict[str, Field] = {}
    for name, sub in (raw["fields"] or {}).items():
        made = make_field(sub, f"{path}.fields.{name}", file, reader, known)
        if made is None:
            return None
        fields[name] = made
    _check_limits(fields, f"{path}.fields", file, reader)
    low, high = (_bound(raw[key], kind, f"{path}.{key}", file, reader) for key in ("min", "max"))
    if low is not None and high is not None and low > high:
        place = reader.span(file, f"{path}.max")
        reader.report.add("CG022", place, found=raw["max"], allowed=f"at least `min`, which is {raw['min']}")
        low = high = None
    if raw["min_items"] > raw["max_items"]:
        place = reader.span(file, f"{path}.max_items" if reader.written(f"{path}.max_items") else f"{path}.min_items")
        allowed = f"at least `min_items`, which is {raw['min_items']}"
        reader.report.add("CG022", place, found=raw["max_items"], allowed=allowed)
        return None
    field = Field(
        type=kind,
        required=raw["required"],
        title=raw["title"],
        about=raw["about"],
        translate=raw["translate"],
        max_length=raw["max_length"],
        min=low,
        max=high,
        values=_values(raw["values"], path, file, reader),
        kinds=kinds,
        of=inner,
        min_items=raw["min_items"],
        max_items=raw["max_items"],
        fields=fields,
        track=track,
        frame=tuple(raw["frame"]),
        limits=raw["limits"],
    )
    return structs.replace(field, default=_default(raw["default"], field, known, path, file, reader))


def _options_fit(kind: str, raw: dict[str, Any], path: str, file: str, reader: Reader) -> bool:
    fitting = (*_EVERYWHERE, *_OPTIONS[kind])
    for key in FIELD.keys:
        if key not in fitting and reader.written(f"{path}.{key}"):
            place = reader.span(file, f"{path}.{key}")
            reader.report.add("CG108", place, f"it takes {', '.join(_OPTIONS[kind])}", key=key, type=kind)
    fit = True
    for key in _NEEDS.get(kind, ()):
        if raw[key] in (None, ""):
            fit = False
            if not reader.written(f"{path}.{key}"):
                reader.report.add("CG025", reader.span(file, path), key=key, what=f"{kind} field")
    return fit


def _values(raw: Any, path: str, file: str, reader: Reader) -> dict[str, str]:
    if isinstance(raw, dict):
        return raw
    values: dict[str, str] = {}
    for index, value in enumerate(raw or ()):
        if value in values:
            place = reader.span(file, f"{path}.values.{index}")
            reader.report.add("CG105", place, what="value", name=value, other="")
        values[value] = value
    return values


def _bound(text: str | None, kind: str, path: str, file: str, reader: Reader) -> float | None:
    if text is None or kind not in {"integer", "number", "length"}:
        return None
    shape: shapes.Shape = shapes.Measure() if kind == "length" else shapes.Number()
    if kind == "integer":
        shape = shapes.Integer()
    value = reader.read(nodes.Scalar(text, reader.span(file, path), True), shape, path)
    return None if value is BAD else float(value) if kind == "length" else value


def _default(text: str | None, field: Field, known: Known, path: str, file: str, reader: Reader) -> Any:
    """The default read as a card's value would be; None when there is none or it was reported."""
    if text is None or "default" not in _OPTIONS[field.type]:
        return None
    place = reader.span(file, f"{path}.default")
    value = reader.read(nodes.Scalar(text, place, True), shape_of(field, known), f"{path}.default")
    if value is not BAD and field.type == "keyword" and known.keywords[value].parameter != "none":
        wanted = "a parameter, which a default cannot give"
        reader.report.add("CG107", place, keyword=value, wanted=wanted)
        return None
    return None if value is BAD else value


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
            return shapes.Choice(tuple(field.values), tuple(field.values.values()))
        case "die":
            return shapes.Name("die", tuple(known.dice), known.lost_in("dice"))
        case "icon":
            return shapes.Name("icon", known.icons)
        case "keyword":
            name = shapes.Name("keyword", tuple(known.keywords), known.lost_in("keywords"))
            use = shapes.Mapped(name, shapes.Text(60), 1, 1)
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
            inner = shape_of(field.of, known)
            bands = [band.id for band in known.tracks[field.track].bands]
            return shapes.Record(f"`{field.track}` bands", {band: shapes.Key(inner) for band in bands})


def key_of(field: Field, known: Known) -> shapes.Key:
    """The key of a card's record for `field`. Defaults are filled in later, by `finish`."""
    return shapes.Key(shape_of(field, known), shapes.REQUIRED if field.required else None, field.about)


def finish(value: Any, field: Field, known: Known, path: str, file: str, reader: Reader) -> Any:
    """The value as layouts and expressions see it: defaults filled in, references resolved, absent lists empty."""
    if value is None:
        value = field.default
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
                    for name, sub in field.fields.items()}  # fmt: skip
        case "bands":
            assert field.of is not None
            return {band: finish(item, field.of, known, f"{path}.{band}", file, reader) for band, item in value.items()}
        case _:
            return value


def _keyword(value: Any, known: Known, path: str, file: str, reader: Reader) -> KeywordUse | None:
    if not value:
        return None
    place = reader.span(file, path)
    name, parameter = (value, None) if isinstance(value, str) else next(iter(value.items()))
    keyword = known.keywords[name]
    if (keyword.parameter == "none") != (parameter is None):
        wanted = {"none": "no parameter", "integer": "a whole number", "text": "a text"}[keyword.parameter]
        hint = f"write `{name}`" if keyword.parameter == "none" else f"write `{{{name}: …}}`"
        reader.report.add("CG107", place, hint, keyword=name, wanted=wanted)
        return None
    if keyword.parameter == "integer":
        place = reader.span(file, f"{path}.{name}")
        number = reader.read(nodes.Scalar(str(parameter), place, True), shapes.Integer(0, 1000), f"{path}.{name}")
        return None if number is BAD else KeywordUse(keyword, number)
    return KeywordUse(keyword, parameter)
