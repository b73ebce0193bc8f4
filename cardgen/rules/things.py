"""What of a game is no entry of its rules, in words for `cardgen explain`: cards, dice, situations, sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.model.card import Card
from cardgen.model.game import Die, Field, Game, KeywordUse
from cardgen.model.odds import Situation
from cardgen.rules.engine import label
from cardgen.text.markup import in_words

# of fields: files that a layout shows
_PICTURES = ("image", "icon")


def explain_things(game: Game, wanted: str) -> list[str]:
    """Everything called `wanted`, by id or by title, in any case: lines of text, one text a thing."""
    key = wanted.strip().casefold()
    found = [
        "\n".join(_card(game, card))
        for card in game.cards.values()
        if key in (card.id.casefold(), card_title(card).casefold())
    ]
    found += ["\n".join(_die(game, die)) for die in game.dice.values() if key in (die.id, die.title.casefold())]
    found += [
        "\n".join(_situation(game, item)) for item in game.odds.values() if key in (item.id, item.title.casefold())
    ]
    found += [
        f"{name}: {title}\n  {game.title}; a source of its rules, which cite it by this name"
        for name, title in documents_of(game).items()
        if key == name.casefold()
    ]
    return found


def names_of_things(game: Game) -> set[str]:
    """Every id that `explain_things` knows."""
    return {*game.cards, *game.dice, *game.odds, *documents_of(game)}


def documents_of(game: Game) -> dict[str, str]:
    """The sources of all packs of a game, by their short names."""
    return {name: title for pack in game.packs.values() for name, title in pack.documents.items()}


def card_title(card: Card) -> str:
    """What a card is called: its name, else its title, else its id."""
    return str(card.values.get("name") or card.values.get("title") or card.id)


def _card(game: Game, card: Card) -> Iterator[str]:
    kind = game.kinds[card.kind]
    yield f"{card.id}: {card_title(card)}"
    yield f"  {game.title}; {kind.title}"
    for name, item in kind.fields.items():
        value = card.values.get(name)
        if name not in ("name", "title") and item.type not in _PICTURES and _is_told(value):
            yield f"  {item.title or name}: {_said(item, value, game)}"
    used = {use.id: use for use in _keywords(card.values)}
    for id, use in used.items():
        notes = [note.id for pack in game.packs.values() for note in pack.notes.values() if id in note.touches]
        rulings = f" ({', '.join(dict.fromkeys(notes))})" if notes else ""
        yield f"  see also: {id}, {use.title}{rulings}"
    own = [note.id for pack in game.packs.values() for note in pack.notes.values() if card.id in note.touches]
    if own:
        yield f"  see also: {', '.join(dict.fromkeys(own))}"
    yield f"  at {card.span}"


def _is_told(value: object) -> bool:
    """Whether a value says anything; a nought does."""
    return value is not None and value is not False and value not in ("", ())


def _said(item: Field, value: object, game: Game) -> str:
    """A value as its field has it: titles for choices, names for cards, no marks."""
    if isinstance(value, Mapping):
        parts = item.fields.items()
        return ", ".join(
            f"{part.title or name} {_said(part, value[name], game)}"
            for name, part in parts
            if _is_told(value.get(name))
        )
    if isinstance(value, tuple):
        within = item.of or item
        return (", " if within.type != "record" else "; ").join(_said(within, one, game) for one in value)
    if item.type == "choice":
        return item.values.get(str(value), str(value))
    if item.type == "card" and str(value) in game.cards:
        return card_title(game.cards[str(value)])
    return in_words(str(value)) if item.type == "rich" else label(value, game.says)


def _keywords(value: object) -> Iterator[KeywordUse]:
    if isinstance(value, KeywordUse):
        yield value
    elif isinstance(value, (Mapping, tuple)):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _keywords(inner)


def _die(game: Game, die: Die) -> Iterator[str]:
    yield f"{die.id}: {die.title}"
    yield f"  {game.title}; a die of {len(die.faces)} faces, {die.letter} on paper"
    yield f"  faces: {', '.join(face or '–' for face in die.faces)}"
    yield f"  odds: cardgen odds 2{die.id} --game {game.id}"


def _situation(game: Game, item: Situation) -> Iterator[str]:
    yield f"{item.id}: {item.title}"
    yield f"  {game.title}; a situation that dice decide"
    if item.about:
        yield f"  {' '.join(item.about.split())}"
    for given in item.given.values():
        usual = given.dice or "0" if given.number is None else str(given.number)
        yield f"  given {given.id}: {given.title} ({usual} unless something else is said)"
    for result in item.results.values():
        yield f"  asks: {result.title}"
    if item.source:
        yield f"  source: {item.source}"
    yield f"  odds: cardgen odds {item.id} --game {game.id}"
