"""What differs between two states of a set: cards that are new, gone or changed, and the game's own texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.model.card import Card
from cardgen.model.face import Face, Rendering
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.pipeline.languages import in_language
from cardgen.pipeline.ledger.values import texts_of
from cardgen.pipeline.versions.pairs import Line, Pair, draw_faces, faces_of, pairs_pdf
from cardgen.workers import Workers


class Change(Struct, frozen=True):
    """A value that differs: its path, and what it was and is; empty where there was or is none."""

    field: str
    before: str
    after: str


class CardChange(Struct, frozen=True):
    """A card that is new, gone or changed; `redrawn` is one whose values are the same and whose picture is not."""

    id: str
    title: str
    state: str
    changes: tuple[Change, ...]


class Difference(Struct, frozen=True):
    """All that differs in one game and language. `texts` are those of the game itself: labels, rules, tables.

    `whole` is `added` or `removed` where one of the states does not have the game in this language.
    """

    game: str
    lang: str
    cards: tuple[CardChange, ...]
    texts: tuple[Change, ...]
    whole: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not self.cards and not self.texts and not self.whole


# The state of one game in one language, in plain text: what a release keeps to be compared with.
CardTexts = Mapping[str, Mapping[str, str]]


def card_texts(game: Game) -> dict[str, dict[str, str]]:
    """The values of every card as text, by card and path."""
    return {card.id: _values(game, card) for card in game.cards.values()}


def own_texts(game: Game) -> dict[str, str]:
    """The game's own texts by msgctxt, in its language."""
    return {
        context: game.words.get(context, source.text)
        for context, source in game.strings.items()
        if context.partition("/")[0] not in game.cards
    }


def _values(game: Game, card: Card) -> dict[str, str]:
    fields = game.kinds[card.kind].fields
    stated = {name: value for name, value in card.values.items() if name in fields}
    marks = {"revision": card.revision, "errata": card.errata}
    return {"copies": str(card.copies), **{name: text for name, text in marks.items() if text}, **texts_of(stated)}


def compare_cards(old: CardTexts, new: CardTexts) -> Iterator[CardChange]:
    """The cards that differ, in the order of the new state, those that are gone last."""
    for id, values in new.items():
        before = old.get(id)
        title = values.get("name", id)
        if before is None:
            yield CardChange(id, title, "added", tuple(Change(field, "", text) for field, text in values.items()))
        elif before != values:
            yield CardChange(id, title, "changed", tuple(changes(before, values)))
    for id, values in old.items():
        if id not in new:
            gone = tuple(Change(field, text, "") for field, text in values.items())
            yield CardChange(id, values.get("name", id), "removed", gone)


def changes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    """The values that differ, in the order of the new ones, those that are gone last."""
    for path in dict.fromkeys([*new, *old]):
        if old.get(path, "") != new.get(path, ""):
            yield Change(path, old.get(path, ""), new.get(path, ""))


class Side(Struct, frozen=True):
    """A state of a project, and one of its games in one language."""

    project: Project
    game: Game


def compare_games(old: Side, new: Side, redrawn: Iterable[str] = ()) -> Difference:
    """What differs between two states of a game; `redrawn` are cards whose pictures differ."""
    cards = list(compare_cards(card_texts(old.game), card_texts(new.game)))
    told = {change.id for change in cards}
    names = card_texts(new.game)
    cards += [CardChange(id, names[id].get("name", id), "redrawn", ()) for id in redrawn if id not in told]
    texts = tuple(changes(own_texts(old.game), own_texts(new.game)))
    return Difference(new.game.id, new.game.lang, tuple(cards), texts)


def languages_of(old: Project, new: Project, id: str) -> list[str]:
    """The languages that a game has in one of the states or in both, those of the new one first."""
    games = [project.games[id] for project in (new, old) if id in project.games]
    return list(dict.fromkeys(lang for game in games for lang in game.languages))


def only_in_one(old: Project, new: Project, id: str, lang: str) -> Difference:
    """A game in a language that one of the states does not have."""
    there = id in new.games and lang in new.games[id].languages
    return Difference(id, lang, (), (), "added" if there else "removed")


def sides(old: Project, new: Project, id: str, lang: str) -> tuple[Side, Side] | None:
    """A game in one language in both states; None where one of them does not have it."""
    found = []
    for project in (old, new):
        game = project.games.get(id)
        if game is None or lang not in game.languages:
            return None
        found.append(Side(project, in_language(game, lang, project.shelf, {}, Report())))
    return found[0], found[1]


class Faces(Struct, frozen=True):
    """The fronts of all cards in both states, by card."""

    old: Mapping[str, Face]
    new: Mapping[str, Face]

    @property
    def redrawn(self) -> list[str]:
        """The cards that are in both and look different."""
        return [id for id, face in self.new.items() if id in self.old and self.old[id].key != face.key]


def faces_of_both(old: Side, new: Side, report: Report) -> Faces:
    """The fronts of every card, filled; what is wrong with them is for a check to tell."""
    made = [faces_of(side.game, side.game.cards, FaceMaker(side.project, report)) for side in (old, new)]
    return Faces(made[0], made[1])


def diff_pdf(
    old: Side, new: Side, difference: Difference, faces: Faces, title: str, workers: Workers, report: Report
) -> bytes:
    """The changed cards side by side. Raises CardgenError when a page cannot be drawn."""
    pairs = list(_pairs(difference, faces))
    drawn: dict[str, Rendering] = {}
    for side, chosen in ((old, [pair.left for pair in pairs]), (new, [pair.right for pair in pairs])):
        drawn |= draw_faces(side.project, side.game, [face for face in chosen if face is not None], workers, Report())
    return pairs_pdf(new.project, new.game, "diff", title, pairs, drawn, workers, report)


def _pairs(difference: Difference, faces: Faces) -> Iterator[Pair]:
    for card in difference.cards:
        left = faces.old.get(card.id) if card.state != "added" else None
        right = faces.new.get(card.id) if card.state != "removed" else None
        # Of a card that is new or gone the picture says it all.
        shown: Sequence[Change] = card.changes if card.state == "changed" else ()
        lines = tuple(Line(change.field, change.before, change.after) for change in shown)
        if left is not None or right is not None:
            yield Pair(card.id, card.title, card.state, left, right, lines)
