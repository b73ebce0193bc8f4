"""`cardgen kit` on the command line: verdicts first, refusals, languages, JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BANDS = ROOT / "cards/twd/bands"


def kit(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cardgen", "kit", *arguments, "--output", str(tmp_path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_band_that_may_not_play_gets_no_kit_but_its_reasons(tmp_path: Path) -> None:
    done = kit(tmp_path, str(BANDS / "crossing-100.yaml"))
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "Strangers at the Crossing: illegal" in done.stdout and "--anyway" in done.stdout
    assert "TWD-002" in done.stderr
    assert not list(tmp_path.iterdir())


def test_json_says_verdicts_sheets_and_files(tmp_path: Path) -> None:
    done = kit(tmp_path, str(BANDS / "granary-100.yaml"), "--lang", "ru", "--paper", "letter", "--format", "json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["bands"] == [{"title": "The Silo Watch", "verdict": "legal", "total": 97, "limit": 100}]
    assert [Path(item["path"]).name for item in told["files"]] == [
        "0-checklist.pdf", "1-card.pdf", "2-label.pdf", "3-paper.pdf",
    ]  # fmt: skip
    assert told["files"][1]["paper_mm"] == [215.9, 279.4]
    assert told["sheets"] > 5 and told["problems"] == []


@pytest.mark.parametrize(
    ("bands", "word"),
    [
        (["granary-100.yaml"] * 3, "at most 2 bands, and these are 3"),
        (["nobody.yaml"], "there is no file"),
        (["granary-100.yaml", "../../arena/bands/landslide.yaml"], "different games"),
        (["../game.yaml"], "is no band"),
    ],
)
def test_wrong_usage(tmp_path: Path, bands: list[str], word: str) -> None:
    done = kit(tmp_path, *(str(BANDS / band) for band in bands))
    assert done.returncode == 2 and word in done.stderr and "Traceback" not in done.stderr
