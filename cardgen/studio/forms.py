"""Forms from a game's fields: what is shown for a tree. What comes back is read by `sent`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field, structs

from cardgen.load.trees import Tree
from cardgen.model.game import Field, Game
from cardgen.studio.naming import label_of, name_of
from cardgen.studio.sent import YES
from cardgen.studio.training import Span
from cardgen.units import format_mm


class Choice(Struct, frozen=True):
    """One choice of a list: its value, what it is called, the group it stands in."""

    value: str
    title: str
    group: str = ""
    cost: str = ""


class Control(Struct, frozen=True):
    """One field to show. `kind` decides how; `items` are a list's, `parts` a record's."""

    path: str
    label: str
    kind: str
    about: str
    required: bool
    text: str = ""
    parameter: str = ""
    takes: str = ""
    choices: tuple[Choice, ...] = ()
    items: tuple[Control, ...] = ()
    parts: tuple[Control, ...] = ()
    low: str = ""
    high: str = ""
    most: int = 0
    title: str = ""
    cards: tuple[str, ...] = ()
    full: bool = False
    default: str = ""
    error: str = ""
    translated: str = ""
    span: Span | None = None
    frame: tuple[float, ...] = ()
    # beside a record: the one that says how far its values go; of one of its values, why it goes nowhere
    limits: Control | None = None
    fixed: str = ""

    @property
    def bare(self) -> bool:
        """Whether nothing was stated in it."""
        return not self.text and not self.items and all(part.bare for part in self.parts)

    @property
    def wide(self) -> bool:
        """Whether it is a list of things that have fields of their own."""
        return self.kind == "list" and any(item.kind in {"record", "rich"} for item in self.items)

    @property
    def name(self) -> str:
        """What its record calls it."""
        return self.path.rpartition(".")[2]

    @property
    def by_name(self) -> dict[str, Control]:
        """Its parts by their names."""
        return {part.name: part for part in self.parts}

    @property
    def id(self) -> str:
        """Its id on the page."""
        return "f-" + re.sub(r"[^a-zA-Z0-9_-]", "-", self.path)

    @property
    def single(self) -> bool:
        """Whether it is one input."""
        return self.kind not in {"list", "record", "bands"}


class Makings(Struct, frozen=True):
    """What controls are made from: the game, icons and pictures to choose from, problems by path."""

    game: Game
    icons: Sequence[str] = ()
    pictures: Sequence[str] = ()
    errors: Mapping[str, str] = field(default_factory=dict)
    # what is read in the language of the page where another is edited, by path
    translated: Mapping[str, str] = field(default_factory=dict)
    # how far what is trained goes, by path
    spans: Mapping[str, Span] = field(default_factory=dict)
    # cards that nobody chooses for lists of options
    skipped: frozenset[str] = frozenset()
    # why values of these names are never trained
    fixed: Mapping[str, str] = field(default_factory=dict)


def controls(fields: Mapping[str, Field], tree: Mapping[str, Tree], makings: Makings) -> tuple[Control, ...]:
    """The controls of all fields."""
    made = {name: _control(name, item, tree.get(name), name, makings, item.title) for name, item in fields.items()}
    return _limited(made, fields, makings)


def _limited(made: dict[str, Control], fields: Mapping[str, Field], makings: Makings) -> tuple[Control, ...]:
    """Controls in their order, those of records that limit another beside the one that they limit."""
    limits = {
        item.limits: name
        for name, item in fields.items()
        if item.limits in made and all(part.single for part in (*made[name].parts, *made[item.limits].parts))
    }
    shown = {
        name: structs.replace(control, limits=made[limits[name]], parts=_reasoned(control, made[limits[name]], makings))
        if name in limits
        else control
        for name, control in made.items()
    }
    return tuple(control for name, control in shown.items() if name not in limits.values())


def _reasoned(control: Control, limits: Control, makings: Makings) -> tuple[Control, ...]:
    """The parts of a record; those that nothing limits say why."""
    return tuple(
        part if part.name in limits.by_name else structs.replace(part, fixed=makings.fixed.get(part.name, ""))
        for part in control.parts
    )


def _control(name: str, item: Field, value: Tree | None, path: str, makings: Makings, title: str = "") -> Control:
    text = value if isinstance(value, str) else ""
    kind: str = item.type
    parameter = ""
    items: tuple[Control, ...] = ()
    parts: tuple[Control, ...] = ()
    choices: tuple[Choice, ...] = ()
    full = False
    if item.type == "list" and item.of is not None:
        entries = value if isinstance(value, list) else [] if value in (None, "") else [value]
        items = tuple(_control("", item.of, entry, f"{path}.{n}", makings) for n, entry in enumerate(entries))
        full = len(items) >= item.max_items
        choices = tuple(choice for choice in _choices(_adding(item.of), makings) if choice.value not in makings.skipped)
    elif item.type == "record":
        inner = value if isinstance(value, dict) else {}
        named = {n: _control(n, sub, inner.get(n), f"{path}.{n}", makings, sub.title) for n, sub in item.fields.items()}
        parts = _limited(named, item.fields, makings)
    elif item.type == "bands" and item.of is not None:
        inner = value if isinstance(value, dict) else {}
        bands = makings.game.tracks[item.track].bands
        parts = tuple(
            _control(band.id, item.of, inner.get(band.id), f"{path}.{band.id}", makings, band.title) for band in bands
        )
        kind = "record"
    elif item.type == "keyword" and isinstance(value, dict):
        text, given = next(iter(value.items()), ("", ""))
        parameter = given if isinstance(given, str) else ""
    elif item.type == "boolean":
        default = item.default is True
        text = "yes" if (text in YES if text else default) else ""
    if item.type not in {"list", "record", "bands"}:
        choices = _choices(item, makings)
        if text and choices and all(choice.value != text for choice in choices):
            choices = (*choices, Choice(text, f"{text} ?"))
    called = ""
    if item.type == "record":
        called = next((_called(part) for part in parts if part.kind == "card" and part.text), "")
        own = next((part.text for part in parts if part.path.endswith(".name") and part.text), "")
        called = f"{own}, {called}" if own and called else own or called
    keyword = makings.game.keywords.get(text) if item.type == "keyword" else None
    return Control(
        path=path,
        label=title or label_of(name, item),
        kind=kind,
        about=item.about,
        required=item.required,
        text=text,
        parameter=parameter,
        takes=keyword.parameter if keyword is not None else "",
        choices=choices,
        items=items,
        parts=parts,
        low=_bound(item.min, item),
        high=_bound(item.max, item),
        most=item.max_length,
        title=called,
        cards=(_adding(item.of) if item.of else item).kinds if item.type in {"card", "list"} else (),
        full=full,
        default=_default(item, choices),
        error=makings.errors.get(path, ""),
        span=makings.spans.get(path),
        frame=item.frame,
        translated=makings.translated.get(path, "") if item.type in ("text", "rich") else "",
    )


def _default(item: Field, choices: Sequence[Choice]) -> str:
    """What holds where nothing is stated, as it is shown."""
    if item.default is None or item.default == ():
        return ""
    value = getattr(item.default, "id", item.default)
    return next((choice.title for choice in choices if choice.value == value), str(value))


def _cost(values: Mapping[str, object]) -> str:
    cost = values.get("cost", values.get("points"))
    return f"{cost:g}" if isinstance(cost, (int, float)) and not isinstance(cost, bool) else ""


def _called(control: Control) -> str:
    return next((choice.title for choice in control.choices if choice.value == control.text), control.text)


def _bound(value: float | None, item: Field) -> str:
    if value is None:
        return ""
    return format_mm(value) if item.type == "length" else f"{value:g}"


def _adding(item: Field) -> Field:
    """The field that decides what can be added to a list: the item itself, or a record's card."""
    if item.type == "record":
        return next((sub for sub in item.fields.values() if sub.type == "card" and sub.required), Field("text"))
    return item


def _choices(item: Field, makings: Makings) -> tuple[Choice, ...]:
    game = makings.game
    match item.type:
        case "choice":
            return tuple(Choice(value, title or value) for value, title in item.values.items())
        case "die":
            return tuple(Choice(die.id, die.title) for die in game.dice.values())
        case "keyword":
            return tuple(Choice(word.id, word.title) for word in game.keywords.values())
        case "icon":
            return tuple(Choice(name, name) for name in makings.icons)
        case "image":
            return tuple(Choice(name, name) for name in makings.pictures)
        case "card":
            kinds = item.kinds or tuple(game.kinds)
            found = [card for card in game.cards.values() if card.kind in kinds]
            return tuple(
                Choice(
                    card.id,
                    name_of(card.values, card.id),
                    game.kinds[card.kind].title if len(kinds) > 1 else "",
                    _cost(card.values),
                )
                for card in sorted(found, key=lambda card: (kinds.index(card.kind), name_of(card.values, card.id)))
            )
        case _:
            return ()
