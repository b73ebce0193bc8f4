"""Parts of renderings: which may be kept, and what is left of one when some of its faces are not wanted any more."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Protocol

from msgspec import structs

from cardgen.faces.card.uses import coarsest
from cardgen.faces.images import MIN_DPI
from cardgen.model.face import Rendering


class Keeper(Protocol):
    """Has renderings of earlier builds."""

    def find(self, keys: Set[str]) -> list[Rendering]:
        """Renderings of faces among `keys` (those of faces, not of their pages), and of no others."""

    def keys(self) -> set[str]:
        """The keys of all faces that `find` has, as far as can be told without reading them."""

    def keep(self, rendering: Rendering) -> None:
        """Take in what was drawn just now."""


def faces_of(rendering: Rendering) -> set[str]:
    """The keys of the faces that a rendering has: of one that flows, its pages count as one."""
    return {key.partition("/")[0] for key in rendering.keys if key}


def is_divisible(rendering: Rendering) -> bool:
    """Whether all that was found out about its faces says which face it is about.

    What is told of a rendering as a whole (a picture's coarsest use, a glyph that some text lacks) may be true of a
    face that is not wanted any more: such a rendering is used as a whole or not at all.
    """
    whole = (rendering.failures, rendering.complaints, rendering.undrawn, rendering.refused, rendering.unloaded)
    if any(whole):
        return False
    # Painted faces know their own pictures.
    return rendering.painted is not None or all(use.dpi >= MIN_DPI for use in rendering.pictures)


def part_of(rendering: Rendering, wanted: Set[str]) -> Rendering | None:
    """The rendering with nothing but the `wanted` faces; None where it has none, or cannot be divided.

    Pages of a PDF that nobody wants stay in it: they have no key, and are never placed.
    """
    own = faces_of(rendering)
    if own <= wanted:
        return rendering if own else None
    if own.isdisjoint(wanted) or not is_divisible(rendering):
        return None
    if rendering.painted is not None:
        rendering = _painted_part(rendering, wanted)
    keys = tuple(key if key.partition("/")[0] in wanted else "" for key in rendering.keys)
    fits = tuple(fit for fit in rendering.fits if fit.key in wanted)
    strays = tuple(stray for stray in rendering.strays if stray.key in wanted)
    return structs.replace(rendering, keys=keys, fits=fits, strays=strays)


def _painted_part(rendering: Rendering, wanted: Set[str]) -> Rendering:
    """A painted rendering without the faces that are not wanted: each is by itself."""
    assert rendering.painted is not None
    pairs = [pair for pair in zip(rendering.keys, rendering.painted.faces, strict=True) if pair[0] in wanted]
    painted = structs.replace(rendering.painted, faces=tuple(face for _, face in pairs))
    pictures = coarsest(use for face in painted.faces for use in face.pictures)
    return structs.replace(rendering, keys=tuple(key for key, _ in pairs), painted=painted, pictures=pictures)


def parts_of(renderings: Iterable[Rendering], wanted: Set[str]) -> list[Rendering]:
    """The parts of renderings that are wanted, no face twice."""
    left = set(wanted)
    found = []
    for rendering in renderings:
        part = part_of(rendering, left)
        if part is not None:
            left -= faces_of(part)
            found.append(part)
    return found
