"""Forms from a game's fields: what is shown for a tree, and the tree that comes back.

Names of inputs: `v.PATH` is a value, `l.PATH` says that a list was shown, `i.PATH` is an index of it (in their order), `b.PATH` says that a box was shown
(an unticked one sends nothing), `p.PATH` is a keyword's parameter, `a.PATH` a card or word to add to a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from cardgen.load.trees import Tree
from cardgen.model.game import Field, Game
from cardgen.studio.bandroom import new_item
from cardgen.studio.naming import label_of, name_in, name_of
from cardgen.studio.training import Span
from cardgen.units import format_mm

YES = ("true", "yes", "on")
MOST_ITEMS = 1000


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

    @property
    def bare(self) -> bool:
        """Whether nothing was stated in it."""
        return not self.text and not self.items and all(part.bare for part in self.parts)

    @property
    def wide(self) -> bool:
        """Whether it is a list of things that have fields of their own."""
        return self.kind == "list" and any(item.kind in {"record", "rich"} for item in self.items)

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


def controls(fields: Mapping[str, Field], tree: Mapping[str, Tree], makings: Makings) -> tuple[Control, ...]:
    """The controls of all fields."""
    return tuple(_control(name, item, tree.get(name), name, makings, item.title) for name, item in fields.items())


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
        parts = tuple(
            _control(n, sub, inner.get(n), f"{path}.{n}", makings, sub.title) for n, sub in item.fields.items()
        )
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


# --- and back --------------------------------------------------------------------------------------------------------


class Sent:
    """What a form sent: every name with its texts, in their order."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.values: dict[str, list[str]] = {}
        for name, text in pairs:
            self.values.setdefault(name, []).append(text)

    def one(self, name: str) -> str | None:
        """The last text of a name."""
        return self.values[name][-1] if self.values.get(name) else None


def tree_from(sent: Sent, fields: Mapping[str, Field], base: Mapping[str, Tree], game: Game) -> dict[str, Tree]:
    """The tree that a form says. What the form does not show stays as it is in `base`, in its order."""
    found = dict(base)
    for name, item in fields.items():
        value = _value(sent, name, item, base.get(name), game)
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def _value(sent: Sent, path: str, item: Field, old: Tree | None, game: Game) -> Tree | None:
    match item.type:
        case "list":
            assert item.of is not None
            if sent.one(f"l.{path}") is None:
                return old
            entries: list[Tree] = []
            olds = old if isinstance(old, list) else []
            for index in sent.values.get(f"i.{path}", [])[:MOST_ITEMS]:
                known = olds[int(index)] if index.isdigit() and int(index) < len(olds) else None
                value = _value(sent, f"{path}.{index}", item.of, known, game)
                entries.append(value if value is not None else {} if item.of.type == "record" else "")
            added = sent.one(f"a.{path}")
            if added:
                bare = added == "-"
                entries.append(new_item(item, None if bare else game.cards.get(added), "" if bare else added))
            return entries or (None if old is None or olds else old)
        case "record":
            return _record(sent, {f"{path}.{n}": (n, sub) for n, sub in item.fields.items()}, old, game)
        case "bands":
            assert item.of is not None
            bands = game.tracks[item.track].bands
            return _record(sent, {f"{path}.{band.id}": (band.id, item.of) for band in bands}, old, game)
        case "boolean":
            if sent.one(f"b.{path}") is None:
                return old
            ticked = sent.one(f"v.{path}") is not None
            stated = old if isinstance(old, str) else ""
            if ticked == (stated in YES if stated else item.default is True):
                return old
            return "yes" if ticked else "no"
        case "keyword":
            name = sent.one(f"v.{path}")
            if name is None:
                return old
            parameter = (sent.one(f"p.{path}") or "").strip()
            keyword = game.keywords.get(name)
            if name and parameter and keyword is not None and keyword.parameter != "none":
                return {name: parameter}
            return name or None
        case _:
            text = sent.one(f"v.{path}")
            if text is None:
                return old
            text = text.replace("\r\n", "\n")
            # Spaces at the ends are no part of a text, but taking away those that the file has is no change to make.
            if isinstance(old, str) and text.strip() == old.strip():
                return old
            return text.strip() or None


def _record(sent: Sent, inner: Mapping[str, tuple[str, Field]], old: Tree | None, game: Game) -> Tree | None:
    olds = old if isinstance(old, dict) else {}
    found = dict(olds)
    for path, (name, sub) in inner.items():
        value = _value(sent, path, sub, olds.get(name), game)
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found or (old if old == {} else None)


def operate(
    tree: Mapping[str, Tree], operation: str, fields: Mapping[str, Field] | None = None, game: Game | None = None
) -> dict[str, Tree]:
    """The tree after `remove:PATH`, `up:PATH`, `down:PATH`, `twin:PATH` or `move:PATH:PLACE` of a list's item.

    Places are counted from 0; anything else changes nothing. By `fields` and `game` a
    twin is found a name of its own where it can have one.
    """
    word, _, told = operation.partition(":")
    path, _, place = told.partition(":")
    parts = path.split(".")
    if word not in {"remove", "up", "down", "twin", "move"} or len(parts) < 2 or not parts[-1].isdigit():
        return dict(tree)
    at = int(parts[-1])
    to = {"up": at - 1, "down": at + 1}.get(word, int(place) if word == "move" and place.isdigit() else at)
    found = _operated(dict(tree), parts, word, max(0, to))
    if word == "twin" and isinstance(found, dict):
        found = _renamed(found, parts[:-1], at + 1, fields or {}, game)
    return found if isinstance(found, dict) else dict(tree)


def _renamed(
    tree: dict[str, Tree], path: Sequence[str], at: int, fields: Mapping[str, Field], game: Game | None
) -> dict[str, Tree]:
    """The tree in which item `at` of the list at `path` is called as none of the others: "Ash", "Ash 2", "Ash 3"."""
    items: Tree | None = tree
    field: Field | None = Field("record", fields=fields)
    for part in path:
        if isinstance(items, list) and part.isdigit() and int(part) < len(items):
            items, field = items[int(part)], field.of if field is not None else None
        elif isinstance(items, dict):
            items, field = items.get(part), field.fields.get(part) if field is not None else None
        else:
            return tree
    record = field.of if field is not None else None
    own = record.fields.get("name") if record is not None else None
    if not isinstance(items, list) or record is None or own is None or own.type != "text":
        return tree
    names = [name_in(item, record, game) for item in items]
    bare = re.sub(r" \d+$", "", names[at])
    if bare:
        number = next(n for n in range(2, len(names) + 3) if f"{bare} {n}" not in names)
        room = (own.max_length or 80) - len(f" {number}")
        item = items[at]
        if isinstance(item, dict):
            items[at] = {**item, "name": f"{bare[:room]} {number}"}
    return tree


def _operated(tree: Tree, parts: Sequence[str], word: str, to: int) -> Tree:
    head, rest = parts[0], parts[1:]
    if isinstance(tree, dict):
        if head not in tree:
            return tree
        inner = _operated(tree[head], rest, word, to)
        changed = {**tree, head: inner}
        if inner == []:
            del changed[head]
        return changed
    if not isinstance(tree, list) or not head.isdigit() or int(head) >= len(tree):
        return tree
    index = int(head)
    if rest:
        return [*tree[:index], _operated(tree[index], rest, word, to), *tree[index + 1 :]]
    items = list(tree)
    item = items.pop(index)
    if word == "twin":
        items[index:index] = [item, item]
    elif word != "remove":
        items.insert(to, item)
    return items
