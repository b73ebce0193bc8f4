"""The commands of cardgen that are measured, and the projects that they are measured on."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PRODUCT = Path("survivors", "es", "cards.pdf")


def project(cards: int, folder: Path, engine: str = "card") -> Path:
    """A project of the survivor job."""
    command = [sys.executable, str(HERE / "survivor" / "project.py"), str(cards), str(folder), engine]
    subprocess.run(command, check=True)
    return folder


def build(folder: Path, out: Path, *options: str) -> tuple[list[str], Path]:
    """A build of a survivor project, and the file that it writes."""
    command = [sys.executable, "-m", "cardgen", "build", "--project", str(folder), "--output", str(out), *options]
    return command, out / PRODUCT


def forget(folder: Path) -> None:
    """Remove the drawings that earlier builds kept."""
    shutil.rmtree(folder / ".cardgen", ignore_errors=True)


def cards_file(folder: Path) -> Path:
    """The file that holds the cards of a survivor project."""
    return folder / "cards" / "survivors" / "cards" / "cards.yaml"


def edit(folder: Path, number: int, turn: int) -> None:
    """Change one card: its points, which no other turn gives it, without a line more or less."""
    file = cards_file(folder)
    text = file.read_text("utf-8")
    start = text.index(f"\ns{number}:\n")
    changed = re.sub(r"points: \d+", f"points: {1000 + turn}", text[start:], count=1)
    beside = file.with_name(f".{file.name}.new")
    beside.write_text(text[:start] + changed, "utf-8")
    beside.replace(file)


def games() -> list[str]:
    """The shipped games."""
    return sorted(path.parent.name for path in (ROOT / "cards").glob("*/game.yaml"))
