"""The texts of a game that a translator sees, by msgctxt, and where each stands (docs/format.md, Translations)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cardgen.diagnostics import Span
from cardgen.load.reader import Reader
from cardgen.model.game import Field, Game, Source
from cardgen.model.wording import worded


def game_strings(game: Game, file: str, reader: Reader) -> dict[str, Source]:
    """Every text of game.yaml and of the cards, in their order; empty texts are nobody's work."""
    found: dict[str, Source] = {}
    for context, text, path in _of_game(game):
        if text:
            rich = context.endswith(".text") or ".rows." in context
            found.setdefault(context, Source(text, reader.span(file, _written(path, reader)), rich))
    for context, text, span, rich in _of_packs(game):
        if text and context not in found:
            found[context] = Source(text, span, rich)
    for deck in game.decks.values():
        found[f"decks/{deck.id}.title"] = Source(deck.title, deck.span, False)
    for component in game.components.values():
        from cardgen.model.component import words_of

        for path, text in [("title", component.title), *words_of(component.options)]:
            if text:
                found[f"components/{component.id}.{path}"] = Source(text, component.place(path), False)
    for booklet in game.booklets.values():
        for block in booklet.blocks:
            if block.text:
                found[block.context] = Source(block.text, block.span, True)
    spoken = {
        id: [(name, item) for name, item in kind.fields.items() if _speaks(item)] for id, kind in game.kinds.items()
    }
    for card in game.cards.values():
        for name, field in spoken[card.kind]:
            value = card.values[name]
            if field.type in ("text", "rich"):  # as below, in a third of the time: most texts are these
                if value:
                    found[f"{card.id}/{name}"] = Source(str(value), card.place(name), field.type == "rich")
                continue
            for path, text, rich in texts_of(value, field, name):
                if text:
                    found[f"{card.id}/{path}"] = Source(text, card.place(path), rich)
    return found


def _speaks(field: Field) -> bool:
    """Whether there may be texts in a field's values."""
    match field.type:
        case "text" | "rich":
            return field.translate
        case "keyword" | "list" | "bands" | "record":
            return True
    return False


def _written(path: str, reader: Reader) -> str:
    """Where a text is written: a field's title with the field, or by its name among the titles of fields."""
    of, _, last = path.rpartition(".")
    if last != "title" or ".fields." not in path or reader.written(path):
        return path
    return f"fields.{of.removesuffix('.of').rpartition('.')[2]}"


def _of_game(game: Game) -> Iterator[tuple[str, str, str]]:
    yield "game/title", game.title, "title"
    yield "game/subtitle", game.subtitle, "subtitle"
    yield "game/credits", game.credits, "credits"
    for name, label in game.labels.items():
        yield f"labels/{name}", label, f"labels.{name}"
    for die in game.dice.values():
        yield f"dice/{die.id}.title", die.title, f"dice.{die.id}.title"
    for word in game.keywords.values():
        yield f"keywords/{word.id}.title", word.title, f"keywords.{word.id}.title"
        yield f"keywords/{word.id}.text", word.text, f"keywords.{word.id}.text"
    for track in game.tracks.values():
        yield f"tracks/{track.id}.title", track.title, f"tracks.{track.id}.title"
        for index, band in enumerate(track.bands):
            yield f"tracks/{track.id}.{band.id}", band.title, f"tracks.{track.id}.bands.{index}.title"
    for table in game.tables.values():
        yield f"tables/{table.id}.title", table.title, f"tables.{table.id}.title"
        for index, column in enumerate(table.columns):
            yield f"tables/{table.id}.columns.{index}", column, f"tables.{table.id}.columns.{index}"
        for r, row in enumerate(table.rows):
            for c, cell in enumerate(row):
                yield f"tables/{table.id}.rows.{r}.{c}", cell, f"tables.{table.id}.rows.{r}.{c}"
    for situation in game.odds.values():
        path = f"odds.{situation.id}"
        yield f"odds/{situation.id}.title", situation.title, f"{path}.title"
        yield f"odds/{situation.id}.about", situation.about, f"{path}.about"
        for given in situation.given.values():
            yield f"odds/{situation.id}.given.{given.id}", given.title, f"{path}.given.{given.id}.title"
        for result in situation.results.values():
            yield f"odds/{situation.id}.{result.id}.title", result.title, f"{path}.results.{result.id}.title"
            for value, title in result.values.items():
                yield f"odds/{situation.id}.{result.id}.{value}", title, f"{path}.results.{result.id}.values.{value}"
    for kind in game.kinds.values():
        yield f"kinds/{kind.id}.title", kind.title, f"kinds.{kind.id}.title"
    told: list[tuple[str, str, str]] = []

    def say(context: str, text: str, path: str) -> str:
        told.append((context, text, path))
        return text

    worded(game.kinds, game.bands, say)
    yield from told
    for group in game.bands.values():
        yield f"bands/{group.id}.title", group.title, f"bands.{group.id}.title"
        yield f"bands/{group.id}.unit", group.unit, f"bands.{group.id}.unit"
    for item in game.prints.values():
        yield f"prints/{item.id}.title", item.title, f"prints.{item.id}.title"
        yield f"prints/{item.id}.changes", item.changes, f"prints.{item.id}.changes"


def _of_packs(game: Game) -> Iterator[tuple[str, str, Span, bool]]:
    for pack in game.packs.values():
        yield f"packs/{pack.id}.title", pack.title, pack.title_span, False
        for ruling in pack.rulings.values():
            yield f"rules/{ruling.id}.question", ruling.question, ruling.span, False
            for reading, text in ruling.readings.items():
                yield f"rules/{ruling.id}.{reading}", text, ruling.span, False
        for rule in pack.rules.values():
            yield f"rules/{rule.id}.title", rule.title, rule.span, False
            yield f"rules/{rule.id}.message", rule.message, rule.span, False
            yield f"rules/{rule.id}.fix", rule.fix, rule.span, False
        for note in pack.notes.values():
            yield f"notes/{note.id}.title", note.title, note.span, False
            yield f"notes/{note.id}.question", note.question, note.span, True
            yield f"notes/{note.id}.answer", note.answer, note.span, True
        for line in pack.setup.values():
            yield f"setup/{line.id}.title", line.title, line.span, False


def texts_of(value: Any, field: Field, path: str) -> Iterator[tuple[str, str, bool]]:
    """(path, text, whether it has inline markup) of every translatable text inside a field's value."""
    if value is None:
        return
    match field.type:
        case "text" | "rich":
            if field.translate:
                yield path, value, field.type == "rich"
        case "keyword":
            if isinstance(value.value, str):
                yield path, value.value, False
        case "list" | "bands" | "record":
            items = value.items() if isinstance(value, Mapping) else enumerate(value)
            for key, item in items:
                inner = field.fields[str(key)] if field.type == "record" else field.of
                if inner is not None:
                    yield from texts_of(item, inner, f"{path}.{key}")
