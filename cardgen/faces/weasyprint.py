"""The reference engine: WeasyPrint draws many faces of one trim into one PDF and measures their boxes.

Tuned as measured: one document for many faces, no system fonts, the garbage collector out of the way, anchors read
in the same pass, only overflowing faces laid out again.
"""

from __future__ import annotations

import ctypes.util
import logging
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from msgspec import Struct

from cardgen.errors import EngineMissing, FileProblem
from cardgen.faces.assets import Assets, css_url, face_url
from cardgen.faces.calm import calm_collector
from cardgen.faces.complaints import Complaints, sort_complaints
from cardgen.faces.engines import Job
from cardgen.faces.fit import MAX_FIT_ROUNDS, RUNS_OVER, Fits, next_fit
from cardgen.faces.images import serve
from cardgen.faces.page import flow_css, flow_html, font_css, language_css, leave_out_css, page_css, page_html
from cardgen.faces.standing import Standing
from cardgen.model.face import Face, Fit, Rendering, Stray, page_key
from cardgen.model.font import FontRole, in_language
from cardgen.model.painted import FontUse, PictureUse
from cardgen.model.trim import Trim

MM_PER_PX = 25.4 / 96


@contextmanager
def _direct_libraries() -> Iterator[None]:
    # cffi asks the C compiler where a library is whenever one of the names that WeasyPrint tries is not a file:
    # 0.2 s of every start. On Linux the next name it tries is the file itself.
    if sys.platform != "linux":
        yield
        return
    find = ctypes.util.find_library
    ctypes.util.find_library = lambda name: None
    try:
        yield
    finally:
        ctypes.util.find_library = find


os.environ["FONTCONFIG_FILE"] = str(Path(__file__).with_name("no-system-fonts.conf"))
try:
    with warnings.catch_warnings(), _direct_libraries():
        # WeasyPrint warns that there are no system fonts: that is the point.
        warnings.simplefilter("ignore")
        import weasyprint
        from fontTools.ttLib import TTFont
        from weasyprint.images import RasterImage
        from weasyprint.pdf.metadata import DocumentMetadata
        from weasyprint.text.fonts import FontConfiguration
        from weasyprint.urls import URLFetcher, URLFetcherResponse

    from cardgen.faces.weasyprint_standing import standing_of
except OSError as error:
    raise EngineMissing(
        f"WeasyPrint finds no Pango on this system ({error}); on Debian: apt install libpango-1.0-0 "
        "libpangoft2-1.0-0 libharfbuzz-subset0"
    ) from None


class _Fetcher(URLFetcher):  # type: ignore[misc]
    """Gives WeasyPrint what the project holds, and nothing else."""

    def __init__(self, assets: Assets) -> None:
        super().__init__(allowed_protocols=())
        self.assets = assets

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        data, mime = serve(self.assets, url)
        return URLFetcherResponse(url, body=data, headers={"Content-Type": mime})


# What it says of fonts that are damaged a little would go to the terminal.
logging.getLogger("fontTools").addHandler(logging.NullHandler())


@contextmanager
def _listening() -> Iterator[Complaints]:
    handler = Complaints()
    logger = weasyprint.LOGGER
    before = logger.handlers[:], logger.propagate
    logger.handlers[:], logger.propagate = [handler], False
    try:
        yield handler
    finally:
        logger.handlers[:], logger.propagate = before


class _Fonts(Struct, frozen=True):
    """The fonts of a project as the engine has them, and the rules for those it could not load."""

    config: FontConfiguration
    sheets: tuple[Any, ...]
    lost: tuple[str, ...]


@lru_cache(maxsize=16)
def _fonts(assets: Assets, css: str) -> _Fonts:
    # Read once a process: documents that share a configuration share its parsed fonts.
    config = FontConfiguration()
    sheets, lost = [], []
    for rule in css.splitlines():
        with _listening() as complaints:
            sheets.append(weasyprint.CSS(string=rule, font_config=config, url_fetcher=_Fetcher(assets)))
        if complaints.messages:
            lost.append(rule)
    return _Fonts(config, tuple(sheets), tuple(lost))


@lru_cache(maxsize=64)
def _sheet(assets: Assets, fonts: str, name: str, text: str) -> Any:
    config, fetcher = _fonts(assets, fonts).config, _Fetcher(assets)
    return weasyprint.CSS(string=text, base_url=css_url(name), font_config=config, url_fetcher=fetcher)


class _Page(Struct, frozen=True):
    """A face's page, and its number in the document that laid it out."""

    page: Any
    number: int


class _Drawer:
    """Draws one job: holds what its documents share."""

    def __init__(self, job: Job) -> None:
        first = job.faces[0]
        self.screen = job.screen
        self.fetcher = _Fetcher(job.assets)
        roles = _roles(job)
        fonts = font_css(roles)
        self.font_config = _fonts(job.assets, fonts).config
        own = (flow_css if first.flow else page_css)(first.trim) + language_css(first.lang)
        page = weasyprint.CSS(string=own, font_config=self.font_config, url_fetcher=self.fetcher)
        self.sheets = [*_fonts(job.assets, fonts).sheets, page]
        self.sheets += [_sheet(job.assets, fonts, name, job.assets.css(name)) for name in first.css]
        if first.leave_out:
            self.sheets.append(weasyprint.CSS(string=leave_out_css(first.leave_out), font_config=self.font_config))
        self.images: dict[str, Any] = {}
        self.failures: dict[str, str] = {}

    def layout(self, faces: list[Face], fits: Mapping[str, Fits]) -> dict[str, _Page]:
        """Lay out faces, one page each: face key -> page. A face that breaks the engine is found by halving."""
        try:
            document = self._document(faces, fits)
        except Exception as error:
            if len(faces) == 1:
                self.fail(faces[0].key, error)
                return {}
            half = len(faces) // 2
            return self.layout(faces[:half], fits) | self.layout(faces[half:], fits)
        pages: dict[str, _Page] = {}
        spilled: dict[str, None] = {}
        for page in document.pages:
            # What runs over the trim goes on on a further page, with the same anchor or (nothing but air) with none.
            number = next((name for name in page.anchors if name.startswith("face-")), None)
            if number is None:
                continue
            index = int(number.removeprefix("face-"))
            key = faces[index].key
            if key in pages:
                spilled[key] = None
            pages[key] = _Page(page, index)
        for key in spilled:
            self.failures[key] = RUNS_OVER
            pages.pop(key)
        return pages

    def flow(self, face: Face) -> dict[str, Any]:
        """Lay out a text over as many pages as it needs: their keys -> pages."""
        try:
            document = self._render(flow_html(face))
        except Exception as error:
            self.fail(face.key, error)
            return {}
        for page in document.pages:
            page.links = []  # nobody follows them on paper
        return {page_key(face.key, number): page for number, page in enumerate(document.pages, 1)}

    def fail(self, key: str, error: Exception) -> None:
        """Note why a face could not be drawn."""
        self.failures[key] = f"{type(error).__name__}: {error}".splitlines()[0][:300]

    def _document(self, faces: list[Face], fits: Mapping[str, Fits]) -> Any:
        return self._render(page_html([(face, fits.get(face.key, {})) for face in faces]))

    def _render(self, html: str) -> Any:
        return weasyprint.HTML(string=html, base_url="http://cardgen.invalid/", url_fetcher=self.fetcher).render(
            font_config=self.font_config, stylesheets=self.sheets, cache=self.images
        )


def render(job: Job) -> Rendering:
    """Draw and measure the faces of a job (all of one layout, trim and language)."""
    trim = job.faces[0].trim
    lost = _lost_fonts(job)
    if lost:
        return Rendering(b"", (), trim, trim.bleed, (), unloaded=lost)
    with _listening() as complaints, calm_collector():
        return _drawn(job, complaints)


def _drawn(job: Job, complaints: Complaints) -> Rendering:
    trim = job.faces[0].trim
    try:
        drawer = _Drawer(job)
    except (RecursionError, ValueError, SyntaxError) as error:
        # Brackets in brackets: the engine's reader of style sheets has no bound of its own.
        problem = f"a style sheet of its layout cannot be read ({type(error).__name__}: {error})"
        return Rendering(b"", (), trim, trim.bleed, (), failures=((job.faces[0].key, problem[:300]),))
    faces = {face.key: face for face in job.faces}
    measured: tuple[Fit, ...] = ()
    strays: tuple[Stray, ...] = ()
    if job.faces[0].flow:
        flows = {face.key: drawer.flow(face) for face in faces.values()}
        pages = {key: page for flow in flows.values() for key, page in flow.items()}
        strays = tuple(stray for key, flow in flows.items() for stray in _strays_of_flow(flow, key, trim))
    else:
        laid = drawer.layout(list(faces.values()), {})
        measured, strays = _fit(drawer, faces, laid, trim)
        pages = {key: laid[key].page for key in faces if key in laid}
    uses = _watch_pictures(drawer)
    keys, pdf, fonts = _write_sound(drawer, pages)
    if not keys and pages and (lost := _broken_fonts(job)):
        return Rendering(b"", (), trim, trim.bleed, (), unloaded=lost)
    failures, pictures = tuple(drawer.failures.items()), tuple(uses[url] for url in sorted(uses))
    said, undrawn, refused = sort_complaints(complaints)
    return Rendering(pdf, keys, trim, trim.bleed, fonts, measured, failures, said, pictures, undrawn, refused, strays)


def _roles(job: Job) -> dict[str, FontRole]:
    """The fonts as the language of the job's faces has them."""
    return in_language(job.fonts, job.faces[0].lang)


def _lost_fonts(job: Job) -> tuple[str, ...]:
    """The font files that the engine could not load: with none at all it would end the process."""
    lost = _fonts(job.assets, font_css(_roles(job))).lost
    faces = (face for role in _roles(job).values() for face in role.faces)
    return tuple(sorted({face.file for face in faces if any(f"'{face_url(face)}'" in rule for rule in lost)}))


def _broken_fonts(job: Job) -> tuple[str, ...]:
    """The font files that nobody can read to the end, looked for when nothing can be written."""
    broken = set()
    for face in {face.file: face for role in _roles(job).values() for face in role.faces}.values():
        try:
            font = TTFont(BytesIO(job.assets.read(face_url(face))[0]))
            for table in list(font.keys()):
                font[table]
        except Exception:
            broken.add(face.file)
    return tuple(sorted(broken))


def _watch_pictures(drawer: _Drawer) -> dict[str, PictureUse]:
    """Notes the coarsest use of each raster picture while the file is written; only then its size is known."""
    uses: dict[str, PictureUse] = {}

    def watch(url: str, image: Any) -> None:
        draw = image.draw

        def note(stream: Any, width: float, height: float, style: Any) -> None:
            if width > 0 and height > 0:
                use = PictureUse(url, (image.width, image.height), (width * MM_PER_PX, height * MM_PER_PX))
                if url not in uses or use.dpi < uses[url].dpi:
                    uses[url] = use
            draw(stream, width, height, style)

        image.draw = note

    for url, image in drawer.images.items():
        if isinstance(image, RasterImage):
            watch(url, image)
    return uses


def _fit(
    drawer: _Drawer, faces: Mapping[str, Face], pages: dict[str, _Page], trim: Trim
) -> tuple[tuple[Fit, ...], tuple[Stray, ...]]:
    """Tighten and scale what overflows until it fits or reaches its minimum; `pages` takes the last layout."""
    fits: dict[str, Fits] = {}
    seen: dict[str, Standing] = {}
    todo = list(pages)
    for turn in range(MAX_FIT_ROUNDS + 1):
        again: list[Face] = []
        for key in todo:
            seen[key] = standing_of(pages[key].page, trim, f"{pages[key].number}-", faces[key].fits)
            for fit in seen[key].fits(faces[key], fits.get(key, {})):
                better = next_fit(fit, faces[key].fits[fit.field])
                if better is not None and turn < MAX_FIT_ROUNDS:
                    fits.setdefault(key, {})[fit.field] = better
                    if faces[key] not in again[-1:]:
                        again.append(faces[key])
        if not again:
            break
        laid = drawer.layout(again, fits)
        for face in again:
            if face.key not in laid:
                pages.pop(face.key)
        pages.update(laid)
        todo = list(laid)
    measured = [fit for key in pages for fit in seen[key].fits(faces[key], fits.get(key, {}))]
    return tuple(measured), tuple(stray for key in pages for stray in seen[key].strays(key))


def _strays_of_flow(pages: Mapping[str, Any], key: str, trim: Trim) -> Iterator[Stray]:
    """What leaves its box or the paper on any page of a text that flows: tables and words are wider than they seem."""
    for page in pages.values():
        yield from standing_of(page, trim, "", ()).strays(key)


def _write_sound(drawer: _Drawer, pages: dict[str, Any]) -> tuple[tuple[str, ...], bytes, tuple[FontUse, ...]]:
    """Write all pages but those that the engine cannot write, which become failures: their keys, the file, its fonts."""
    try:
        return tuple(pages), *(_write(drawer, list(pages.values())) if pages else (b"", ()))
    except Exception as error:
        if len(pages) == 1:
            drawer.fail(next(iter(pages)), error)
            return (), b"", ()
    # Seldom enough to look at each alone.
    sound = {key: page for key, page in pages.items() if _write_sound(drawer, {key: page})[0]}
    if len(sound) == len(pages):
        raise FileProblem("faces that can be written one by one cannot be written together")
    return _write_sound(drawer, sound)


def _write(drawer: _Drawer, pages: list[Any]) -> tuple[bytes, tuple[FontUse, ...]]:
    uses: dict[str, FontUse] = {}

    def collect(document: Any, pdf: Any) -> None:
        # Several fonts may share a name (one per size): their glyphs belong together.
        for font in document.fonts.values():
            name = str(font.hash)
            known = uses.get(name)
            unicode = {**(known.unicode if known else {}), **font.to_unicode}
            widths = {**(known.widths if known else {}), **font.widths}
            digest = known.digest if known else sha256(font.file_content).hexdigest()
            uses[name] = FontUse(name, digest, unicode, widths)

    for page in pages:
        # Anchors served to measure; in the file they would be thousands of named destinations.
        page.anchors = {}
    document = weasyprint.Document(pages, DocumentMetadata(), drawer.fetcher, drawer.font_config, {}, None)
    if drawer.screen:
        return document.write_pdf(uncompressed_pdf=True, cache=drawer.images), ()
    pdf = document.write_pdf(full_fonts=True, uncompressed_pdf=True, finisher=collect, cache=drawer.images)
    return pdf, tuple(uses.values())
