"""From cards to cutouts whose faces are filled."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.faces.make import FaceMaker
from cardgen.model.card import Card, Deck, back_of
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.face import Face, LeaveOut
from cardgen.model.game import Game

# On a packed sheet every card has a bleed of its own, as much as keeps the sheets few.
CARD_BLEED = 1.0


def card_cutout(
    card: Card,
    deck: Deck | None,
    copies: int,
    game: Game,
    maker: FaceMaker,
    leave_out: tuple[LeaveOut, ...],
    with_back: bool = True,
) -> tuple[Cutout, Mapping[str, Face]] | None:
    """A card as a cutout, and its faces by key; None when it has errors, its kind is not printed, or it failed."""
    kind = game.kinds[card.kind]
    trim = maker.project.trims.get(kind.trim)
    front = maker.make(card, game, "front", leave_out) if card.sound else None
    behind = with_back and back_of(card, deck, kind.back) is not None
    back = maker.make(card, game, "back", leave_out, deck) if front is not None and behind else None
    if trim is None or front is None or (behind and back is None):
        return None
    made = [face for face in (front, back) if face is not None]
    panels = tuple(Panel(card.id, face.layout, trim, {}, side=face.side, key=face.key) for face in made)
    title = str(card.values.get("name") or card.id)
    cutout = Cutout(card.id, title, trim.size, panels, copies=copies, bleed=min(trim.bleed, CARD_BLEED))
    return cutout, {face.key: face for face in made}
