"""What a worker of Studio does: one face to a picture, and judging what takes long."""

from __future__ import annotations

import io

from msgspec import Struct, structs

from cardgen.faces.engines import Job, render
from cardgen.model.face import Rendering
from cardgen.pdf.painted import face_pdf
from cardgen.pdf.raster import page_image

# Pictures of a screen; a finer one costs more than anybody sees.
LEAST_DPI, MOST_DPI = 72.0, 300.0


class Drawn(Struct, frozen=True):
    """A face as PNG (empty when the engine failed), and what the engine measured and found."""

    png: bytes
    rendering: Rendering


def draw_face(job: Job, dpi: float) -> Drawn:
    """Draw the only face of a job at `dpi` (kept between LEAST_DPI and MOST_DPI), its bleed cut off."""
    rendering = render(job)
    png = b"" if rendering.failures else _trimmed(rendering, min(MOST_DPI, max(LEAST_DPI, dpi)))
    return Drawn(png, structs.replace(rendering, pdf=b"", fonts=(), painted=None))


def _trimmed(rendering: Rendering, dpi: float) -> bytes:
    picture = page_image(*face_pdf(rendering, 0), dpi)
    edge = round(rendering.bleed / 25.4 * dpi)
    target = io.BytesIO()
    # A fast compression: the picture travels over the loopback only.
    picture.crop((edge, edge, picture.width - edge, picture.height - edge)).save(target, "PNG", compress_level=1)
    return target.getvalue()
