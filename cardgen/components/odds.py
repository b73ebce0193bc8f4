"""Exact odds as cards: bars for what a situation may come to, tables of one result over two choices."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cardgen.components.paired import paired_cards
from cardgen.diagnostics import did_you_mean
from cardgen.errors import CannotMake
from cardgen.model.component import Component, OddsCards, OddsFace
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game
from cardgen.model.odds import Chance, chance_view, whole_percent

LAYOUT = "_base/odds-card"
# Rarer outcomes at the ends of a distribution are told together, as bars nobody could see.
RARE = 0.0005
MOST_BARS = 18
_DICE = re.compile(r"(\d*)\s*([a-z][\w-]*)")


def make_odds(component: Component, game: Game) -> list[Cutout]:
    """One face for each entry of `faces`, two faces a card. Raises CannotMake for odds that do not exist."""
    options = component.options
    assert isinstance(options, OddsCards)
    return paired_cards(component, LAYOUT, [_face(face, game) for face in options.faces], options.sets)


def _face(face: OddsFace, game: Game) -> Mapping[str, object]:
    """What the layout of a face sees."""
    asked = face.call(face.rows[0] if face.rows else "", face.columns[0] if face.columns else "")
    chances = _answer(game, face, asked)
    known = {chance.id: chance for chance in chances}
    for name in face.results:
        if name not in known:
            hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
            raise CannotMake(f"`{asked}` has no result `{name}`; {hint}", f"faces.{face.id}.results")
    wanted = [known[name] for name in face.results] or list(chances)
    if not face.rows:
        return {"heading": face.title, "results": [trimmed(chance) for chance in wanted]}
    if len(face.results) != 1:
        raise CannotMake("a table shows one result; name it in `results`", f"faces.{face.id}.results")
    rows = [
        {"head": _signs(row, game), "cells": [_cell(game, face, row, column) for column in face.columns or ("",)]}
        for row in face.rows
    ]
    table = {
        "columns": [_signs(column, game) for column in face.columns],
        "rows": rows,
        "result": wanted[0].title,
        "row_title": face.row_title,
        "column_title": face.column_title,
    }
    return {"heading": face.title, "results": [], "table": table}


def _answer(game: Game, face: OddsFace, call: str) -> tuple[Chance, ...]:
    if call not in game.answers:
        raise CannotMake(f"`{call}` could not be computed", f"faces.{face.id}.asks")
    return game.answers[call]


def _cell(game: Game, face: OddsFace, row: str, column: str) -> dict[str, object]:
    """A cell: per cent of a result that is yes or no, the mean of a number; `share` of 1 for its shade."""
    chance = next(item for item in _answer(game, face, face.call(row, column)) if item.id == face.results[0])
    mean = chance.mean
    flags = all(isinstance(value, bool) for value, _ in chance.outcomes)
    if flags:
        share = float(chance.of(True))
        return {"text": whole_percent(share), "share": round(share, 3)}
    if mean is None:
        raise CannotMake(f"`{chance.id}` is neither yes or no nor a number", f"faces.{face.id}.results")
    return {"text": f"{float(mean):.1f}", "share": None}


def _signs(text: str, game: Game) -> list[dict[str, object]]:
    """A pool as its dice one by one, any other choice as text."""
    found: list[dict[str, object]] = []
    for part in text.split("+"):
        match = _DICE.fullmatch(part.strip())
        if match is None or match[2] not in game.dice:
            return [{"text": text}]
        count = int(match[1] or 1)
        if count > 4:
            found.append({"text": f"{count}×"})
            count = 1
        found += [{"die": match[2]} for _ in range(count)]
    return found


def trimmed(chance: Chance) -> dict[str, object]:
    """A result for layouts, the rare ends of a long row of numbers left out; bars are as long as `long`, per cent."""
    shown = chance_view(chance)
    bars = shown["bars"]
    assert isinstance(bars, list)
    if chance.mean is not None and len(bars) > MOST_BARS:
        bars = [bar for bar in bars if bar["percent"] >= 100 * RARE]
        while len(bars) > MOST_BARS:
            bars.pop(0 if bars[0]["percent"] < bars[-1]["percent"] else -1)
    top = max((bar["percent"] for bar in bars), default=0.0)
    return {**shown, "bars": [{**bar, "long": round(100 * bar["percent"] / top, 1)} for bar in bars]}
