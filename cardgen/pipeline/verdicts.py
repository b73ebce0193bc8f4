"""Rules at work in a check: packs on their own examples, cards and decks by the game's pack, bands by theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.load.bands import card_entries
from cardgen.load.project import load_bands
from cardgen.model.band import Band, Entry, deck_entry
from cardgen.model.card import Card, card_view
from cardgen.model.game import BandKind, Game
from cardgen.model.project import Project
from cardgen.model.rules import Finding, Pack, Rule
from cardgen.rules.bands import judge_band
from cardgen.rules.engine import judge, label
from cardgen.rules.language import compile_rule
from cardgen.rules.packs import check_pack, context_of
from cardgen.text.expressions import ExpressionError

# What expressions over an entry see.
_ENTRY = {"it", "band", "game", "tables", "rulings"}


def check_rules(project: Project, game: Game, report: Report, bands: bool = True) -> None:
    """Everything that rules say of a game, as diagnostics. Bands that state what to expect are held to that.

    Without `bands`, of packs, cards and decks only.
    """
    sound = set()
    for pack in game.packs.values():
        before = len(report.items)
        check_pack(pack, game, report)
        if len(report.items) == before:
            sound.add(pack.id)
    # A pack with mistakes of its own judges nobody: its verdicts would be told as mistakes of others.
    if game.rules in sound:
        _cards_and_decks(game, report)
    for kind in game.bands.values():
        _expressions(kind, game.packs[kind.pack].rules if kind.pack in game.packs else {}, report)
    for band in load_bands(project.shelf, game, report) if bands else ():
        if known_rules(game, band, report) and band.pack in sound:
            _band(game, band, report)


def _expressions(kind: BandKind, rules: Mapping[str, Rule], report: Report) -> None:
    """Report what an entry's printed card and choices say that cannot be computed for any entry."""
    stated = [(name, source, _ENTRY) for name, source in kind.card.items()]
    if kind.choices is not None:
        of_entries = (kind.choices.best, kind.choices.printed, kind.choices.least)
        stated += [(name, source, _ENTRY) for told in of_entries for name, source in told.items()]
        stated += [("skip", kind.choices.skip, {"option"} | _ENTRY - {"it", "band"})] if kind.choices.skip else []
    for name in (kind.choices.fixed if kind.choices is not None else {}).values():
        if rules and name not in rules:
            report.add("CG104", kind.span, did_you_mean(name, rules), what="rule", name=name)
    for name, source, seen in stated:
        told = {"field": name, "entry": f"an entry of `{kind.id}`"}
        try:
            expression = compile_rule(source)
        except ExpressionError as error:
            report.add("CG630", kind.span, problem=str(error), **told)
            continue
        for other in sorted(expression.names - seen):
            report.add("CG630", kind.span, did_you_mean(other, seen), problem=f"there is no `{other}`", **told)


def known_rules(game: Game, band: Band, report: Report) -> bool:
    """Whether the band's pack, and the rules, rulings and readings that it names, exist; what does not is reported."""
    pack = game.packs.get(band.pack)
    if pack is None:
        hint = did_you_mean(band.pack, game.packs)
        report.add("CG104", band.places[""], hint, what="rule pack", name=band.pack)
        return False
    before = len(report.items)
    named = [(waiver.rule, waiver.span) for waiver in band.waivers]
    named += [(rule, band.places[rule]) for rule in band.expected_rules]
    for rule, span in named:
        if rule not in pack.rules:
            report.add("CG613", span, did_you_mean(rule, pack.rules), name=rule, pack=pack.id)
    for id, reading in band.rulings.items():
        ruling = pack.rulings.get(id)
        if ruling is None:
            report.add("CG613", band.places[id], did_you_mean(id, pack.rulings), name=id, pack=pack.id)
        elif reading not in ruling.readings:
            hint = did_you_mean(reading, ruling.readings)
            report.add("CG104", band.places[id], hint, what="reading", name=reading)
    return len(report.items) == before


def judge_card(game: Game, card: Card) -> list[Finding] | None:
    """What the game's own rules say of one card by itself; None where no rule is about cards of its kind."""
    pack = game.packs.get(game.rules)
    rules = _card_rules(pack, game, card.kind) if pack is not None else []
    return _of_card(pack, rules, context_of(pack, game), card, game) if pack is not None and rules else None


def _card_rules(pack: Pack, game: Game, kind: str) -> list[Rule]:
    return [rule for rule in pack.rules.values() if rule.scope == "card" and kind in (rule.kinds or game.kinds)]


def _of_card(pack: Pack, rules: list[Rule], base: Mapping[str, Any], card: Card, game: Game) -> list[Finding]:
    entry = Entry(card_view(card), card.span)
    return judge(pack, rules, {**base, "card": entry}, label(entry), card.span, {}, {}, game)


def _cards_and_decks(game: Game, report: Report) -> None:
    pack = game.packs.get(game.rules)
    if pack is None:
        return
    base = context_of(pack, game)
    by_kind = {kind: _card_rules(pack, game, kind) for kind in game.kinds}
    for card in game.cards.values():
        add(_of_card(pack, by_kind[card.kind], base, card, game), report)
    entries = card_entries(game.cards.values())
    rules = [rule for rule in pack.rules.values() if rule.scope == "deck"]
    for deck in game.decks.values():
        entry = deck_entry(deck.title, deck.cards, entries, deck.span)
        add(judge(pack, rules, {**base, "deck": entry}, deck.title, deck.span, {}, {}, game), report)


def _band(game: Game, band: Band, report: Report) -> None:
    judgement = judge_band(game, band, compare=False)
    if not band.expected:
        add(judgement.findings, report)
        return
    place = Span(band.file, 1, 1)
    if judgement.verdict != band.expected:
        said = next((finding.message for finding in judgement.problems), "")
        report.add("CG611", place, said, band=band.title, found=judgement.verdict, expected=band.expected)
    # Advice need not be expected, but may be.
    found = {finding.rule for finding in judgement.problems}
    needed = {finding.rule for finding in judgement.problems if finding.counts}
    for rule in sorted(set(band.expected_rules) - found):
        report.add("CG614", band.places[rule], rule=rule, band=band.title)
    for rule in sorted(needed - set(band.expected_rules)):
        said = next(finding.message for finding in judgement.problems if finding.rule == rule)
        report.add("CG616", place, said, rule=rule, band=band.title)


def add(findings: tuple[Finding, ...] | list[Finding], report: Report) -> None:
    """Findings as diagnostics: what makes a subject illegal or unknown is an error, advice a warning or a remark."""
    for finding in findings:
        if finding.verdict == "legal" or finding.waiver:
            continue
        code = {"error": "CG610", "warning": "CG612", "info": "CG615"}[finding.severity]
        hint = "; ".join(part for part in (finding.fix, f"see `cardgen explain {finding.rule}`") if part)
        report.add(code, finding.span, hint, message=finding.message, rule=finding.rule)
