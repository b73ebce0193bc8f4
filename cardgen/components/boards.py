"""What stands on a track's board besides the track: a table in the columns of its bands, and the lines at the foot.

Type is planned from the letters, so that all cells of a table have one size and every row the height it needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cardgen.components.room import PT_MM, lines_of, text_em, word_ems
from cardgen.components.shades import paler
from cardgen.errors import CannotMake
from cardgen.model.component import TrackPiece
from cardgen.model.game import Game, Table, Track
from cardgen.units import format_mm

# The type of a board's small print, largest first; below 5.5 pt nobody reads it at the table.
SIZES_PT = (8.0, 7.75, 7.5, 7.25, 7.0, 6.75, 6.5, 6.25, 6.0, 5.75, 5.5)
LEADING = 1.15
PADDING = 1.2
LABEL_PT = 8.0
LEAST_LABEL, MOST_LABEL = 10.0, 42.0

Values = dict[str, object]


class Columns(Struct, frozen=True):
    """A table as a board shows it: a row's label and its cells, one for each band."""

    id: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]


class Below(Struct, frozen=True):
    """A laid out table and its height in mm."""

    values: Values
    height: float


def column_tables(name: str, track: Track, game: Game) -> Columns:
    """The table `name` with a cell for each band of the track.

    A table that has a column for each band, behind its labels, is taken as it is; one that has a row for each band
    is turned, and its column titles become the labels. Raises CannotMake when it is neither.
    """
    table = _table(name, "table", game)
    bands = len(track.bands)
    if len(table.columns) == bands + 1:
        return Columns(table.id, tuple((row[0], row[1:]) for row in table.rows))
    if len(table.rows) == bands:
        turned = [tuple(row[at] for row in table.rows) for at in range(1, len(table.columns))]
        return Columns(table.id, tuple(zip(table.columns[1:], turned, strict=True)))
    found = f"{len(table.columns)} columns and {len(table.rows)} rows"
    wanted = f"`{track.id}` has {bands} bands: {bands + 1} columns, the labels first, or {bands} rows, would do"
    raise CannotMake(f"table `{name}` has {found}; {wanted}", "table")


def _table(name: str, path: str, game: Game) -> Table:
    table = game.tables.get(name)
    if table is None:
        known = ", ".join(f"`{other}`" for other in sorted(game.tables)) or "none"
        raise CannotMake(f"there is no table `{name}`; the game has {known}", path)
    return table


def label_width(titles: Sequence[str], table: Columns | None) -> float:
    """How wide the column of row labels is, in mm; 0 when one track stands alone and its title is the board's."""
    if len(titles) < 2 and table is None:
        return 0.0
    texts = [*titles, *(label for label, _ in table.rows)] if table else [*titles]
    widest = max((max(word_ems(text), default=0.0) for text in texts), default=0.0)
    return min(MOST_LABEL, max(LEAST_LABEL, round(widest * LABEL_PT * PT_MM + 2 * PADDING + 1, 1)))


def table_below(table: Columns, track: Track, x: float, y: float, label: float, cell: float, most: float) -> Below:
    """The table from (x, y), its columns below the bands, in the largest type with which it is at most `most` mm high.

    Raises CannotMake when even the smallest is not enough.
    """
    widths = [len(band.steps) * cell for band in track.bands]
    words = [[word_ems(text) for text in cells] for _, cells in table.rows]
    labels = [word_ems(text) for text, _ in table.rows]
    heights: list[float] = []
    for size in SIZES_PT:
        em = size * PT_MM
        heights = []
        for name, row in zip(labels, words, strict=True):
            lines = max(
                lines_of(cell_words, (width - 2 * PADDING) / em) for cell_words, width in zip(row, widths, strict=True)
            )
            named = lines_of(name, (label - 2 * PADDING) / (LABEL_PT * PT_MM)) * LABEL_PT
            heights.append(max(lines * size, named) * PT_MM * LEADING + 2 * PADDING)
        if sum(heights) <= most and _words_fit(words, widths, em):
            break
    else:
        needed = f"{format_mm(round(sum(heights), 1))} mm of height at {SIZES_PT[-1]} pt, its smallest type"
        room = f"the board has {format_mm(round(max(0.0, most), 1))} mm left: wider steps or shorter texts would do"
        raise CannotMake(f"table `{table.id}` needs {needed}; {room}", "table")
    rows: list[Values] = []
    top = y
    for (title, texts), height in zip(table.rows, heights, strict=True):
        cells: list[Values] = []
        left = x + label
        for text, band, width in zip(texts, track.bands, widths, strict=True):
            cells.append({"text": text, "x": left, "width": width, "colour": paler(band.colour, 0.78)})
            left += width
        rows.append({"label": title, "x": x, "y": top, "height": height, "width": label, "cells": cells})
        top += height
    return Below({"rows": rows, "type": size, "padding": PADDING, "leading": LEADING}, top - y)


def _words_fit(words: Sequence[Sequence[tuple[float, ...]]], widths: Sequence[float], em: float) -> bool:
    """Whether no word is wider than its column."""
    room = [width - 2 * PADDING for width in widths]
    return all(max(cell, default=0.0) * em <= wide for row in words for cell, wide in zip(row, room, strict=True))


def foot_of(options: TrackPiece, game: Game, width: float, y: float = 0.0) -> tuple[Values | None, float]:
    """The foot of a board from height y: a small table on the left, lines on the right of it; and its height, mm."""
    if not options.aside and not options.notes:
        return None, 0.0
    aside = _table(options.aside, "aside", game) if options.aside else None
    if aside and len(aside.columns) != 2:
        problem = f"table `{aside.id}` has {len(aside.columns)} columns; at a board's foot it has two"
        raise CannotMake(problem, "aside")
    left = width if not options.notes else 0.42 * width
    size = SIZES_PT[4]
    em = size * PT_MM
    # Two pairs beside each other, each a text and its value.
    pairs = [(row[0], row[1]) for row in aside.rows] if aside else []
    pair = (left - 3 * PADDING) / 2
    value = min(0.45 * pair, max((text_em(word_ems(text)) for _, text in pairs), default=0.0) * em + PADDING)
    room = ((pair - value - PADDING) / em, value / em)
    deep = [max(lines_of(word_ems(text), wide) for text, wide in zip(row, room, strict=True)) for row in pairs]
    half = -(-len(pairs) // 2)
    lines = 1 + max(sum(deep[:half]), sum(deep[half:])) if aside else 0
    right = width - (left + 2 * PADDING if aside else 0.0)
    noted = sum(lines_of(word_ems(note), (right - 4 * PADDING) / em) for note in options.notes)
    height = max(lines, noted) * em * LEADING + (max(half + 1, len(options.notes)) * 0.35 + 2 * PADDING)
    return {
        "y": y,
        "height": height,
        "title": aside.title if aside else "",
        "aside": [pairs[:half], pairs[half:]],
        "aside_width": left if aside else 0.0,
        "pair": pair,
        "value": value,
        "notes": options.notes,
        "notes_x": width - right,
        "notes_width": right,
        "type": size,
        "leading": LEADING,
    }, height + 1.5
