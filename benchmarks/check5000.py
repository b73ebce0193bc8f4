"""A set of 5,000 cards in three languages: every check but fit in one process, then fit over workers: seconds, memory.

    python benchmarks/check5000.py [--cards N] [--no-fit] [--jobs N]

Fit draws and measures all 15,000 faces and is reported apart. The target: under 30 s and 1 GB on two cores, without fit.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.pipeline.build import check
from cardgen.pipeline.languages import to_print
from cardgen.pipeline.targets import choose
from cardgen.pipeline.texts import role_characters
from cardgen.pipeline.verdicts import check_rules
from cardgen.workers import open_workers

GAME = """\
title: Five Thousand
subtitle: made for a benchmark
version: "1"
source: en
languages: [en, es, ru]
credits: Nobody
licence: CC0
report_url: https://example.org/{id}
dice:
  white: {title: White die, letter: W, colour: "#ffffff", faces: [blank, "1"]}
kinds:
  item:
    title: Item
    trim: poker-eu
    front: g/item
    fields:
      name: {type: text, required: true}
      traits: {type: text}
      rules: {type: rich}
      flavour: {type: text}
      points: {type: integer, min: 0, max: 20, default: 1}
prints:
  items: {title: Items, version: "1", kinds: [item]}
"""
LAYOUT = """\
{% set profile = "card" %}
{% set css = ["_base/base.css", "g/item.css"] %}
{% from "_base/macros.html.j2" import fit, rich %}
{% call fit("name", min=0.5) %}{{ card.name }}{% endcall %}
{% call fit("traits", min=0.5) %}{{ card.traits }}{% endcall %}
{% call fit("rules", min=0.6, prose=True) %}{{ rich(card.rules) }}{% endcall %}
{% call fit("flavour", min=0.6) %}{{ card.flavour }}{% endcall %}
"""
STYLE = """\
.face { font-family: text, symbols; font-size: 8pt; line-height: 1.3 }
.fit { position: absolute }
.fit.name { left: 4mm; top: 4mm; width: 55mm; height: 6mm; font-size: 12pt }
.fit.traits { left: 4mm; top: 12mm; width: 55mm; height: 5mm }
.fit.rules { left: 4mm; top: 45mm; width: 55mm; height: 25mm; hyphens: auto }
.fit.flavour { left: 4mm; top: 72mm; width: 55mm; height: 12mm }
.fit p { margin: 0 }
"""
# Word by word the same in each language, so that terms agree.
WORDS = {
    "en": "walker moves into some ruined station before any hunter takes more tokens from that hidden supply".split(),  # noqa: SIM905
    "es": "caminante entra en una arruinada estación antes que cazador tome más fichas de aquella oculta reserva".split(),  # noqa: SIM905
    "ru": "ходячий входит на эту разрушенную станцию прежде чем охотник возьмёт ещё жетоны из того запаса".split(),  # noqa: SIM905
}
GLOSSARY = {"es": ("caminante", "estación", "cazador"), "ru": ("ходяч", "станци", "охотник")}


def write(root: Path, count: int) -> None:
    """The project: cards in files of 100, translations that are whole, a glossary a language."""

    def put(name: str, text: str) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    put("cardgen.yaml", "name: benchmark\n")
    put("cards/g/game.yaml", GAME)
    put("layouts/g/item.html.j2", LAYOUT)
    put("layouts/g/item.css", STYLE)
    chance = random.Random(1)

    def text(lang: str, seed: int, words: int, ending: str = "") -> str:
        # The same words in the same order in each language, so that numbers and ends agree.
        order = random.Random(seed)
        chosen = [order.randrange(15) for _ in range(words)]
        chosen = [n for at, n in enumerate(chosen) if not at or n != chosen[at - 1]]
        line = " ".join(WORDS[lang][n] for n in chosen)
        return line[:1].upper() + line[1:] + ending

    def fields(lang: str, n: int) -> dict[str, str]:
        return {
            "name": f"{text(lang, n, 2)} {n}",
            "traits": text(lang, n + 10**6, 3),
            "rules": f"**{text(lang, n + 2 * 10**6, 1)}:** [white] {text(lang, n + 3 * 10**6, 22)} ({n % 9}).",
            "flavour": text(lang, n + 4 * 10**6, 9, "."),
        }

    catalogs: dict[str, list[str]] = {lang: [] for lang in ("es", "ru")}

    def entry(lang: str, context: str, source: str, target: str) -> None:
        catalogs[lang].append(f'msgctxt "{context}"\nmsgid "{source}"\nmsgstr "{target}"\n')

    own = {
        "game/title": "Five Thousand", "game/subtitle": "made for a benchmark", "game/credits": "Nobody",
        "dice/white.title": "White die", "kinds/item.title": "Item", "prints/items.title": "Items",
    }  # fmt: skip
    for lang in catalogs:
        for context, source in own.items():
            entry(lang, context, source, WORDS[lang][0] + " " + WORDS[lang][1])
    for start in range(0, count, 100):
        lines = []
        for n in range(start, min(start + 100, count)):
            source = fields("en", n)
            lines.append(f"c{n}:\n  kind: item\n  points: {chance.randrange(20)}\n")
            lines += [f'  {name}: "{value}"\n' for name, value in source.items()]
            for lang in catalogs:
                for name, value in fields(lang, n).items():
                    entry(lang, f"c{n}/{name}", source[name], value)
        put(f"cards/g/cards/pack{start // 100:03}.yaml", "".join(lines))
    for lang, entries in catalogs.items():
        head = f'msgid ""\nmsgstr "Language: {lang}\\nX-Translators: Nobody\\n"\n\n'
        put(f"cards/g/i18n/{lang}.po", head + "\n".join(entries))
        terms = zip(("walker", "station", "hunter"), GLOSSARY[lang], strict=True)
        put(
            f"cards/g/glossary/{lang}.yaml",
            "".join(f"{a}: {{source: {a}, target: {b}, stems: [{b}]}}\n" for a, b in terms),
        )


def peak(who: int = resource.RUSAGE_SELF) -> float:
    """The most memory that this process has had, in MB; of its workers (RUSAGE_CHILDREN) the one that had the most."""
    return resource.getrusage(who).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=5000)
    parser.add_argument("--no-fit", action="store_true", help="do not draw and measure the faces")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, given.cards)
        began = time.perf_counter()
        report = Report()
        project = load_project(root, report)
        assert project is not None
        loaded = time.perf_counter()
        game = project.games["g"]
        characters = role_characters(project.shelf, project.fonts, report)
        for lang in game.languages:
            to_print(project, game, lang, characters, report)
        check_rules(project, game, report)
        done = time.perf_counter()
        texts = len(game.strings) * len(game.languages)
        print(f"{given.cards} cards, {texts} texts in {len(game.languages)} languages, {len(report)} problems")
        print(
            f"load {loaded - began:.1f} s, checks {done - loaded:.1f} s, together {done - began:.1f} s, {peak():.0f} MB",
            flush=True,
        )
        if not given.no_fit:
            with open_workers(given.jobs) as workers:
                began = time.perf_counter()
                check(project, choose(project, ["g"], []), workers, report := Report())
                took = time.perf_counter() - began
            faces = given.cards * len(game.languages)
            print(
                f"with fit {took:.1f} s over {given.jobs} workers ({took * 1000 / faces:.1f} ms a face of {faces}),"
                f" {peak():.0f} MB, the largest worker {peak(resource.RUSAGE_CHILDREN):.0f} MB, {len(report)} problems"
            )
            for item in report.sorted()[:5]:
                print(f"{item.code} {item.message}")


if __name__ == "__main__":
    main()
