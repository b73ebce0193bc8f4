"""Addresses of pictures in style sheets and layouts: what leads to a picture is drawn, all else is told where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from cardgen.diagnostics import Report
from cardgen.faces.assets import Assets, climbs_out, urls_in, urls_of_css
from cardgen.faces.engines import Job, render
from cardgen.faces.make import FaceMaker
from cardgen.pdf.painted import rendering_pdf
from cardgen.pipeline.build import check
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers
from tests.faces.pictures import encode
from tests.support import BASE, load, write_project

PURPLE = (160, 0, 160)
# The same picture at every place of a project, and beside it.
SPOTS = (
    "layouts/g/bg.png",
    "layouts/g/art/own.png",
    "cards/g/art/ghost.png",
    "bg2.png",
    "cards/g/stray.png",
    "../x.png",
)
PLACE = "position: absolute; left: 10mm; top: 10mm; width: 40mm; height: 20mm; background-size: 40mm 20mm"
PUT = "put it below `layouts/` or into `cards/<game>/art/` and name it from there"
REFUSED = "is not part of the project and is never looked at (put the picture into the project and name its file)"
ENGINES = {"card": '{% set profile = "card" %}', "weasyprint": ""}


def project_of(tmp_path: Path, engine: str, css: str, html: str) -> Path:
    layout = f'{ENGINES[engine]}{{% set css = ["g/item.css"] %}}\n{html}\n'
    folder = write_project(tmp_path / "project", {"layouts/g/item.html.j2": layout, "layouts/g/item.css": css})
    for spot in SPOTS:
        path = folder / spot
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(Image.new("RGB", (400, 200), PURPLE), "PNG"))
    return folder


def told(folder: Path) -> list[str]:
    report = Report()
    project = load(folder)
    check(project, choose(project, (), ()), Workers(), report)
    return [f"{item.span}: {item.code}: {item.message}" + (f" ({item.hint})" if item.hint else "") for item in report]


def is_drawn(folder: Path) -> bool:
    project = load(folder)
    game = project.games["g"]
    face = FaceMaker(project, Report()).make(next(iter(game.cards.values())), game, "front")
    assert face is not None
    rendering = render(Job((face,), Assets(project.shelf), project.fonts))
    page = pypdfium2.PdfDocument(rendering.pdf if face.engine == "weasyprint" else rendering_pdf(rendering))[0]
    colours = page.render(scale=2).to_pil().convert("RGB").getcolors(1_000_000)
    return any(colour == PURPLE for _, colour in colours)


def missing(name: str, hint: str = PUT) -> str:
    return f"CG307: the image `{name}` of {{owner}} is missing ({hint})"


def outside(address: str) -> str:
    return f"CG325: `{address}` {REFUSED}"


# What is written, and what is said of it; nothing of what is drawn.
IN_CSS: Mapping[str, str] = {
    "bg.png": "",
    "art/own.png": "",
    "../g/art/own.png": "",
    "../../cards/g/art/ghost.png": "",
    "/layouts/g/bg.png": "",
    "nope.png": missing("layouts/g/nope.png", "known: art/own.png, bg.png"),
    "own.png": missing("layouts/g/own.png", "did you mean `art/own.png`?"),
    "ghost.png": missing("layouts/g/ghost.png", "did you mean `../../cards/g/art/ghost.png`?"),
    "../../bg2.png": missing("bg2.png"),
    "../../cards/g/stray.png": missing("cards/g/stray.png"),
    "../../cards/g/art/ghosts.png": missing("cards/g/art/ghosts.png", "did you mean `../../cards/g/art/ghost.png`?"),
    "/etc/passwd": outside("/etc/passwd"),
    "/tmp/x.png": outside("/tmp/x.png"),
    "../../../x.png": outside("../../../x.png"),
    "../../../../../../etc/passwd": outside("../../../../../../etc/passwd"),
    "%2e%2e/%2e%2e/%2e%2e/x.png": outside("%2e%2e/%2e%2e/%2e%2e/x.png"),
}
IN_HTML: Mapping[str, str] = {
    "layouts/g/bg.png": "",
    "layouts/g/art/own.png": "",
    "cards/g/art/ghost.png": "",
    "nope.png": missing("nope.png"),
    "bg.png": missing("bg.png", "did you mean `layouts/g/bg.png`?"),
    "ghost.png": missing("ghost.png", "did you mean `cards/g/art/ghost.png`?"),
    "bg2.png": missing("bg2.png"),
    "layouts/g/nope.png": missing("layouts/g/nope.png", "did you mean `layouts/g/bg.png`?"),
    "/etc/passwd": outside("/etc/passwd"),
    "../x.png": outside("../x.png"),
    "../../../etc/passwd": outside("../../../etc/passwd"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("address", IN_CSS)
def test_an_address_in_a_style_sheet(tmp_path: Path, address: str, engine: str) -> None:
    css = f"/* url(nobody.png) */\n.ground {{ {PLACE};\n  background-image: url({address}) }}\n"
    folder = project_of(tmp_path, engine, css, '<div class="ground"></div>')
    said = IN_CSS[address].format(owner="style sheet `g/item.css`")
    assert told(folder) == ([f"layouts/g/item.css:3:25: {said}"] if said else [])
    assert is_drawn(folder) == (not said)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("form", ['<img class="ground" src="{}">', "<img class=ground src={}>", "style"])
@pytest.mark.parametrize("address", IN_HTML)
def test_an_address_in_a_layout(tmp_path: Path, address: str, form: str, engine: str) -> None:
    if form == "style":
        form = '<div class="ground" style="background-image: url({})"></div>'
    html = form.format(address)
    folder = project_of(tmp_path, engine, f".ground {{ {PLACE} }}", html)
    said = IN_HTML[address].format(owner="layout `g/item`")
    column = html.index(address) + 1
    assert told(folder) == ([f"layouts/g/item.html.j2:2:{column}: {said}"] if said else [])
    assert is_drawn(folder) == (not said)


def test_what_is_no_picture_is_not_taken_for_one(tmp_path: Path) -> None:
    html = '<svg viewBox="0 0 2 2"><defs><path id="a" d="M0 0H2V2Z"/></defs><path fill="url(#a)" d="M0 0H1V1Z"/></svg>'
    folder = project_of(tmp_path, "weasyprint", ".points { color: red }", html)
    assert told(folder) == []


def test_data_of_cards_is_no_picture(tmp_path: Path) -> None:
    folder = project_of(tmp_path, "card", "", "")
    (url,) = urls_of_css("g/item.css", "a { background-image: url(../../cards/g/cards/items.yaml) }")
    assert Assets(load(folder).shelf).file(url) is None


def test_addresses_that_climb() -> None:
    assert not climbs_out("../../x.png", "g/item.css") and climbs_out("../../../x.png", "g/item.css")
    assert not climbs_out("a/../x.png") and climbs_out("a/../../x.png") and climbs_out("/x.png")


def test_addresses_are_found_with_quotes_and_without() -> None:
    found = urls_in('<img src=\'a b.png\'><img src=c.png class=d><img alt="" src="e&amp;f.png">')
    assert [url.rpartition("/")[2] for url in found] == ["a b.png", "c.png", "e&f.png"]


@pytest.mark.parametrize("engine", ["", '{% set engine = "weasyprint" %}'])
@pytest.mark.parametrize(
    "more",
    [
        "float: left",
        "width: 5px",
        "display: flexx",
        "colour:  red",
        "background-image: url(http://a.b/c)",
    ],
)
def test_a_mistake_in_a_style_sheet_is_told_once(tmp_path: Path, more: str, engine: str) -> None:
    css = BASE["layouts/g/item.css"] + f"\n.nobody {{ {more} }}\n"
    layout = f'{{% set profile = "card" %}}{engine}' + BASE["layouts/g/item.html.j2"]
    folder = write_project(tmp_path, {"layouts/g/item.css": css, "layouts/g/item.html.j2": layout})
    (found,) = told(folder)
    assert found.startswith("layouts/g/item.css:9:") and ": CG305: " in found
