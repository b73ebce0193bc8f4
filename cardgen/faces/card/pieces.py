"""A text as it is filled into lines: its pieces, and where each would lie if no line broke."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct

from cardgen.faces.card.breaking import Unit, gap_width, unit_width, units_of
from cardgen.faces.card.style import Style

_MOST_TEXTS = 2000


class Pieces(Struct, frozen=True, eq=False):
    """The pieces of a text, in px: each begins at one of `starts`, is as wide as one of `widths` and ends at one of
    `ends`; then come the spaces behind it, of `gaps`. `kerns` is what a piece is moved towards the one before it."""

    text: str
    units: Sequence[Unit]
    # where each begins in the text, and where the text ends
    offsets: Sequence[int]
    widths: Sequence[float]
    gaps: Sequence[float]
    kerns: Sequence[float]
    starts: Sequence[float]
    ends: Sequence[float]
    # whether lines break where there is no room and nowhere else, and nothing goes away at the begin of one
    is_plain: bool

    def written(self, first: int, last: int) -> str:
        """The text of the pieces from `first` to before `last`, of which only the last may end a line."""
        end = self.offsets[last]
        return self.text[self.offsets[first] : end - 1 if first < last and self.units[last - 1].feed else end]


_KNOWN: dict[tuple[Style, str], Pieces] = {}


def pieces_of(style: Style, text: str) -> Pieces:
    """The pieces of a text."""
    key = style, text
    found = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) >= _MOST_TEXTS:
            _KNOWN.clear()
        units = units_of(style, text)
        widths = [unit_width(style, unit) for unit in units]
        found = _KNOWN[key] = _placed(style, text, units, widths)
    return found


def _placed(style: Style, text: str, units: Sequence[Unit], widths: Sequence[float]) -> Pieces:
    gaps = [gap_width(style, unit) for unit in units]
    kerns = [unit.kern * style.size / 1000 if unit.kern else 0.0 for unit in units]
    lengths = [len(unit.text) + unit.spaces + unit.feed for unit in units]
    starts, ends, end = [], [], 0.0
    for width, gap, kern in zip(widths, gaps, kerns, strict=True):
        starts.append(end + kern)
        ends.append(end + kern + width)
        end = ends[-1] + gap
    is_plain = ends == sorted(ends) and all(unit.text and not unit.feed and not unit.soft for unit in units)
    offsets = list(accumulate(lengths, initial=0))
    return Pieces(text, units, offsets, widths, gaps, kerns, starts, ends, is_plain)


def cut(
    style: Style, pieces: Pieces, at: int, last: int, length: int, widths: tuple[float, float]
) -> tuple[Pieces, Pieces]:
    """The first letters of a piece, so many of them, and what comes after them up to the piece `last`. `widths` are
    those of both parts of the piece."""
    unit = pieces.units[at]
    begin, rest = unit.text[:length], unit.text[length:]
    behind = Unit(rest, unit.spaces, (), unit.feed, unit.soft)
    first = _placed(style, begin, [Unit(begin, 0, (), False, False)], widths[:1])
    text = pieces.text[pieces.offsets[at] + length : pieces.offsets[last]]
    others = _placed(style, text, [behind, *pieces.units[at + 1 : last]], [widths[1], *pieces.widths[at + 1 : last]])
    return first, others
