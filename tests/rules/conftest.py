"""A small game with rules: what the engine's tests judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.load.project import load_bands
from cardgen.model.band import Band
from cardgen.model.game import Game
from tests.support import BASE, load, write_project

BANDS = """\
rules: main
bands:
  group:
    title: Group
    pack: main
    entries: members
    name: it.card.name
    cost: it.card.points + it.carries|sum(attribute="points")
    limit: band.limit
    unit: points
    fields:
      limit: {type: integer, min: 0}
      leader: {type: card}
      level: {type: integer, min: 0, default: 2}
      members:
        type: list
        of:
          type: record
          fields:
            card: {type: card, required: true}
            skill: {type: integer, min: 0, default: 1}
            carries: {type: list, of: {type: card}}
"""
PACK = """\
title: Main rules
documents: {R: The rulebook}
rulings:
  HALF: {question: Which half?, readings: {ceil: Up., floor: Down.}, default: ceil, source: R p9}
tables: {sizes: [{to: 5, n: 1}, {from: 6, n: 2}]}
rules:
  X-001:
    title: Points limit
    source: R p1
    scope: band
    actual: band.members|sum(attribute="card.points") + band.members|map(attribute="carries")|flat|sum(attribute="points")
    op: "<="
    limit: band.limit
    offenders: band.members
    message: "{subject} costs {actual}; the limit is {limit} (over by {over})"
    fix: leave out {over} points
    examples:
      legal: [{given: {limit: 9, members: [{card: axe}]}}]
      illegal: [{given: {limit: 0, members: [{card: axe}]}}]
      unknown: [{given: {members: [{card: axe}]}}]
  X-002:
    title: The leader is a member
    source: R p2
    scope: band
    when: band.leader is defined
    actual: band.leader.name
    op: in
    limit: band.members|map(attribute="card.name")|list
    message: "{actual} leads and is not among {limit}"
    examples:
      legal: [{given: {leader: axe, members: [{card: axe}]}}]
      illegal: [{given: {leader: rope, members: [{card: axe}]}}]
  X-003:
    title: No card twice
    source: R p3
    scope: band
    actual: band.members|repeated("card.id")
    op: empty
    message: "{actual} stand more than once"
    fix: keep one of {offenders}
    examples:
      legal: [{given: {members: [{card: axe}, {card: rope}]}}]
      illegal: [{given: {members: [{card: axe}, {card: axe}]}}]
  X-004:
    title: Skill
    source: R p4
    scope: band
    each: band.members
    actual: it.skill
    op: within
    limit: "[1, 3]"
    message: "{subject} has skill {actual}; allowed: {limit}"
    examples:
      legal: [{given: {members: [{card: axe, skill: 3}]}}]
      illegal: [{given: {members: [{card: axe, skill: 4}]}}]
  X-005:
    title: Half of them are axes
    source: R p5
    scope: band
    severity: warning
    actual: band.members|selectattr("card.id", "==", "axe")|list|count
    op: ">="
    limit: band.members|count|majority(rulings.HALF)
    message: "{actual} axes; {limit} would be better"
    rulings: [HALF]
    examples:
      legal: [{given: {members: [{card: axe}]}}]
      illegal: [{given: {members: [{card: rope}]}}]
  X-006:
    title: Half of them, by the letter
    source: R p6
    scope: band
    when: band.level > 5
    actual: band.members|selectattr("card.id", "==", "axe")|list|count
    op: ">="
    limit: band.members|count|majority(rulings.HALF)
    message: "{actual} axes; needed: {limit}"
    rulings: [HALF]
    examples:
      legal: [{given: {level: 6, members: [{card: axe}, {card: axe}, {card: rope}]}, rulings: {HALF: floor}}]
      illegal: [{given: {level: 6, members: [{card: axe}, {card: axe}, {card: rope}]}}]
  Y-001:
    title: Cheap cards only
    source: R p7
    scope: card
    kinds: [item]
    actual: card.points
    op: "<="
    limit: 9
    message: "{subject} has {actual} points; at most {limit}"
    examples:
      legal: [{given: axe}]
      illegal: [{given: dear}]
  Z-001:
    title: A deck has a card
    source: R p8
    scope: deck
    actual: deck.cards|sum(attribute="copies")
    op: ">="
    limit: 2
    message: "{subject} has {actual} cards; at least {limit}"
    examples:
      legal: [{given: {axe: 2}}]
      illegal: [{given: {axe: 1}}]
notes:
  N-001: {title: Ropes, question: May ropes be cut?, answer: With an **axe**., source: R p10, touches: [X-001]}
formulas:
  size: {title: Size, source: R p1, arguments: [limit], value: 'limit|lookup(tables.sizes, "n")', examples: [{given: {limit: 5}, is: 1}, {given: {limit: 6}, is: 2}]}
setup:
  size: {title: Size of the table, source: R p1, formula: size, given: {limit: band.limit}}
cast:
  dear: {kind: item, name: Dear thing, points: 15}
"""

Bands = Callable[..., tuple[Game, list[Band]]]


@pytest.fixture
def bands(tmp_path: Path) -> Bands:
    """Writes the game with some band files (name=text) and other files, and loads the bands without a problem."""

    def make(changes: Mapping[str, str] | None = None, **files: str) -> tuple[Game, list[Band]]:
        more = {f"cards/g/bands/{name}.yaml": text for name, text in files.items()}
        root = write_project(
            tmp_path,
            {
                "cards/g/game.yaml": BASE["cards/g/game.yaml"] + BANDS,
                "cards/g/rules/main.yaml": PACK,
                **more,
                **(changes or {}),
            },
        )
        project = load(root)
        report = Report()
        found = load_bands(project.shelf, project.games["g"], report)
        assert not report.items, [item.message for item in report]
        return project.games["g"], found

    return make
