"""Lays out the faces of one layout, and makes their texts fit."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from cardgen.faces.assets import BASE, css_url
from cardgen.faces.card.blocks import lay_absolute, lay_apart, lay_block
from cardgen.faces.card.boxes import Box, nameless
from cardgen.faces.card.building import Builder
from cardgen.faces.card.cascade import Cascade
from cardgen.faces.card.display import Item
from cardgen.faces.card.fonts import FontSet
from cardgen.faces.card.fragments import Fragment, Held
from cardgen.faces.card.measuring import Measured
from cardgen.faces.card.stacking import display_list
from cardgen.faces.card.style import Style
from cardgen.faces.card.used import used_values
from cardgen.faces.card.values import PX_PER_MM
from cardgen.faces.engines import Job
from cardgen.faces.fit import MAX_FIT_ROUNDS, RUNS_OVER, Fits, next_fit
from cardgen.faces.page import fit_style, leave_out_css
from cardgen.model.face import Face, Fit, Stray
from cardgen.model.font import in_language
from cardgen.model.trim import Trim
from cardgen.units import format_mm

# Rounding, when what a face holds is as high as the face.
SLACK = 0.01


class Laid(Struct, frozen=True):
    """A face that is laid out: what it shows, how its texts came out, and the characters that no font has."""

    items: tuple[Item, ...]
    fits: tuple[Fit, ...]
    strays: tuple[Stray, ...]
    missing: frozenset[str]


def face_css(trim: Trim) -> str:
    """The box of a face."""
    width, height = format_mm(trim.size.width), format_mm(trim.size.height)
    return f"body{{margin:0;padding:0}}.face{{position:relative;width:{width}mm;height:{height}mm}}"


def sheets_of(job: Job) -> tuple[tuple[str, str], ...]:
    """The style sheets of a job's faces: text and address. Raises FileProblem."""
    first = job.faces[0]
    own = ((job.assets.css(name), css_url(name)) for name in first.css)
    left_out = ((leave_out_css(first.leave_out), BASE),) if first.leave_out else ()
    return (face_css(first.trim), BASE), *own, *left_out


class Layouter:
    """Lays out the faces of a job, which share their style sheets."""

    def __init__(self, job: Job) -> None:
        first = job.faces[0]
        self.trim, self.assets = first.trim, job.assets
        self.fonts = FontSet(job.assets, in_language(job.fonts, first.lang))
        self.cascade = Cascade(sheets_of(job), self.fonts, first.lang)
        self.builder = Builder(self.cascade, job.assets)
        self._known_around: dict[Style, tuple[Fragment, Held]] = {}

    def lay(self, face: Face) -> Laid:
        """Lay out a face and make its texts fit. Raises ValueError for what cannot be drawn."""
        if face.flow:
            raise ValueError("a text that flows over pages needs the engine `weasyprint`")
        root, measured, fits = self.fitted(face)
        if root.y + _lowest(root) > root.height + SLACK:
            raise ValueError(RUNS_OVER)
        standing = measured.standing
        items, missing = display_list(root, self.assets)
        return Laid(items, tuple(standing.fits(face, fits)), standing.strays(face.key), missing)

    def fitted(self, face: Face) -> tuple[Fragment, Measured, Fits]:
        """The face as its last layout has it: what overflows is tightened and scaled until it fits or may not shrink."""
        fits: Fits = {}
        self.builder.read(face.html, face.side)
        root = self.laid_out(fits)
        measured = Measured(root, self.trim, face.fits)
        for _ in range(MAX_FIT_ROUNDS):
            again: dict[str, Fragment | None] = {}
            for fit in measured.standing.fits(face, fits):
                better = next_fit(fit, face.fits[fit.field])
                if better is not None:
                    fits[fit.field] = better
                    again[fit.field] = measured.holders.get(fit.field)
            if not again:
                break
            root, measured = self.tried(face, root, measured, again, fits)
        return root, measured, fits

    def tried(
        self, face: Face, root: Fragment, measured: Measured, again: Mapping[str, Fragment | None], fits: Fits
    ) -> tuple[Fragment, Measured]:
        """The face that was read last with these fits, of which those of the fields `again` are new, measured."""
        if None in again.values():
            root = self.laid_out(fits)
            return root, Measured(root, self.trim, face.fits)
        measured.look_again(self._layout_parts(again, fits))
        return root, measured

    def laid_out(self, fits: Fits) -> Fragment:
        """The face that was read last, laid out with these fits."""
        return self.laid_box(self.builder.face(_marks(fits)))

    def laid_box(self, box: Box) -> Fragment:
        """The boxes of a face, laid out."""
        if box.is_apart:
            around, held = self._around(box)
            return lay_apart(box, around, held)
        return self._laid(box)

    def _laid(self, box: Box) -> Fragment:
        width, height = self.trim.size.width * PX_PER_MM, self.trim.size.height * PX_PER_MM
        flow = lay_block(box, used_values(box, width, height), width, [])
        # Margins at the top of what it holds move the whole face, as they move any box.
        flow.fragment.y = flow.top
        return flow.fragment

    def _around(self, box: Box) -> tuple[Fragment, Held]:
        """A face of this style that holds one absolute box, and what that waits in."""
        found = self._known_around.get(box.style)
        if found is None:
            around = self._laid(nameless(box.kind, box.style, box.source, box.inside[:1]))
            held = around.inside[0].held
            assert held is not None
            found = self._known_around[box.style] = (around, held)
        return found

    def _layout_parts(self, parts: Mapping[str, Fragment | None], fits: Fits) -> list[Fragment]:
        """Lay out anew only the absolute boxes that hold these fields: nothing outside of them depends on them. Returns
        these boxes."""
        done: dict[int, Fragment] = {}
        for part in parts.values():
            assert part is not None and part.box is not None and part.held is not None
            if id(part) not in done:
                done[id(part)] = part
                part.box = self.builder.again(part.box, _marks(fits))
                lay_absolute(part, part.held)
        return list(done.values())


def _marks(fits: Fits) -> dict[str, str]:
    return {field: fit_style(*fit) for field, fit in fits.items()}


def _lowest(root: Fragment) -> float:
    """How far down what is in the flow of a face reaches."""
    return max(
        (part.y + part.height for part in root.inside if part.box is None or not part.box.is_absolute), default=0.0
    )
