"""Writes an imposition and the faces it places into one PDF.

A face that is placed once is inlined: its operators stand in the page between `q` and `Q`. One that is placed more
often becomes a form that all its places share. Fonts, images and all other resources are there once per file.
"""

from __future__ import annotations

import io
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import ExitStack
from decimal import Decimal
from functools import lru_cache, partial
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from cardgen.errors import CardgenError
from cardgen.geometry import Box, Matrix, Polygon, Size
from cardgen.model.face import Rendering
from cardgen.model.painted import Glyphs, PaintedFace, Uses
from cardgen.model.sheet import UNMOVED, Imposition, Placement, Sheet
from cardgen.pdf.drawing import draw
from cardgen.pdf.fonts import FontBook, SourceFonts
from cardgen.pdf.labels import LabelFonts
from cardgen.pdf.metadata import write_metadata
from cardgen.pdf.operators import corners, number, numbers, on_page, placing, polygon, rectangle
from cardgen.pdf.painted import COMPRESSION, PaintedParts
from cardgen.pdf.resources import Resources, Source, Used, page_content
from cardgen.pdf.sheets import Sheets, StoredSheet, deflated, used_by
from cardgen.units import mm_to_pt

if TYPE_CHECKING:
    import pikepdf

T = TypeVar("T")

# How many pages' contents wait at most to be compressed.
_AHEAD = 16
# Making a page's content takes a third of the time of compressing it.
_BESIDE = 2


def get_ready() -> None:
    """Load the libraries that writing needs, for a caller that waits for drawings anyway: they take 50 ms."""
    for name in ("pikepdf", "uharfbuzz"):
        import_module(name)


def write_pdf(
    imposition: Imposition,
    renderings: Sequence[Rendering],
    label_fonts: Iterable[bytes] = (),
    known: Sheets | None = None,
) -> bytes:
    """The file with all sheets of `imposition`, whose faces are pages of `renderings`.

    `label_fonts` are whole TTF or OTF files for the sheets' own texts, in order of preference; sheets that are `known` are
    not made again. The same input gives the same bytes, however the faces are shared out over renderings and whatever is
    known. Raises CardgenError when a face is in none of them, ValueError when there are texts and no label font, or no
    sheets at all.
    """
    import pikepdf

    if not imposition.sheets:
        raise ValueError("an imposition without sheets makes no file")

    with ExitStack() as stack:
        pdf = stack.enter_context(pikepdf.new())
        fonts, resources = FontBook(pdf), Resources(pdf)
        faces = _Faces(pdf, fonts, resources)
        for rendering in renderings:
            # Where every face failed there is no file.
            if rendering.painted is not None:
                faces.add_painted(rendering)
            elif rendering.keys:
                faces.add(rendering, stack.enter_context(pikepdf.open(io.BytesIO(rendering.pdf))))
        count = Counter(placement.face for sheet in imposition.sheets for placement in sheet.placements)
        used: Used = set()

        def name_of(font: pikepdf.Object) -> str:
            name = resources.add("Font", repr(font.objgen).encode(), lambda: font)
            used.add(("Font", name))
            return name

        labels = LabelFonts(fonts, label_fonts, name_of)
        shared = pdf.make_indirect(pikepdf.Dictionary())

        sheets = Sheets() if known is None else known
        often = {face for face, times in count.items() if times > 1}
        drawn: dict[tuple[object, float], str] = {}

        def content(sheet: Sheet) -> _Content:
            height = sheet.paper.height
            under, over = (
                draw(part, height, labels.typeset, drawn) for part in (sheet.drawing.under, sheet.drawing.over)
            )
            begin, end = b"", b""
            if sheet.correction != UNMOVED:
                begin, end = f"q\n{on_page(sheet.correction, height)} cm\n".encode("ascii"), b"Q\n"
            shown = faces.shown(sheet, often, (begin, under, over, end)) if known is not None else None
            stored = sheets.find(shown) if shown is not None else None
            if stored is not None:
                used.update(faces.use(stored))
                return _Content(stored.data, stored=stored)
            placed = [faces.place(placement, height, placement.face in often, used) for placement in sheet.placements]
            made = b"".join([begin, under, *placed, over, end])
            return _Content(made, shown, faces.used(sheet) if shown is not None else ((), ()))

        def stored(content: _Content) -> bytes:
            if content.stored is not None:
                return content.data
            if content.shown is None:
                return deflated(content.data) if known is None else known.deflated(content.data)
            return sheets.keep(content.shown, StoredSheet(deflated(content.data), *content.used)).data

        contents = _in_order(
            map(content, imposition.sheets), len(imposition.sheets), stored, lambda made: bool(made.stored)
        )
        for sheet, data in zip(imposition.sheets, contents, strict=True):
            _add_page(pdf, sheet, data, shared)
        for key, value in resources.dictionary(used).items():
            shared[key] = value
        fonts.finish()
        write_metadata(pdf, imposition)
        target = io.BytesIO()
        pdf.save(
            target,
            min_version="1.7",
            deterministic_id=True,
            fix_metadata_version=False,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            stream_decode_level=pikepdf.StreamDecodeLevel.none,
        )
        return target.getvalue()


class _Content(Struct, frozen=True):
    """The content of a sheet, a hash of what it `shown` is, and what its faces use; or one that is `stored` as it is."""

    data: bytes
    shown: bytes | None = None
    used: tuple[Uses, tuple[Glyphs, ...]] = ((), ())
    stored: StoredSheet | None = None


class _Page(Struct, frozen=True):
    """Where a face's picture is: a page of a rendering."""

    rendering: Rendering
    source: Source
    page: pikepdf.Object

    def content(self, resources: Resources) -> tuple[bytes, Used]:
        """Its operators in the file's names, and the names that they use."""
        return resources.take(page_content(self.page), self.page.get("/Resources"), self.source)


class _Painted(Struct, frozen=True):
    """The same of a face that was painted."""

    rendering: Rendering
    parts: PaintedParts
    face: PaintedFace

    def content(self, _: Resources) -> tuple[bytes, Used]:
        """Its operators, and the names that they use."""
        return self.face.content, self.parts.take(self.face)

    @property
    def has_patterns(self) -> bool:
        """Whether it uses any pattern."""
        return any(category == "Pattern" for category, _ in self.face.uses)


class _Faces:
    """The faces of all renderings, and what became of those already placed."""

    def __init__(self, pdf: pikepdf.Pdf, fonts: FontBook, resources: Resources) -> None:
        self._pdf, self._fonts, self._resources = pdf, fonts, resources
        self._parts = PaintedParts(pdf, fonts, resources)
        self._pages: dict[str, _Page | _Painted] = {}
        self._forms: dict[str, str] = {}

    def add(self, rendering: Rendering, opened: pikepdf.Pdf) -> None:
        """Take in the pages and fonts of a rendering; `opened` must stay open until the file is saved."""
        pages = [page.obj for page in opened.pages]
        source = Source(opened, SourceFonts(self._fonts, rendering.fonts))
        for key, page in zip(rendering.keys, pages, strict=True):
            # The same picture may have been made twice, by two workers; either will do.
            self._pages.setdefault(key, _Page(rendering, source, page))

    def add_painted(self, rendering: Rendering) -> None:
        """Take in the faces of a rendering that was painted."""
        assert rendering.painted is not None
        self._parts.add(rendering)
        for key, face in zip(rendering.keys, rendering.painted.faces, strict=True):
            self._pages.setdefault(key, _Painted(rendering, self._parts, face))

    def shown(self, sheet: Sheet, often: Set[str], around: Iterable[bytes]) -> bytes | None:
        """A hash of all that a sheet shows, what is `around` its faces as operators; None where that is not all that its
        content depends on: names of forms, of resources that other engines named, patterns that slip."""
        hashed = sha256()
        for part in around:
            hashed.update(b"%d\n" % len(part))
            hashed.update(part)
        for placement in sheet.placements:
            page = self._pages.get(placement.face)
            if type(page) is not _Painted or placement.face in often or page.has_patterns:
                return None
            hashed.update(_start(placement, page, sheet.paper.height) + placement.face.encode() + b"\n")
        return hashed.digest()

    def use(self, sheet: StoredSheet) -> Used:
        """The names that a stored sheet uses, whose objects are in the file from now on."""
        return self._parts.take(sheet)

    def used(self, sheet: Sheet) -> tuple[Uses, tuple[Glyphs, ...]]:
        """What the painted faces of a sheet use."""
        pages = (self._pages[placement.face] for placement in sheet.placements)
        return used_by(page.face for page in pages if isinstance(page, _Painted))

    def place(self, placement: Placement, height: float, often: bool, used: Used) -> bytes:
        """The operators that place a face on a sheet of `height` mm; adds the resources they need to `used`."""
        page = self._pages.get(placement.face)
        if page is None:
            raise CardgenError(f"{placement.label}: its face was not drawn, so it cannot be placed on a sheet")
        content, names = self._content(placement.face, page, often)
        used |= names
        return _start(placement, page, height) + content + b"\nQ\n"

    def _content(self, face: str, page: _Page | _Painted, often: bool) -> tuple[bytes, Used]:
        if face not in self._forms:
            content, names = page.content(self._resources)
            # A pattern is anchored to the stream it is used in, whatever `cm` says: inlined, it would slip.
            if not often and all(category != "Pattern" for category, _ in names):
                return content, names
            self._forms[face] = self._form(face, page.rendering, content, names)
        name = self._forms[face]
        return f"/{name} Do".encode("ascii"), {("XObject", name)}

    def _form(self, face: str, rendering: Rendering, content: bytes, names: Used) -> str:
        import pikepdf

        page = Size(rendering.trim.size.width + 2 * rendering.bleed, rendering.trim.size.height + 2 * rendering.bleed)

        def make() -> pikepdf.Object:
            # By hand: pikepdf would take the TrimBox for the BBox, and the bleed would be cut off.
            form: Any = pikepdf.Stream(self._pdf, zlib.compress(content, COMPRESSION))
            form.Filter = pikepdf.Name.FlateDecode
            form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            form.BBox = _array(0.0, 0.0, mm_to_pt(page.width), mm_to_pt(page.height))
            form.Resources = self._resources.dictionary(names)
            made: pikepdf.Object = self._pdf.make_indirect(form)
            return made

        return self._resources.add("XObject", b"face " + face.encode("utf-8"), make)


def _start(placement: Placement, page: _Page | _Painted, height: float) -> bytes:
    size, bleed = page.rendering.trim.size, page.rendering.bleed
    return _begin(placement.matrix, size, bleed, placement.clip, placement.outline, height)


# The places of a grid are the same on every sheet.
@lru_cache(maxsize=256)
def _begin(matrix: Matrix, size: Size, bleed: float, clip: Box, outline: Polygon | None, height: float) -> bytes:
    """The operators before a face: what it is cut to, and where its page comes to lie."""
    at = placing(matrix, size, bleed, height)
    cut = f"{numbers(*rectangle(clip, height))} re W n\n"
    if outline is not None:
        cut += f"{polygon(outline, height)} W n\n"
    return f"q\n{cut}{numbers(at.a, at.b, at.c, at.d, at.e, at.f)} cm\n".encode("ascii")


def _in_order(
    contents: Iterable[T], count: int, stored: Callable[[T], bytes], is_quick: Callable[[T], bool]
) -> Iterator[bytes]:
    """The contents as they are stored, in order: beside what makes the next ones where there are many and it takes time."""
    if count <= _AHEAD:
        yield from map(stored, contents)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(_BESIDE) as beside:
        waiting: deque[Callable[[], bytes]] = deque()
        for content in contents:
            waiting.append(partial(stored, content) if is_quick(content) else beside.submit(stored, content).result)
            if len(waiting) > _AHEAD:
                yield waiting.popleft()()
        yield from (done() for done in waiting)


def _add_page(pdf: pikepdf.Pdf, sheet: Sheet, content: bytes, resources: pikepdf.Object) -> None:
    import pikepdf

    contents: Any = pikepdf.Stream(pdf, content)
    contents.Filter = pikepdf.Name.FlateDecode
    page: Any = pikepdf.Object.parse(_page(sheet.paper, sheet.trim, sheet.bleed))
    page.Resources, page.Contents = resources, pdf.make_indirect(contents)
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))


# All pages of most files are alike.
@lru_cache(maxsize=64)
def _page(size: Size, trim: Box | None, bleed: Box | None) -> bytes:
    """The dictionary of a page, but for its resources and contents."""
    paper = Box(0.0, 0.0, size.width, size.height)
    # What a print shop delivers is cut to the TrimBox: the whole paper where marks tell the cuts inside it, the card
    # where the page is one card.
    boxes = {"MediaBox": paper, "BleedBox": bleed or paper, "TrimBox": trim or paper}
    parts = [f"/{name} [{numbers(*corners(box, paper.height))}]" for name, box in boxes.items()]
    return f"<< /Type /Page {' '.join(parts)} >>".encode("ascii")


def _array(*values: float) -> pikepdf.Array:
    import pikepdf

    return pikepdf.Array([Decimal(number(value)) for value in values])
