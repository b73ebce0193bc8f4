"""Rulings of play as cards: the notes of a rule pack, one to a face, two faces a card."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.components.paired import paired_cards
from cardgen.diagnostics import did_you_mean
from cardgen.errors import CannotMake
from cardgen.model.component import Component, RulingCards
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game
from cardgen.model.rules import Note, Pack

LAYOUT = "_base/ruling-card"


def make_rulings(component: Component, game: Game) -> list[Cutout]:
    """One face for each ruling. Raises CannotMake for packs and notes that do not exist."""
    options = component.options
    assert isinstance(options, RulingCards)
    name = options.pack or game.rules
    pack = game.packs.get(name)
    if pack is None:
        hint = did_you_mean(name, game.packs) or f"known: {', '.join(game.packs)}"
        raise CannotMake(f"there is no rule pack `{name}`; {hint}", "pack")
    for at, id in enumerate(options.notes):
        if id not in pack.notes:
            hint = did_you_mean(id, pack.notes) or f"known: {', '.join(pack.notes)}"
            raise CannotMake(f"pack `{name}` has no note `{id}`; {hint}", f"notes.{at}")
    notes = [pack.notes[id] for id in options.notes] or list(pack.notes.values())
    return paired_cards(component, LAYOUT, [note_view(note, pack, game) for note in notes], options.sets)


def note_view(note: Note, pack: Pack, game: Game) -> Mapping[str, object]:
    """What a layout sees of a ruling, in the game's language: the titles of keywords and rules that it touches."""

    def say(context: str, text: str) -> str:
        return game.words.get(context, text)

    touched = []
    for id in note.touches:
        if id in game.keywords:
            touched.append(game.keywords[id].title)
        elif id in pack.rules:
            touched.append(say(f"rules/{id}.title", pack.rules[id].title))
        elif id in game.kinds:
            touched.append(game.kinds[id].title)
    return {
        "id": note.id,
        "heading": say(f"notes/{note.id}.title", note.title),
        "question": say(f"notes/{note.id}.question", note.question),
        "answer": say(f"notes/{note.id}.answer", note.answer),
        "source": note.source,
        "touches": touched,
    }
