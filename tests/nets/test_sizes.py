"""Dice as they are printed: sizes measured on the page of the PDF, in millimetres."""

from __future__ import annotations

import functools
import itertools
from pathlib import Path

import pypdfium2
import pytest
from PIL import ImageChops

import cardgen
from cardgen.sheets.cutout_drawing import HALO_WIDTH
from tests.support import edit, write_project

DPI = 600
COLOUR = (0x33, 0x66, 0x99)
COMPONENTS = """\
blank-die: {make: net, title: Die, die: blank, size: 20mm}
stickers: {make: stickers, title: Stickers, dice: [blank], size: 16mm}
"""
BLANK = """\
dice:
  blank: {title: Blank, letter: B, colour: "#336699", ink: "#336699", faces: [blank, blank, blank, blank, blank, blank]}
"""
PRINTS = """\
prints:
  net: {title: Net, version: "1", components: [blank-die]}
  stickers: {title: Stickers, version: "1", components: [stickers]}
"""


def coloured_runs(pdf: Path, down: bool) -> list[tuple[float, float]]:
    """(begin, length) in mm of the stretches of the page, across or `down`, that have the die's colour in them; lines
    that are drawn over it do not part them."""
    page = pypdfium2.PdfDocument(pdf)[0]
    picture = page.render(scale=DPI / 72).to_pil().convert("RGB")
    bands = (
        band.point([255 if abs(value - wanted) < 8 else 0 for value in range(256)])
        for band, wanted in zip(picture.split(), COLOUR, strict=True)
    )
    mask = functools.reduce(ImageChops.darker, bands)
    long = mask.height if down else mask.width
    boxes = ((0, at, mask.width, at + 1) if down else (at, 0, at + 1, mask.height) for at in range(long))
    coloured = [at * 25.4 / DPI for at, box in enumerate(boxes) if mask.crop(box).getbbox()]
    runs: list[tuple[float, float]] = []
    for at in coloured:
        if runs and at - sum(runs[-1]) < 0.5:
            runs[-1] = runs[-1][0], at - runs[-1][0]
        else:
            runs.append((at, 0.0))
    return runs


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("dice")
    game = edit("cards/g/game.yaml", 'prints:\n  items: {title: Items, version: "1", kinds: [item]}\n', PRINTS)
    text = game["cards/g/game.yaml"]
    start, end = text.index("dice:\n"), text.index("keywords:\n")
    changes = {"cards/g/game.yaml": text[:start] + BLANK + text[end:], "cards/g/components/dice.yaml": COMPONENTS}
    _, report = cardgen.build(write_project(root, changes), root / "out")
    assert not report.has_errors(), [item.message for item in report]
    return root / "out" / "g" / "en"


def test_a_die_of_20_mm_is_a_cross_of_60_by_80_mm(built: Path) -> None:
    ((_, height),) = coloured_runs(built / "net.pdf", down=True)
    ((_, width),) = coloured_runs(built / "net.pdf", down=False)
    # The colour runs on for 1 mm over the tab at one end; elsewhere half of the line to cut, white on either side of its
    # black, lies over it.
    assert sorted((height, width)) == pytest.approx([60 - HALO_WIDTH, 81 - HALO_WIDTH / 2], abs=0.15)


def test_stickers_for_16_mm_follow_each_other_by_13_mm(built: Path) -> None:
    ((_, height),) = coloured_runs(built / "stickers.pdf", down=True)
    tiles = coloured_runs(built / "stickers.pdf", down=False)
    # A tile ends 0.6 mm inside of the cut.
    assert height == pytest.approx(13 - 1.2, abs=0.1)
    assert [width for _, width in tiles] == pytest.approx([13 - 1.2] * 6, abs=0.1)
    steps = [after - before for (before, _), (after, _) in itertools.pairwise(tiles)]
    assert steps == pytest.approx([13] * 5, abs=0.1)
