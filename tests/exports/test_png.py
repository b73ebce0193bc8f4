"""`cardgen export png`: pictures of cards, at the resolution that they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.exports import png
from cardgen.exports.png import export_png
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers
from tests.support import edit, load, write_project

COMPONENTS = {
    **edit(
        "cards/g/game.yaml",
        "prints:\n",
        'prints:\n  tokens: {title: Tokens, version: "1", components: [tokens]}\n',
    ),
    "cards/g/components/tokens.yaml": """\
tokens:
  make: counters
  title: Tokens
  shape: round
  size: 20mm
  items:
    coin: {title: Coin, front: {sign: "1"}}
""",
}


def exported(root: Path, bleed: bool, report: Report, targets: tuple[str, ...] = ()) -> list[Path]:
    project = load(root)
    products = make_products(project, choose(project, targets, []), Options(), report)
    return list(export_png(project, products, root / "o", 300, bleed, Workers(), report))


@pytest.mark.parametrize(("bleed", "size"), [(False, (744, 1039)), (True, (815, 1110))])
def test_pictures_say_their_resolution(tmp_path: Path, bleed: bool, size: tuple[int, int]) -> None:
    report = Report()
    paths = exported(write_project(tmp_path), bleed, report)
    assert [path.name for path in paths] == ["axe-front.png", "rope-front.png"]
    assert not report.items
    for path in paths:
        with Image.open(path) as image:
            # 63 x 88 mm, with 3 mm of bleed on either side where that is kept.
            assert image.size == size
            assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)


def test_what_is_no_card_is_told(tmp_path: Path) -> None:
    report = Report()
    assert exported(write_project(tmp_path, COMPONENTS), False, report, ("g/tokens",)) == []
    (item,) = report
    assert (item.code, item.severity) == ("CG532", "info")
    assert item.message.startswith("`g/en/tokens` is not exported in full: 1 of its pieces are nothing for png")


def test_a_full_disk_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise FileProblem(f"`{path.name}` cannot be written: No space left on device")

    monkeypatch.setattr(png, "write_atomic", full)
    report = Report()
    assert exported(write_project(tmp_path), False, report) == []
    (item,) = report
    assert item.code == "CG501"
    assert item.message == "`axe-front.png` cannot be written: No space left on device; 2 pictures are not written"
