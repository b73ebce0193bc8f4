"""Text to glyphs: which font a character is set in, and what HarfBuzz makes of the words.

Words are shaped once a style and joined to lines. A font may kern a letter with the space beside it, so a word is
shaped together with the spaces that it stands between; what a space measures depends on the words around it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import uharfbuzz

from cardgen.faces.card.display import Glyph, Run, Word

if TYPE_CHECKING:
    from cardgen.faces.card.fonts import Font, Metrics

# Characters that draw nothing, or a space in any font, never choose the font (as in Pango's itemiser).
_SILENT = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Cs"})
# What a style keeps of words; the words of a large set and of its languages are some ten thousand.
_MOST_WORDS = 5_000
_SHAPED: dict[tuple[tuple[str, int], ...], dict[tuple[object, ...], tuple[Word | None, Word]]] = {}
# How long a text is at most that is kept as a whole: a word, or two.
_SHORT = 24
# What scripts have no letters of their own: digits, punctuation, marks.
_COMMON = {None, "Zyyy", "Zinh", "Zzzz"}


class TextStyle:
    """How texts of one CSS style are set: its fonts in the order in which they are asked for a character."""

    def __init__(self, files: tuple[str, ...], open: Callable[[str], Font], features: Mapping[str, int]) -> None:
        self._files, self._open, self._features = files, open, dict(features)
        # Words are shaped once in a process, whoever asks: what they depend on is in the key.
        self._words = _SHAPED.setdefault(tuple(sorted(features.items())), {})
        self._inner: dict[tuple[Font, str, bool, str | None], dict[str, tuple[Word | None, Word]]] = {}
        self._short: dict[tuple[str, str, bool], tuple[Run, ...]] = {}
        self._primary: Font | None = None

    @property
    def primary(self) -> Font:
        """The first font: the one that measures come from."""
        if self._primary is None:
            self._primary = self._open(self._files[0])
        return self._primary

    @property
    def metrics(self) -> Metrics:
        """The measures of the first font, for a font size of 1."""
        return self.primary.metrics

    def shape(self, text: str, lang: str, rtl: bool = False) -> tuple[Run, ...]:
        """The glyphs of a text without line breaks, a run for each font that it needs, in visual order.

        `lang` chooses letter forms. Soft hyphens and other characters that draw nothing have no glyphs. A character
        that no font has is the first font's box for missing ones.
        """
        key = (text, lang, rtl)
        found = self._short.get(key)
        if found is None:
            if self.primary.characters.issuperset(text):
                found = (self._run(self.primary, text, text, lang, rtl),)
            else:
                runs = [self._run(font, part, text, lang, rtl) for font, part in self._itemise(text)]
                found = tuple(runs[::-1] if rtl else runs)
            # Words come again; whole lines seldom do.
            if len(text) <= _SHORT:
                if len(self._short) >= _MOST_WORDS:
                    self._short.clear()
                self._short[key] = found
        return found

    def _itemise(self, text: str) -> Iterator[tuple[Font, str]]:
        """The parts of a text that are set in one font each.

        Spaces stand with what is before them; where a font gives way to a preferred one, with what is after them.
        """
        start, position = 0, -1
        for at, cluster in _clusters(text):
            if all(map(_is_silent, cluster)):
                continue
            chosen = self._font_of(cluster)
            if chosen != position >= 0:
                end = len(text[:at].rstrip(" ")) if chosen < position else at
                yield self._open(self._files[position]), text[start:end]
                start = end
            position = chosen
        yield self._open(self._files[max(position, 0)]), text[start:]

    def _font_of(self, cluster: str) -> int:
        """Which font is the first that has a letter and its marks, or else the letter."""
        needed = {character for character in cluster if not _is_silent(character)}
        composed = set(unicodedata.normalize("NFC", cluster))
        for position, file in enumerate(self._files):
            characters = self._open(file).characters
            if characters.issuperset(needed) or characters.issuperset(composed):
                return position
        has_letter = (at for at, file in enumerate(self._files) if cluster[0] in self._open(file).characters)
        return next(has_letter, 0)

    def _run(self, font: Font, text: str, whole: str, lang: str, rtl: bool) -> Run:
        pieces = text.split(" ")
        last = len(pieces) - 1
        # Nearly all words have been met between spaces. Digits and signs alone are of the script around them.
        script = _script(whole)
        inner = self._inner.get((font, lang, rtl, script))
        if inner is None:
            inner = self._inner[font, lang, rtl, script] = {}
        try:
            found = [inner[piece] for piece in pieces[1:-1]]
        except KeyError:
            if len(inner) >= _MOST_WORDS:
                inner.clear()
            for piece in pieces[1:-1]:
                inner[piece] = self._word(font, piece, script, True, True, lang, rtl)
            found = [inner[piece] for piece in pieces[1:-1]]
        words: list[Word] = []
        add = words.append
        ends = [(0, pieces[0]), (last, pieces[-1])] if last else [(0, pieces[0])]
        outer = [self._word(font, piece, script, at > 0, at < last, lang, rtl) for at, piece in ends]
        for space, word in (outer[0], *found, *outer[1:]):
            if space is not None:
                add(space)
            if word.glyphs:
                add(word)
        if rtl:
            words.reverse()
        return Run(font.digest, tuple(words), sum([word.width for word in words]))

    def _word(
        self, font: Font, piece: str, script: str | None, before: bool, after: bool, lang: str, rtl: bool
    ) -> tuple[Word | None, Word]:
        """The space before a word in a text of a script, where there is one, and the word: shaped once."""
        key: tuple[object, ...] = (font, piece, before, after, lang, rtl)
        found = self._words.get(key)
        if found is None:
            if piece and not any(map(str.isalpha, piece)):
                key = (*key, script)
            else:
                script = None
            found = self._words.get(key) or self._shape(font, piece, before, after, lang, rtl, script)
            if len(self._words) >= _MOST_WORDS:
                self._words.clear()
            self._words[key] = found
        return found

    def _shape(
        self, font: Font, piece: str, before: bool, after: bool, lang: str, rtl: bool, script: str | None
    ) -> tuple[Word | None, Word]:
        """The space before a word, where there is one, and the word."""
        whole = (" " if before else "") + piece + (" " if after else "")
        buffer = uharfbuzz.Buffer()
        buffer.add_str(whole)
        buffer.flags = uharfbuzz.BufferFlags.REMOVE_DEFAULT_IGNORABLES
        buffer.guess_segment_properties()
        if buffer.script in _COMMON and script is not None:
            buffer.script = script
        buffer.direction = "rtl" if rtl else "ltr"
        buffer.language = lang
        uharfbuzz.shape(font.shaper, buffer, self._features)
        scale = 1000 / font.upem
        infos, places = buffer.glyph_infos or (), buffer.glyph_positions or ()
        ends = _cluster_ends([info.cluster for info in infos], len(whole))
        space: list[Glyph] = []
        word: list[Glyph] = []
        told = -1
        for info, place in zip(infos, places, strict=True):
            at = info.cluster
            if after and at == len(whole) - 1:
                continue
            text = _visible(whole[at : ends[at]]) if at != told else ""
            told = at
            glyph = _glyph(info.codepoint, place.x_advance, place.x_offset, place.y_offset, scale, text)
            (space if before and at == 0 else word).append(glyph)
        return _word(space, True) if before else None, _word(word, False)


# Words are many and made of a few letters: 150 bytes less for each of them.
@lru_cache(maxsize=10_000)
def _glyph(id: int, advance: int, dx: int, dy: int, scale: float, text: str) -> Glyph:
    """A glyph, measured in units of which `scale` makes 1/1000 em."""
    return Glyph(id, advance * scale, dx * scale, dy * scale, text)


def _word(glyphs: list[Glyph], is_space: bool) -> Word:
    clusters = sum(1 for glyph in glyphs if glyph.text)
    spaces = 1 if is_space else sum(1 for glyph in glyphs if glyph.text == "\u00a0")
    missing = "".join(glyph.text for glyph in glyphs if not glyph.id)
    return Word(tuple(glyphs), sum(glyph.advance for glyph in glyphs), clusters, spaces, missing)


def _cluster_ends(starts: list[int], length: int) -> dict[int, int]:
    """Where in the text the clusters that begin at `starts` end."""
    ordered = sorted({*starts, length})
    return dict(pairwise(ordered))


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """A text's letters, each with the marks on it, and where they begin."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not unicodedata.category(text[at]).startswith("M"):
            yield start, text[start:at]
            start = at


@lru_cache(maxsize=4096)
def _is_silent(character: str) -> bool:
    return unicodedata.category(character) in _SILENT or "\ufe00" <= character <= "\ufe0f"


def _visible(text: str) -> str:
    return text if text.isprintable() else "".join(one for one in text if unicodedata.category(one) != "Cf")


def _script(text: str) -> str | None:
    """The script of a text's first letter."""
    return next((_script_of(character) for character in text if character.isalpha()), None)


@lru_cache(maxsize=4096)
def _script_of(character: str) -> str | None:
    buffer = uharfbuzz.Buffer()
    buffer.add_str(character)
    buffer.guess_segment_properties()
    script: str | None = buffer.script
    return script
