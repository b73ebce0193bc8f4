"""Texts in pieces between which a line may break, with their widths; hyphens; and the glyphs of a part of a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

from msgspec import Struct
from pyphen import Pyphen, language_fallback
from unicode_segmentation_rs import graphemes, line_break_units

from cardgen.faces.card.display import Run, Word
from cardgen.faces.card.fonts import opened
from cardgen.faces.card.shaping import TextStyle
from cardgen.faces.card.style import Style
from cardgen.faces.card.values import used

SOFT_HYPHEN = "\u00ad"
# Letters that are written from right to left, and signs that turn the direction.
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]"
)
_WORD = re.compile(r"[^\W_]+(?:['’.·:\u00ad][^\W_]+)*")
_MOST_TEXTS = 4_000


class Unit(Struct, frozen=True, eq=False):
    """A piece of a text: a line may break behind it. `feed` says that the line ends there, `soft` that it ends with a
    soft hyphen; behind it are so many spaces. `kern` is what it is nearer to the piece that it follows without a space,
    in 1/1000 em."""

    text: str
    spaces: int
    words: tuple[Word, ...]
    feed: bool
    soft: bool
    kern: float = 0.0


_UNITS: dict[tuple[TextStyle, str, str], tuple[Unit, ...]] = {}
_PIECES: dict[tuple[TextStyle, str, str, str], Unit] = {}
# The widths of words, by size.
_WIDTHS: dict[float, dict[Word, float]] = {}
_MOST_SIZES = 500


def units_of(style: Style, text: str) -> tuple[Unit, ...]:
    """The pieces of a text."""
    key = (style.text, style.lang, text)
    found = _UNITS.get(key)
    if found is None:
        if len(_UNITS) >= _MOST_TEXTS:
            _UNITS.clear()
        units: list[Unit] = []
        before = ""
        for piece in line_break_units(text):
            units.append(_unit(style.text, style.lang, piece, before))
            before = "" if piece.endswith((" ", "\n")) else units[-1].text
        found = _UNITS[key] = tuple(units)
    return found


def _unit(style: TextStyle, lang: str, piece: str, before: str) -> Unit:
    key = (style, lang, piece, before)
    found = _PIECES.get(key)
    if found is None:
        if len(_PIECES) >= 4 * _MOST_TEXTS:
            _PIECES.clear()
        feed = piece.endswith("\n")
        text = piece[:-1] if feed else piece
        bare = text.rstrip(" ")
        words = tuple(word for run in glyphs_of(style, lang, bare) for word in run.words) if bare else ()
        kern = _em(style, lang, before + bare) - _em(style, lang, before) - _em(style, lang, bare) if before else 0.0
        found = _PIECES[key] = Unit(bare, len(text) - len(bare), words, feed, bare.endswith(SOFT_HYPHEN), kern)
    return found


def _em(style: TextStyle, lang: str, text: str) -> float:
    return sum(run.width for run in glyphs_of(style, lang, text)) if text else 0.0


def _width(words: Iterable[Word], size: float) -> float:
    """The width of words in px. As the reference engine does it, every glyph takes whole steps of 1/1024 px: where a
    line is exactly as wide as its box, that decides."""
    known = _WIDTHS.get(size)
    if known is None:
        # Texts that are scaled to fit have a size each: the oldest goes.
        while len(_WIDTHS) >= _MOST_SIZES:
            _WIDTHS.pop(next(iter(_WIDTHS)), None)
        known = _WIDTHS[size] = {}
    try:
        return sum([known[word] for word in words])
    except KeyError:
        if len(known) >= _MOST_TEXTS:
            known.clear()
        scale = size * 1.024
        for word in words:
            known[word] = sum([round(glyph.advance * scale) for glyph in word.glyphs]) / 1024
        return sum([known[word] for word in words])


def unit_width(style: Style, unit: Unit) -> float:
    """The width of a piece without the spaces behind it, in px."""
    width = _width(unit.words, style.size)
    if style.letter_spacing or style.word_spacing:
        width += style.letter_spacing * sum(word.clusters for word in unit.words)
        width += style.word_spacing * sum(word.spaces for word in unit.words)
    return width


def gap_width(style: Style, unit: Unit) -> float:
    """The width of the spaces behind a piece, in px."""
    return unit.spaces * style.space


def text_width(style: Style, text: str) -> float:
    """The width of a text in px."""
    return extent(
        glyphs_of(style.text, style.lang, text, style.is_rtl), style.size, style.letter_spacing, style.word_spacing
    )


def glyphs_of(style: TextStyle, lang: str, text: str, is_rtl: bool = False) -> tuple[Run, ...]:
    """The glyphs of a part of a line, in the order they are drawn in; `is_rtl` if it is read from the right."""
    if not is_rtl and (text.isascii() or not _RIGHT_TO_LEFT.search(text)):
        return style.shape(text, lang)
    return tuple(run for part, turned in _directed(text, is_rtl) for run in style.shape(part, lang, turned))


@lru_cache(maxsize=4096)
def _directed(text: str, is_rtl: bool) -> tuple[tuple[str, bool], ...]:
    """The parts of a text that run in one direction, from left to right, each as it is written."""
    bidi: Any = import_module("bidi.algorithm")
    storage = bidi.get_empty_storage()
    storage["base_level"], storage["base_dir"] = (1, "R") if is_rtl else (0, "L")
    bidi.get_embedding_levels(text, storage)
    bidi.explicit_embed_and_overrides(storage)
    bidi.resolve_weak_types(storage)
    bidi.resolve_neutral_types(storage, False)
    bidi.resolve_implicit_levels(storage, False)
    parts: list[tuple[int, str]] = []
    for char in storage["chars"]:
        letter, level = char["ch"], char["level"]
        if parts and parts[-1][0] == level:
            parts[-1] = level, parts[-1][1] + letter
        else:
            parts.append((level, letter))
    # From the deepest level up, whatever is at least so deep is turned around.
    for depth in range(max((level for level, _ in parts), default=0), 0, -1):
        at = 0
        while at < len(parts):
            end = at
            while end < len(parts) and parts[end][0] >= depth:
                end += 1
            parts[at:end] = parts[at:end][::-1]
            at = end + 1
    return tuple((part, level % 2 == 1) for level, part in parts)


# Of a text in a line: its glyphs, its width, how far it reaches over the baseline and below, and the characters that no
# font has.
Setting = tuple[tuple[Run, ...], float, float, float, str]
_SETTINGS: dict[tuple[Style, str], Setting] = {}


def setting_of(style: Style, text: str) -> Setting:
    """How a text is set that stands in one line."""
    key = (style, text)
    found = _SETTINGS.get(key)
    if found is None:
        if len(_SETTINGS) >= _MOST_TEXTS // 4:
            _SETTINGS.clear()
        runs = glyphs_of(style.text, style.lang, text, style.is_rtl)
        width = extent(runs, style.size, style.letter_spacing, style.word_spacing)
        missing = "".join([word.missing for run in runs for word in run.words])
        found = _SETTINGS[key] = (runs, width, *heights(runs, style.size), missing)
    return found


def extent(runs: Sequence[Run], size: float, letter: float, word: float) -> float:
    """The width of glyphs in px."""
    width = 0.0
    for run in runs:
        width += _width(run.words, size)
        if letter:
            width += letter * run.clusters
        if word:
            width += word * run.spaces
    return width


def heights(runs: tuple[Run, ...], size: float) -> tuple[float, float]:
    """How far a line of these glyphs reaches over its baseline and below, in px, by the measures of its fonts."""
    if len(runs) == 1:
        metrics = opened(runs[0].font).metrics
        return metrics.ascent * size, metrics.descent * size
    found = [opened(run.font).metrics for run in runs]
    return max(each.ascent for each in found) * size, max(each.descent for each in found) * size


@lru_cache(maxsize=65_536)
def breaks_between(before: str, after: str) -> bool:
    """Whether a line may break between two characters."""
    return len(line_break_units(before + after)) > 1


def letters(text: str) -> list[str]:
    """What people see as the letters of a text."""
    found: list[str] = graphemes(text, True)
    return found


def hyphenated(style: Style, text: str) -> tuple[str, ...]:
    """What may stand at the end of a line of a piece of text, before its hyphen: the longest first."""
    if style.hyphens != "auto" or not style.lang:
        return ()
    language = language_fallback(style.lang)
    match = _WORD.search(text) if language else None
    total, left, right = style.hyphenate_limit_chars
    while match is not None and len(match[0]) < total:
        match = _WORD.search(text, match.end())
    if match is None:
        return ()
    return tuple(text[: match.start()] + start for start in _starts(language, left, right, match[0]))


@lru_cache(maxsize=16_384)
def _starts(language: str, left: int, right: int, word: str) -> tuple[str, ...]:
    return tuple(start for start, _ in _dictionary(language, left, right).iterate(word))


@lru_cache(maxsize=32)
def _dictionary(language: str, left: int, right: int) -> Any:
    return Pyphen(lang=language, left=left, right=right)


def may_hyphenate(style: Style, room: float, width: float) -> bool:
    """Whether what is left of a line (in px, of `width`) is worth a hyphen."""
    return room > used(style.hyphenate_limit_zone, width) or room < 0
