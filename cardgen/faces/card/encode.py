"""Glyphs as the strings that a PDF shows: ids in hex, and between them what moves the next one."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.faces.card.display import Glyph, Run, Text, Word
from cardgen.faces.card.fonts import Font, opened

# What is kept of words that were encoded; they are as many as shaping keeps.
_MOST = 100_000
_ENCODED: dict[Word, Encoded] = {}


@dataclass(frozen=True, slots=True)
class Encoded:
    """A word as part of a string of a TJ array, without the brackets around it.

    `is_plain` says that it is the same at every size and spacing; `ids` are its glyphs.
    """

    code: str
    is_plain: bool
    ids: frozenset[int]


def encoded(word: Word, font: Font) -> Encoded:
    """The code of a word; made once."""
    found = _ENCODED.get(word)
    if found is None:
        if len(_ENCODED) >= _MOST:
            _ENCODED.clear()
        plain = not any(glyph.dy for glyph in word.glyphs)
        code = _spell(word.glyphs, font, [0.0] * len(word.glyphs), 1.0) if plain else ""
        found = _ENCODED[word] = Encoded(code, plain, frozenset(glyph.id for glyph in word.glyphs))
    return found


def show(text: Text) -> str:
    """The operator that shows a text in the current font; letter spacing is left to Tc where `spaced_by_state`."""
    font, run = opened(text.run.font), text.run
    parts = [encoded(word, font) for word in run.words]
    if not spaced_by_state(text) or not all(part.is_plain for part in parts):
        code = _spelled(text, font)
    elif text.word:
        gap = f">{_move(-text.word / text.size * 1000)}<"
        code = "".join(
            part.code + gap if word.spaces else part.code for word, part in zip(run.words, parts, strict=True)
        )
    else:
        code = "".join([part.code for part in parts])
    if ">" in code:
        return f"[<{code}>]TJ\n".replace("<>", "")
    return f"<{code}>Tj\n"


def spaced_by_state(text: Text) -> bool:
    """Whether the spacing of a text can be told by the state: it comes after every glyph, and after nothing else."""
    if not text.letter and not text.word:
        return True
    words = text.run.words
    if text.word and any(word.spaces and len(word.glyphs) != 1 for word in words):
        return False
    return not text.letter or all(len(word.glyphs) == word.clusters for word in words)


def glyph_ids(run: Run) -> frozenset[int]:
    """The glyphs of a run."""
    font = opened(run.font)
    return frozenset().union(*(encoded(word, font).ids for word in run.words))


def _spelled(text: Text, font: Font) -> str:
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
    return _spell(glyphs, font, extras, text.size)


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
