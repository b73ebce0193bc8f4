"""Writes the survivor job as a cardgen project: python project.py N FOLDER [ENGINE]."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from data import ICONS, STATS, survivors, write_pictures

GAME = """\
title: Survivor job
version: "1"
source: es
languages: [es]
labels: {{points: pts, number: n.º}}
kinds:
  survivor:
    title: Survivor
    trim: poker-eu
    front: survivors/card
    fields:
      title: {{type: text, required: true}}
      type: {{type: text}}
      colour: {{type: text, translate: false}}
      stats: {{type: list, of: {{type: integer, min: 1, max: 9}}}}
      rules: {{type: rich}}
      portrait: {{type: image}}
      number: {{type: integer}}
      points: {{type: integer}}
prints:
  cards: {{title: Survivors, version: "1", kinds: [survivor], sheet: a4-3x3, backs: none}}
"""
LAYOUT = """\
{% set engine = "ENGINE" %}
{% set css = ["survivors/card.css"] %}
<div class="frame" style="background:{{ card.colour }}"></div>
<div class="panel"></div>
<div class="title">{{ card.title }}</div>
<div class="type" style="color:{{ card.colour }}">{{ card.type }}</div>
<img class="portrait" src="{{ art_url(card.portrait) }}">
{% for name in STATS %}
<div class="stat" style="left:{{ (4 + loop.index0 * 11.2)|round(1) }}mm"><i>{{ name }}</i><b>{{ card.stats[loop.index0] }}</b></div>
{% endfor %}
<div class="rules">{{ card.rules|markup }}</div>
<div class="points">{{ card.points }} {{ labels.points }}</div>
<div class="number">{{ labels.number }} {{ card.number }}</div>
""".replace("STATS", json.dumps(list(STATS)))

CARDS_A_FILE = 5000


def write_project(count: int, folder: Path, engine: str = "card") -> None:
    """A project with `count` cards, drawn by that engine; the pictures are made once."""
    game = folder / "cards" / "survivors"
    layout = folder / "layouts" / "survivors"
    for path in (game / "cards", layout / "icons"):
        path.mkdir(parents=True, exist_ok=True)
    write_pictures(game / "art")
    (folder / "cardgen.yaml").write_text("name: survivor job\n", "utf-8")
    (game / "game.yaml").write_text(GAME.format(), "utf-8")
    (layout / "card.html.j2").write_text(LAYOUT.replace("ENGINE", engine), "utf-8")
    (layout / "card.css").write_text(
        Path(__file__).with_name("card.css").read_text("utf-8") + "body{font-family:text}", "utf-8"
    )
    for name, shape in ICONS.items():
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{shape}</svg>'
        (layout / "icons" / f"{name}.svg").write_text(svg, "utf-8")
    # A file holds at most so many values (docs/limits.md): large sets have several.
    files: list[list[str]] = []
    for index, card in enumerate(survivors(count)):
        if index % CARDS_A_FILE == 0:
            files.append([])
        files[-1] += [
            f"s{card.number}:",
            "  kind: survivor",
            f"  title: {card.title}",
            f"  type: {card.type}",
            f'  colour: "{card.colour}"',
            f"  stats: {list(card.stats)}",
            f"  rules: {json.dumps(card.rules, ensure_ascii=False)}",
            f"  portrait: {card.portrait}",
            f"  number: {card.number}",
            f"  points: {card.points}",
        ]
    for index, lines in enumerate(files):
        (game / "cards" / f"cards{index or ''}.yaml").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    write_project(int(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:4])
