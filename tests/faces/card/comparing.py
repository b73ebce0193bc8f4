"""Display lists painted by the card engine, and the same content drawn by the reference engine, as pictures."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from cardgen.faces.assets import Assets
from cardgen.faces.card.display import Item
from cardgen.faces.card.fonts import FontSet
from cardgen.faces.card.paint import Paintings, paint
from cardgen.faces.page import font_css
from cardgen.geometry import Size
from cardgen.model.face import Rendering
from cardgen.model.trim import Trim
from cardgen.pdf.painted import rendering_pdf
from cardgen.pdf.raster import page_image

DPI = 150
MM_PER_PX = 25.4 / 96


def trim_of(width: float, height: float, bleed: float = 0.0) -> Trim:
    """A trim of a size in px."""
    return Trim("test", "Test", Size(width * MM_PER_PX, height * MM_PER_PX), bleed, 0.0, 0.0)


def painted(items: Sequence[Item], assets: Assets, fontset: FontSet, size: tuple[float, float]) -> Paintings:
    """One face with these items."""
    return paint([("face", tuple(items))], assets, trim_of(*size), fontset)


def pdf_of(paintings: Paintings, size: tuple[float, float]) -> bytes:
    """The face as a PDF of one page."""
    keys = ("face",) * len(paintings.painted.faces)
    trim = trim_of(*size)
    return rendering_pdf(Rendering(b"", keys, trim, trim.bleed, (), painted=paintings.painted))


def picture_of(pdf: bytes) -> Image.Image:
    """The first page as pixels."""
    return page_image(pdf, 0, DPI)


def reference(project: Any, body: str, size: tuple[float, float], css: str = "") -> Image.Image:
    """The page that the reference engine makes of markup."""
    engine = pytest.importorskip("cardgen.faces.weasyprint")
    assets = Assets(project.shelf)
    fonts = engine._fonts(assets, font_css(project.fonts))
    width, height = (f"{side}px" for side in size)
    rules = f"@page {{ size: {width} {height}; margin: 0 }} body {{ margin: 0; position: relative }} {css}"
    document = engine.weasyprint.HTML(
        string=f'<html lang="en"><style>{rules}</style><body>{body}</body></html>',
        base_url="http://cardgen.invalid/",
        url_fetcher=engine._Fetcher(assets),
    )
    pdf = document.render(font_config=fonts.config, stylesheets=list(fonts.sheets)).write_pdf()
    return picture_of(pdf)


def differing(one: Image.Image, two: Image.Image, threshold: int = 64) -> float:
    """The part of the pixels, in percent, in which any channel differs by more than a threshold."""
    assert one.size == two.size
    red, green, blue = ImageChops.difference(one, two).split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return 100 * sum(counts[threshold + 1 :]) / sum(counts)


def is_blank(picture: Image.Image) -> bool:
    """Whether nothing is on it: two empty pages would agree about everything."""
    return picture.getextrema() == ((255, 255),) * 3


def png(image: Image.Image, **options: Any) -> bytes:
    """A picture's file."""
    target = io.BytesIO()
    image.save(target, options.pop("format", "PNG"), **options)
    return target.getvalue()


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Files below a folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
