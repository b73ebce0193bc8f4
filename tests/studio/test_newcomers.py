"""What somebody new stumbled over: each with what is right."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pikepdf
import pytest
import yaml
from starlette.testclient import TestClient

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.files import read_bounded
from cardgen.load.project import load_project
from cardgen.pipeline.judged import judge_files
from cardgen.pipeline.roster import roster_pdf
from cardgen.studio.app import create_app
from cardgen.studio.documents import folder_of, person_of
from cardgen.studio.pictures import Crop, store
from cardgen.studio.printing import _band as print_band
from tests.studio.conftest import HOST, Browser, changed, copied

BAND = "/g/twd/bands/granary-100"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    """One Studio for the tests that each make files of their own."""
    root = copied(tmp_path_factory.mktemp("newcomer"))
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token), root


def test_a_save_that_cannot_be_says_why(studio: Browser, project: Path) -> None:
    """A broken file is told with its place, for a band and for a card that is no more in the game."""
    form = studio.form(BAND)
    (project / "cards/twd/bands/granary-100.yaml").write_text("title: [", "utf-8")
    answer = studio.post(f"{BAND}/save", changed(form, title="Other"))
    assert answer.status_code == 200 and "data-unsaved" in answer.text
    assert "cards/twd/bands/granary-100.yaml cannot be read" in answer.text
    card = studio.form("/g/twd/cards/hatchet")
    (project / "cards/twd/cards/equipment.yaml").write_text("hatchet: [", "utf-8")
    studio.refresh()
    answer = studio.post("/g/twd/cards/hatchet/save", changed(card, points="9"))
    assert answer.status_code == 200 and "data-unsaved" in answer.text
    assert "cards/twd/cards/equipment.yaml cannot be read" in answer.text


def test_a_page_of_an_older_studio_is_told_so_and_can_ask_for_the_token(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    old = studio.post(f"{BAND}/preview", [], **{"x-csrf-token": "old"})
    assert (old.status_code, old.headers["x-studio-token-old"]) == (403, "1")
    assert studio.get("/token").text == studio.token
    assert "access-control-allow-origin" not in studio.get("/token").headers
    assert studio.get("/token", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert studio.get("/token", headers={"host": "evil.example"}).status_code == 421
    elsewhere = studio.post(f"{BAND}/preview", [], origin="http://evil.example", **{"x-csrf-token": "old"})
    assert elsewhere.status_code == 403 and "x-studio-token-old" not in elsewhere.headers


@pytest.mark.parametrize(("paper", "size"), [(None, (595, 842)), ("a4", (595, 842)), ("letter", (612, 792))])
def test_the_roster_is_on_the_paper_that_was_chosen(tmp_path: Path, paper: str | None, size: tuple[int, int]) -> None:
    root = copied(tmp_path)
    report = Report()
    found = judge_files(root, [root / "cards/twd/bands/granary-100.yaml"], ("en",), report)
    assert found is not None
    project, game, judgements = found
    path = tmp_path / "roster.pdf"
    path.write_bytes(roster_pdf(project, game, judgements[0], report, paper))
    with pikepdf.open(path) as pdf:
        box = [float(number) for number in pdf.pages[0].mediabox]
        assert (round(box[2] - box[0]), round(box[3] - box[1])) == size


@pytest.mark.parametrize(
    ("typed", "folder", "shown"),
    [
        ("José María", "José María", "José María"),
        ("  Ana  LÓPEZ ", "Ana LÓPEZ", "Ana LÓPEZ"),
        ("Юля", "Юля", "Юля"),
        ("../../etc", "etc", "Etc"),
        ("a/b:c", "a b c", "a b c"),
        ("..", "", ""),
        ("", "", ""),
    ],
)
def test_a_person_is_called_as_they_write_it(typed: str, folder: str, shown: str) -> None:
    assert folder_of(typed) == folder
    assert person_of(folder) == shown


def test_a_known_person_keeps_their_folder() -> None:
    assert folder_of("Old Friend", {"old-friend"}) == "old-friend"
    assert folder_of("josé", {"José", "ana"}) == "José"
    assert person_of("old-friend") == "Old Friend"


def test_the_bands_of_a_person_with_accents_are_shown_edited_and_saved(served: tuple[Browser, Path]) -> None:
    studio, root = served
    answer = studio.post("/g/twd/bands/new", {"kind": "group", "title": "Los Nuestros", "owner": "José María"})
    assert answer.status_code == 204, answer.text
    url = answer.headers["hx-redirect"]
    assert url == f"/g/twd/bands/{quote('José María')}/los-nuestros"
    file = root / "cards/twd/bands/José María/los-nuestros.yaml"
    board = studio.get("/g/twd/bands").text
    assert ">José María</a>" in board and url in board
    # Without anybody selected it begins with the first that the board shows.
    first = re.search(r'data-card="([^"]+)"', board)
    assert first is not None
    assert yaml.safe_load(file.read_text("utf-8"))["members"][0]["card"] == first[1]
    assert "Saved" in studio.post(f"{url}/save", changed(studio.form(url), title="Los Otros")).text
    assert "title: Los Otros" in file.read_text("utf-8")


def test_the_panel_says_what_the_print_dialog_warns_of(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    legal = studio.post(f"{BAND}/preview", studio.form(BAND)).json()["panel"]
    assert "data-warning" not in legal
    panel = studio.post(f"{BAND}/preview", changed(studio.form(BAND), limit="10")).json()["panel"]
    warning = re.search(r'data-warning="([^"]+)"', panel)
    assert warning is not None and "illegal" in warning[1]
    broken = len(re.findall(r'<details class="finding error"', panel))
    assert broken > 0 and f"breaks: {broken}." in warning[1]
    assert 'id="print-warning"' in studio.get(BAND).text


def _png(width: int, height: int) -> bytes:
    """The beginning of a picture that says how large it is, and no more."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "the file is empty"),
        (b"not a picture", "this is no picture"),
        (_png(8000, 8000), "more than 50 million pixels"),
        (_png(10_000, 10_000), "more than 50 million pixels"),
        (_png(60_000, 60_000), "more than 50 million pixels"),
    ],
)
def test_a_wrong_picture_says_what_is_wrong(served: tuple[Browser, Path], data: bytes, why: str) -> None:
    _, root = served
    shelf = load_project(root, Report()).shelf  # type: ignore[union-attr]
    with pytest.raises(FileProblem, match=why):
        store(shelf, "twd", "a.png", data, Crop())


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match=re.escape("there is no such file: `gone.zip`")):
        read_bounded(tmp_path / "gone.zip", "gone.zip", 10)


def test_cards_are_of_the_catalogue_that_is_installed(tmp_path: Path) -> None:
    root = copied(tmp_path, "arena")
    before = load_project(root, Report())
    assert before is not None
    from cardgen.load.catalogues import installed_text, record_name

    path = root / record_name("arena")
    path.parent.mkdir(parents=True, exist_ok=True)
    from cardgen.model.catalogue import Installed

    path.write_text(installed_text(Installed("9.7", {})), "utf-8")
    after = load_project(root, Report())
    assert after is not None
    assert (before.games["arena"].version, after.games["arena"].version) == ("0.2", "9.7")


def test_a_conflict_names_whom_and_what(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    one = studio.form(BAND)
    assert "Saved" in studio.post(f"{BAND}/save", changed(one, **{"members.1.card": "tobias-wren"})).text
    answer = studio.post(f"{BAND}/save", changed(one, **{"members.1.card": "hollis-vane", "limit": "100"}))
    asked = answer.text[answer.text.index("conflicts") :]
    assert "{&#39;" not in asked and "[&#39;" not in asked
    assert re.search(r"<legend>Members · [^<]+ · Survivor</legend>", asked), asked
    assert "<q>Tobias" in asked
    assert 'name="c.members"' in asked


def test_the_roster_lies_beside_the_other_files_of_its_kit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With options too that give the kit a folder of its own."""
    root = copied(tmp_path)
    words = {"checklist": "C", "card": "K", "label": "L", "paper": "P"}
    options = {"no_backgrounds": True, "low_ink": False, "paper": None}
    spec = {"root": str(root), "band": "cards/twd/bands/granary-100.yaml", "lang": "en", "options": options}
    report = Report()
    print_band({**spec, "printer": "", "roster": "R", "cards": "K", "titles": words}, report)
    assert not report.has_errors()
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    folders = {Path(line["file"]).parent.relative_to(root).as_posix() for line in said if "file" in line}
    assert len([line for line in said if "file" in line]) > 1
    assert folders == {"output/twd/en/kit-granary-100-nobg"}
