"""Faces that come as content and named parts: they are placed as they are, and their parts made into objects once."""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING, Any, Protocol

from cardgen.model.face import Rendering
from cardgen.model.painted import Blob, Category, DrawnPage, Glyphs, PaintedFace, Part, Uses, font_name
from cardgen.pdf.fonts import FontBook, SourceFonts
from cardgen.pdf.operators import number
from cardgen.pdf.resources import Resources, Source, Used, page_content
from cardgen.units import mm_to_pt

if TYPE_CHECKING:
    import pikepdf

# Of 7 MB of contents (900 cards), level 9 takes 0.13 s and 488 kB where level 6 takes 0.05 s and 512 kB.
COMPRESSION = 6


class _Using(Protocol):
    """Something that names parts and draws glyphs."""

    @property
    def uses(self) -> Uses: ...
    @property
    def glyphs(self) -> tuple[Glyphs, ...]: ...


class PaintedParts:
    """The parts of painted faces on their way into a file."""

    def __init__(self, pdf: pikepdf.Pdf, fonts: FontBook, resources: Resources) -> None:
        self._pdf, self._fonts, self._resources = pdf, fonts, resources
        self._parts: dict[tuple[Category, str], Part] = {}
        self._files: dict[str, Blob] = {}
        # The glyphs told to be drawn, by font.
        self._told: dict[str, int] = {}
        self._made: dict[tuple[Category, str], Any] = {}
        # What copies are made from stays open until the file is saved.
        self._open: list[pikepdf.Pdf] = []

    def add(self, rendering: Rendering) -> None:
        """Take in what a painted rendering's faces name."""
        assert rendering.painted is not None
        for part in rendering.painted.parts:
            self._parts.setdefault((part.category, part.name), part)
        for blob in rendering.painted.fonts:
            self._files.setdefault(font_name(blob.digest), blob)

    def take(self, of: _Using) -> Used:
        """The names that a face uses, or many do together, whose objects are in the file from now on."""
        return self._take(of.uses, of.glyphs)

    def _take(self, uses: Uses, glyphs: tuple[Glyphs, ...]) -> Used:
        for key in uses:
            if key not in self._made:
                self._made[key] = made = self._make(*key)
                self._resources.adopt(*key, made)
        for one in glyphs:
            told = self._told.get(one.font, 0)
            if new := one.ids & ~told:
                self._told[one.font] = told | new
                self._fonts.draw(one.font, _numbers(new))
            for glyph, text in one.texts:
                self._fonts.tell(one.font, glyph, text)
        return set(uses)

    def _make(self, category: Category, name: str) -> Any:
        import pikepdf

        if category == "Font":
            blob = self._files[name]
            return self._fonts.add(blob.digest, lambda: blob.data)
        part = self._parts[category, name]
        if part.page is not None:
            return self._drawn_form(part.page)
        entries: Any = pikepdf.Object.parse(b"<<" + part.entries + b">>")
        if part.uses:
            entries.Resources = self._resources.dictionary(self._take(part.uses, part.glyphs))
        if part.mask:
            mask = self._mask(part.mask)
            entries.SMask = (
                mask
                if category == "XObject"
                else pikepdf.Dictionary(Type=pikepdf.Name.Mask, S=pikepdf.Name.Luminosity, G=mask)
            )
        if part.stream is None:
            return self._pdf.make_indirect(entries)
        data = part.stream.data
        if "/Filter" not in entries:
            entries.Filter, data = pikepdf.Name.FlateDecode, zlib.compress(data, COMPRESSION)
        return self._pdf.make_indirect(pikepdf.Stream(self._pdf, data, entries))

    def _drawn_form(self, page: DrawnPage) -> Any:
        import pikepdf

        opened = pikepdf.open(io.BytesIO(page.pdf.data))
        self._open.append(opened)
        found: Any = opened.pages[0].obj
        source = Source(opened, SourceFonts(self._fonts, page.fonts))
        content, used = self._resources.take(page_content(found), found.get("/Resources"), source)
        form: Any = pikepdf.Stream(self._pdf, zlib.compress(content, COMPRESSION))
        form.Filter, form.Type, form.Subtype = pikepdf.Name.FlateDecode, pikepdf.Name.XObject, pikepdf.Name.Form
        form.BBox = pikepdf.Array(found.MediaBox)
        form.Resources = self._resources.dictionary(used)
        return self._pdf.make_indirect(form)

    def _mask(self, name: str) -> Any:
        key: tuple[Category, str] = ("XObject", name)
        self._take((key,), ())
        return self._made[key]


def _numbers(bits: int) -> list[int]:
    return [number for number, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]


def rendering_pdf(rendering: Rendering) -> bytes:
    """A rendering as a PDF, a page for each of its faces in the order of its keys; empty when it has none."""
    if rendering.painted is None or not rendering.keys:
        return rendering.pdf
    return _pages(rendering, rendering.painted.faces)


def face_pdf(rendering: Rendering, index: int) -> tuple[bytes, int]:
    """A PDF in which the face `index` of a rendering is, counted from 0, and the number of its page there."""
    if rendering.painted is None:
        return rendering.pdf, index
    return _pages(rendering, rendering.painted.faces[index : index + 1]), 0


def _pages(rendering: Rendering, faces: tuple[PaintedFace, ...]) -> bytes:
    import pikepdf

    with pikepdf.new() as pdf:
        fonts, resources = FontBook(pdf), Resources(pdf)
        parts = PaintedParts(pdf, fonts, resources)
        parts.add(rendering)
        size = rendering.trim.size
        box = [0, 0, *(number(mm_to_pt(side + 2 * rendering.bleed)) for side in (size.width, size.height))]
        media = f"[{' '.join(map(str, box))}]".encode("ascii")
        for face in faces:
            page: Any = pikepdf.Dictionary(Type=pikepdf.Name.Page, MediaBox=pikepdf.Object.parse(media))
            page.Resources = resources.dictionary(parts.take(face))
            page.Contents = pdf.make_indirect(pikepdf.Stream(pdf, face.content))
            pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
        fonts.finish()
        target = io.BytesIO()
        pdf.save(target, static_id=True, stream_decode_level=pikepdf.StreamDecodeLevel.none, compress_streams=False)
        return target.getvalue()
