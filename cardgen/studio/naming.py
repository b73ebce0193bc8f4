"""What things are called on pages: cards, fields, items of lists, paths."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.load.trees import Tree
from cardgen.model.game import Field, Game


def name_of(values: Mapping[str, object], id: str) -> str:
    """What a card is called: its name, with its version when it states one."""
    name, version = values.get("name"), values.get("version")
    return f"{name} ({version})" if name and version else str(name or id)


def name_in(item: Tree, record: Field, game: Game | None) -> str:
    """What an item of a list is called: its own name, else that of its card."""
    if not isinstance(item, dict):
        return ""
    if isinstance(item.get("name"), str):
        return str(item["name"])
    main = next((item.get(name) for name, sub in record.fields.items() if sub.type == "card" and sub.required), None)
    card = game.cards.get(main) if game is not None and isinstance(main, str) else None
    return str(card.values.get("name") or "") if card is not None else ""


def label_of(name: str, item: Field | None = None) -> str:
    """What a field is called on the page: its title, else its name as words."""
    return (item.title if item is not None else "") or name.replace("_", " ").replace("-", " ").capitalize()


def title_of(path: str, fields: Mapping[str, Field], tree: Tree | Mapping[str, Tree] | None, game: Game) -> str:
    """What a path such as `members.0.hands` is called on the page: `Members · Ash · Hands`."""
    at: Field | None = Field("record", fields=fields)
    titles = []
    for step in path.split("."):
        inner: Tree | None = None
        if isinstance(tree, list) and step.isdigit() and int(step) < len(tree):
            inner = tree[int(step)]
        elif isinstance(tree, dict):
            inner = tree.get(step)
        if at is not None and at.type == "list" and step.isdigit():
            at = at.of
            titles.append(
                (name_in(inner, at, game) if at is not None and inner is not None else "") or str(int(step) + 1)
            )
        elif at is not None and at.type == "bands":
            band = next((band.title for band in game.tracks[at.track].bands if band.id == step), "")
            titles.append(band or label_of(step))
            at = at.of
        else:
            at = at.fields.get(step) if at is not None else None
            titles.append(label_of(step, at))
        tree = inner
    return " · ".join(titles)
