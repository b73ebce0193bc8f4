"""What a text is, in words for a translator: the card and its field, the cell of a table, the rule it explains."""

from __future__ import annotations

from cardgen.model.game import Game

_PARTS = {
    "title": "its name",
    "text": "its rule",
    "message": "what is told when it is broken",
    "fix": "what would mend it",
    "question": "the question",
    "answer": "the answer",
    "unit": "what it is paid in",
    "about": "what it is about",
    "changes": "what changed in this version",
}
_SECTIONS = {
    "game": "The game",
    "labels": "A word of the layouts",
    "dice": "Die",
    "keywords": "Keyword",
    "tracks": "Track",
    "tables": "Table",
    "kinds": "Kind",
    "bands": "Kind of band",
    "fields": "Field of a form",
    "decks": "Deck",
    "prints": "Print",
    "components": "Component",
    "booklets": "Booklet",
    "odds": "Odds",
    "packs": "Rules",
    "rules": "Rule",
    "notes": "Note",
    "setup": "Line of the set-up",
}


def comment_of(game: Game, context: str) -> str:
    """One line on a text of the game (in its source language)."""
    first, _, rest = context.partition("/")
    card = game.cards.get(first)
    if card is not None:
        field = game.kinds[card.kind].fields.get(rest.partition(".")[0])
        name = str(card.values.get("name") or card.id)
        about = f" ({field.about.rstrip('.')})" if field is not None and field.about else ""
        return " ".join(f"{game.kinds[card.kind].title}: {name}: {rest}{about}".split())
    section = _SECTIONS.get(first, first)
    if first in ("game", "labels"):
        return f"{section}: {rest}"
    id, _, part = rest.partition(".")
    # A title that is the text itself says nothing more.
    title = (
        game.strings[f"{first}/{id}.title"].text if part != "title" and f"{first}/{id}.title" in game.strings else ""
    )
    told = _cell(game, id, part) if first == "tables" else _PARTS.get(part, part)
    name = f"{id} ({title})" if title and title.lower() != id.lower() else id
    return " ".join(f"{section} {name}{': ' + told if told else ''}".split())


def _cell(game: Game, id: str, part: str) -> str:
    """Which cell of a table it is: its row by the row's first cell, its column by its head."""
    table = game.tables.get(id)
    match part.split("."):
        case ["columns", column]:
            return f"head of column {int(column) + 1}"
        case ["rows", row, column] if table is not None:
            first = table.rows[int(row)][0] if int(column) else ""
            head = table.columns[int(column)] if int(column) < len(table.columns) else ""
            names = [f"“{text}”" for text in (_short(first), _short(head)) if text]
            return f"row {int(row) + 1}, column {int(column) + 1}" + (f" ({', '.join(names)})" if names else "")
    return _PARTS.get(part, part)


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:29].rstrip() + "…"
