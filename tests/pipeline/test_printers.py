"""Printers' profiles: kept whole, read strictly, made from readings, and used by builds."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem, UsageError
from cardgen.load.printer import printer_text, read_printer
from cardgen.model.printer import Offset, Printer
from cardgen.pipeline.build import build
from cardgen.pipeline.calibrate import bench, learn, read_readings, write_sheet
from cardgen.pipeline.judged import judge_files
from cardgen.pipeline.kits.make import make_kit
from cardgen.pipeline.printers import VARIABLE, known_printers, printers_folder, the_printer, write_printer
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.sheets.calibration import Readings
from cardgen.workers import Workers
from tests.support import edit, load, write_project

ROOT = Path(__file__).resolve().parents[2]
HOME = Printer("home", "long-edge", 0.995, 0.997, 0.2, Offset(0.8, -1.2))
BACKS = {
    **edit("cards/g/game.yaml", "    front: g/item\n", "    front: g/item\n    back: g/back\n"),
    "layouts/g/back.html.j2": '{% set css = ["g/item.css"] %}<div class="points" style="left: 5mm">behind</div>',
}


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    monkeypatch.setenv(VARIABLE, str(folder))
    return folder


# --- files -----------------------------------------------------------------------------------------------------------

offsets = st.none() | st.builds(Offset, st.floats(-10, 10), st.floats(-10, 10))


@given(
    st.builds(
        Printer,
        st.just("p"),
        st.sampled_from(["long-edge", "short-edge"]),
        st.floats(0.95, 1.05),
        st.floats(0.95, 1.05),
        st.floats(-3, 3),
        offsets,
        offsets,
    )
)
def test_what_is_written_is_read(printer: Printer) -> None:
    report = Report()
    folder = Path(os.environ[VARIABLE])
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "p.yaml"
    file.write_text(printer_text(printer), "utf-8")
    found = read_printer(file, "p", report)
    assert report.items == []
    assert found is not None
    assert found.flip == printer.flip
    assert (found.scale_short, found.scale_long) == pytest.approx((printer.scale_short, printer.scale_long), abs=1e-6)
    assert found.turn == pytest.approx(printer.turn, abs=1e-4)
    for mine, other in ((found.portrait, printer.portrait), (found.landscape, printer.landscape)):
        assert (mine is None) == (other is None)
        if mine is not None and other is not None:
            assert (mine.x, mine.y) == pytest.approx((other.x, other.y), abs=1e-3)


def test_printers_have_a_file_each(config: Path) -> None:
    assert known_printers() == []
    write_printer(HOME)
    write_printer(Printer("office", "short-edge"))
    (config / "printers/Not One.yaml").write_text("x")
    assert known_printers() == ["home", "office"]
    assert sorted(path.name for path in (config / "printers").iterdir()) == ["Not One.yaml", "home.yaml", "office.yaml"]
    report = Report()
    assert the_printer("home", report) == HOME
    assert the_printer("office", report) == Printer("office", "short-edge")
    assert report.items == []


def test_without_the_variable_the_systems_folder_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert printers_folder() == tmp_path / "xdg/cardgen/printers"
    assert printers_folder().name == "printers"


def test_an_unknown_printer_and_none_at_all() -> None:
    with pytest.raises(UsageError, match=r"no printer `home`, and none was measured yet: .*`cardgen calibrate`"):
        the_printer("home", Report())
    write_printer(HOME)
    with pytest.raises(UsageError, match=r"no printer `hone`; did you mean `home`\?"):
        the_printer("hone", Report())
    with pytest.raises(UsageError, match=r"no printer `x`; known: home\. To measure another: .*--measured"):
        the_printer("x", Report())


@pytest.mark.parametrize("name", ["", "../home", "a/b", "Home", "a b", "x" * 80, ".hidden", "a\0b"])
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a printer"):
        the_printer(name, Report())


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("turn: 90\n", "CG022", (1, 7)),
        ("flip: sideways\n", "CG024", (1, 7)),
        ("scale: {short: 0, long: 1}\n", "CG022", (1, 16)),
        ("scale: {short: .nan}\n", "CG020", (1, 16)),
        ("portrait: {x: 3, y: 0mm}\n", "CG021", (1, 15)),
        ("portrait: {x: 40mm, y: 0mm}\n", "CG022", (1, 15)),
        ("landscape: {x: 1mm}\n", "CG025", (1, 12)),
        ("offset: 3mm\n", "CG100", (1, 1)),
        ("- 1\n", "CG020", (1, 1)),
        ("", "CG009", (1, 1)),
        ("turn:\t1\n", "CG004", (1, 6)),
    ],
)
def test_a_file_that_was_edited_to_nonsense(config: Path, text: str, code: str, place: tuple[int, int]) -> None:
    file = config / "printers/home.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    report = Report()
    found = the_printer("home", report)
    (problem, *_) = report
    assert problem.code == code
    assert problem.span is not None
    assert (problem.span.file, problem.span.line, problem.span.column) == (file.as_posix(), *place)
    # A key too many leaves the rest as good as it was; whatever else is wrong, nothing is corrected by half.
    assert found is None or code == "CG100"


def test_a_folder_in_place_of_a_file(config: Path) -> None:
    (config / "printers/home.yaml").mkdir(parents=True)
    report = Report()
    assert the_printer("home", report) is None
    assert [item.code for item in report] == ["CG001"]


def test_a_file_where_the_folder_should_be(config: Path) -> None:
    config.write_text("here")
    assert known_printers() == []
    with pytest.raises(FileProblem, match="is a file; a folder is needed"):
        write_printer(HOME)


def test_a_full_disk_leaves_the_old_profile(config: Path) -> None:
    write_printer(HOME)
    before = (config / "printers/home.yaml").read_bytes()
    script = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
from cardgen.errors import FileProblem
from cardgen.model.printer import Printer
from cardgen.pipeline.printers import write_printer
try:
    write_printer(Printer("home", "short-edge"))
except FileProblem as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "home.yaml` cannot be written: File too large" in done.stdout
    assert (config / "printers/home.yaml").read_bytes() == before
    assert [path.name for path in (config / "printers").iterdir()] == ["home.yaml"]


# --- readings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("ax=0.5 ay=-1 bx=.25 by=+1", Readings(0.5, -1, 0.25, 1)),
        ("ax=0.5, ay=-1, bx=0, by=1", Readings(0.5, -1, 0, 1)),
        ("ax=0,5,ay=-1,25,bx=0,by=1", Readings(0.5, -1.25, 0, 1)),
        ("ax = 0,5; ay = −1,25; bx = 0; by = 1mm", Readings(0.5, -1.25, 0, 1)),
        ("  width=149.5\n height=199.5mm ", Readings(width=149.5, height=199.5)),
    ],
)
def test_readings_are_taken_as_people_write_them(text: str, readings: Readings) -> None:
    assert read_readings(text) == readings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no readings; expected ax, ay, bx, by, width, height"),
        ("ax", "`ax` is no reading; such as `ax=0.5`"),
        ("0.5", "`0.5` is no reading"),
        ("widht=149", "`widht=149` is no reading; did you mean `width`?"),
        ("width=nan", "`width=nan`: expected millimetres, such as `width=149.5`"),
        ("width=inf", "expected millimetres"),
        ("width=1e3", "expected millimetres"),
        ("width=15cm", "expected millimetres"),
        ("width=", "expected millimetres"),
        ("width=1 width=2", "`width` is there twice"),
        ("ax=1 ay=2 width=150", "ax, ay, bx and by go together; missing: bx, by"),
        ("width=149=150", "expected millimetres"),
    ],
)
def test_readings_that_cannot_be_read(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        read_readings(text)


@given(st.text(max_size=40))
def test_any_text_is_readings_or_a_clear_no(text: str) -> None:
    try:
        read_readings(text)
    except UsageError as error:
        assert str(error)


@pytest.mark.parametrize(
    "text", ["ax=40 ay=0 bx=0 by=0", "width=0", "height=-200", "width=nan", "ax=1", "ax=9 ay=0 bx=-9 by=0", "x"]
)
def test_bad_readings_write_nothing(config: Path, text: str) -> None:
    project = load(ROOT)
    with pytest.raises(UsageError):
        learn(bench(project, None, None), text, "home", "long-edge", Report())
    assert not config.exists()


def test_a_profile_is_written_and_completed(config: Path) -> None:
    project, report = load(ROOT), Report()
    standing, lying = bench(project, None, None), bench(project, "letter-8up", None)
    assert (standing.template.id, lying.paper.width > lying.paper.height) == ("a4-3x3", True)
    learn(standing, "ax=1 ay=-1 bx=1 by=-1 width=149.7 height=199.6", "home", "long-edge", report)
    learn(lying, "ax=-2 ay=0.5 bx=-2 by=0.5", "home", "long-edge", report)
    found = the_printer("home", report)
    assert report.items == []
    assert found is not None
    assert (found.scale_short, found.scale_long) == pytest.approx((0.998, 0.998))
    assert found.portrait is not None
    assert found.landscape is not None
    assert (found.portrait.x, found.portrait.y) == pytest.approx((1, -1), abs=0.02)
    assert (found.landscape.x, found.landscape.y) == pytest.approx((-2, 0.5), abs=0.02)
    assert (config / "printers/home.yaml").read_text("utf-8").startswith("# How the printer `home` prints")


def test_a_page_that_was_scaled_is_told(config: Path) -> None:
    report = Report()
    assert learn(bench(load(ROOT), None, None), "width=145.5 height=199.5", "home", "long-edge", report) is not None
    (told,) = report
    assert told.code == "CG510"
    assert told.message == "along the short edge the sheet came out at 97.0 % of its size"


def test_a_broken_profile_is_not_written_over(config: Path) -> None:
    file = config / "printers/home.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("turn: 90\n")
    report = Report()
    assert learn(bench(load(ROOT), None, None), "width=149.5", "home", "long-edge", report) is None
    assert [item.code for item in report] == ["CG022"]
    assert file.read_text() == "turn: 90\n"


# --- the sheet -------------------------------------------------------------------------------------------------------


def test_the_sheet_is_a_sound_file_of_two_sides(tmp_path: Path) -> None:
    project = load(ROOT)
    for lang, word in (("en", "Calibration sheet"), ("es", "Hoja de calibración"), ("ru", "Калибровочный лист")):
        path = write_sheet(project, bench(project, None, "letter"), lang, "short-edge", tmp_path, "home")
        assert path == tmp_path / "calibration" / lang / "letter-3x3-short-edge.pdf"
        with pikepdf.open(path) as pdf:
            assert len(pdf.pages) == 2
            assert str(pdf.Root.ViewerPreferences.Duplex) == "/DuplexFlipShortEdge"
        text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
        assert word in text
        assert "cardgen calibrate --printer home --sheet letter-3x3 --flip short-edge" in text
        assert "�" not in text


@pytest.mark.parametrize(
    ("sheet", "paper", "words"),
    [
        ("a4-3x4", None, "no sheet `a4-3x4`; did you mean `a4-3x3`?"),
        ("single-1up", None, "one face a page"),
        ("a4-3x3", "letter", "`a4-3x3` lies on a4, not on letter"),
    ],
)
def test_sheets_that_calibrate_nothing(sheet: str, paper: str | None, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        bench(load(ROOT), sheet, paper)


def test_every_shipped_sheet_can_be_calibrated(tmp_path: Path) -> None:
    project = load(ROOT)
    for id, template in project.sheets.items():
        if template.paper is not None and id != f"{template.paper}-gutterfold":
            table = bench(project, id, None)
            assert (table.grid is not None) == (template.arrange == "grid")
            write_sheet(project, table, "en", "long-edge", tmp_path, "home")


def test_a_bridge_sheet_shows_bridge_cards() -> None:
    grid = bench(load(ROOT), "a4-bridge-2x5", None).grid
    assert grid is not None
    assert len(grid.slots) == 10
    assert {max(slot.width, slot.height) for slot in grid.slots} == {88.9}


# --- builds ----------------------------------------------------------------------------------------------------------


def make(root: Path, options: Options, report: Report) -> list[Path]:
    project = load(root)
    made = build(project, choose(project, [], []), root / "output", options, Workers(), report)
    return [file.path for file in made.files]


def moves(path: Path) -> list[str]:
    """The first `cm` of every page."""
    with pikepdf.open(path) as pdf:
        return [page.Contents.read_bytes().decode("latin-1").split(" cm")[0] for page in pdf.pages]


def test_a_build_is_corrected_for_its_printer(tmp_path: Path) -> None:
    root, report = write_project(tmp_path / "p", BACKS), Report()
    (plain,) = make(root, Options(), report)
    (path,) = make(root, Options(printer=HOME), report)
    assert report.items == []
    assert path.name == "items-home.pdf"
    front, back = moves(path)
    scale_x, skew, _, scale_y, *_ = map(float, front.removeprefix("q\n").split())
    assert (scale_x, skew, scale_y) == pytest.approx((1 / 0.995, 0, 1 / 0.997), abs=1e-6)
    assert abs(float(back.removeprefix("q\n").split()[1])) > 0.003
    assert moves(plain) != [front, back]
    subprocess.run(["qpdf", "--check", path], check=True, capture_output=True)


def test_a_printer_says_how_it_flips_unless_the_user_does(tmp_path: Path) -> None:
    root, report = write_project(tmp_path / "p", BACKS), Report()
    short = Printer("tumble", "short-edge", portrait=Offset(1, 1))
    for options, name, duplex in (
        (Options(), "items.pdf", "Long"),
        (Options(flip="short-edge"), "items-short-edge.pdf", "Short"),
        (Options(flip="long-edge"), "items.pdf", "Long"),
        (Options(printer=short), "items-tumble.pdf", "Short"),
        (Options(printer=short, flip="long-edge"), "items-tumble-long-edge.pdf", "Long"),
    ):
        (path,) = make(root, options, report)
        assert path.name == name
        with pikepdf.open(path) as pdf:
            assert str(pdf.Root.ViewerPreferences.Duplex) == f"/DuplexFlip{duplex}Edge"


def test_pages_that_were_not_measured_are_told(tmp_path: Path) -> None:
    sheet = "version: 1\ntitle: L\npaper: a4\norientation: landscape\n"
    changes = {**BACKS, "layouts/_sheets/lying.yaml": sheet}
    root, report = write_project(tmp_path / "p", changes), Report()
    make(root, Options(printer=HOME, sheet="lying"), report)
    (told,) = report
    assert told.code == "CG410"
    assert "printer `home` was not measured for landscape pages" in told.message


# --- the command -----------------------------------------------------------------------------------------------------


def cardgen(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "cardgen", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_from_the_sheet_to_a_corrected_print(tmp_path: Path, config: Path) -> None:
    root = write_project(tmp_path / "p", BACKS)
    first = cardgen(root, "calibrate")
    assert (first.returncode, first.stderr) == (0, "")
    assert "output/calibration/en/a4-3x3.pdf" in first.stdout
    none = cardgen(root, "build", "--printer", "home")
    assert none.returncode == 2
    assert "none was measured yet" in none.stderr
    bad = cardgen(root, "calibrate", "--printer", "home", "--measured", "ax=40 ay=0 bx=0 by=0")
    assert bad.returncode == 2
    assert "10 mm" in bad.stderr
    assert not config.exists()
    readings = "ax=1 ay=0 bx=1 by=0 width=149.6"
    done = cardgen(root, "calibrate", "--printer", "home", "--measured", readings, "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["profile"] == (config / "printers/home.yaml").as_posix()
    check = cardgen(root, "calibrate", "--printer", "home", "--check")
    assert check.returncode == 0
    assert "a4-3x3-home.pdf" in check.stdout
    built = cardgen(root, "build", "--jobs", "1", "--printer", "home")
    assert (built.returncode, built.stderr) == (0, "")
    assert "output/g/en/items-home.pdf" in built.stdout


def test_wrong_uses(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p")
    for arguments, words in (
        (("--measured", "width=149"), "name the printer"),
        (("--check",), "name the printer"),
        (("--printer", "x", "--check", "--measured", "width=149"), "use one of the two"),
        (("--printer", "x", "--check"), "no printer `x`"),
    ):
        done = cardgen(root, "calibrate", *arguments)
        assert done.returncode == 2
        assert words in done.stderr


def test_a_broken_profile_stops_a_build(tmp_path: Path, config: Path) -> None:
    root = write_project(tmp_path / "p")
    (config / "printers").mkdir(parents=True)
    (config / "printers/home.yaml").write_text("turn: 90\n")
    done = cardgen(root, "build", "--jobs", "1", "--printer", "home")
    assert done.returncode == 1
    assert "home.yaml:1:7: error[CG022]" in done.stderr
    assert not (root / "output").exists()


def test_a_sheet_that_the_disk_refuses(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p")
    (root / "output").write_text("a file")
    done = cardgen(root, "calibrate")
    assert done.returncode == 1
    assert "error[CG501]" in done.stderr


@pytest.mark.docs
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    text = (ROOT / "docs/printers.md").read_text("utf-8")
    commands = re.findall(r"^ {4,}(cardgen .+)$", text, re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        done = cardgen(tmp_path, *shlex.split(command)[1:])
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    assert len([*tmp_path.rglob("*.pdf")]) == 4


def test_the_profile_of_the_page_is_one(tmp_path: Path) -> None:
    text = (ROOT / "docs/printers.md").read_text("utf-8")
    shown = re.search(r"\n    (flip: long-edge\n(?:    .*\n)+)", text)
    assert shown is not None
    (tmp_path / "p.yaml").write_text(re.sub(r"(?m)^    ", "", shown[1]))
    report = Report()
    assert read_printer(tmp_path / "p.yaml", "p", report) is not None
    assert report.items == []


def test_a_kit_is_corrected_too(tmp_path: Path) -> None:
    report = Report()
    found = judge_files(ROOT, [ROOT / "cards/twd/bands/granary-100.yaml"], (), report)
    assert found is not None
    project, game, judgements = found
    # Nothing but the band's own cards: a whole kit takes its time.
    game = structs.replace(game, kit=game.kit[:1])
    options = Options(printer=HOME, flip="short-edge")
    kit = make_kit(project, game, judgements, tmp_path, options, Workers(), report)
    assert report.items == []
    for made in kit.made:
        if made.path.name == "0-checklist.pdf":
            continue
        first, *others = moves(made.path)
        assert float(first.removeprefix("q\n").split()[0]) == pytest.approx(1 / 0.995, abs=1e-6)
        if made.path.name == "1-card.pdf":
            # The second page is a back: turned, and, flipped along the other edge, moved the other way.
            assert abs(float(others[0].removeprefix("q\n").split()[1])) > 0.003
            with pikepdf.open(made.path) as pdf:
                assert str(pdf.Root.ViewerPreferences.Duplex) == "/DuplexFlipShortEdge"


# --- what a newcomer types -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "ax=0.5 ay=-1.2 mm bx=0.5 by=-1.2",
        "AX=0.5, AY=-1,2 mm, Bx=.5mm, bY = -1.2",
        "ax = 0.5mm ay=-1.2mm bx=0.5 mm by=-1.2 mm",
    ],
)
def test_readings_as_people_write_them(text: str) -> None:
    assert read_readings(text) == Readings(0.5, -1.2, 0.5, -1.2)


def test_what_a_new_measurement_replaces_is_told() -> None:
    table, report = bench(load(ROOT), None, None), Report()
    first = learn(table, "ax=1 ay=-1 bx=1 by=-1 width=149.7 height=199.6", "home", "long-edge", report)
    assert first is not None and first.replaced == ()
    # B is 85 + 85 mm below A: 0.6 mm to the side are 0.2 degrees.
    second = learn(table, "ax=1 ay=-1 bx=0.4 by=-1 width=149.4", "home", "long-edge", report)
    assert second is not None
    assert [(what, old, new) for what, old, new in second.replaced if what != "portrait"] == [
        ("scale, short edge", "0.9980", "0.9960"),
        ("turn", "0.00 degrees", "0.20 degrees"),
    ]
    assert ("portrait", "1, -1 mm") in [(what, old) for what, old, _ in second.replaced]
    assert not report.items
    third = learn(table, "ax=1 ay=-1 bx=2.2 by=-1", "home", "long-edge", report)
    (item,) = report
    assert (item.code, item.severity) == ("CG511", "warning")
    assert item.message.endswith("were turned by 0.20 degrees when it was measured before, and by -0.40 now")
    assert third is not None and the_printer("home", Report()) is not None


def test_a_turn_that_was_never_measured_contradicts_nothing() -> None:
    table, report = bench(load(ROOT), None, None), Report()
    learn(table, "width=149.5", "home", "long-edge", report)
    found = learn(table, "ax=1 ay=-1 bx=3 by=-1", "home", "long-edge", report)
    assert not report.items
    assert found is not None and found.replaced == ()


def test_a_folded_sheet_is_not_calibrated() -> None:
    for paper in ("a4", "letter"):
        with pytest.raises(UsageError, match=rf"`{paper}-gutterfold` is folded: .*calibrate with `{paper}-3x3`"):
            bench(load(ROOT), f"{paper}-gutterfold", None)


def test_a_spoiled_profile_says_what_to_do(config: Path) -> None:
    write_printer(HOME)
    (config / "printers/home.yaml").write_text("turn: [")
    report = Report()
    assert the_printer("home", report) is None
    assert report.items
    assert all("delete it and measure again with `cardgen calibrate`" in item.hint for item in report)
