"""The survivor job with WeasyPrint alone: one document with all sheets. python bare.py N FOLDER OUT.pdf

FOLDER is the project that project.py made: the same pictures, fonts and styles.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from data import STATS, survivors
from markupsafe import escape
from weasyprint import HTML

ROOT = Path(__file__).resolve().parents[2]
PER_SHEET, COLUMNS = 9, 3
LEFT, TOP, WIDTH, HEIGHT = 10.5, 16.5, 63, 88
MARK, AWAY = 5, 5  # length of a crop mark and its distance from the cards, mm

PAGE = """
@page { size: 210mm 297mm; margin: 0 }
html, body { margin: 0; padding: 0; font-family: text }
.sheet { position: relative; width: 210mm; height: 297mm; break-after: page; overflow: hidden }
.sheet:last-child { break-after: auto }
.card { position: absolute; width: 63mm; height: 88mm; overflow: hidden }
.m { position: absolute; background: #000 }
"""


def fonts() -> str:
    """The same files that cardgen's role `text` has."""
    folder = (ROOT / "fonts" / "fira-sans-condensed").as_uri()
    faces = (
        ("Regular", 400, "normal"),
        ("Bold", 700, "normal"),
        ("Italic", 400, "italic"),
        ("BoldItalic", 700, "italic"),
    )
    files = {
        path.stem.lower().replace("_", ""): path.name for path in (ROOT / "fonts/fira-sans-condensed").glob("*.ttf")
    }
    rules = []
    for face, weight, style in faces:
        file = next(
            name for stem, name in files.items() if stem.endswith(face.lower()) and ("bold" in stem) == ("Bold" in face)
        )
        rules.append(f"@font-face{{font-family:text;src:url({folder}/{file});font-weight:{weight};font-style:{style}}}")
    return "".join(rules)


def marks() -> str:
    """Crop marks outside the block, as thin boxes."""
    right, bottom = LEFT + COLUMNS * WIDTH, TOP + 3 * HEIGHT
    boxes: list[tuple[float, float, float, float]] = []
    for x in (LEFT + WIDTH * column for column in range(COLUMNS + 1)):
        boxes += [(x - 0.05, TOP - AWAY - MARK, 0.1, MARK), (x - 0.05, bottom + AWAY, 0.1, MARK)]
    for y in (TOP + HEIGHT * row for row in range(4)):
        boxes += [(LEFT - AWAY - MARK, y - 0.05, MARK, 0.1), (right + AWAY, y - 0.05, MARK, 0.1)]
    return "".join(
        f'<div class="m" style="left:{x:.2f}mm;top:{y:.2f}mm;width:{w}mm;height:{h}mm"></div>' for x, y, w, h in boxes
    )


def rules(text: str, icons: str) -> str:
    """Inline markup as HTML."""
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", str(escape(text)))
    return re.sub(r"\[(\w+)\]", rf'<img src="{icons}/\1.svg">', text)


def html(count: int, folder: Path) -> str:
    """The whole document."""
    art, icons = (folder / "cards/survivors/art").as_uri(), (folder / "layouts/survivors/icons").as_uri()
    css = fonts() + PAGE + Path(__file__).with_name("card.css").read_text("utf-8")
    parts = [
        f'<!DOCTYPE html><html lang="es"><head><meta charset="utf-8"><title>Cartas</title><style>{css}</style></head><body>'
    ]
    cards = survivors(count)
    for start in range(0, count, PER_SHEET):
        parts.append(f'<div class="sheet">{marks()}')
        for slot, card in enumerate(cards[start : start + PER_SHEET]):
            left, top = LEFT + slot % COLUMNS * WIDTH, TOP + slot // COLUMNS * HEIGHT
            stats = "".join(
                f'<div class="stat" style="left:{4 + n * 11.2:.1f}mm"><i>{name}</i><b>{value}</b></div>'
                for n, (name, value) in enumerate(zip(STATS, card.stats, strict=True))
            )
            parts.append(
                f'<div class="card" style="left:{left}mm;top:{top}mm;background:{card.colour}"><div class="panel"></div>'
                f'<div class="title">{card.title}</div><div class="type" style="color:{card.colour}">{card.type}</div>'
                f'<img class="portrait" src="{art}/{card.portrait}">{stats}<div class="rules"><p>{rules(card.rules, icons)}</p></div>'
                f'<div class="points">{card.points} pts</div><div class="number">n.º {card.number}</div></div>'
            )
        parts.append("</div>")
    parts.append("</body></html>")
    return "".join(parts)


if __name__ == "__main__":
    HTML(string=html(int(sys.argv[1]), Path(sys.argv[2]))).write_pdf(sys.argv[3])
