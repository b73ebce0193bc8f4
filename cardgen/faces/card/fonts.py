"""Fonts by role: the files that a text may be set in, in the order in which they are asked for a character.

Which file comes first is what fontconfig decides for the reference engine: families in their order, in a family the
nearest slant, then the nearest weight; no letter is slanted or emboldened by calculation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise

import uharfbuzz
from msgspec import Struct

from cardgen.faces.assets import Assets, face_url
from cardgen.faces.card.display import Run
from cardgen.faces.card.shaping import TextStyle
from cardgen.model.font import FontFace, FontRole

# fontconfig's scale of weights, by OpenType's: regular and demibold are far apart, bold and black are near.
_WEIGHTS: tuple[tuple[int, int], ...] = (
    (0, 0),
    (100, 0),
    (200, 40),
    (300, 50),
    (350, 55),
    (380, 75),
    (400, 80),
    (500, 100),
    (600, 180),
    (700, 200),
    (800, 205),
    (900, 210),
    (1000, 215),
)


class Metrics(Struct, frozen=True):
    """A font's measures, each for a font size of 1, as Pango gives them. Positions are heights over the baseline."""

    ascent: float
    descent: float
    line_gap: float
    x_height: float
    underline: float
    underline_size: float
    strike: float
    strike_size: float


class Font:
    """One font file, opened. Of each there is one in a process."""

    def __init__(self, data: bytes, digest: str) -> None:
        self.data, self.digest = data, digest
        self.face = uharfbuzz.Face(data)
        self.shaper = uharfbuzz.Font(self.face)
        self.upem: int = self.face.upem
        self.characters = frozenset(map(chr, self.face.unicodes))
        self._naturals: dict[int, float] = {}

    def natural(self, glyph: int) -> float:
        """The advance of a glyph on its own, in 1/1000 em, as the PDF's table of widths has it."""
        if glyph not in self._naturals:
            self._naturals[glyph] = round(self.shaper.get_glyph_h_advance(glyph) * 1000 / self.upem, 3)
        return self._naturals[glyph]

    @cached_property
    def metrics(self) -> Metrics:
        """Its measures."""
        extents = self.shaper.get_font_extents("ltr")
        tags = uharfbuzz.OTMetricsTag

        def position(tag: uharfbuzz.OTMetricsTag, otherwise: float) -> float:
            # A font that says nothing, or 0, gets what Pango takes.
            return (self.shaper.get_metric_position(tag) or 0) / self.upem or otherwise

        drawn = self.shaper.get_glyph_extents(self.shaper.get_nominal_glyph(ord("x")) or 0)
        ascent, descent = extents.ascender / self.upem, -extents.descender / self.upem
        return Metrics(
            ascent=ascent,
            descent=descent,
            line_gap=extents.line_gap / self.upem,
            x_height=round(drawn.y_bearing / self.upem, 5) if drawn and drawn.y_bearing > 0 else 0.5,
            underline=position(tags.UNDERLINE_OFFSET, -1 / 12),
            underline_size=position(tags.UNDERLINE_SIZE, 1 / 12),
            strike=position(tags.STRIKEOUT_OFFSET, ascent / 2),
            strike_size=position(tags.STRIKEOUT_SIZE, 1 / 12),
        )


_OPENED: dict[str, Font] = {}


def opened(digest: str) -> Font:
    """The font with a sha256, which a FontSet of this process has opened."""
    return _OPENED[digest]


class FontSet:
    """The fonts of a project by role, as one language has them. Files are read when a text first needs them."""

    def __init__(self, assets: Assets, roles: Mapping[str, FontRole]) -> None:
        self._assets, self.roles = assets, roles
        self._files: dict[str, Font] = {}
        self._styles: dict[tuple[object, ...], TextStyle] = {}

    def style(
        self,
        families: tuple[str, ...],
        weight: int,
        italic: bool,
        features: tuple[tuple[str, int], ...] = (),
        kerning: bool = True,
        spaced: bool = False,
    ) -> TextStyle:
        """How texts of a CSS style are set; the same object for the same style.

        `families` are roles, in order; what names no role is passed over, as a font that a system lacks. `spaced` says
        that the style has letter spacing, which undoes ligatures.
        """
        key = (families, weight, italic, features, kerning, spaced)
        found = self._styles.get(key)
        if found is None:
            wanted = {"kern": int(kerning)} | ({"liga": 0, "clig": 0, "dlig": 0} if spaced else {}) | dict(features)
            faces = tuple(face_url(face) for role in self._order(families) for face in _nearest(role, weight, italic))
            found = self._styles[key] = TextStyle(tuple(dict.fromkeys(faces)), self._open, wanted)
        return found

    def is_current(self) -> bool:
        """Whether the files that it has opened are what they were. Raises FileProblem for one that is gone."""
        return all(self._assets.read(url)[0] == font.data for url, font in self._files.items())

    def _order(self, families: tuple[str, ...]) -> Iterator[FontRole]:
        """The roles named, the roles that stand in for them, and last all others: better than a box."""
        named = [self.roles[family] for family in families if family in self.roles]
        stand_ins = [self.roles[id] for role in named for id in role.fallback if id in self.roles]
        yield from {role.id: role for role in (*named, *stand_ins, *self.roles.values())}.values()

    def _open(self, url: str) -> Font:
        if url not in self._files:
            data, _ = self._assets.read(url)
            digest = hashlib.sha256(data).hexdigest()
            if digest not in _OPENED:
                _OPENED[digest] = Font(data, digest)
            self._files[url] = _OPENED[digest]
        return self._files[url]


def _nearest(role: FontRole, weight: int, italic: bool) -> list[FontFace]:
    """The faces of a role, nearest first; of two that are as near the first one."""
    scale = _scaled(weight)
    return sorted(role.faces, key=lambda face: ((face.style == "italic") != italic, abs(_scaled(face.weight) - scale)))


def _scaled(weight: float) -> float:
    for (low, from_), (high, to) in pairwise(_WEIGHTS):
        if weight <= high:
            return from_ + (to - from_) * (weight - low) / (high - low)
    return _WEIGHTS[-1][1]


def ink(run: Run) -> tuple[float, float, float, float]:
    """What a run blackens: left, top, right, bottom in 1/1000 em from where its pen starts, y downwards."""
    font = opened(run.font)
    scale = 1000 / font.upem
    pen, boxes = 0.0, []
    for glyph in run.glyphs:
        found = font.shaper.get_glyph_extents(glyph.id)
        if found is not None and (found.width or found.height):
            left, top = pen + glyph.dx + found.x_bearing * scale, -glyph.dy - found.y_bearing * scale
            boxes.append((left, top, left + found.width * scale, top - found.height * scale))
        pen += glyph.advance
    if not boxes:
        return 0.0, 0.0, 0.0, 0.0
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
