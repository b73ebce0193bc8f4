"""The survivor job as all peers see it: where things stand (mm, from the top left), the cards, and the files.

The folder is the one that prepare.py made: cards.json, art/*.jpg, icons/*.svg and icons/*.png.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FONTS = ROOT / "fonts" / "fira-sans-condensed"
FONT = "FiraSansCondensed-{}.ttf"
PAPER = (210.0, 297.0)
CARD = (63.0, 88.0)
COLUMNS, ROWS = 3, 3
LEFT, TOP = 10.5, 16.5
STATS = ("FUE", "DES", "INT", "VOL", "SUE")
PANEL_COLOUR, INK, LINE = "#fffdf6", "#000000", "#444444"
MARK, AWAY, MARK_WIDTH = 3.0, 1.0, 0.1
MM = 72 / 25.4


def cards(count: int, folder: Path) -> list[dict[str, Any]]:
    """The first `count` cards."""
    found: list[dict[str, Any]] = json.loads((folder / "cards.json").read_text("utf-8"))
    return found[:count]


def slot(number: int) -> tuple[float, float]:
    """Where the card of that number lies on its sheet."""
    place = number % (COLUMNS * ROWS)
    return LEFT + place % COLUMNS * CARD[0], TOP + place // COLUMNS * CARD[1]


def marks() -> Iterator[tuple[float, float, float, float]]:
    """Crop marks outside of the block, as lines."""
    right, bottom = LEFT + COLUMNS * CARD[0], TOP + ROWS * CARD[1]
    for column in range(COLUMNS + 1):
        x = LEFT + column * CARD[0]
        yield x, TOP - AWAY - MARK, x, TOP - AWAY
        yield x, bottom + AWAY, x, bottom + AWAY + MARK
    for row in range(ROWS + 1):
        y = TOP + row * CARD[1]
        yield LEFT - AWAY - MARK, y, LEFT - AWAY, y
        yield right + AWAY, y, right + AWAY + MARK, y


def pieces(rules: str) -> Iterator[tuple[str, str]]:
    """Rules as (`text` | `bold` | `icon`, what it says)."""
    bold = False
    for part in re.split(r"(\*\*|\[\w+\])", rules):
        if part == "**":
            bold = not bold
        elif part.startswith("["):
            yield "icon", part[1:-1]
        elif part:
            yield "bold" if bold else "text", part
