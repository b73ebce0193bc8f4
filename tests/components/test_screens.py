"""Folding screens: panels in pairs, a fold between them, a strip that the next pair is glued on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from cardgen.components.reference import make_table
from cardgen.errors import CannotMake
from cardgen.geometry import Matrix, bounds
from cardgen.model.component import Reference
from tests.components.test_reference import TABLES, component, game, made, shown, table
from tests.rules.shipped import project


@given(TABLES)
def test_panels_stand_in_pairs_and_each_sheet_prints_on_a4_and_letter(tables: tuple[Any, ...]) -> None:
    sheets = made(*tables, form="screen")
    for at, sheet in enumerate(sheets):
        last = at == len(sheets) - 1
        assert sheet.size.height == 186.0 and sheet.size.width <= 250.0
        fronts = [panel for panel in sheet.panels if panel.side == "front"]
        assert [panel.matrix.e for panel in fronts] == [119.0 * n for n in range(len(fronts))]
        assert len(fronts) == 2 or last
        # a valley between two panels, a mountain where the strip begins; the strip is glued behind the next sheet
        assert [fold.kind for fold in sheet.folds] == ["valley"] * (len(fronts) > 1) + ["mountain"] * (not last)
        assert len(sheet.glue) == (0 if last else 1)
        if not last:
            (strip,) = sheet.glue
            box = bounds(strip.area)
            assert (box.x, box.right) == (238.0, 250.0) and ord(strip.meets) == ord(strip.name) + 1
    rows = shown(sheets)
    assert sorted(rows) == sorted((item.id, list(row)) for item in tables for row in item.rows)


def test_the_backs_lie_behind_their_panels() -> None:
    tables = [table(f"t{n}", 14, "What it does, in a few more words than one line of it has." * 2) for n in range(4)]
    options = Reference(tables=tuple(item.id for item in tables), form="screen")
    sheets = make_table(component(options, back="a/back"), game(*tables))
    assert len(sheets) > 1
    for sheet in sheets:
        fronts = [panel for panel in sheet.panels if panel.side == "front"]
        backs = [panel for panel in sheet.panels if panel.side == "back"]
        for front, back in zip(fronts, backs, strict=True):
            assert back.layout == "a/back" and back.values["number"] == front.values["number"]
            # as seen from behind: left and right change places
            assert back.matrix == Matrix(e=sheet.size.width - front.matrix.e - 119.0)


def test_a_panel_that_is_too_wide_says_how_wide_it_may_be() -> None:
    with pytest.raises(CannotMake, match="at most 119 mm"):
        made(table("a", 3), form="screen", width=130.0)


def test_the_shipped_screen_shows_every_table_of_the_rules() -> None:
    zcorps = project().games["zcorps"]
    sheets = make_table(zcorps.components["folding-screen"], zcorps)
    assert {id for id, _ in shown(sheets)} == set(zcorps.tables)
    assert len(shown(sheets)) == sum(len(item.rows) for item in zcorps.tables.values())
