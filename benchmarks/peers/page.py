"""The survivor job as one HTML document with all sheets, for the peers that read HTML."""

from __future__ import annotations

import sys
from pathlib import Path

import job
from markupsafe import escape

PAGE = """
@page { size: 210mm 297mm; margin: 0 }
html, body { margin: 0; padding: 0; font-family: text }
.sheet { position: relative; width: 210mm; height: 297mm; break-after: page; overflow: hidden }
.sheet:last-child { break-after: auto }
.card { position: absolute; width: 63mm; height: 88mm; overflow: hidden }
.m { position: absolute; background: #000 }
"""
FACES = (("Regular", 400, "normal"), ("Bold", 700, "normal"), ("Italic", 400, "italic"), ("BoldItalic", 700, "italic"))


def html(count: int, folder: Path) -> str:
    """The whole document."""
    css = "".join(
        f"@font-face{{font-family:text;src:url({(job.FONTS / job.FONT.format(face)).as_uri()});"
        f"font-weight:{weight};font-style:{style}}}"
        for face, weight, style in FACES
    )
    css += PAGE + (job.ROOT / "benchmarks/survivor/card.css").read_text("utf-8")
    parts = [f'<!DOCTYPE html><html lang="es"><head><meta charset="utf-8"><title>Cartas</title><style>{css}</style>']
    parts.append("</head><body>")
    half = job.MARK_WIDTH / 2
    lines = "".join(
        f'<div class="m" style="left:{x - half * (x == right):.2f}mm;top:{y - half * (y == bottom):.2f}mm;'
        f'width:{max(right - x, job.MARK_WIDTH):.2f}mm;height:{max(bottom - y, job.MARK_WIDTH):.2f}mm"></div>'
        for x, y, right, bottom in job.marks()
    )
    per_sheet = job.COLUMNS * job.ROWS
    for number, card in enumerate(job.cards(count, folder)):
        if number % per_sheet == 0:
            parts.append(("</div>" if number else "") + f'<div class="sheet">{lines}')
        parts.append(_card(card, *job.slot(number), folder))
    parts.append("</div></body></html>")
    return "".join(parts)


def _card(card: dict[str, object], left: float, top: float, folder: Path) -> str:
    stats = "".join(
        f'<div class="stat" style="left:{4 + place * 11.2:.1f}mm"><i>{name}</i><b>{value}</b></div>'
        for place, (name, value) in enumerate(zip(job.STATS, card["stats"], strict=True))  # type: ignore[call-overload]
    )
    rules = "".join(
        f'<img src="{(folder / "icons" / f"{text}.svg").as_uri()}">'
        if kind == "icon"
        else f"<b>{escape(text)}</b>"
        if kind == "bold"
        else str(escape(text))
        for kind, text in job.pieces(str(card["rules"]))
    )
    return (
        f'<div class="card" style="left:{left}mm;top:{top}mm;background:{card["colour"]}"><div class="panel"></div>'
        f'<div class="title">{card["title"]}</div><div class="type" style="color:{card["colour"]}">{card["type"]}</div>'
        f'<img class="portrait" src="{(folder / "art" / str(card["portrait"])).as_uri()}">{stats}'
        f'<div class="rules"><p>{rules}</p></div><div class="points">{card["points"]} pts</div>'
        f'<div class="number">n.º {card["number"]}</div></div>'
    )


if __name__ == "__main__":
    Path(sys.argv[3]).write_text(html(int(sys.argv[1]), Path(sys.argv[2])), "utf-8")
