"""The weasyprint engine: what it draws, measures and refuses."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import pikepdf
import pytest
from msgspec import structs
from PIL import Image

from cardgen.diagnostics import Report
from cardgen.exports.png import face_png
from cardgen.faces.assets import Assets
from cardgen.faces.engines import Job, render
from cardgen.faces.fit import fits
from cardgen.faces.make import FaceMaker
from cardgen.model.face import Face, Fit, Rendering
from tests.support import load, write_project

LAYOUT = "layouts/g/item.html.j2"
LONG = "Every survivor who can hear this card being read aloud loses one point of health at once. " * 4


def job_of(tmp_path: Path, changes: Mapping[str, str | None] | None = None) -> Job:
    project = load(write_project(tmp_path, changes))
    game = project.games["g"]
    report = Report()
    maker = FaceMaker(project, report)
    faces = [maker.make(card, game, "front") for card in game.cards.values()]
    assert not report.items, [item.message for item in report]
    return Job(tuple(face for face in faces if face is not None), Assets(project.shelf), project.fonts)


def fit_of(rendering: Rendering, face: Face, field: str) -> Fit:
    return next(fit for fit in rendering.fits if fit.key == face.key and fit.field == field)


def cards(**texts: str) -> dict[str, str]:
    lines = [f"{id}: {{kind: item, name: {id}, rules: {text!r}}}" for id, text in texts.items()]
    return {"cards/g/cards/items.yaml": "\n".join(lines) + "\n"}


def test_a_page_a_face_of_trim_and_bleed(tmp_path: Path) -> None:
    job = job_of(tmp_path)
    rendering = render(job)
    assert rendering.keys == tuple(face.key for face in job.faces)
    assert not rendering.complaints and not rendering.failures
    with pikepdf.open(io.BytesIO(rendering.pdf)) as pdf:
        assert len(pdf.pages) == 2
        for page in pdf.pages:
            box = [float(value) * 25.4 / 72 for value in page.MediaBox]
            assert box == pytest.approx([0, 0, 69, 94], abs=0.01)


def test_the_origin_is_the_trims_corner_and_art_reaches_the_bleed(tmp_path: Path) -> None:
    css = """
.bleed { position: absolute; left: -3mm; top: -3mm; width: 69mm; height: 94mm; background-color: #00ff00 }
.trim { position: absolute; left: 0; top: 0; width: 63mm; height: 88mm; background-color: #ff0000 }
"""
    layout = '{% set css = ["g/item.css"] %}<div class="bleed"></div><div class="trim"></div>'
    rendering = render(job_of(tmp_path, {LAYOUT: layout, "layouts/g/item.css": css}))
    dpi = 254  # ten pixels a millimetre
    whole = Image.open(io.BytesIO(face_png(rendering, 0, dpi, bleed=True))).convert("RGB")
    assert whole.size == (690, 940)
    assert whole.getpixel((0, 0)) == whole.getpixel((689, 939)) == whole.getpixel((28, 470)) == (0, 255, 0)
    assert whole.getpixel((31, 31)) == whole.getpixel((658, 908)) == (255, 0, 0)
    cut = Image.open(io.BytesIO(face_png(rendering, 0, dpi, bleed=False))).convert("RGB")
    assert cut.size == (630, 880)
    assert {cut.getpixel(point) for point in ((1, 1), (628, 1), (1, 878), (628, 878))} == {(255, 0, 0)}


def test_short_text_keeps_its_full_size(tmp_path: Path) -> None:
    job = job_of(tmp_path, cards(axe="Short."))
    fit = fit_of(render(job), job.faces[0], "rules")
    assert (fit.scale, fit.tight) == (1.0, False)
    assert fits(fit)
    assert (fit.box.x, fit.box.y, fit.box.width, fit.box.height) == pytest.approx((4, 50, 55, 20), abs=0.02)


def test_long_text_is_tightened_then_scaled_until_it_fits(tmp_path: Path) -> None:
    middling, long = LONG[:330], LONG[:430]
    job = job_of(tmp_path, cards(axe=middling, rope=long))
    rendering = render(job)
    first, second = (fit_of(rendering, face, "rules") for face in job.faces)
    assert fits(first) and fits(second)
    assert first.tight and second.tight
    assert 0.8 <= second.scale < first.scale <= 1.0


def test_text_that_cannot_fit_is_set_at_its_least_and_measured(tmp_path: Path) -> None:
    job = job_of(tmp_path, cards(axe=LONG * 3, rope="Short."))
    rendering = render(job)
    fit = fit_of(rendering, job.faces[0], "rules")
    assert fit.scale == 0.8
    assert fit.overflow > 5
    assert fits(fit_of(rendering, job.faces[1], "rules"))


def test_fits_do_not_depend_on_the_other_faces(tmp_path: Path) -> None:
    alone = job_of(tmp_path / "alone", cards(axe=LONG[:430]))
    among = job_of(tmp_path / "among", cards(rope="Short.", axe=LONG[:430], saw=LONG * 3))
    one = fit_of(render(alone), alone.faces[0], "rules")
    two = fit_of(render(among), among.faces[1], "rules")
    assert (one.scale, one.tight) == (two.scale, two.tight)


@pytest.mark.parametrize("count", [3, 9])
def test_what_runs_over_a_face_is_a_failure_of_that_face_alone(tmp_path: Path, count: int) -> None:
    layout = f"{{% if card.id == 'axe' %}}{'<p class=p>x</p>' * count}{{% endif %}}ok"
    css = ".p { height: 40mm; margin: 0 }"
    job = job_of(tmp_path, {LAYOUT: '{% set css = ["g/item.css"] %}' + layout, "layouts/g/item.css": css})
    rendering = render(job)
    assert [key for key, _ in rendering.failures] == [job.faces[0].key]
    assert rendering.keys == (job.faces[1].key,)


def test_only_the_projects_fonts_are_used(tmp_path: Path) -> None:
    css = {"layouts/g/item.css": ".face { font-family: 'DejaVu Serif', 'Times New Roman', serif }"}
    rendering = render(job_of(tmp_path, css))
    with pikepdf.open(io.BytesIO(rendering.pdf)) as pdf:
        names = {str(font.BaseFont) for page in pdf.pages for font in page.Resources.Font.values()}
    assert names
    families = ("text", "display", "symbols")
    assert all(name.partition("+")[2].startswith(families) for name in names), names


@pytest.mark.parametrize("url", ["https://example.org/a.png", "file:///etc/hostname"])
def test_nothing_outside_the_project_is_fetched(tmp_path: Path, url: str) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    job = job_of(tmp_path, {LAYOUT: f'<img src="{url}">fine'})
    rendering = render(job)
    assert rendering.keys and rendering.refused == (url,)
    assert not rendering.complaints
    assert b"secret" not in rendering.pdf


def test_a_drawing_for_the_screen_measures_what_the_print_measures(tmp_path: Path) -> None:
    job = job_of(tmp_path, cards(axe="Short, sharp: **bold** *italic*.", saw=LONG))
    print_, screen = render(job), render(structs.replace(job, screen=True))
    assert len(screen.pdf) < len(print_.pdf) / 2
    assert (screen.keys, screen.fits, screen.complaints) == (print_.keys, print_.fits, print_.complaints)
    assert print_.fonts and not screen.fonts


def test_the_same_job_gives_the_same_bytes(tmp_path: Path) -> None:
    job = job_of(tmp_path, cards(axe=LONG[:430], rope="Short."))
    assert render(job) == render(job)


def test_the_collector_is_left_as_it_was(tmp_path: Path) -> None:
    import gc

    before = gc.get_threshold()
    render(job_of(tmp_path))
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_an_edited_style_is_drawn_in_the_same_process(tmp_path: Path) -> None:
    seen = []
    for colour in ("#00ff00", "#ff0000"):
        css = (
            f".ground {{ position: absolute; left: 0; top: 0; width: 63mm; height: 88mm; background-color: {colour} }}"
        )
        seen.append(render(job_of(tmp_path, {"layouts/g/item.css": css})).pdf)
    assert seen[0] != seen[1]
