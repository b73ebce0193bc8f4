"""Small random edits of every shipped file: never a traceback, and every problem has its place.

The edits are the same in every run. `CARDGEN_MUTATIONS` asks for more than a thousand, `CARDGEN_SEED` for others.
"""

from __future__ import annotations

import os
import random
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path

import pytest
import yaml
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.pipeline.draw import draw
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import Target, choose
from cardgen.pipeline.verdicts import check_rules
from cardgen.workers import Workers

pytestmark = pytest.mark.fuzz

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES: list[str] = yaml.safe_load((ROOT / "cardgen.yaml").read_text("utf-8"))["games"]
TOTAL = int(os.environ.get("CARDGEN_MUTATIONS", "1000"))
SEED = os.environ.get("CARDGEN_SEED", "1")
SECONDS = 60

# Drawings are many and alike; the files that people write by hand are few.
WEIGHTS = {".yaml": 8, ".po": 8, ".j2": 6, ".css": 6, ".svg": 1}


def shipped() -> Iterator[Path]:
    for folder in ("layouts", "fonts", *(f"cards/{game}" for game in GAMES)):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in WEIGHTS:
                parts = path.relative_to(ROOT).parts
                if parts[0] != "layouts" or len(parts) == 2 or parts[1].startswith("_") or parts[1] in GAMES:
                    yield path
    yield ROOT / "cardgen.yaml"


FILES = list(shipped())
UNIT = TOTAL / sum(WEIGHTS[path.suffix] for path in FILES)

MARKS = "\t\0\x1b\"'`{}[]()<>:;,.|&*!%@#-+=/\\?~^$ \n09azÉ漢\u00a0\u2028\ufeff"
WORDS = (
    "0", "-1", "1e999", "99999999999999999999", "9" * 400, "none", "null", "true", "..", "/etc/passwd", "a" * 300,
    "{{", "}}", "{%", "%}", "{#", "{{ x }}", "{% for x in y %}", "<<: *a", "&a", "*a", "!!python/name:os", "|", ">",
    "- ", ": ", "url(", "var(--x)", "calc(", "@import 'x';", "<use href='#a'/>", "</svg>", "<!DOCTYPE x>", "&amp;",
    "&x;", "100%", "1e9mm", "0mm", "NaN", "inf", "-", "msgstr", "msgid \"\"", "#, fuzzy", "[star]", "**", "*",
)  # fmt: skip


def mutate(data: bytes, rng: random.Random) -> bytes:
    text = data.decode("utf-8")
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = edit(text, rng)
    changed = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.03 and changed:
        at = rng.randrange(len(changed))
        changed = changed[:at] + bytes([rng.randrange(256)]) + changed[at + 1 :]
    return changed


def edit(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(text) + 1)
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    words = list(re.finditer(r"[\w.%-]+", text))
    match rng.randrange(14):
        case 0:
            return text[:at] + text[at + rng.choice((1, 1, 2, 10)) :]
        case 1:
            return text[:at] + rng.choice(MARKS) + text[at:]
        case 2:
            return text[:at] + rng.choice(MARKS) + text[at + 1 :]
        case 3:
            return text[:at] + rng.choice(WORDS) + text[at:]
        case 4:
            lines.insert(other, lines[one])
        case 5:
            del lines[one]
        case 6:
            lines[one], lines[other] = lines[other], lines[one]
        case 7:
            return text[:at]
        case 8 if words:
            word = rng.choice(words)
            return text[: word.start()] + rng.choice(WORDS) + text[word.end() :]
        case 9 if words:
            word, new = rng.choice(words), rng.choice(words)
            return text[: word.start()] + new[0] + text[word.end() :]
        case 10:
            lines[one] = " " * rng.randrange(6) + lines[one].lstrip()
        case 11:
            end = min(len(text), at + rng.randrange(1, 200))
            return text[:end] + text[at:end] * rng.choice((1, 1, 5)) + text[end:]
        case 12 if words:
            # A word that is nearly right.
            word = rng.choice(words)
            letters = list(word[0])
            rng.shuffle(letters)
            return text[: word.start()] + "".join(letters) + text[word.end() :]
        case _:
            lines[one] = ""
    return "\n".join(lines)


class TooSlow(BaseException):
    """Not an Exception: those are caught on the way."""


@contextmanager
def deadline() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def check(path: Path, data: bytes, root: Path, rng: random.Random) -> Report:
    """Everything that `cardgen check` says about the shipped games when one of their files is `data`."""
    report = Report()
    name = path.relative_to(ROOT)
    game = name.parts[1] if name.parts[0] == "cards" else (GAMES[0] if len(name.parts) < 3 else name.parts[1])
    games = [game] if game in GAMES else GAMES[:1]
    files = {Path("cardgen.yaml"): f"name: x\ngames: {games}\n".encode(), name: data}
    for file, content in files.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_bytes(content)
    project = load_project(root, report)
    if project is None:
        return report
    languages = [path.stem] if path.suffix == ".po" else []
    games_there = [name for name in games if name in project.games]
    targets = choose(project, games_there, [], report)
    if games_there:
        source = project.games[games_there[0]].source
        targets = [one_print(target, path, rng) for target in targets if target.lang in (languages or [source])]
    if path.suffix == ".yaml" and game in project.games:
        check_rules(project, project.games[game], report)
    products = make_products(project, targets, Options(), report)
    if path.suffix in {".j2", ".css", ".svg"}:
        draw(project, few(project, products, path), Workers(), report)
    return report


def one_print(target: Target, path: Path, rng: random.Random) -> Target:
    """The target with one of its prints, one that uses the layout if there is one: filling all takes long."""
    game, stem = target.game, path.name.partition(".")[0].lstrip("_")
    shown = {card.id for card in game.cards.values() if path.name in map(str, card.values.values())}
    kinds = {kind.id for kind in game.kinds.values() if stem in f"{kind.front} {kind.back}"}
    kinds |= {game.cards[id].kind for id in shown}
    used = [
        item
        for item in target.prints
        if kinds & set(item.kinds) or (item.deck in game.decks and shown & game.decks[item.deck].cards.keys())
    ]
    prints = used or target.prints
    return structs.replace(target, prints=(rng.choice(prints),) if prints else ())


def few(project: Project, products: list[Product], path: Path) -> list[Product]:
    """The products with the few faces that show what the file is: one of each layout, one with its picture."""
    chosen = []
    layouts: set[str] = set()
    named = False
    for product in products:
        faces = {}
        for key, face in product.faces.items():
            shows = not named and path.suffix == ".svg" and path.stem in face.html
            if (face.layout not in layouts and path.suffix != ".svg") or shows:
                faces[key] = face
                layouts.add(face.layout)
                named = named or shows
        chosen.append(structs.replace(product, faces=faces))
    return chosen


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_mutated_file_is_told_about(path: Path, tmp_path: Path) -> None:
    sound = path.read_bytes()
    for number in range(ceil(WEIGHTS[path.suffix] * UNIT)):
        rng = random.Random(f"{SEED}/{path.relative_to(ROOT)}/{number}")
        data = mutate(sound, rng)
        (tmp_path / "last").write_bytes(data)  # for whoever looks into a failure
        with deadline():
            report = check(path, data, tmp_path / str(number), rng)
        for item in report:
            assert item.message and item.message.isprintable()
            assert item.span is not None, item
            if item.span.file.endswith((".yaml", ".po")) and item.code not in {"CG001", "CG209"}:
                assert item.span.line > 0 and item.span.column > 0, item
            if item.span.file == str(path.relative_to(ROOT)):
                assert item.span.line <= data.count(b"\n") + data.count(b"\r") + 2, item


def test_the_edits_are_the_same_every_time() -> None:
    sound = FILES[0].read_bytes()
    assert mutate(sound, random.Random("1")) == mutate(sound, random.Random("1"))


def test_they_are_a_thousand_and_of_every_kind() -> None:
    assert sum(ceil(WEIGHTS[path.suffix] * UNIT) for path in FILES) >= TOTAL
    assert {path.suffix for path in FILES} == WEIGHTS.keys()
