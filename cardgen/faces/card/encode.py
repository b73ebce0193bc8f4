"""Glyphs as the strings that a PDF shows: ids in hex, and between them what moves the next one."""

from __future__ import annotations

from collections.abc import Set
from functools import reduce
from operator import or_

from cardgen.faces.card.display import Glyph, Text, Word
from cardgen.faces.card.fonts import Font, opened
from cardgen.model.painted import Bits, Glyphs

# What is kept of words that were encoded; they are as many as shaping keeps.
_MOST = 10_000
# The code of a word as part of a string of a TJ array, without the brackets around it; None where it is not the same at
# every size.
_CODES: dict[Word, str | None] = {}
# The ids of a word's glyphs as bits; and, where a font does not tell what they stand for, what that is.
_IDS: dict[Word, int] = {}
_UNTOLD: dict[Word, tuple[tuple[int, str], ...]] = {}


def show(text: Text) -> str:
    """The operator that shows a text in the current font; letter spacing is left to Tc where `spaced_by_state`."""
    words, is_spaced = text.run.words, bool(text.letter or text.word)
    try:
        if is_spaced and not spaced_by_state(text):
            code = _spelled(text)
        elif text.word:
            gap = f">{_move(-text.word / text.size * 1000)}<"
            code = "".join([_CODES[word] + gap if word.spaces else _CODES[word] for word in words])  # type: ignore[operator, misc]
        else:
            code = "".join(map(_CODES.__getitem__, words))  # type: ignore[arg-type]
    except KeyError:
        for word in words:
            _encode(word, text.run.font)
        return show(text)
    except TypeError:
        code = _spelled(text)
    if ">" not in code:
        return f"<{code}>Tj\n"
    # Nothing is shown after the last move.
    return f"[<{code[:-1]}]TJ\n" if code[-1] == "<" else f"[<{code}>]TJ\n"


def _encode(word: Word, font: str) -> None:
    if len(_CODES) >= _MOST:
        _CODES.clear()
    plain = not any(glyph.dy for glyph in word.glyphs)
    _CODES[word] = _spell(word.glyphs, opened(font), [0.0] * len(word.glyphs), 1.0) if plain else None


def glyphs_of(font: str, words: Set[Word]) -> Glyphs:
    """The glyphs of words in a font, and what the font cannot tell of them."""
    try:
        ids = reduce(or_, map(_IDS.__getitem__, words), 0)
    except KeyError:
        if len(_IDS) + len(words) > _MOST:
            _IDS.clear()
            _UNTOLD.clear()
        for word in words - _IDS.keys():
            _IDS[word] = _ids(word)
            if untold := _untold(word, opened(font)):
                _UNTOLD[word] = untold
        return glyphs_of(font, words)
    texts = {text for word in _UNTOLD.keys() & words for text in _UNTOLD[word]}
    return Glyphs(font, Bits(ids), tuple(sorted(texts)))


def _ids(word: Word) -> int:
    ids = 0
    for glyph in word.glyphs:
        ids |= 1 << glyph.id
    return ids


def _untold(word: Word, font: Font) -> tuple[tuple[int, str], ...]:
    told = ((glyph.id, glyph.text) for glyph in word.glyphs if glyph.id and glyph.text)
    return tuple((id, text) for id, text in told if len(text) > 1 or font.shaper.get_nominal_glyph(ord(text)) != id)


def spaced_by_state(text: Text) -> bool:
    """Whether the spacing of a text can be told by the state: it comes after every glyph, and after nothing else."""
    if not text.letter and not text.word:
        return True
    words = text.run.words
    if text.word and any(word.spaces and len(word.glyphs) != 1 for word in words):
        return False
    return not text.letter or all(len(word.glyphs) == word.clusters for word in words)


def _spelled(text: Text) -> str:
    """The code of a text glyph by glyph, with its spacing."""
    glyphs: list[Glyph] = []
    extras: list[float] = []
    for word in text.run.words:
        for index, glyph in enumerate(word.glyphs):
            # A cluster's first glyph has its text: what follows it up to the next belongs to it.
            ends = index + 1 == len(word.glyphs) or bool(word.glyphs[index + 1].text)
            is_space = (word.spaces and len(word.glyphs) == 1) or glyph.text == "\u00a0"
            extra = (text.letter if ends else 0.0) + (text.word if is_space else 0.0)
            glyphs.append(glyph)
            extras.append(extra / text.size * 1000)
    return _spell(glyphs, opened(text.run.font), extras, text.size)


def _spell(glyphs: list[Glyph] | tuple[Glyph, ...], font: Font, extras: list[float], size: float) -> str:
    parts: list[str] = []
    # What is owed: where the pen should be less where it is. Moves are rounded, and what is lost is carried on.
    owed = 0.0
    for glyph, extra in zip(glyphs, extras, strict=True):
        owed += glyph.dx
        if rise := glyph.dy * size / 1000:
            parts.append(f">]TJ {rise:.3f} Ts[<")
        owed = _settle(parts, owed)
        parts.append(f"{glyph.id:04x}")
        if rise:
            parts.append(">]TJ 0 Ts[<")
        owed += glyph.advance + extra - font.natural(glyph.id) - glyph.dx
    _settle(parts, owed)
    return "".join(parts)


def _settle(parts: list[str], owed: float) -> float:
    step = round(owed, 1)
    if not step:
        return owed
    parts.append(f">{_move(-step)}<")
    return owed - step


def _move(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
