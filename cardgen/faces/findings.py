"""Reports what an engine found out about faces: what it could not draw, what does not fit, text that is out of place.

What befalls many faces for the same reason is told once, with their number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import ceil

from msgspec import Struct

from cardgen.diagnostics import Diagnostic, Report, Span, nearest
from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets, picture_name
from cardgen.faces.fit import RUNS_OVER, fits
from cardgen.faces.images import MIN_DPI
from cardgen.faces.places import Places
from cardgen.model.face import Face, Fit, Rendering, Stray, StrayKind

# From so many cards on, what befalls all of them is the layout's fault and not that of their texts.
ALL_OF = 3

_STRAY_CODES: dict[StrayKind, str] = {
    "trim": "CG318",
    "hidden": "CG319",
    "box": "CG320",
    "safe": "CG321",
    "unsized": "CG322",
    "unplaced": "CG322",
}
_LACKS: dict[StrayKind, str] = {"unsized": "height", "unplaced": "place"}
# What says that a layout is outside of the card profile, or cannot be read.
_LINTED = ("CG301", "CG305", "CG311")
# The declaration or selector that an engine does not take.
_SAID = re.compile(r"(?:Ignored )?`(?P<text>(?:(?P<name>[\w-]+)\s*:(?=[^`]*` (?:at|is)))?[^`]*)`")
_NOTDEF = re.compile(r"\.notdef glyph .*\(U\+([0-9A-F]+)\)$")


class Blamed(Struct, frozen=True):
    """A text of the game that made another one, or itself (`is_its_own`), stand where it should not.

    `place` is where it is written in the face's language.
    """

    context: str
    place: Span
    is_its_own: bool


def nobody(face: Face, box: str, text: str) -> Blamed | None:
    """Where no texts are known, none is to blame."""
    return None


class Findings(Struct, frozen=True):
    """What is needed to report: the faces by key, where a field of a face's card was written, and which text is to blame
    for what stands in a box (a field, or classes) of a face."""

    faces: Mapping[str, Face]
    place: Callable[[Face, str], Span]
    assets: Assets
    report: Report
    blame: Callable[[Face, str, str], Blamed | None] = nobody

    def tell(self, renderings: Iterable[Rendering]) -> None:
        """Report what was found while all of the faces were drawn."""
        renderings = list(renderings)
        places = Places(self.assets)
        failed: dict[tuple[Span, str, str], set[str]] = {}
        for key, problem in (entry for rendering in renderings for entry in rendering.failures):
            face = self.faces[key]
            blamed = self.blame(face, "", "") if RUNS_OVER in problem else None
            hint = f"the text that may push it out is {_named(blamed)}" if blamed is not None else ""
            failed.setdefault((self.place(face, ""), face.label, problem), set()).add(hint)
        for (span, label, problem), hints in failed.items():
            # What fails in several languages, each with another text, is no text's fault.
            self.report.add("CG304", span, hints.pop() if len(hints) == 1 else "", face=label, problem=problem)
        for file in sorted({file for rendering in renderings for file in rendering.unloaded}):
            problem = "a broken font: the engine cannot load it"
            self.report.add("CG313", places.word("fonts/fonts.yaml", file), name=file, problem=problem)
        strays = [stray for rendering in renderings for stray in rendering.strays]
        # A box without a height is as high as its text, one without a place stands anywhere.
        loose = {(self.faces[stray.key].layout, stray.box) for stray in strays if stray.kind in _LACKS}
        measured = [fit for rendering in renderings for fit in rendering.fits]
        self._tell_fits([fit for fit in measured if (self.faces[fit.key].layout, fit.field) not in loose], places)
        self._tell_strays(strays, loose, {(fit.key, fit.field) for fit in measured if not fits(fit)}, places)
        for rendering in renderings:
            self._tell_complaints(rendering, places)
        self._tell_pictures(renderings)

    def _tell_fits(self, measured: list[Fit], places: Places) -> None:
        groups: dict[tuple[str, str], list[Fit]] = {}
        for fit in measured:
            groups.setdefault((self.faces[fit.key].layout, fit.field), []).append(fit)
        for (layout, field), group in groups.items():
            over = [fit for fit in group if not fits(fit)]
            cards = {self.faces[fit.key].label for fit in group}
            blamed = {fit.key: self.blame(self.faces[fit.key], field, "") for fit in over}
            if len(over) == len(group) and len(cards) >= ALL_OF and not _is_one_text(blamed.values()):
                css = self.faces[group[0].key].css
                span = places.rule(css, [_class(field)]) or places.words(layout, css, _calls(field))
                least, most = (f"{figure(fit.overflow for fit in group):.1f}" for figure in (min, max))
                hint = "it is not their texts: give the box more room or its text a smaller size"
                figures = {"least": least, "most": most, "count": len(cards)}
                self.report.add("CG323", span, hint, field=field, layout=layout, **figures)
                continue
            # A label that is too long overflows on every card: one text, one problem.
            shared: dict[Span, list[Fit]] = {}
            for fit in over:
                found = blamed[fit.key]
                shared.setdefault(self.place(self.faces[fit.key], field) if found is None else found.place, []).append(
                    fit
                )
            for span, fits_there in shared.items():
                # Of several that stand out as far it is the same one, whoever drew them and in what order.
                fit = min(
                    fits_there,
                    key=lambda each: (-each.overflow, self.faces[each.key].label, self.faces[each.key].lang),
                )
                face, found = self.faces[fit.key], blamed[fit.key]
                text = f"the text `{found.context}`" if found is not None else "the text"
                hint = f"shorten {text}; it is already set at {fit.scale:.0%}, the least that the layout allows"
                found_in = Diagnostic(
                    "CG309",
                    {"face": face.label, "lang": face.lang, "field": field, "overflow": f"{fit.overflow:.1f}"},
                    span,
                    hint,
                    len({each.key for each in fits_there}),
                )
                self.report.extend([found_in])

    def _tell_strays(
        self, strays: list[Stray], loose: set[tuple[str, str]], over: set[tuple[str, str]], places: Places
    ) -> None:
        groups: dict[tuple[str, str, StrayKind], list[Stray]] = {}
        for stray in strays:
            layout = self.faces[stray.key].layout
            # Text that does not fit, or whose box lies anywhere, is near the edge for that reason.
            if stray.kind == "safe" and ((layout, stray.box) in loose or (stray.key, stray.box) in over):
                continue
            groups.setdefault((layout, stray.box, stray.kind), []).append(stray)
        cut = {(layout, box) for layout, box, kind in groups if kind == "trim"}
        for (layout, box, kind), group in groups.items():
            if kind == "safe" and (layout, box) in cut:
                continue
            worst = min(group, key=lambda stray: (-stray.by, self.faces[stray.key].label, self.faces[stray.key].lang))
            face = self.faces[worst.key]
            about: dict[str, object]
            if kind in _LACKS:
                span, hint = self._loose(face, box, places)
                about = {"layout": layout, "field": box, "lack": _LACKS[kind]}
                self.report.add(_STRAY_CODES[kind], span, hint, **about)
                continue
            names = [_class(box)] if worst.is_field else box.split(".")
            rule = places.rule(face.css, names)
            about = {"face": face.label, "lang": face.lang, "layout": layout, "box": box, "text": worst.text}
            about |= self._figures(worst, face)
            span = self.place(face, box if worst.is_field else "")
            hint = _advice(kind, face) + (f"; see {rule}" if rule is not None else "")
            blamed = self.blame(face, box, worst.text)
            if blamed is not None and blamed.place != span:
                hint += f"; {'it is' if blamed.is_its_own else 'what may push it out is'} {_named(blamed)}"
            self.report.extend([Diagnostic(_STRAY_CODES[kind], about, span, hint, len({each.key for each in group}))])

    def _figures(self, stray: Stray, face: Face) -> dict[str, object]:
        if stray.kind == "safe":
            return {"room": f"{face.trim.safe - stray.by:.1f}", "safe": f"{face.trim.safe:g}"}
        return {"by": f"{stray.by:.1f}"}

    def _loose(self, face: Face, field: str, places: Places) -> tuple[Span, str]:
        """Where to mend a fitted box that nothing gives a height or a place, and how."""
        name = _class(field)
        rule = places.rule(face.css, [name])
        hint = f"write `.{name} {{ position: absolute; left: …; top: …; width: …; height: … }}`"
        if rule is not None:
            return rule, hint
        guess = nearest(name, places.classes(face.css))
        if guess is not None:
            hint = f"no style sheet has a rule for `.{name}`; did you mean that for `.{guess}`?"
        return places.words(face.layout, (), _calls(field)), hint

    def _tell_complaints(self, rendering: Rendering, places: Places) -> None:
        # Of a face that flows every page has a key of its own.
        drawn = [self.faces[key] for key in rendering.keys if key in self.faces]
        if not drawn:
            return
        face = drawn[0]
        layout = Span(f"layouts/{face.layout}.html.j2")
        told = {str(item.arguments["address"]) for item in self.report.items if item.code == "CG325"}
        for address in rendering.refused:
            if address not in told:
                bare = address.partition(":")[2]
                span = places.words(face.layout, face.css, [part for part in (address, bare) if part])
                if not is_told(self.report, span):
                    self.report.add("CG325", span, REFUSED_HINT, address=address)
        told = {
            char
            for item in self.report.items
            if item.code in ("CG308", "CG242")
            for char in str(item.arguments["missing"])
        }
        for complaint in rendering.complaints:
            glyph = _NOTDEF.search(complaint)
            if glyph is None and not self._is_linted(complaint, face, places):
                self.report.add("CG314", layout, problem=complaint)
            elif glyph is not None and (char := chr(int(glyph[1], 16))) not in told:
                # No text of the game lacks it: it stands in the layout, or is made of another letter.
                span = places.words(face.layout, face.css, [char])
                shown = f"`{char}` (U+{ord(char):04X})"
                self.report.add("CG324", span, GLYPH_HINT, layout=face.layout, lang=face.lang, chars=shown)

    def _is_linted(self, complaint: str, face: Face, places: Places) -> bool:
        """Whether what an engine says was told of a layout's files when these were held to the card profile."""
        linted = [item for item in self.report.items if item.code in _LINTED and item.span is not None]
        said = _SAID.match(complaint)
        for item in linted:
            span, problem = item.span, str(item.arguments["problem"])
            if span is None or span.file not in places.files(face.layout, face.css):
                continue
            if item.code != "CG305":
                if complaint.partition(": ")[2].rstrip(".") == problem:
                    return True
            elif said is not None and (said["name"] is None or f"`{said['name']}" in problem):
                # An engine writes a declaration with other spaces than the style sheet.
                words = "".join(said["text"].split()).lower()
                if words in "".join(places.lines(span).split()).lower():
                    return True
        return False

    def _tell_pictures(self, renderings: list[Rendering]) -> None:
        """Report pictures that the engine stumbled over, and whose coarsest use prints fewer dots than wanted."""
        uses = [(use.dpi, use.url, use, rendering) for rendering in renderings for use in rendering.pictures]
        seen = set[str]()
        for url, problem in {entry for rendering in renderings for entry in rendering.undrawn}:
            self.report.add("CG312", Span(self._file(url)), name=picture_name(url) or url, problem=problem)
        for dpi, url, use, rendering in sorted(uses, key=lambda entry: entry[:2]):
            if dpi >= MIN_DPI or url in seen:
                continue
            seen.add(url)
            using = [self.faces[key] for key in rendering.keys if key in self.faces]
            label = next((face.label for face in using if url.encode() in face.markup), using[0].layout)
            wide, high = (ceil(mm / 25.4 * MIN_DPI) for mm in use.printed)
            hint = (
                f"it has {use.pixels[0]} x {use.pixels[1]} pixels on {use.printed[0]:.1f} x {use.printed[1]:.1f} mm; "
                f"use a picture of {wide} x {high} pixels or print it smaller"
            )
            about = {"face": label, "name": picture_name(url) or url, "dpi": round(dpi), "least": MIN_DPI}
            self.report.add("CG315", Span(self._file(url)), hint, **about)

    def _file(self, url: str) -> str:
        try:
            return self.assets.file(url) or url
        except FileProblem:
            return url


def _named(blamed: Blamed) -> str:
    return f"`{blamed.context}` ({blamed.place})"


def _is_one_text(found: Iterable[Blamed | None]) -> bool:
    """Whether the same text is to blame everywhere."""
    contexts = {blamed.context if blamed is not None else "" for blamed in found}
    return len(contexts) == 1 and "" not in contexts


REFUSED_HINT = "put the picture into the project and name its file"
GLYPH_HINT = "use another, or give the role a font that has it, in fonts/fonts.yaml"


def is_told(report: Report, span: Span) -> bool:
    """Whether an address in this line was told to be outside of the card profile."""
    told = (item.span for item in report.items if item.code == "CG305" and item.message.startswith("`url("))
    return any(other is not None and (other.file, other.line) == (span.file, span.line) for other in told)


def _advice(kind: StrayKind, face: Face) -> str:
    trim = face.trim
    size = f"the trim `{trim.id}` is {trim.size.width:g} x {trim.size.height:g} mm"
    match kind:
        case "trim":
            return f'{size}; what may run over its edge is marked `data-layer="background"`'
        case "safe":
            return f"{size}; a knife may be 1 mm off, and a printer too"
        case "hidden":
            return "give the element that hides what leaves it more room"
    return "give it more room or smaller type, or put the text into a `fit` box"


def _class(field: str) -> str:
    """The class of a field's box."""
    return field.replace(".", "-")


def _calls(field: str) -> list[str]:
    """How layouts ask for the box of a field."""
    return [f'fit("{field}"', f"fit('{field}'"]
