"""Small projects for tests: a sound base that a test changes in one place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.project import Project

BASE: Mapping[str, str] = {
    "cardgen.yaml": "name: test\n",
    "cards/g/game.yaml": """\
title: Test Game
version: "1"
source: en
languages: [en]
labels: {points: Points}
dice:
  white: {title: White die, letter: W, colour: "#ffffff", faces: [blank, "1"]}
keywords:
  sharp: {title: Sharp, text: It cuts.}
  shots: {title: Shots, parameter: integer, text: It shoots.}
tracks:
  threat:
    title: Threat
    from: 1
    to: 4
    bands:
      - {id: low, title: Low, from: 1, to: 2, colour: "#00ff00"}
      - {id: high, title: High, from: 3, to: 4, colour: "#ff0000"}
kinds:
  item:
    title: Item
    trim: poker-eu
    front: g/item
    fields:
      name: {type: text, required: true}
      rules: {type: rich}
      points: {type: integer, min: 0, max: 20, default: 1}
    derived:
      double: card.points * 2
prints:
  items: {title: Items, version: "1", kinds: [item]}
""",
    "cards/g/cards/items.yaml": """\
axe:
  kind: item
  name: Axe
  rules: "**Chop** it."
rope:
  kind: item
  name: Rope
  copies: 2
""",
    "layouts/g/item.html.j2": """\
{% set css = ["g/item.css"] %}
{% from "_base/macros.html.j2" import fit, rich %}
<div class="ground"></div>
{% call fit("name", min=0.5) %}{{ card.name }}{% endcall %}
{% call fit("rules", min=0.8) %}{{ rich(card.rules) }}{% endcall %}
<div class="points">{{ card.points }}</div>
""",
    "layouts/g/item.css": """\
.face { font-family: text; font-size: 8pt; line-height: 1.3 }
.ground { position: absolute; left: -3mm; top: -3mm; width: 69mm; height: 94mm; background-color: #336699 }
.fit { position: absolute }
.fit.name { left: 4mm; top: 4mm; width: 55mm; height: 6mm; font-size: 12pt }
.fit.rules { left: 4mm; top: 50mm; width: 55mm; height: 20mm }
.fit p { margin: 0 }
.points { position: absolute; left: 50mm; top: 80mm }
""",
}


def write_project(root: Path, changes: Mapping[str, str | None] | None = None) -> Path:
    """Write the base project with some files replaced, added, or (None) left out; returns its folder."""
    for name, text in {**BASE, **(changes or {})}.items():
        path = root / name
        if text is None:
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def edit(name: str, old: str, new: str) -> dict[str, str]:
    """A change of one base file: `old`, which must be there, becomes `new`."""
    assert old in BASE[name], f"{old!r} is not in {name}"
    return {name: BASE[name].replace(old, new)}


def load(root: Path, report: Report | None = None) -> Project:
    """The project; without a report given, it must load without a problem."""
    own = Report()
    project = load_project(root, own if report is None else report)
    assert project is not None
    assert report is not None or not own.items, [item.message for item in own]
    return project
