"""Reads the components of a game (`cards/<game>/components/*.yaml`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.load import nodes, shapes
from cardgen.load.component_shapes import INSIDE, MAKES, NAMED, component_shape
from cardgen.load.definitions import CARD_ID
from cardgen.load.nodes import Node
from cardgen.load.reader import BAD, Reader
from cardgen.model.component import Component

# Which options name things of the game: the section that they are looked up in, and what a message calls them.
_REFERS: Mapping[str, tuple[str, str]] = {
    "dice": ("dice", "die"),
    "die": ("dice", "die"),
    "tracks": ("tracks", "track"),
    "tables": ("tables", "table"),
    "table": ("tables", "table"),
    "kinds": ("kinds", "kind"),
    "deck": ("decks", "deck"),
    "icon": ("icons", "icon"),
    "trim": ("trims", "trim"),
    "layout": ("layouts", "layout"),
    "back": ("layouts", "layout"),
    "of": ("components", "component"),
}


def read_components(root: Node, file: str, declared: dict[str, Span], report: Report) -> dict[str, Component]:
    """The components of one file; what is wrong is reported and left out. `declared` takes the place of each."""
    if not isinstance(root, nodes.Map):
        Reader(report).wrong(root, "a mapping of id to component")
        return {}
    found: dict[str, Component] = {}
    for id, entry in root.entries.items():
        if id in declared:
            other = f"; the first one is at {declared[id]}"
            report.add("CG105", entry.key, what="component", name=id, other=other)
            continue
        declared[id] = entry.key
        if Reader(report).read(nodes.Scalar(id, entry.key, True), CARD_ID) is BAD:
            continue
        component = _component(entry.value, id, entry.key, report)
        if component is not None:
            found[id] = component
    return found


def _component(node: Node, id: str, place: Span, report: Report) -> Component | None:
    reader = Reader(report)
    if not isinstance(node, nodes.Map):
        reader.wrong(node, f"a mapping for the component `{id}`", "a component is written as lines of `key: value`")
        return None
    entry = node.entries.get("make")
    if entry is None:
        report.add("CG025", node.span, f"known: {', '.join(MAKES)}", key="make", what=f"component `{id}`")
        return None
    make = reader.read(entry.value, shapes.Choice(tuple(MAKES)))
    if make is BAD:
        return None
    before = len(report.items)
    raw = reader.read(node, component_shape(make, id))
    if raw is BAD or len(report.items) > before:
        # A piece with a made-up value in place of a wrong one would be cut out and thrown away.
        return None
    made, keys = MAKES[make]
    options = made(**{key: _value(key, raw[key]) for key in keys})
    return Component(id, raw["title"], make, options, raw["layout"], raw["back"], place, reader.places)


def _value(key: str, raw: Any) -> Any:
    if key in NAMED and isinstance(raw, dict):
        return tuple(_record(NAMED[key], {"id": id, **item}) for id, item in raw.items())
    return raw


def _record(made: type, raw: dict[str, Any]) -> Any:
    """A record as the class that its field wants, records inside of it as theirs."""
    return made(**{key: INSIDE[key](**value) if isinstance(value, dict) else value for key, value in raw.items()})


def check_components(
    components: Mapping[str, Component],
    known: Mapping[str, Collection[str]],
    lost: Mapping[str, Collection[str]],
    report: Report,
) -> dict[str, Component]:
    """The components all of whose names exist; names that point to nothing are reported.

    `known` has, by section, what exists, `lost` what was declared and reported as unusable.
    """
    sound: dict[str, Component] = {}
    for component in components.values():
        whole = True
        for key, name, path in _named(component):
            section, what = _REFERS[key]
            if name in known[section]:
                continue
            whole = False
            if name not in lost.get(section, ()):
                hint = did_you_mean(name, known[section])
                report.add("CG104", component.place(path), hint, what=what, name=name)
        if whole:
            sound[component.id] = component
    return sound


def _named(component: Component) -> Iterator[tuple[str, str, str]]:
    """(option, name, path) of every name that a component states."""
    for key in ("layout", "back"):
        if getattr(component, key):
            yield key, getattr(component, key), key
    yield from _names_in(component.options, "")


def _names_in(value: Any, path: str) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, tuple):
        for at, item in enumerate(value):
            yield from _names_in(item, f"{path}.{getattr(item, 'id', at)}")
        return
    if not isinstance(value, Struct):
        return
    for name in value.__struct_fields__:
        inner = getattr(value, name)
        below = f"{path}.{name}" if path else name
        if name not in _REFERS:
            yield from _names_in(inner, below)
        elif isinstance(inner, tuple):
            yield from ((name, one, f"{below}.{at}") for at, one in enumerate(inner))
        elif isinstance(inner, str) and inner:
            yield name, inner, below
        else:
            yield from _names_in(inner, below)
