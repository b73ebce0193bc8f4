"""Export profiles: the numbers of the services, files of the right size and name, what is refused."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from cardgen.cli import main
from cardgen.cli.export import export_group
from cardgen.diagnostics import Report
from cardgen.errors import DoesNotFit
from cardgen.exports.pages import MOST_CUT_AWAY, MOST_STRETCHED, frame_of
from cardgen.geometry import EPSILON_MM, Size
from cardgen.units import MM_PER_INCH
from tests.exports.exporting import BACKS, ROOT, cards, exported, profiles, trimmed
from tests.support import edit, load, write_project

# Pixels at 300 dpi, as the services state them.
STATED = {
    "mpc": {
        "poker": (822, 1122),
        "bridge": (747, 1122),
        "tarot": (897, 1497),
        "domino": (597, 1122),
        "micro": (447, 597),
    },
    "tgc": {
        "poker": (825, 1125),
        "bridge": (750, 1125),
        "mini": (600, 825),
        "micro": (450, 600),
        "tarot": (900, 1500),
        "domino": (600, 1125),
        "jumbo": (1125, 1725),
    },
}


def pixels(mm: float, dpi: float) -> float:
    return mm / MM_PER_INCH * dpi


@pytest.mark.parametrize("service", STATED)
def test_sizes_are_those_of_the_services(service: str) -> None:
    profile = profiles()[service]
    found = {
        size.id: tuple(pixels(side + 2 * profile.bleed, profile.dpi) for side in (size.cut.width, size.cut.height))
        for size in profile.sizes
    }
    assert {id: tuple(round(side, 6) for side in size) for id, size in found.items()} == STATED[service]


def test_bleed_and_safety_are_those_of_the_services() -> None:
    found = profiles()
    assert (pixels(found["mpc"].bleed, 300), pixels(found["mpc"].safe, 300)) == pytest.approx((36, 36))
    assert pixels(found["tgc"].bleed, 300) == pytest.approx(37.5)
    assert pixels(found["tgc"].bleed + found["tgc"].safe, 300) == pytest.approx(75)
    deck = found["drivethru"]
    assert (deck.bleed, deck.safe, deck.backs_first) == (3.175, 3.175, True)
    assert found["tabletopia"].most_pixels == 2000
    table = found["tts"]
    assert (table.columns, table.rows, table.most_pixels) == (10, 7, 4095)


def test_every_profile_is_versioned_and_every_trim_that_it_takes_is_there() -> None:
    trims = load(ROOT).trims
    for profile in profiles().values():
        assert profile.version >= 1 and profile.title
        for size in profile.sizes:
            for taken in size.takes:
                trim = next(trim for trim in trims.values() if trim.size == taken)
                assert profile.size_for(trim) == size
                frame_of(taken, size.cut, profile.bleed, trim.bleed)


@pytest.mark.parametrize(
    ("service", "trim", "size"),
    [
        ("mpc", "poker-us", (822, 1122)),
        ("mpc", "poker-eu", (822, 1122)),
        ("tgc", "poker-us", (825, 1125)),
        ("tgc", "micro", (450, 600)),
        ("tabletopia", "poker-eu", (744, 1039)),
        ("tabletopia", "survivor", (1039, 1488)),
    ],
)
def test_pictures_have_the_size_that_is_wanted(tmp_path: Path, service: str, trim: str, size: tuple[int, int]) -> None:
    # What is said of texts in so small a trim is another test's business.
    report = Report()
    paths = exported(tmp_path, service, trimmed(trim), report)
    assert not report.has_errors() or trim == "micro"
    assert paths
    for path in paths:
        with Image.open(path) as picture:
            assert (picture.format, picture.mode, picture.size) == ("PNG", "RGB", size)
            assert picture.info["dpi"][0] == pytest.approx(300, abs=0.1)


def test_paint_goes_to_the_edge(tmp_path: Path) -> None:
    """The layout paints 3 mm of bleed; 3.3 and 3.5 mm are wanted around a card of 63 x 88 mm."""
    front, *_ = exported(tmp_path, "mpc")
    with Image.open(front) as picture:
        width, height = picture.size
        edges = [picture.getpixel((x, y)) for x in (0, width // 2, width - 1) for y in (0, height // 2, height - 1)]
    del edges[4]  # the middle
    assert set(edges) == {(0x33, 0x66, 0x99)}


def test_the_piece_keeps_its_size(tmp_path: Path) -> None:
    layout = '{% set css = ["g/item.css"] %}<div class="ground"></div><div class="box"></div>'
    css = {
        "layouts/g/item.html.j2": layout,
        "layouts/g/item.css": (
            ".ground { position: absolute; left: -3mm; top: -3mm; width: 69mm; height: 94mm; background: #ffffff }"
            ".box { position: absolute; left: 0; top: 0; width: 63mm; height: 88mm; background: #000000 }"
        ),
    }
    path, *_ = exported(tmp_path, "tgc", css)
    with Image.open(path) as picture:
        left, top, right, bottom = picture.convert("L").point(lambda value: 255 * (value < 128)).getbbox() or ()
    assert (right - left, bottom - top) == pytest.approx((pixels(63, 300), pixels(88, 300)), abs=1)
    assert (left + right) / 2 == pytest.approx(825 / 2, abs=1) and (top + bottom) / 2 == pytest.approx(1125 / 2, abs=1)


def test_names_count_and_tell_copies_and_sides(tmp_path: Path) -> None:
    paths = exported(tmp_path, "mpc", {**BACKS, **cards(11, copies=2)})
    folder = tmp_path / "output/g/en/mpc/items"
    assert {path.parent for path in paths} == {folder} and len(paths) == 22
    assert sorted(path.name for path in paths)[:2] == ["01-c0-x2-back.png", "01-c0-x2-front.png"]
    assert (folder / "11-c10-x2-front.png").is_file()


def test_jpg_is_smaller_and_as_large(tmp_path: Path) -> None:
    (png, *_), (jpg, *_) = exported(tmp_path, "mpc"), exported(tmp_path, "mpc", picture="jpg")
    assert jpg.suffix == ".jpg"
    with Image.open(png) as one, Image.open(jpg) as other:
        assert other.format == "JPEG" and one.size == other.size
        red, green, blue = other.getpixel((0, 0))  # type: ignore[misc]
    assert (red, green, blue) == pytest.approx((0x33, 0x66, 0x99), abs=3)


def test_a_size_that_is_not_sold(tmp_path: Path) -> None:
    report = Report()
    assert exported(tmp_path, "mpc", trimmed("square"), report) == []
    (item,) = [item for item in report if item.code.startswith("CG5")]
    assert item.code == "CG530"
    assert "no size for `g/en/items` of 70 x 70 mm; it knows poker (63.5 x 88.9), bridge" in item.message


def test_too_little_bleed(tmp_path: Path) -> None:
    profile = (ROOT / "layouts/_exports/mpc.yaml").read_text("utf-8").replace("bleed: 0.12in", "bleed: 5mm")
    report = Report()
    assert exported(tmp_path, "mpc", {"layouts/_exports/mpc.yaml": profile}, report) == []
    (item,) = report
    assert item.code == "CG531"
    assert "5.45 mm of bleed are wanted around pieces of 63 x 88 mm, which paint 3 mm" in item.message


def test_what_is_no_card_is_told(tmp_path: Path) -> None:
    game = edit("cards/g/game.yaml", '[blank, "1"]', '["1", "2", "3", "4", "5", "6"]')["cards/g/game.yaml"]
    game = game.replace("prints:\n", 'prints:\n  dice: {title: Dice, version: "1", components: [d]}\n')
    dice = "d: {make: stickers, title: Die, dice: [white], size: 16mm}\n"
    changes = {"cards/g/game.yaml": game, "cards/g/components/dice.yaml": dice}
    report = Report()
    paths = exported(tmp_path, "tabletopia", changes, report)
    assert paths and all("dice" not in path.as_posix() for path in paths)
    assert [(item.code, item.severity) for item in report if item.code.startswith("CG53")] == [("CG532", "info")]


def test_ink_and_language_are_in_the_path(tmp_path: Path) -> None:
    (path, *_) = exported(tmp_path, "tabletopia", low_ink=True)
    assert path.relative_to(tmp_path).as_posix() == "output/g/en/tabletopia-lowink/items/axe-front.png"
    (path, *_) = exported(tmp_path, "tabletopia", no_backgrounds=True)
    assert path.parent.parent.name == "tabletopia-nobg"


def test_low_ink_leaves_fills_out(tmp_path: Path) -> None:
    layout = {"layouts/g/item.html.j2": '{% set css = ["g/item.css"] %}<div class="ground" data-ink="fill"></div>'}
    (full, *_), (low, *_) = exported(tmp_path, "mpc", layout), exported(tmp_path, "mpc", layout, low_ink=True)
    with Image.open(full) as one, Image.open(low) as other:
        assert one.getpixel((9, 9)) == (0x33, 0x66, 0x99) and other.getpixel((9, 9)) == (255, 255, 255)


def test_a_deck_as_pdf(tmp_path: Path) -> None:
    (path,) = exported(tmp_path, "drivethru", {**BACKS, **cards(3, copies=2)})
    assert path.relative_to(tmp_path).as_posix() == "output/g/en/drivethru/items.pdf"
    subprocess.run(["qpdf", "--check", path], check=True, capture_output=True)
    with pikepdf.open(path) as pdf:
        assert len(pdf.pages) == 6
        for page in pdf.pages:
            assert [float(side) for side in page.MediaBox] == [0, 0, 198, 270]  # 2.75 x 3.75 in
            assert [float(side) for side in page.BleedBox] == [0, 0, 198, 270]
            assert [float(side) for side in page.TrimBox] == [9, 9, 189, 261]
    text = [
        subprocess.run(["pdftotext", "-f", str(n), "-l", str(n), path, "-"], check=True, capture_output=True, text=True)
        for n in range(1, 7)
    ]
    # The back first, then the front.
    assert ["Card" in page.stdout for page in text] == [False, True] * 3


def test_a_card_without_a_back_has_an_empty_page_for_it(tmp_path: Path) -> None:
    (path,) = exported(tmp_path, "drivethru", cards(2))
    with pikepdf.open(path) as pdf:
        empty = [len(page.Contents.read_bytes().strip()) == 0 for page in pdf.pages]
    assert empty == [True, False, True, False]


def test_pdf_bleeds_to_the_edge(tmp_path: Path) -> None:
    (path,) = exported(tmp_path, "drivethru")
    ppm = subprocess.run(["pdftoppm", "-r", "300", "-f", "2", path], check=True, capture_output=True).stdout
    with Image.open(io.BytesIO(ppm)) as picture:
        for point in ((0, 0), (picture.width - 1, picture.height - 1), (picture.width // 2, 0)):
            assert picture.getpixel(point) == pytest.approx((0x33, 0x66, 0x99), abs=2)


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    first = {path.name: path.read_bytes() for path in exported(tmp_path / "a", "tgc", BACKS)}
    assert {path.name: path.read_bytes() for path in exported(tmp_path / "b", "tgc", BACKS)} == first


def test_a_disk_that_refuses(tmp_path: Path) -> None:
    root = write_project(tmp_path, BACKS)
    (root / "output").write_text("a file where the folder should be")
    report = Report()
    assert exported(root, "tts", BACKS, report) == []
    assert [item.code for item in report] == ["CG501"]


sides = st.floats(20, 200).map(lambda mm: round(mm, 2))


@given(sides, sides, st.floats(-1, 3), st.floats(-1, 3), st.floats(0, 5), st.floats(0, 5))
def test_a_frame_holds_the_piece_in_its_middle_or_is_refused(
    width: float, height: float, wider: float, higher: float, bleed: float, painted: float
) -> None:
    cut = Size(width + wider, height + higher)
    missing = max(wider, higher) / 2 + bleed - painted
    over = max(-wider, -higher) / 2
    try:
        frame = frame_of(Size(width, height), cut, bleed, painted)
    except DoesNotFit:
        assert missing > MOST_STRETCHED or over > MOST_CUT_AWAY
        return
    assert missing <= MOST_STRETCHED + 2 * EPSILON_MM and over <= MOST_CUT_AWAY + 2 * EPSILON_MM
    middle = (frame.page.width / 2, frame.page.height / 2)
    for box in (frame.trim, frame.cut):
        assert (box.x + box.width / 2, box.y + box.height / 2) == pytest.approx(middle)
    assert (frame.trim.width, frame.trim.height) == (width, height)


def run(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str, str]:
    monkeypatch.chdir(root)
    monkeypatch.setattr("sys.argv", ["cardgen", "export", *words])
    with pytest.raises(SystemExit) as stopped:
        main()
    out, err = capsys.readouterr()
    assert isinstance(stopped.value.code, int) and "Traceback" not in err
    return stopped.value.code, out, err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mcp", "--jobs", "1"), "there is no export profile `mcp`; did you mean `mpc`?"),
        (("pngs", "--jobs", "1"), "there is no export profile `pngs`; did you mean `png`?"),
        (("drivethru", "--as", "png", "--jobs", "1"), "`--as png`: the profile takes PDF"),
        (("mpc", "--base-url", "https://a.b", "--jobs", "1"), "`--base-url` is for grids"),
        (("tts", "--base-url", "example.org", "--jobs", "1"), "expected an address such as"),
        (("cut", "--sheet", "a4-3x4", "--jobs", "1"), "did you mean `a4-3x3`?"),
        (("mpc", "h", "--jobs", "1"), "there is no game `h`"),
    ],
)
def test_wrong_usage(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = run(write_project(tmp_path), monkeypatch, capsys, *words)
    assert code == 2 and said in err
    assert not (tmp_path / "output").exists()


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_project(tmp_path)
    code, out, err = run(root, monkeypatch, capsys, "mpc", "g/items", "--jobs", "1")
    assert (code, out, err) == (0, "2 files in output/g/en/mpc/items, no problems\n", "")
    code, out, _ = run(root, monkeypatch, capsys, "drivethru", "--jobs", "1")
    assert code == 0 and out.startswith("note: The file is RGB")
    code, out, _ = run(root, monkeypatch, capsys, "cut", "--jobs", "1")
    assert (code, out) == (0, "1 file in output/g/en/cut, no problems\n")
    code, out, _ = run(root, monkeypatch, capsys, "png", "--low-ink", "--dpi", "60", "--jobs", "1")
    assert (code, out) == (0, "2 pictures in output/g/en/png-lowink, no problems\n")
    shown = CliRunner().invoke(export_group, ["--help"]).output
    assert all(f"\n  {name} " in shown for name in ("cut", "mpc", "png", "tts"))


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    profile = "version: 1\ntitle: Mine\nkind: images\ndpi: 100\nbleed: 2mm\nname: '{print}/{number}-{side}'\n"
    paths = exported(tmp_path, "mine", {"layouts/_exports/mine.yaml": profile})
    assert [path.name for path in paths] == ["1-front.png", "2-front.png"]
    with Image.open(paths[0]) as picture:
        assert picture.size == (round(pixels(67, 100)), round(pixels(92, 100)))


def test_safety_is_checked_against_the_services(tmp_path: Path) -> None:
    profile = "version: 1\ntitle: Mine\nkind: images\nsafe: 9mm\nname: '{print}/{card}-{side}'\n"
    report = Report()
    assert exported(tmp_path, "mine", {"layouts/_exports/mine.yaml": profile}, report)
    assert {item.code for item in report} == {"CG321"}


def test_a_size_knows_its_trim_whatever_it_is_called() -> None:
    trims = load(ROOT).trims
    for trim in ("poker-us", "poker-eu"):
        size = profiles()["mpc"].size_for(replace(trims[trim], id="mine"))
        assert size is not None and size.id == "poker"
    assert profiles()["mpc"].size_for(replace(trims["square"], id="mine")) is None
