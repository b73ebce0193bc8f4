"""ReportLab: a canvas, and its own paragraphs for the rules. python draw_reportlab.py N FOLDER OUT.pdf"""

import sys
from pathlib import Path
from xml.sax.saxutils import escape

import job
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

MM, HEIGHT = job.MM, job.PAPER[1]
folder = Path(sys.argv[2])
rl_config.useA85 = 0
for name, face in (("text", "Regular"), ("bold", "Bold"), ("italic", "Italic")):
    pdfmetrics.registerFont(TTFont(name, str(job.FONTS / job.FONT.format(face))))
pdfmetrics.registerFontFamily("text", normal="text", bold="bold", italic="italic", boldItalic="bold")
canvas = Canvas(sys.argv[3], pagesize=(job.PAPER[0] * MM, HEIGHT * MM), pageCompression=1, initialFontName="text")
style = ParagraphStyle("rules", fontName="text", fontSize=6.5, leading=7.6)
panel, line, ink = HexColor(job.PANEL_COLOUR), HexColor(job.LINE), HexColor(job.INK)


def markup(rules: str) -> str:
    icon = '<img src="{}" width="6.5" height="6.5" valign="-1"/>'
    return "".join(
        icon.format(folder / "icons" / f"{text}.png")
        if kind == "icon"
        else f"<b>{escape(text)}</b>"
        if kind == "bold"
        else escape(text)
        for kind, text in job.pieces(rules)
    )


def box(x: float, y: float, width: float, height: float, **how: int) -> None:
    canvas.rect(x * MM, (HEIGHT - y - height) * MM, width * MM, height * MM, **how)


def text(x: float, base: float, font: str, size: float, words: str, where: str = "left") -> None:
    canvas.setFont(font, size)
    draw = {"left": canvas.drawString, "right": canvas.drawRightString, "centre": canvas.drawCentredString}[where]
    draw(x * MM, (HEIGHT - base) * MM, words)


for number, card in enumerate(job.cards(int(sys.argv[1]), folder)):
    if number % 9 == 0:
        if number:
            canvas.showPage()
        canvas.setLineWidth(job.MARK_WIDTH * MM)
        canvas.lines([(x * MM, (HEIGHT - y) * MM, r * MM, (HEIGHT - b) * MM) for x, y, r, b in job.marks()])
    x, y = job.slot(number)
    tint = HexColor(card["colour"])
    canvas.setFillColor(tint)
    box(x, y, *job.CARD, stroke=0, fill=1)
    canvas.setFillColor(panel)
    box(x + 2.5, y + 2.5, 58, 83, stroke=0, fill=1)
    canvas.setFillColor(ink)
    text(x + 4, y + 9.8, "bold", 18, card["title"])
    canvas.setFillColor(tint)
    text(x + 4, y + 14.6, "italic", 8, card["type"])
    picture = str(folder / "art" / card["portrait"])
    canvas.drawImage(picture, (x + 10.5) * MM, (HEIGHT - y - 44) * MM, 42 * MM, 28 * MM)
    canvas.setFillColor(ink)
    canvas.setStrokeColor(line)
    canvas.setLineWidth(0.25 * MM)
    for place, (name, value) in enumerate(zip(job.STATS, card["stats"], strict=True)):
        left = x + 4 + place * 11.2
        box(left, y + 45.2, 10.2, 7.6, stroke=1, fill=0)
        text(left + 5.1, y + 47.4, "text", 5, name, "centre")
        text(left + 5.1, y + 51.3, "bold", 10, str(value), "centre")
    paragraph = Paragraph(markup(card["rules"]), style)
    _, high = paragraph.wrap(55 * MM, 27.5 * MM)
    paragraph.drawOn(canvas, (x + 4) * MM, (HEIGHT - y - 54) * MM - high)
    canvas.setStrokeColor(ink)
    text(x + 59, y + 84.6, "bold", 9, f"{card['points']} pts", "right")
    text(x + 4, y + 84.2, "text", 5, f"n.º {card['number']}")
canvas.save()
