"""The trims and sheets that are shipped: they are the facts', they fit, and what they hold is what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from cardgen.geometry import Size
from cardgen.model.sheet import PAPERS, Imprint, Piece, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.impose import impose
from cardgen.units import parse_length

LAYOUTS = Path(__file__).resolve().parent.parent.parent / "layouts"
LENGTHS = {"width", "height", "bleed", "safe", "corner", "margin", "gap", "bleed_amount", "back_bleed"}


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def lengths(item: dict[str, Any], known: set[str]) -> dict[str, Any]:
    return {key: parse_length(value).mm if key in known else value for key, value in item.items()}


TRIMS = {
    id: Trim(id, item["title"], Size(item["width"], item["height"]), item["bleed"], item["safe"], item["corner"])
    for id, item in ((id, lengths(item, LENGTHS)) for id, item in read(LAYOUTS / "_trims.yaml").items())
}


def read_sheet(file: Path) -> SheetTemplate:
    options = lengths(read(file), LENGTHS - {"bleed"})
    paper = None if options.pop("paper") == "none" else read(file)["paper"]
    return SheetTemplate(id=file.stem, paper=paper, **options)


SHEETS = {file.stem: read_sheet(file) for file in sorted((LAYOUTS / "_sheets").glob("*.yaml"))}


def test_every_trim_of_the_facts() -> None:
    assert {id: (trim.size.width, trim.size.height) for id, trim in TRIMS.items()} == {
        "poker-eu": (63, 88),
        "poker-us": (63.5, 88.9),
        "bridge": (57.15, 88.9),
        "standard-usa": (56, 87),
        "mini-american": (41, 63),
        "mini-euro": (44, 68),
        "us-mini": (44.45, 63.5),
        "standard-euro": (59, 92),
        "tarot": (70, 120),
        "tarot-us": (69.85, 120.65),
        "square": (70, 70),
        "catan": (54, 80),
        "micro": (31.75, 44.45),
        "domino": (44.45, 88.9),
        "jumbo": (88.9, 139.7),
        "japanese": (59, 86),
        "survivor": (88, 126),
        # ours as well: a wide card, two to an A4
        "wide": (184, 124),
    }
    assert TRIMS["japanese"].corner == 1
    assert TRIMS["poker-eu"].corner == 3


@pytest.mark.parametrize(
    ("sheet", "trim", "count"),
    [
        ("a4-3x3", "poker-eu", 9),
        ("a4-3x3-gap", "poker-eu", 9),
        ("a4-8up-bleed", "poker-eu", 8),
        ("a4-2x2-survivor", "survivor", 4),
        ("a4-mini-american-3x7", "mini-american", 21),
        ("a4-mini-euro-4x4", "mini-euro", 16),
        ("a4-bridge-2x5", "bridge", 10),
        ("a4-standard-euro-3x3", "standard-euro", 9),
        ("a4-tarot-2x2", "tarot", 4),
        ("a4-square-2x4", "square", 8),
        ("letter-3x3", "poker-eu", 9),
        ("letter-8up", "poker-eu", 8),
        ("single-1up", "poker-eu", 1),
    ],
)
def test_a_sheet_holds_what_it_is_named_for(sheet: str, trim: str, count: int) -> None:
    template = SHEETS[sheet]
    paper = PAPERS[template.paper].size if template.paper else None
    imposition = impose([Piece("f", "b", "c", copies=count)], template, TRIMS[trim], paper, Imprint("T", "1", "en"))
    assert [len(page.placements) for page in imposition.sheets if page.side == "front"] == [count]
    assert imposition.notes == ()


@pytest.mark.parametrize("trim", TRIMS)
@pytest.mark.parametrize("sheet", ["a4-auto", "letter-auto", "single-1up"])
def test_every_trim_has_a_sheet_with_ruler_and_labels(sheet: str, trim: str) -> None:
    template = SHEETS[sheet]
    paper = PAPERS[template.paper].size if template.paper else None
    assert impose([Piece("f", "b", "c")], template, TRIMS[trim], paper, Imprint("T", "1", "en")).notes == ()


@pytest.mark.parametrize("sheet", SHEETS)
def test_sheets_are_named_and_versioned_and_known_to_editors(sheet: str) -> None:
    template = SHEETS[sheet]
    assert template.version >= 1
    assert template.title
    first = (LAYOUTS / "_sheets" / f"{sheet}.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../../docs/schema/sheet.schema.json"
