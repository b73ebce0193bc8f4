"""The page about printing only what changed: its commands run, in its order, on a copy of the shipped deck."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, command: str) -> str:
    words = shlex.split(command)
    jobs = [] if words[1] != "build" else ["--jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-m", *words, *jobs], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.docs
def test_the_commands_run(tmp_path: Path) -> None:
    page = (ROOT / "docs/reprinting.md").read_text("utf-8")
    commands = [line.strip() for line in page.splitlines() if line.startswith("    cardgen ")]
    assert len(commands) == 7
    for name in ("cards/twd", "layouts/twd"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "cardgen.yaml").write_text("name: copy\ngames: [twd]\nlanguages: [en]\ncodes: yes\n")
    cards = tmp_path / "cards/twd/cards/equipment.yaml"
    code = ""
    for command in commands:
        if command == "cardgen changed":
            text = cards.read_text("utf-8")
            cards.write_text(text.replace("name: Camp Hatchet", "name: Camp Cleaver"), "utf-8")
        said = run(tmp_path, re.sub(r"identify \w+", f"identify {code}", command))
        if command == "cardgen changed":
            assert re.search(r"changed +hatchet +Camp Cleaver: front", said)
        if "--changed-since" in command:
            found = re.search(r"take out of twd/en/equipment: Camp Hatchet \[(\w{6})\]", said)
            assert found is not None
            code = found[1]
        if "identify" in command:
            assert "Camp Hatchet, front of `hatchet` in twd/en/equipment; printed" in said
            assert "superseded by" in said
