"""A preview is the print: the same pixels as the sheet that the build writes, where the card lies on it."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from cardgen.diagnostics import Report
from cardgen.pdf.raster import page_image
from cardgen.pipeline.build import build
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.studio.drawing import draw_face
from cardgen.studio.faces import shipped_look
from cardgen.studio.workshop import Workshop
from cardgen.workers import Workers
from tests.support import write_project

# Ten pixels a millimetre: the first place of a sheet of nine, 10.5 and 16.5 mm from its corner, begins with a pixel.
DPI = 254
LEFT, TOP = 105, 165


def test_the_preview_is_the_print_pixel_by_pixel(tmp_path: Path) -> None:
    workshop = Workshop(write_project(tmp_path, {"cards/g/cards/items.yaml": "axe: {kind: item, name: Great Axe, "
                                                  "rules: 'It **cuts** what *stands* in its way.'}\n"}))  # fmt: skip
    project = workshop.project
    report = Report()
    done = build(project, choose(project, [], []), tmp_path / "output", Options(), Workers(), report)
    assert not report.items, [item.message for item in report]
    job = shipped_look(workshop, project.games["g"], project.games["g"].cards["axe"]).job
    assert job is not None and job.screen
    preview = Image.open(io.BytesIO(draw_face(job, DPI).png)).convert("RGB")
    assert preview.size == (630, 880)
    sheet = page_image(done.files[0].path.read_bytes(), 0, DPI)
    printed = sheet.crop((LEFT, TOP, LEFT + 630, TOP + 880))
    # Paper begins where the trim ends: what lies at the very edge is shared by both sides of it.
    inner = (2, 2, 628, 878)
    apart = ImageChops.difference(printed.crop(inner), preview.crop(inner))
    # The sheet's points are no whole parts of a pixel: an outline may be shifted by a quarter of one, never by more.
    assert max(high for _, high in apart.getextrema()) < 80
    assert sum(ImageStat.Stat(apart).mean) / 3 < 0.1
    assert len(preview.getcolors(100_000) or []) > 20, "there is a card to compare"
