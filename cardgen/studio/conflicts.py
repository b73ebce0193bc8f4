"""Conflicts in words: who and which field, and what each side says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from cardgen.load.trees import Tree
from cardgen.model.game import Field, Game
from cardgen.studio.merge import Conflict
from cardgen.studio.naming import label_of, name_in, title_of


class Told(Struct, frozen=True):
    """A conflict as it is asked: the path that the answer names, what it is about, what both sides say (None: nothing)."""

    path: str
    about: str
    mine: str | None
    theirs: str | None


def told(conflict: Conflict, fields: Mapping[str, Field], game: Game) -> Told:
    """What to ask. A list is one field, but only what differs in it is told, by the names of its items."""
    steps = conflict.path.split(".")
    field: Field | None = Field("record", fields=fields)
    for step in steps:
        field = field.fields.get(step) if field is not None else None
    about = title_of(conflict.path, fields, None, game)
    found = list(_differing(conflict.mine, conflict.theirs, field, about, game))
    if len(found) == 1:
        return Told(conflict.path, *found[0])
    return Told(conflict.path, about, _listed(found, 1, about), _listed(found, 2, about))


Line = tuple[str, str | None, str | None]


def _listed(lines: list[Line], side: int, about: str) -> str | None:
    start = f"{about} · "
    said = [f"{line[0].removeprefix(start)}: {line[side]}" for line in lines if line[side] is not None]
    return "; ".join(said) or None


def _differing(mine: Tree | None, theirs: Tree | None, field: Field | None, about: str, game: Game) -> Iterator[Line]:
    if mine == theirs:
        return
    if isinstance(mine, dict) and isinstance(theirs, dict) and field is not None and field.type in {"record", "bands"}:
        for key in dict.fromkeys((*mine, *theirs)):
            inner = field.fields.get(key) if field.type == "record" else field.of
            yield from _differing(mine.get(key), theirs.get(key), inner, f"{about} · {label_of(key, inner)}", game)
        return
    if isinstance(mine, list) and isinstance(theirs, list):
        inner = field.of if field is not None else None
        for n in range(max(len(mine), len(theirs))):
            own, other = (side[n] if n < len(side) else None for side in (mine, theirs))
            named = own if own is not None else other
            name = (name_in(named, inner, game) if inner is not None and named is not None else "") or str(n + 1)
            yield from _differing(own, other, inner, f"{about} · {name}", game)
        return
    yield about, _text(mine, field, game), _text(theirs, field, game)


def _text(value: Tree | None, field: Field | None, game: Game) -> str | None:
    if value is None:
        return None
    if isinstance(value, list):
        return ", ".join(_text(item, field.of if field is not None else None, game) or "" for item in value)
    if isinstance(value, dict):
        if field is not None and field.type == "record":
            name = name_in(value, field, game)
            if name:
                return name
        inner = field.fields if field is not None else {}
        said = ((label_of(key, inner.get(key)), _text(item, inner.get(key), game)) for key, item in value.items())
        return ", ".join(f"{title} {text}" for title, text in said)
    if field is not None and field.type == "choice":
        return field.values.get(value, value)
    card = game.cards.get(value) if field is not None and field.type == "card" else None
    return str(card.values.get("name") or value) if card is not None else value
