"""Pictures of pages: the size asked for, the colours that are there."""

from __future__ import annotations

import io

import pytest
from making import Make
from PIL import Image

from cardgen.model.face import Rendering
from cardgen.pdf.raster import page_png


@pytest.fixture(scope="module")
def faces(make: Make) -> Rendering:
    body = '<div style="position:absolute; inset:0 0 50% 0; background:#ff8000"></div>'
    return make({"a": body, "b": '<div class="trim">b</div>'})


@pytest.mark.parametrize("dpi", [36, 72, 96, 150, 200.5, 300])
def test_a_picture_has_the_size_of_the_page(dpi: float, faces: Rendering) -> None:
    image = Image.open(io.BytesIO(page_png(faces.pdf, 0, dpi)))
    assert image.size == (round(69 / 25.4 * dpi), round(94 / 25.4 * dpi))
    assert image.format == "PNG"


def test_colours_are_the_pages_on_white(faces: Rendering) -> None:
    image = Image.open(io.BytesIO(page_png(faces.pdf, 0, 72))).convert("RGB")
    assert image.getpixel((100, 20)) == (255, 128, 0)
    assert image.getpixel((100, 250)) == (255, 255, 255)


def test_every_page_has_its_own_picture(faces: Rendering) -> None:
    assert page_png(faces.pdf, 0, 72) != page_png(faces.pdf, 1, 72)
    assert page_png(faces.pdf, 1, 72) == page_png(faces.pdf, 1, 72)


@pytest.mark.parametrize("index", [-1, 2])
def test_a_page_that_is_not_there_is_an_error(index: int, faces: Rendering) -> None:
    with pytest.raises(IndexError, match=f"page {index} of 2"):
        page_png(faces.pdf, index, 72)


def test_a_resolution_must_be_positive(faces: Rendering) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        page_png(faces.pdf, 0, 0)
