"""Bands judged from their files: what stands in a file that cannot be read is not told as missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.pipeline.judged import judge_file
from tests.studio.conftest import copied

BAND, GEAR = "cards/twd/bands/granary-100.yaml", "cards/twd/cards/equipment.yaml"


@pytest.mark.parametrize(
    ("spoilt", "line"),
    [(b"\nfoo: [\n", 339), (b"\nfoo: \xe9\n", 338)],
    ids=["not YAML", "not UTF-8"],
)
def test_a_band_names_the_file_that_cannot_be_read(tmp_path: Path, spoilt: bytes, line: int) -> None:
    root = copied(tmp_path)
    (root / GEAR).write_bytes((root / GEAR).read_bytes() + spoilt)
    report = Report()
    assert judge_file(root, (root / BAND).resolve(), (), report) is None
    told = [(item.code, item.message) for item in report.sorted() if item.span and item.span.file == BAND]
    assert told and {code for code, _ in told} == {"CG127"}
    assert told[0][1] == f"`hatchet` may stand in equipment.yaml, which cannot be read (line {line})"
    assert [item.code for item in report.sorted() if item.span and item.span.file == GEAR]


def test_what_is_in_no_file_is_missing(tmp_path: Path) -> None:
    root = copied(tmp_path)
    (root / BAND).write_text((root / BAND).read_text("utf-8").replace("hatchet", "hatched"), "utf-8")
    report = Report()
    assert judge_file(root, (root / BAND).resolve(), (), report) is None
    assert {item.code for item in report.sorted()} == {"CG104"}
