"""The command line: exit codes, formats, what is written where. Run as people run it, in a process of its own."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cardgen.cli import band
from cardgen.files import shipped_root
from tests.support import BASE, edit, write_project


def cardgen(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "cardgen", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "p")


def test_a_build_writes_what_it_says(project: Path) -> None:
    done = cardgen(project, "build", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "output/g/en/items.pdf  1 page, 3 faces" in done.stdout
    assert (project / "output/g/en/items.pdf").read_bytes().startswith(b"%PDF-1.7")


def test_workers_change_no_byte(project: Path) -> None:
    files = []
    for jobs in ("1", "3"):
        assert cardgen(project, "build", "--jobs", jobs, "--output", f"out{jobs}").returncode == 0
        files.append((project / f"out{jobs}/g/en/items.pdf").read_bytes())
    assert files[0] == files[1]


def test_it_works_from_a_folder_below(project: Path) -> None:
    done = cardgen(project / "cards/g", "build", "--jobs", "1")
    assert done.returncode == 0
    assert (project / "output/g/en/items.pdf").exists()


def test_the_manifest(project: Path) -> None:
    done = cardgen(project, "build", "--jobs", "1", "--format", "json")
    manifest = json.loads(done.stdout)
    (made,) = manifest["files"]
    assert manifest["problems"] == []
    assert {key: made[key] for key in ("path", "pages", "paper_mm", "pieces", "copies", "engine")} == {
        "path": "output/g/en/items.pdf",
        "pages": 1,
        "paper_mm": [210.0, 297.0],
        "pieces": 2,
        "copies": 3,
        "engine": ["weasyprint"],
    }
    assert made["bytes"] == (project / made["path"]).stat().st_size


def test_problems_have_their_place_and_a_hint(tmp_path: Path) -> None:
    project = write_project(tmp_path, edit("cards/g/cards/items.yaml", "rules:", "rulez:"))
    done = cardgen(project, "check", "--jobs", "1")
    assert done.returncode == 1
    first, second = done.stderr.splitlines()
    assert first == "cards/g/cards/items.yaml:4:3: error[CG102]: unknown field `rulez` in item `axe`"
    assert second == "  hint: did you mean `rules`?"
    assert done.stdout == "1 error\n"


def test_problems_as_json_and_for_github(tmp_path: Path) -> None:
    project = write_project(tmp_path, edit("cards/g/cards/items.yaml", "rules:", "rulez:"))
    (problem,) = json.loads(cardgen(project, "check", "--jobs", "1", "--format", "json").stdout)["problems"]
    assert (problem["file"], problem["line"], problem["column"]) == ("cards/g/cards/items.yaml", 4, 3)
    assert (problem["code"], problem["severity"], problem["hint"]) == ("CG102", "error", "did you mean `rules`?")
    line = cardgen(project, "check", "--jobs", "1", "--format", "github").stdout.splitlines()[0]
    assert line.startswith("::error file=cards/g/cards/items.yaml,line=4,col=3,title=CG102::unknown field `rulez`")


def test_what_is_sound_is_built_and_what_is_not_is_reported(tmp_path: Path) -> None:
    layout = {"layouts/g/item.html.j2": "{% if card.id == 'axe' %}{{ card.nothing }}{% endif %}fine"}
    project = write_project(tmp_path, layout)
    done = cardgen(project, "build", "--jobs", "1")
    assert done.returncode == 1
    assert "error[CG302]: axe/front (en)" in done.stderr
    assert "1 page, 2 faces" in done.stdout


def test_strict_counts_warnings(tmp_path: Path) -> None:
    change = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]")
    project = write_project(tmp_path, change)
    assert cardgen(project, "check", "--jobs", "1").returncode == 0
    assert cardgen(project, "check", "--jobs", "1", "--strict").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("build", "h"), "there is no game `h`"),
        (("build", "g/itmes"), "did you mean `items`?"),
        (("build", "--lang", "xx"), "there is no language `xx`"),
        (("build", "--sheet", "a4-3x4"), "did you mean `a4-3x3`?"),
        (("build", "--jobs", "0"), "0 is not in the range"),
        (("build", "--project", "nowhere"), "is not a folder"),
        (("check", "--project", "cards"), "has no cardgen.yaml"),
        (("bild",), "No such command"),
        (("build", "--papre", "a4"), "No such option"),
    ],
)
def test_wrong_usage(project: Path, arguments: tuple[str, ...], word: str) -> None:
    done = cardgen(project, *arguments)
    assert done.returncode == 2
    assert word in done.stderr
    assert "Traceback" not in done.stderr
    assert not (project / "output").exists()


def test_paper_and_ink_are_in_the_name(project: Path) -> None:
    done = cardgen(project, "build", "--jobs", "1", "--paper", "letter", "--low-ink")
    assert done.returncode == 0
    assert [path.name for path in (project / "output").rglob("*.pdf")] == ["items-letter-lowink.pdf"]


def test_a_disk_that_refuses(project: Path) -> None:
    (project / "output").write_text("a file where the folder should be")
    done = cardgen(project, "build", "--jobs", "1")
    assert done.returncode == 1
    assert "error[CG501]" in done.stderr and "Traceback" not in done.stderr


def test_pictures(project: Path) -> None:
    done = cardgen(project, "export", "png", "--jobs", "1", "--dpi", "100")
    assert (done.returncode, done.stdout) == (0, "2 pictures in output/g/en/png, no problems\n")
    names = sorted(path.name for path in (project / "output/g/en/png").iterdir())
    assert names == ["axe-front.png", "rope-front.png"]


def test_the_pipe_may_close(project: Path) -> None:
    command = f"'{sys.executable}' -m cardgen check --format json --jobs 1 | head -c 1"
    done = subprocess.run(command, shell=True, cwd=project, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "{" and "Traceback" not in done.stderr


def test_a_new_project_builds_at_once_and_cleanly(tmp_path: Path) -> None:
    made = cardgen(tmp_path, "new", "mine")
    assert made.returncode == 0 and "cd mine" in made.stdout
    done = cardgen(tmp_path / "mine", "build", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "mine/output/mygame/es/first.pdf").exists()
    # All that a strict build asks for is who made and who translated it.
    strict = cardgen(tmp_path / "mine", "build", "--strict", "--jobs", "1")
    assert (strict.returncode, set(re.findall(r"CG\d+", strict.stderr))) == (1, {"CG238", "CG243"})
    schemas = {path.name for path in (tmp_path / "mine/docs/schema").iterdir()}
    assert {"mygame-cards.schema.json", "game.schema.json"} <= schemas
    # What is built is not kept with the sources.
    assert (tmp_path / "mine/.gitignore").read_text().splitlines()[-1] == "/output/"


def test_backs_in_a_file_of_their_own_take_no_paper(tmp_path: Path) -> None:
    project = write_project(
        tmp_path, edit("cards/g/game.yaml", "    front: g/item\n", "    front: g/item\n    back: g/item\n")
    )
    arguments = ["build", "--jobs", "1", "--backs", "separate", "--estimate"]
    made = json.loads(cardgen(project, *arguments, "--format", "json").stdout)["files"]
    assert [(Path(item["path"]).name, item["pages"], item["sheets"]) for item in made] == [
        ("items-separate.pdf", 1, 1),
        ("items-separate-backs.pdf", 1, 0),
    ]
    said = cardgen(project, *arguments).stdout
    rows = [line.split() for line in said.splitlines() if line.strip().startswith("g/en/") and "page" not in line]
    assert [row[:2] for row in rows] == [["g/en/items-separate.pdf", "1"], ["g/en/items-separate-backs.pdf", "0"]]
    assert "fed again" in said
    assert next(line.split()[:4] for line in said.splitlines() if "all of it" in line) == ["all", "of", "it", "1"]


def test_a_new_project_may_begin_with_a_shipped_game(tmp_path: Path) -> None:
    made = cardgen(tmp_path, "new", "mine", "--game", "arena", "--game", "twd")
    assert made.returncode == 0 and "studio" in made.stdout
    assert "games: [arena, twd]" in (tmp_path / "mine/cardgen.yaml").read_text("utf-8")
    assert not (tmp_path / "mine/cards").exists()
    listed = cardgen(tmp_path / "mine", "catalogue", "arena")
    assert listed.returncode == 0 and "unreachable options: none" in listed.stdout
    wrong = cardgen(tmp_path, "new", "other", "--game", "arenna")
    assert wrong.returncode == 2 and "did you mean `arena`" in wrong.stderr
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("folder", ["cards", "layouts/g", "cards/../fonts", "cards/new/deeper"])
def test_nothing_is_written_among_the_projects_own_files(project: Path, folder: str) -> None:
    before = sorted(project.rglob("*"))
    done = cardgen(project, "build", "--output", folder)
    assert done.returncode == 2 and f"`{folder}` is where the project's own files lie" in done.stderr
    assert sorted(project.rglob("*")) == before


def test_a_legal_band_that_only_gets_advice_is_not_said_to_have_no_mend(tmp_path: Path) -> None:
    """What the warnings say would be better is theirs to say; the search is for what could be added."""
    text = (shipped_root() / "cards/zcorps/bands/wick.yaml").read_text("utf-8")
    text = text.replace("dexterity: {dice: 3, pips: 1}", "dexterity: {dice: 6}").replace("expect: {verdict: legal}", "")
    assert cardgen(tmp_path, "new", "p", "--game", "zcorps").returncode == 0
    file = tmp_path / "p" / "cards/zcorps/bands/quick.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    told = cardgen(tmp_path / "p", "band", str(file), "--suggest").stdout
    assert told.count("D6-SHEET-d") == 2
    assert "nothing was found to add; the advice above is yours to take" in told
    assert "no suggestion" not in told


def test_the_way_to_a_new_project_can_be_pasted(tmp_path: Path) -> None:
    told = cardgen(tmp_path, "new", "my été cards").stdout.splitlines()
    assert told[1] == "  cd 'my été cards'"
    assert (tmp_path / shlex.split(told[1])[1] / "cardgen.yaml").is_file()
    assert cardgen(tmp_path, "new", "plain").stdout.splitlines()[1] == "  cd plain"


def test_a_new_project_touches_nothing_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("keep")
    done = cardgen(tmp_path, "new", "mine")
    assert done.returncode == 2 and "is not empty" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_a_card_with_errors_is_left_out_and_not_made_up(tmp_path: Path) -> None:
    project = write_project(tmp_path, edit("cards/g/cards/items.yaml", "name: Axe", "name: Axe\n  points: 99"))
    done = cardgen(project, "build", "--jobs", "1", "--format", "json")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    (made,) = result["files"]
    assert (made["copies"], made["left_out"]) == (2, ["axe"])
    assert [problem["code"] for problem in result["problems"]] == ["CG022", "CG405"]


DECK = "title: First\ncards: {axe: 1, rope: 2}\n"
OF_DECK = edit("cards/g/game.yaml", 'version: "1", kinds: [item]', 'version: "1", deck: first')
ITEMS = BASE["cards/g/cards/items.yaml"]


@pytest.mark.parametrize(
    ("changes", "lost", "codes"),
    [
        # a file that ends in the middle of a text
        (
            {
                **OF_DECK,
                "cards/g/cards/items.yaml": ITEMS[: ITEMS.index("rope:")],
                "cards/g/cards/more.yaml": 'rope: {kind: item, name: Rope}\nbad: "\n',
            },
            ["rope"],
            ["CG003", "CG405"],
        ),
        ({**OF_DECK, "cards/g/decks/first.yaml": DECK.replace("2", "1000")}, ["rope"], ["CG022", "CG405"]),
        ({**OF_DECK, "cards/g/decks/first.yaml": DECK.replace("2", "many")}, ["rope"], ["CG020", "CG405"]),
        ({**OF_DECK, "cards/g/decks/first.yaml": DECK.replace("rope", "rupe")}, ["rupe"], ["CG104", "CG405"]),
        # what was meant would have its default
        (edit("cards/g/cards/items.yaml", "name: Axe", "name: Axe\n  piontz: 9"), ["axe"], ["CG102", "CG405"]),
    ],
)
def test_what_could_not_be_read_is_told_as_left_out(
    tmp_path: Path, changes: dict[str, str], lost: list[str], codes: list[str]
) -> None:
    project = write_project(tmp_path, {"cards/g/decks/first.yaml": DECK, **changes})
    done = cardgen(project, "build", "--jobs", "1", "--format", "json")
    result = json.loads(done.stdout)
    assert done.returncode == 1 and [made["left_out"] for made in result["files"]] == [lost]
    assert {*codes} <= {problem["code"] for problem in result["problems"]}


def test_a_print_of_kinds_tells_of_a_file_that_was_not_read_whole(tmp_path: Path) -> None:
    project = write_project(tmp_path, {"cards/g/cards/more.yaml": 'saw: {kind: item, name: Saw}\nbad: "\n'})
    done = cardgen(project, "build", "--jobs", "1")
    assert done.returncode == 1
    assert "items: not printed, because of their errors: whatever else `cards/g/cards/more.yaml` holds" in done.stderr


def test_a_file_of_an_earlier_build_is_told(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    assert cardgen(project, "build", "--jobs", "1").returncode == 0
    (project / "layouts/g/item.html.j2").write_text("{% if %}", "utf-8")
    done = cardgen(project, "build", "--jobs", "1")
    assert done.returncode == 1
    assert "output/g/en/items.pdf is of an earlier build: nothing was written in its place" in done.stderr
    told = json.loads(cardgen(project, "build", "--jobs", "1", "--format", "json").stdout)
    assert told["files"] == [] and told["older"] == ["output/g/en/items.pdf"]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["--paper", "letter"], ["items-letter.pdf"]),
        (["--sheet", "single-1up"], ["items-single-1up.pdf"]),
        (["--marks", "none"], ["items-none-marks.pdf"]),
        (["--backs", "none", "--no-backgrounds"], ["items-nobg-nobacks.pdf"]),
        (["--sheet", "letter-3x3", "--low-ink"], ["items-letter-3x3-lowink.pdf"]),
    ],
)
def test_no_variant_overwrites_the_file_itself(project: Path, options: list[str], names: list[str]) -> None:
    assert cardgen(project, "build", "--jobs", "1").returncode == 0
    before = (project / "output/g/en/items.pdf").read_bytes()
    assert cardgen(project, "build", "--jobs", "1", *options).returncode == 0
    assert (project / "output/g/en/items.pdf").read_bytes() == before
    assert sorted(path.name for path in (project / "output").rglob("*.pdf")) == sorted(["items.pdf", *names])


def test_outside_of_a_project_a_game_must_be_named(tmp_path: Path) -> None:
    done = cardgen(tmp_path, "build")
    assert done.returncode == 2
    assert "there is no cardgen.yaml here or above" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_shipped_game_is_built_into_the_folder_one_stands_in(tmp_path: Path) -> None:
    done = cardgen(tmp_path, "build", "twd/equipment", "--lang", "en", "--jobs", "1")
    assert done.returncode == 0
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.pdf")] == [
        "output/twd/en/equipment.pdf"
    ]


def test_a_search_says_on_a_terminal_that_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", told := Terminal())
    with band._searching():
        pass
    assert "looking for the fewest changes, for 10 seconds at most" in told.getvalue()
    # Files and pipes hear nothing of it.
    monkeypatch.setattr(sys, "stderr", quiet := io.StringIO())
    with band._searching():
        pass
    assert quiet.getvalue() == ""
