"""Prints that changed since an earlier state and kept their version."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from cardgen.diagnostics import Report
from cardgen.model.game import Game, Print
from cardgen.pipeline.versions.diff import CardTexts, changes, compare_cards


class Before(Struct, frozen=True):
    """An earlier state: its version, the texts of its cards and of the game itself, by language, its prints' versions."""

    version: str
    cards: Mapping[str, Mapping[str, Mapping[str, str]]]
    texts: Mapping[str, Mapping[str, str]]
    prints: Mapping[str, str] = field(default_factory=dict)


def check_versions(
    game: Game,
    before: Before,
    cards: Mapping[str, CardTexts],
    texts: Mapping[str, Mapping[str, str]],
    report: Report,
) -> None:
    """Report each print that holds something else than before, in any language, under the same version."""
    for item in game.prints.values():
        if before.prints.get(item.id) != item.version:
            continue
        found: dict[str, None] = {}
        for lang in cards:
            # A language that was not there is no change.
            if lang in before.cards:
                found |= dict.fromkeys(_changed(game, item, before, lang, cards[lang], texts[lang]))
        if found:
            what = ", ".join(list(found)[:5]) + (", …" if len(found) > 5 else "")
            since = before.version
            report.add("CG556", item.span, print=item.id, since=since, version=item.version, what=what)


def _changed(
    game: Game, item: Print, before: Before, lang: str, cards: CardTexts, texts: Mapping[str, str]
) -> list[str]:
    """The cards of a print, its components and its booklet that differ."""
    deck = game.decks.get(item.deck or "")
    held = set(deck.cards) if deck is not None else {id for id, card in game.cards.items() if card.kind in item.kinds}
    # Of a card that is gone nobody can say whether it was in a deck; what kind it was of neither.
    found = [card.id for card in compare_cards(before.cards[lang], cards) if card.id in held]
    owners = [*(f"components/{id}" for id in item.components), *([f"booklets/{item.booklet}"] if item.booklet else [])]
    for change in changes(before.texts.get(lang, {}), texts):
        owner = change.field.partition(".")[0]
        if owner in owners and owner not in found:
            found.append(owner)
    return found
