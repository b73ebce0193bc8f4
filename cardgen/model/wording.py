"""What forms say of fields: titles, what they are about, what their choices are called; each text with its msgctxt.

A field's texts are `fields/<name>.title`, `fields/<name>.about` and `fields/<name>.values.<value>`. Where fields of one
name say different things, the first that is declared has these, the others the same behind where they are declared:
`fields/<kind>/<field>/<name>.about`, of a band
`fields/bands/<kind>/<field>/<name>.about`. What is said twice is one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct, field, structs

from cardgen.model.game import BandKind, Field, Kind

# (msgctxt, text, where it is declared below game.yaml) -> the text to show
Say = Callable[[str, str, str], str]
Fields = Mapping[str, Field]


class _Contexts(Struct):
    """Which text has which msgctxt, as the fields are gone through."""

    known: dict[tuple[str, str, str], str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def of(self, path: tuple[str, ...], part: str, text: str) -> str:
        key = path[-1], part, text
        if key not in self.known:
            context = f"fields/{path[-1]}.{part}"
            self.known[key] = context if context not in self.taken else f"fields/{'/'.join(path)}.{part}"
            self.taken.add(self.known[key])
        return self.known[key]


def worded(
    kinds: Mapping[str, Kind], bands: Mapping[str, BandKind], say: Say
) -> tuple[dict[str, Kind], dict[str, BandKind]]:
    """Kinds of cards and of bands whose fields say what `say` makes of each of their texts, in their order."""
    contexts = _Contexts()
    cards = {
        id: structs.replace(
            kind,
            fields={
                name: _field(_chosen(item, id, name, say), (id, name), f"kinds.{id}.fields.{name}", say, contexts, True)
                for name, item in kind.fields.items()
            },
        )
        for id, kind in kinds.items()
    }
    groups = {
        id: structs.replace(
            kind,
            fields={
                name: _field(item, ("bands", id, name), f"bands.{id}.fields.{name}", say, contexts)
                for name, item in kind.fields.items()
            },
        )
        for id, kind in bands.items()
    }
    return cards, groups


def _chosen(field: Field, kind: str, name: str, say: Say) -> Field:
    """A field of a card whose choices are called as layouts call them: `kinds/<kind>.<field>.<value>`."""
    if field.type != "choice":
        return field
    place = f"kinds.{kind}.fields.{name}.values"
    values = {
        value: say(f"kinds/{kind}.{name}.{value}", title, f"{place}.{value}") for value, title in field.values.items()
    }
    return structs.replace(field, values=values)


def _field(
    field: Field, path: tuple[str, ...], place: str, say: Say, contexts: _Contexts, chosen: bool = False
) -> Field:
    def text(part: str, text: str, at: str) -> str:
        return say(contexts.of(path, part, text), text, f"{place}.{at}") if text else text

    values = field.values
    if not chosen:
        values = {value: text(f"values.{value}", title, f"values.{value}") for value, title in values.items()}
    return structs.replace(
        field,
        title=text("title", field.title, "title"),
        about=text("about", field.about, "about"),
        values=values,
        # What a list holds is told of as the list is.
        of=None if field.of is None else _field(field.of, path, f"{place}.of", say, contexts),
        fields={
            name: _field(item, (*path, name), f"{place}.fields.{name}", say, contexts)
            for name, item in field.fields.items()
        },
    )


def titled(fields: Fields, titles: Mapping[str, str]) -> dict[str, Field]:
    """Fields with the titles of their names, those in them too; a title of a field's own stays."""
    return {name: _titled(name, field, titles) for name, field in fields.items()}


def _titled(name: str, field: Field, titles: Mapping[str, str]) -> Field:
    of = None if field.of is None else structs.replace(field.of, fields=titled(field.of.fields, titles))
    return structs.replace(field, title=field.title or titles.get(name, ""), of=of, fields=titled(field.fields, titles))


def names_of(fields: Fields) -> Iterator[str]:
    """The names of fields and of those in them."""
    for name, inner in fields.items():
        yield name
        yield from names_of(inner.fields)
        if inner.of is not None:
            yield from names_of(inner.of.fields)


def field_at(fields: Mapping[str, Field], steps: Sequence[str]) -> Field | None:
    """The field at a dotted path of records; None when there is none."""
    found = fields.get(steps[0])
    for step in steps[1:]:
        found = found.fields.get(step) if found is not None else None
    return found
