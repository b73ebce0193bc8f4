"""Pictures of one's own: upright, cropped, bounded, stored in the project."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.files import Shelf
from cardgen.load.project import load_project
from cardgen.model.game import Game
from cardgen.studio import pictures
from cardgen.studio.pictures import Crop, store
from tests.studio.conftest import ROOT, Browser


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    """The shipped games."""
    project = load_project(ROOT, Report())
    assert project is not None
    return dict(project.games)


def picture(width: int = 80, height: int = 40, format: str = "JPEG", orientation: int = 0, mode: str = "RGB") -> bytes:
    """Red on the left, blue on the right."""
    made = Image.new(mode, (width, height), "blue")
    made.paste("red", (0, 0, width // 2, height))
    target = io.BytesIO()
    exif = Image.Exif()
    if orientation:
        exif[0x0112] = orientation
    made.save(target, format, exif=exif)
    return target.getvalue()


def stored(root: Path, data: bytes, crop: Crop = Crop(), name: str = "Mi foto.JPG") -> Image.Image:  # noqa: B008
    file = store(Shelf((root,)), "twd", name, data, crop)
    return Image.open(io.BytesIO((root / "cards/twd/art" / file).read_bytes())).convert("RGB")


def test_it_is_turned_upright_before_it_is_cropped(tmp_path: Path) -> None:
    """Orientation 6: the camera was held on its side; what is left in the file is on top in the picture."""
    made = stored(tmp_path, picture(orientation=6), Crop(0, 0, 1, 0.5))
    assert made.size == (40, 40)
    red, _, blue = made.getpixel((20, 20))  # type: ignore[misc]
    assert red > 200 > 60 > blue


def test_nothing_a_camera_wrote_is_kept(tmp_path: Path) -> None:
    file = store(Shelf((tmp_path,)), "twd", "x.jpg", picture(orientation=3), Crop())
    data = (tmp_path / "cards/twd/art" / file).read_bytes()
    assert not Image.open(io.BytesIO(data)).getexif()


def test_the_name_is_safe_and_nothing_is_replaced(tmp_path: Path) -> None:
    shelf = Shelf((tmp_path,))
    one = store(shelf, "twd", "../../Mi Foto.jpg", picture(), Crop())
    two = store(shelf, "twd", "../../Mi Foto.jpg", picture(90), Crop())
    assert one.startswith("photos/mi-foto-")
    assert one != two
    assert store(shelf, "twd", "../../Mi Foto.jpg", picture(), Crop()) == one


def test_what_can_be_seen_through_stays_so(tmp_path: Path) -> None:
    data = io.BytesIO()
    Image.new("RGBA", (32, 32), (255, 0, 0, 0)).save(data, "PNG")
    assert store(Shelf((tmp_path,)), "twd", "x.png", data.getvalue(), Crop()).endswith(".png")


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"<svg/>", picture()[:200], b"\xff\xd8\xff" + b"0" * 100])
def test_what_is_no_picture_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(FileProblem):
        stored(tmp_path, data)


def test_too_many_pixels_are_refused_before_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_PIXELS", 1000)
    with pytest.raises(FileProblem, match="pixels"):
        stored(tmp_path, picture())


@pytest.mark.parametrize("crop", [Crop(0, 0, 0, 0), Crop(2, 2, 1, 1), Crop(0.99, 0, 1, 1), Crop(0, 0, -1, 1)])
def test_a_crop_that_leaves_nothing_is_refused(tmp_path: Path, crop: Crop) -> None:
    with pytest.raises(FileProblem, match="crop less"):
        stored(tmp_path, picture(), crop)


def test_it_is_uploaded_chosen_and_drawn(studio: Browser, project: Path) -> None:
    headers = {"x-csrf-token": studio.token}
    files = {"file": ("me.jpg", picture(), "image/jpeg")}
    sides = {"x": "0", "y": "0", "w": "0.5", "h": "1"}
    answer = studio.client.post("/g/twd/pictures", files=files, data=sides, headers=headers)
    name = answer.json()["name"]
    assert studio.get(f"/g/twd/art/{name}").headers["content-type"] == "image/jpeg"
    form = [(key, name if key == "v.art" else value) for key, value in studio.form("/g/twd/cards/hatchet")]
    look = studio.post("/g/twd/cards/hatchet/preview", form).json()
    assert look["errors"] == {}
    assert "png" in look
    wrong = {"file": ("me.jpg", b"no picture", "image/jpeg")}
    assert studio.client.post("/g/twd/pictures", files=wrong, data=sides, headers=headers).status_code == 422


@pytest.mark.parametrize(
    ("game", "kind", "field", "css", "selector"),
    [
        ("zombies", "event", "art", "event", ".picture"),
        ("zombies", "player", "pawn", "player", ".figure"),
        ("zombies", "player", "turned", "player", ".dead .figure"),
        ("zcorps", "gear", "art", "gear", ".picture"),
        ("zcorps", "person", "pawn", "person", ".figure"),
    ],
)
def test_the_frame_of_a_picture_is_the_box_of_its_layout(
    games: dict[str, Game], game: str, kind: str, field: str, css: str, selector: str
) -> None:
    text = (ROOT / f"layouts/{game}/{css}.css").read_text("utf-8")
    box = re.search(rf"^{re.escape(selector)} \{{[^}}]*width: ([\d.]+)mm; height: ([\d.]+)mm", text, re.M)
    assert box is not None
    assert games[game].kinds[kind].fields[field].frame == (float(box[1]), float(box[2]))


def test_every_picture_that_a_card_of_a_shipped_game_shows_has_a_frame(games: dict[str, Game]) -> None:
    """What a layout draws is cropped to where it draws it; a pawn that stands in for another picture is shown whole."""
    bare = set()
    for game in games.values():
        for kind in game.kinds.values():
            drawn = "".join(
                (ROOT / f"layouts/{name}.html.j2").read_text("utf-8") for name in (kind.front, kind.back) if name
            )
            bare |= {
                (game.id, kind.id, name)
                for name, item in kind.fields.items()
                if item.type == "image" and not item.frame and f"art_url(card.{name})" in drawn
            }
    assert bare == {("arena", kind, "pawn") for kind in ("avatar", "beast", "fan")}
