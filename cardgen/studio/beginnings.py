"""Cards as they begin: the least that their fields may say, and what is still as it began."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.load.trees import Tree
from cardgen.model.game import Field, Game


def least(item: Field, text: str, game: Game) -> Tree | None:
    """The least that a required field may say."""
    match item.type:
        case "text" | "rich":
            return text or "…"
        case "integer" | "number":
            return f"{item.min:g}" if item.min is not None else "0"
        case "boolean":
            return "no"
        case "choice":
            return next(iter(item.values))
        case "die":
            return next(iter(game.dice), "")
        case "card":
            return next((card.id for card in game.cards.values() if not item.kinds or card.kind in item.kinds), "")
        case "keyword":
            return next((word.id for word in game.keywords.values() if word.parameter == "none"), "")
        case "length":
            return f"{item.min or 0:g}mm"
        case "record":
            inner = {name: least(sub, "", game) for name, sub in item.fields.items() if sub.required}
            return {name: value for name, value in inner.items() if value is not None}
        case "list":
            assert item.of is not None
            made = least(item.of, "", game)
            return [made for _ in range(max(1, item.min_items))] if made is not None else None
        case "bands":
            assert item.of is not None
            made = least(item.of, "", game)
            return {band.id: made for band in game.tracks[item.track].bands} if made is not None else None
    return None


def still_begun(fields: Mapping[str, Field], tree: Mapping[str, Tree], game: Game) -> list[str]:
    """The required fields of a card that nobody filled in yet, by name; none when somebody filled in any of them.

    A text that is nothing but dots was never filled in.
    """
    asked = {name: item for name, item in fields.items() if item.required and name != "name"}
    begun = [name for name, item in asked.items() if tree.get(name) == least(item, "", game)]
    dots = [name for name, item in asked.items() if item.type in ("text", "rich") and tree.get(name) == "…"]
    return begun if len(asked) > 1 and len(begun) == len(asked) else dots
