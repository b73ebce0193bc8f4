"""Pictures of pages, for galleries and previews."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from cardgen.units import PT_PER_INCH

if TYPE_CHECKING:
    from PIL import Image


def page_png(pdf: bytes, index: int, dpi: float) -> bytes:
    """The page `index` of a PDF (counted from 0) as PNG at `dpi` dots an inch, which it says; as `page_image`
    otherwise."""
    target = io.BytesIO()
    page_image(pdf, index, dpi).save(target, "PNG", dpi=(dpi, dpi))
    return target.getvalue()


def page_image(pdf: bytes, index: int, dpi: float) -> Image.Image:
    """The page `index` of a PDF (counted from 0) as an RGB picture at `dpi` dots an inch.

    It is round(mm / 25.4 * dpi) pixels wide and high, the mm being the page's size. Raises IndexError when there is no
    such page, ValueError when the resolution is not positive.
    """
    import pypdfium2

    if dpi <= 0:
        raise ValueError(f"a resolution must be positive, not {dpi}")
    with pypdfium2.PdfDocument(pdf) as document:
        if not 0 <= index < len(document):
            raise IndexError(f"page {index} of {len(document)}")
        page = document[index]
        width, height = (max(1, round(side / PT_PER_INCH * dpi)) for side in page.get_size())
        # pypdfium2 would round the size up; so the bitmap is made here, the page stretched over it by under a pixel.
        bitmap = pypdfium2.PdfBitmap.new_native(width, height, pypdfium2.raw.FPDFBitmap_BGR)
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        pypdfium2.raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0)
        # A copy: the bitmap's own memory goes with it.
        picture: Image.Image = bitmap.to_pil().convert("RGB").copy()
        return picture
