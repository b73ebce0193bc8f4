"""The shipped games as tests of their packs see them: loaded by the public functions, judged as any band is."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import cardgen
from cardgen.diagnostics import Report
from cardgen.load.nodes import parse_yaml
from cardgen.load.project import band_reader, load_bands
from cardgen.model.band import Band
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.pipeline.languages import in_language
from cardgen.rules.bands import Judgement, judge_band
from cardgen.rules.packs import evaluate

ROOT = Path(__file__).resolve().parents[2]


@cache
def project() -> Project:
    """The project of this repository, which loads without a problem."""
    found, report = cardgen.load(ROOT)
    assert found is not None
    assert not report.has_errors(), [item.message for item in report]
    return found


def value(game: Game, formula: str, rulings: dict[str, str] | None = None, **given: Any) -> Any:
    """What a formula of the game's own pack gives."""
    pack = game.packs[game.rules]
    return evaluate(pack.formulas[formula], given, pack, game, rulings or {})


def text_of(game: Game, band: str) -> str:
    """A shipped band as it is written, without what it expects."""
    text = (ROOT / f"cards/{game.id}/bands/{band}.yaml").read_text("utf-8")
    return text.partition("\nexpect:")[0] + "\n"


def judged(game: Game, text: str) -> Judgement:
    """The judgement of a band written as YAML."""
    report = Report()
    node = parse_yaml(text.encode(), f"cards/{game.id}/bands/one.yaml", report)
    assert node is not None
    band = band_reader(project().shelf, game, report).read(node, f"cards/{game.id}/bands/one.yaml")
    assert band is not None and not report.items, [item.message for item in report]
    return judge_band(game, band)


def broken(judgement: Judgement) -> list[tuple[str, str]]:
    """Rule and message of all that is not legal, in the order in which it is told."""
    return [(finding.rule, finding.message) for finding in judgement.problems]


def shipped_bands(game: Game) -> dict[str, Band]:
    """The shipped bands of a game by id."""
    report = Report()
    found = load_bands(project().shelf, game, report)
    assert not report.items, [item.message for item in report]
    return {band.id: band for band in found}


def places(text: str) -> list[str]:
    """The `{names}` of a message, each as often as it stands there."""
    return sorted(re.findall(r"\{\w+\}", text))


def translated(game: Game, lang: str) -> Game:
    """The game in another language."""
    return in_language(game, lang, project().shelf, {}, Report())
