"""What the documentation says is true: links lead somewhere, generated pages are current, commands run."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.load.schemas import schemas

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "layouts/README.md",
    ROOT / "fonts/README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text("utf-8")) if "://" not in link]
    missing = [link for link in links if not (page.parent / link).exists()]
    assert not missing


def test_every_yaml_file_names_a_schema_that_is_there() -> None:
    files = [ROOT / "cardgen.yaml", *(ROOT / "layouts").glob("**/*.yaml"), ROOT / "fonts/fonts.yaml"]
    files += (ROOT / "cards").glob("*/*.yaml")
    for folder in ("cards", "decks", "rules", "bands"):
        files += (ROOT / "cards").glob(f"*/{folder}/**/*.yaml")
    for file in files:
        first = file.read_text("utf-8").partition("\n")[0]
        named = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
        assert named is not None, file
        assert (file.parent / named[1]).is_file(), f"{file}: {named[1]}"


def test_schemas_are_current() -> None:
    project = load_project(ROOT, Report())
    expected = schemas(project)
    written = {path.name: json.loads(path.read_text("utf-8")) for path in (ROOT / "docs/schema").glob("*.json")}
    assert written.keys() == expected.keys(), "run `cardgen schema`"
    for name, schema in expected.items():
        assert written[name] == json.loads(json.dumps(schema)), f"{name}: run `cardgen schema`"


def test_pages_of_rules_are_current() -> None:
    expected = script("make_rules").pages()
    written = {path.name: path.read_text("utf-8") for path in (ROOT / "docs/rules").glob("*.md")}
    assert written == expected, "run `python docs/make_rules.py`"


def test_the_page_of_trims_is_current() -> None:
    written = (ROOT / "docs/trims.md").read_text("utf-8")
    assert written == script("make_trims").page(), "run `python docs/make_trims.py`"


def test_the_page_of_components_is_current() -> None:
    written = (ROOT / "docs/components.md").read_text("utf-8")
    assert written == script("make_components").page(), "run `python docs/make_components.py`"


def test_the_gallery_shows_and_judges_every_print() -> None:
    project = load_project(ROOT, Report())
    assert project is not None
    gallery = script("make_gallery")
    judgements = yaml.safe_load((ROOT / "docs/gallery/judgements.yaml").read_text("utf-8"))
    prints = [(game, item) for game in project.games.values() for item in game.prints.values()]
    assert {f"{game.id}/{item.id}" for game, item in prints} == set(judgements)
    for game, item in prints:
        side = gallery.sides_of(item)[0]
        for lang in gallery.languages_of(game, item):
            assert (ROOT / "docs/gallery" / gallery.name_of(game.id, lang, item.id, side)).is_file()


def blocks(text: str) -> list[str]:
    """The lines of indented blocks that are commands."""
    return [line.strip() for line in text.splitlines() if re.match(r"    (\./run )?(cardgen|\./run cardgen) ", line)]


def serves(command: list[str], folder: Path) -> bool:
    """Whether a command that serves until it is ended answers at the address that it says."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            if found is None:
                return False
            with urllib.request.urlopen(found[0], timeout=60) as answer:
                return bool(answer.status == 200)
        finally:
            process.terminate()


@pytest.mark.docs
def test_the_readmes_commands_run(tmp_path: Path) -> None:
    commands = blocks((ROOT / "README.md").read_text("utf-8"))
    assert len(commands) >= 2
    # the files of the checkout, as its reader sees them
    (tmp_path / "cards").symlink_to(ROOT / "cards")
    for command in commands:
        words = shlex.split(command.partition("#")[0].replace("./run cardgen", "cardgen"))
        run = [sys.executable, "-m", *words, *(["--output", "output"] if words[1] == "kit" else [])]
        if words[1] == "studio":
            assert serves([*run, "--no-open", "--port", "0"], tmp_path), command
            continue
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


# The pages of the shipped games, and what they tell to type.
GAMES = [ROOT / f"docs/{name}.md" for name in ("twd", "arena", "zombies", "zcorps", "kits", "odds", "booklets")]


def test_every_shipped_game_has_a_page_with_pictures_that_the_readme_links() -> None:
    project = load_project(ROOT, Report())
    assert project is not None
    readme = (ROOT / "README.md").read_text("utf-8")
    for game in project.games.values():
        page = (ROOT / f"docs/{game.id}.md").read_text("utf-8")
        assert f"](docs/{game.id}.md)" in readme
        assert page.count("](gallery/") >= 4 and blocks(page)
        # Every print is told of.
        assert not {item for item in game.prints if f"`{item}`" not in page}


@pytest.mark.docs
@pytest.mark.parametrize("page", GAMES, ids=lambda page: page.stem)
def test_the_commands_of_the_games_pages_run(page: Path, tmp_path: Path) -> None:
    commands = blocks(page.read_text("utf-8"))
    assert commands
    # What an earlier page or the README tells as well is run there.
    before = [ROOT / "README.md", *GAMES[: GAMES.index(page)]]
    known = {told.removeprefix("./run ") for other in before for told in blocks(other.read_text("utf-8"))}
    for command in commands:
        if command in known:
            continue
        # Several columns, the last of which says what a command is for.
        words = shlex.split(re.split(r"\s{3,}|#", command)[0].replace("./run cardgen", "cardgen"))
        words = [str(tmp_path / word) if word.endswith(".pdf") else word for word in words]
        if words[1] in ("build", "kit"):
            # One language of a box is enough: `./run build` makes all of them.
            words += ["--output", str(tmp_path), *([] if "--lang" in words or words[1] == "kit" else ["--lang", "ru"])]
        run = [sys.executable, "-m", *words]
        done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


@pytest.mark.docs
def test_the_readmes_error_is_the_real_one(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    shown = re.search(r"    (cards/\S+: error\[CG102\].*)\n      (hint: .*)", text)
    assert shown is not None
    copy = tmp_path / "copy"
    for name in ("cards/twd", "layouts/twd"):
        subprocess.run(["cp", "-r", "--parents", name, str(copy)], cwd=ROOT, check=True) if copy.exists() else (
            copy.mkdir(),
            subprocess.run(["cp", "-r", "--parents", name, str(copy)], cwd=ROOT, check=True),
        )
    (copy / "cardgen.yaml").write_text("name: copy\ngames: [twd]\n")
    cards = copy / "cards/twd/cards/equipment.yaml"
    line, column = map(int, shown[1].split(":")[1:3])
    lines = cards.read_text("utf-8").splitlines(keepends=True)
    assert lines[line - 1][column - 1 :].startswith("points:"), "the README names another line"
    lines[line - 1] = lines[line - 1].replace("points:", "piont:")
    cards.write_text("".join(lines), "utf-8")
    run = [sys.executable, "-m", "cardgen", "check", "--lang", "en", "--jobs", "1"]
    done = subprocess.run(run, cwd=copy, capture_output=True, text=True, timeout=300, check=False)
    assert shown[1] in done.stderr and shown[2] in done.stderr
