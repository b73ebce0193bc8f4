"""From what a form says to a face to draw, and what the drawing found back to the form's fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field, structs

from cardgen.diagnostics import Diagnostic, Report, Span
from cardgen.faces.assets import Assets
from cardgen.faces.engines import Job
from cardgen.faces.findings import Blamed, Findings
from cardgen.i18n.translate import translate
from cardgen.load.trees import Planting, Tree, leaves
from cardgen.model.card import Card
from cardgen.model.face import Face, Side
from cardgen.model.game import Game
from cardgen.model.rules import Finding
from cardgen.pipeline.entries import entry_card, entry_ids
from cardgen.pipeline.odds import card_with_odds
from cardgen.pipeline.verdicts import judge_card
from cardgen.rules.bands import Judgement
from cardgen.studio.bandroom import judged, price_of, read_band, versions_of
from cardgen.studio.documents import Document
from cardgen.studio.drawing import Drawn
from cardgen.studio.naming import name_of
from cardgen.studio.saying import Problems, message

if TYPE_CHECKING:
    from cardgen.studio.workshop import Workshop


class Wish(Struct, frozen=True):
    """What to look at: which side, in which language, of a band which entry (counted from 0).

    An entry that is not there any more stands for the last one.
    """

    lang: str
    side: Side = "front"
    entry: int = 0


class Look(Struct, frozen=True):
    """What is to be seen of a tree: a face to draw if there is one, problems by path, a band's judgement.

    `findings` are what the rules say of a card (None: none is about its kind), `price` what it costs. `versions` of the catalogue say whose entries were made with them; `now` is the one that the project has.
    """

    errors: Problems
    job: Job | None = None
    card: Card | None = None
    title: str = ""
    planting: Planting = field(default_factory=lambda: Planting(""))
    judgement: Judgement | None = None
    entry: int = 0
    findings: tuple[Finding, ...] | None = None
    price: tuple[Any, str] = (None, "")
    versions: Mapping[str, list[str]] = field(default_factory=dict)
    now: str = ""


def card_look(
    workshop: Workshop, document: Document, tree: Mapping[str, Tree], wish: Wish, told: Game | None = None
) -> Look:
    """What a card's tree looks like; a card with errors has no face. `told` is the game in whose language is told what
    is wrong and what it costs."""
    card, errors, planting = workshop.read_card(document, tree)
    if card is None or not card.sound or errors:
        return Look(errors, planting=planting)
    game = workshop.project.games[document.game]
    said = (
        (game, card) if told is None or told.lang == game.source else _translated(workshop, game, card, tree, told.lang)
    )
    findings, price = judge_card(*said), price_of(*said)
    if wish.lang != game.source and wish.lang in game.languages:
        game, card = _translated(workshop, game, card, tree, wish.lang)
    job, problem = _job(workshop, game, card, wish.side)
    errors = {"": (problem,)} if problem is not None else {}
    found = None if findings is None else tuple(findings)
    return Look(errors, job, card, name_of(said[1].values, card.id), planting, findings=found, price=price)


def shipped_look(workshop: Workshop, game: Game, card: Card) -> Look:
    """A card as its file has it, in the language of `game`."""
    if not card.sound:
        return Look({})
    job, problem = _job(workshop, game, card, "front")
    return Look({"": (problem,)} if problem is not None else {}, job, card, name_of(card.values, card.id))


def band_look(
    workshop: Workshop, document: Document, tree: Mapping[str, Tree], wish: Wish, told: Game | None = None
) -> Look:
    """A band's judgement in the words of `told`, the game in some language, and the card of one of its entries."""
    game = told or workshop.project.games[document.game]
    band, errors, planting = read_band(workshop, document, tree, game)
    if band is None:
        return Look(errors, planting=planting)
    judgement = judged(game, band)
    shown, seen = game, band
    if wish.lang in game.languages and wish.lang != game.lang:
        shown = workshop.translated(game, wish.lang)
        seen = read_band(workshop, document, tree, shown)[0] or band
    entry = max(0, min(wish.entry, len(entry_ids(seen, shown.bands[seen.kind])) - 1))
    card = entry_card(shown, seen, entry + 1, Report()) if judgement is not None else None
    job = _job(workshop, shown, card, wish.side)[0] if card is not None else None
    title = name_of(card.values, card.id) if card is not None else ""
    made = versions_of(game.bands[band.kind], band)
    now = workshop.catalogue_version(game)
    return Look(errors, job, card, title, planting, judgement, entry, versions=made, now=now)


def _translated(workshop: Workshop, game: Game, card: Card, tree: Mapping[str, Tree], lang: str) -> tuple[Game, Card]:
    """The card in a language; a text that differs from what was translated stays as it is typed."""
    texts = dict(workshop.texts(game, lang))
    typed = dict(leaves(dict(tree)))
    for context in [name for name in texts if name.startswith(f"{card.id}/")]:
        if typed.get(context.partition("/")[2]) not in (None, game.strings[context].text):
            del texts[context]
    made = translate(structs.replace(game, cards={card.id: card}), lang, texts)
    return made, made.cards[card.id]


def _job(workshop: Workshop, game: Game, card: Card, side: Side) -> tuple[Job | None, Diagnostic | None]:
    """The work of drawing one side of a card; None and why; without a reason when it has no such side."""
    with workshop.maker() as maker:
        face = maker.make(card_with_odds(game, card, maker.report), game, side)
        problem = next((item for item in maker.report.sorted() if item.severity == "error"), None)
        return (None if face is None else Job((face,), maker.assets, workshop.project.fonts, screen=True)), problem


def findings(workshop: Workshop, look: Look, drawn: Drawn, lang: str) -> dict[str, str]:
    """What the engine found, in the page's language, by the path of the field that it is about (empty: none in particular)."""
    assert look.job is not None
    face, card, report = look.job.faces[0], look.card, Report()

    def place(_: Face, name: str) -> Span:
        return card.place(name) if card is not None else Span("")

    named: set[str] = set()

    def blamed(face: Face, box: str, text: str) -> Blamed | None:
        """A text of the game that pushes something out; the card's own are told beside their fields."""
        game = workshop.translated(workshop.project.games[face.game], face.lang)
        found = workshop.blame.of(game, face, box, text)
        if found is None or found.context.partition("/")[0] in game.cards:
            return None
        named.add(f"`{found.context}`")
        return found

    Findings({face.key: face}, place, Assets(workshop.project.shelf), report, blamed).tell([drawn.rendering])
    found: dict[str, str] = {}
    for item in report.sorted():
        path, told = look.planting.path(item.span) or "", message(lang, item)
        if any(name in item.hint for name in named):
            # Nobody sees on the card which label is meant, nor where it is written.
            told = f"{told}; {item.hint}" if path or not item.span else f"{item.span}: {told}; {item.hint}"
        found[path] = f"{found[path]}; {told}" if path in found else told
    return found
