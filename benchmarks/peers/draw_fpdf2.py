"""fpdf2: drawn directly, with a line breaker of our own, since it has no pictures within a paragraph.

python draw_fpdf2.py N FOLDER OUT.pdf
"""

import sys
from pathlib import Path

import job
from fpdf import FPDF

PT = 25.4 / 72
ICON, SIZE, LEADING = 6.5 * PT, 6.5, 7.6 * PT
folder = Path(sys.argv[2])
pdf = FPDF(unit="mm", format=job.PAPER)
pdf.set_auto_page_break(False)
pdf.set_margin(0)
pdf.c_margin = 0
for style, face in (("", "Regular"), ("B", "Bold"), ("I", "Italic")):
    pdf.add_font("text", style, str(job.FONTS / job.FONT.format(face)))
widths: dict[tuple[str, str], float] = {}


def width(style: str, word: str) -> float:
    if (style, word) not in widths:
        pdf.set_font("text", style, SIZE)
        widths[style, word] = pdf.get_string_width(word)
    return widths[style, word]


def words(rules: str) -> list[list[tuple[str, str, float]]]:
    """Words as their pieces: (style or `icon`, text, width)."""
    found: list[list[tuple[str, str, float]]] = [[]]
    for kind, text in job.pieces(rules):
        if kind == "icon":
            found[-1].append(("icon", text, ICON))
            continue
        style = "B" if kind == "bold" else ""
        for number, part in enumerate(text.split(" ")):
            if number:
                found.append([])
            if part:
                found[-1].append((style, part, width(style, part)))
    return [word for word in found if word]


def paragraph(left: float, top: float, room: float, rules: str) -> None:
    x, base, space = left, top + 5.6 * PT, width("", " ")
    run: list[str] = []
    run_style, run_x = "", left

    def flush() -> None:
        if run:
            pdf.set_font("text", run_style, SIZE)
            pdf.text(run_x, base, "".join(run))
            run.clear()

    for word in words(rules):
        wide = sum(piece[2] for piece in word)
        if x > left and x + space + wide > left + room:
            flush()
            x, base = left, base + LEADING
        elif x > left:
            if run:
                run.append(" ")
            x += space
        for style, text, piece in word:
            if style == "icon":
                flush()
                pdf.image(str(folder / "icons" / f"{text}.png"), x, base + PT - ICON, ICON, ICON)
            else:
                if run and run_style != style:
                    flush()
                if not run:
                    run_style, run_x = style, x
                run.append(text)
            x += piece
    flush()


def colour(text: str) -> tuple[int, ...]:
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))


def put(x: float, base: float, style: str, size: float, text: str, share: float = 0.0) -> None:
    pdf.set_font("text", style, size)
    pdf.text(x - share * pdf.get_string_width(text), base, text)


for number, card in enumerate(job.cards(int(sys.argv[1]), folder)):
    if number % 9 == 0:
        pdf.add_page()
        pdf.set_draw_color(0)
        pdf.set_line_width(job.MARK_WIDTH)
        for mark in job.marks():
            pdf.line(*mark)
    x, y = job.slot(number)
    tint = colour(card["colour"])
    pdf.set_fill_color(*tint)
    pdf.rect(x, y, *job.CARD, "F")
    pdf.set_fill_color(*colour(job.PANEL_COLOUR))
    pdf.rect(x + 2.5, y + 2.5, 58, 83, "F")
    pdf.set_text_color(0)
    put(x + 4, y + 9.8, "B", 18, card["title"])
    pdf.set_text_color(*tint)
    put(x + 4, y + 14.6, "I", 8, card["type"])
    pdf.image(str(folder / "art" / card["portrait"]), x + 10.5, y + 16, 42, 28)
    pdf.set_text_color(0)
    pdf.set_draw_color(*colour(job.LINE))
    pdf.set_line_width(0.25)
    for place, (name, value) in enumerate(zip(job.STATS, card["stats"], strict=True)):
        left = x + 4 + place * 11.2
        pdf.rect(left, y + 45.2, 10.2, 7.6)
        put(left + 5.1, y + 47.4, "", 5, name, 0.5)
        put(left + 5.1, y + 51.3, "B", 10, str(value), 0.5)
    paragraph(x + 4, y + 54, 55, card["rules"])
    put(x + 59, y + 84.6, "B", 9, f"{card['points']} pts", 1.0)
    put(x + 4, y + 84.2, "", 5, f"n.º {card['number']}")
pdf.output(sys.argv[3])
