"""Finds a card's picture on printed sheets."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from PIL import Image, ImageChops, ImageFilter, ImageStat

from cardgen.pdf.raster import page_image

SMALL = 6


class Found(Struct, frozen=True):
    """Where a picture lies on a page: how far that is from it (0 to 255 a pixel, on the average), and both pictures."""

    apart: float
    page: int
    printed: Image.Image


def find_picture(pdf: bytes, pages: int, picture: Image.Image, dpi: float) -> Found:
    """The place on the pages of a PDF that looks most like a picture drawn at `dpi`, upright or turned by a quarter."""
    return min(
        (
            _on_page(sheet, number, picture)
            for number in range(pages)
            for sheet in _turned(page_image(pdf, number, dpi))
        ),
        key=lambda found: found.apart,
    )


def _turned(sheet: Image.Image) -> Iterator[Image.Image]:
    for turn in (None, Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_270):
        yield sheet if turn is None else sheet.transpose(turn)


def _on_page(sheet: Image.Image, number: int, picture: Image.Image) -> Found:
    small = picture.resize((picture.width // SMALL, picture.height // SMALL), Image.Resampling.BOX)
    rough = sheet.resize((sheet.width // SMALL, sheet.height // SMALL), Image.Resampling.BOX)
    if rough.width < small.width or rough.height < small.height:
        return Found(255.0, number, sheet)
    places = ((x, y) for x in range(rough.width - small.width + 1) for y in range(rough.height - small.height + 1))
    left, top = min(places, key=lambda at: apart(rough, small, at))
    near = [(left * SMALL + dx, top * SMALL + dy) for dx in range(-SMALL, SMALL + 1) for dy in range(-SMALL, SMALL + 1)]
    soft, blurred = sheet.filter(ImageFilter.GaussianBlur(1)), picture.filter(ImageFilter.GaussianBlur(1))
    at = min(near, key=lambda place: apart(soft, blurred, place))
    box = (at[0], at[1], at[0] + picture.width, at[1] + picture.height)
    return Found(apart(soft, blurred, at), number, sheet.crop(box))


def apart(sheet: Image.Image, picture: Image.Image, at: tuple[int, int]) -> float:
    """How far a picture is from what lies at a place of a sheet: 0 to 255 a pixel, on the average."""
    box = (at[0], at[1], at[0] + picture.width, at[1] + picture.height)
    return sum(ImageStat.Stat(ImageChops.difference(sheet.crop(box), picture)).mean) / 3
