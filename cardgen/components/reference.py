"""Tables as reference cards and pages: how wide the columns are, what stands on which card, how large the type is."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cardgen.components.room import PT_MM, lines_of, text_em, word_ems
from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import Size
from cardgen.model.component import Component, Reference
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.game import Game, Table
from cardgen.units import format_mm

Words = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """How cards or pages are set. Lengths in mm, type in pt; a face has `columns` of tables beside each other."""

    size: Size
    bleed: float
    band: float  # the title's band at the top
    foot: float  # the line at the bottom
    side: float  # from the left and right edges to the text
    columns: int
    gap: float
    sizes: tuple[float, ...]  # of type, from the one that decides how many faces there are to the largest
    least: float  # no type is smaller
    layout: str


# Legible at arm's length: 6.5 pt on a card, 8 pt on a page, and larger where that takes no more paper. A page of 186 x
# 250 mm prints on A4 and on Letter with 10 mm around it.
_CARD = _Form(
    Size(63, 88), 3.0, 11.0, 6.0, 3.5, 1, 0.0, (6.6, 6.9, 7.2, 7.5, 7.8, 8.1, 8.5, 9.0), 6.5, "_base/table-card"
)
_PAGE = _Form(Size(186, 250), 0.0, 16.0, 8.0, 4.0, 2, 7.0, (8.4, 8.7, 9.0, 9.4, 9.8, 10.5), 8.0, "_base/table-page")
_BACK = "_base/table-card-back"

LINE = 1.2  # em, as in the layouts
HEADER = 0.88  # of the text's size, never below the least
_PAD_X, _PAD_Y = 0.34, 0.24  # em, on either side of a cell
_HEADING = 2.6  # em, the title of a table in the flow
_BETWEEN = 0.9  # em, above that


@dataclass(frozen=True, slots=True)
class _Measured:
    """A table with the words of its cells in em, and its columns' widths and rows' heights in em of its type."""

    table: Table
    header: float
    rows: tuple[float, ...]
    widths: tuple[float, ...]
    short: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows `start` to `stop` of a table."""

    measured: _Measured
    start: int
    stop: int


def make_table(component: Component, game: Game) -> list[Cutout]:
    """The tables as cards, two faces each, or as pages. Raises CannotMake for tables that no face can hold."""
    options = component.options
    assert isinstance(options, Reference)
    tables = [game.tables[name] for name in options.tables]
    if options.keywords:
        if not game.keywords:
            raise CannotMake("the game has no keywords; leave `keywords` out, or declare some in game.yaml", "keywords")
        tables.append(_keyword_table(component, game))
    if not tables:
        raise CannotMake("found no tables, expected at least one; state `tables`, or `keywords: yes`", "tables")
    form = _form(options)
    form, points, faces = _set(tables, form)
    values = [_values(face, form, points, number, len(faces)) for number, face in enumerate(faces, 1)]
    panels = [_panel(component, form, one) for one in values]
    if options.form == "page":
        return [
            Cutout(f"{component.id}-{at}" if len(panels) > 1 else component.id, component.title, panel.trim.size, (panel,),
                   copies=options.sets)
            for at, panel in enumerate(panels, 1)
        ]  # fmt: skip
    return _cards(component, form, panels, options.sets)


def _form(options: Reference) -> _Form:
    form = _CARD if options.form == "card" else _PAGE
    size = Size(options.width or form.size.width, options.height or form.size.height)
    if size.width > _PAGE.size.width or size.height > _PAGE.size.height:
        path = "width" if size.width > _PAGE.size.width else "height"
        raise CannotMake(
            f"found {_mm(size)}, expected at most {_mm(_PAGE.size)}, which prints on A4 and on Letter", path
        )
    if size.height - form.band - form.foot < 20:
        raise CannotMake(f"found {_mm(size)}, which leaves no room for rows; make `height` larger", "height")
    return dataclasses.replace(form, size=size)


def _mm(size: Size) -> str:
    return f"{format_mm(size.width)} x {format_mm(size.height)} mm"


def _keyword_table(component: Component, game: Game) -> Table:
    rows = tuple((f"{word.title} (X)" if word.parameter != "none" else word.title, word.text)
                 for word in game.keywords.values())  # fmt: skip
    # Words without heads of their own: what stands in the columns tells itself.
    return Table("", component.title, (), rows)


def _set(tables: Sequence[Table], form: _Form) -> tuple[_Form, float, list[list[list[_Part]]]]:
    """The form with the columns that it can have, the size of the type in pt and, by face and column, the parts of tables. The smallest size decides how many
    faces there are; the largest that needs no more is taken."""
    if any(_least_width(table, form.sizes[0]) > _width(form) for table in tables):
        form = dataclasses.replace(form, columns=1)
    least = _faces(tables, form, form.sizes[0])
    # The back of the last card is there in any case.
    most = len(least) + len(least) % 2 if form.layout == _CARD.layout and len(least) > 1 else len(least)
    for points in reversed(form.sizes[1:]):
        if all(_least_width(table, points) <= _width(form) for table in tables):
            found = _faces(tables, form, points, refuse=False)
            if found and len(found) <= most:
                return form, points, found
    return form, form.sizes[0], least


def _width(form: _Form) -> float:
    """The width of one column of tables, mm."""
    return (form.size.width - 2 * form.side - (form.columns - 1) * form.gap) / form.columns


def _height(form: _Form) -> float:
    return form.size.height - form.band - form.foot


def _faces(tables: Sequence[Table], form: _Form, points: float, refuse: bool = True) -> list[list[list[_Part]]]:
    """The parts by face and column, as even as can be; none when a row is too high and that is not to be refused."""
    em = points * PT_MM
    measured = [_measure(table, _width(form) / em) for table in tables]
    for item in measured:
        worst = max(item.rows)
        if item.header + worst + _HEADING > _height(form) / em:
            if not refuse:
                return []
            raise CannotMake(
                f"row {item.rows.index(worst) + 1} of the table `{item.table.id}` takes {worst * em:.0f} mm, the "
                f"face has {_height(form) - (item.header + _HEADING) * em:.0f}; shorten it, or state a larger `height`",
                "tables",
            )
    first = 0.0 if form.layout == _CARD.layout else _HEADING
    columns = _flow(measured, _height(form) / em, first)
    faces = math.ceil(len(columns) / form.columns)
    # The least height that takes as many faces shares the rows evenly among them.
    low, high = 0.0, _height(form) / em
    for _ in range(12):
        middle = (low + high) / 2
        tried = _flow(measured, middle, first)
        if tried and math.ceil(len(tried) / form.columns) <= faces:
            columns, high = tried, middle
        else:
            low = middle
    return [columns[at : at + form.columns] for at in range(0, len(columns), form.columns)]


def _flow(measured: Sequence[_Measured], height: float, first: float) -> list[list[_Part]]:
    """Parts of tables column by column, none higher than `height` em; no columns when a row alone is higher.

    A table stands in the first column that has room for all of it; only one that is higher than a column is split.
    `first` is the height of a heading that stands first.
    """
    columns: list[list[_Part]] = []
    used: list[float] = []
    for item in measured:
        start, whole = 0, item.header + sum(item.rows)
        for at, full in enumerate(used):
            if full + _BETWEEN + _HEADING + whole <= height + 1e-9:
                columns[at].append(_Part(item, 0, len(item.rows)))
                used[at] += _BETWEEN + _HEADING + whole
                start = len(item.rows)
                break
        while start < len(item.rows):
            lead = item.header + first
            stop = _rows_until(item, start, height - lead)
            if columns and start == 0 and stop < len(item.rows):
                # What is split begins below what stands there, if that is more than a row or two.
                begun = item.header + used[-1] + _BETWEEN + _HEADING
                if (below := _rows_until(item, start, height - begun)) - start >= 3:
                    columns[-1].append(_Part(item, start, below))
                    used[-1] = height
                    start = below
                    continue
            if stop == start:
                return []
            columns.append([_Part(item, start, stop)])
            used.append(lead + sum(item.rows[start:stop]))
            start = stop
    return columns


def _rows_until(item: _Measured, start: int, room: float) -> int:
    stop = start
    while stop < len(item.rows) and item.rows[stop] <= room + 1e-9:
        room -= item.rows[stop]
        stop += 1
    return stop


# --- columns of one table -------------------------------------------------------------------------------------------


def _least_width(table: Table, points: float) -> float:
    """The width in mm below which a word would not fit its column. Raises CannotMake when no face is as wide."""
    least = sum(max(max(words, default=0.0) for words in column) + 2 * _PAD_X for column in _columns(table))
    width = least * points * PT_MM
    if width > _PAGE.size.width - 2 * _PAGE.side:
        raise CannotMake(f"the words of the table `{table.id}` need {width:.0f} mm side by side; use fewer columns",
                         "tables")  # fmt: skip
    return width


def _columns(table: Table) -> list[list[Words]]:
    """By column the words of its cells in em, the head first; bold letters take a little more, heads are smaller."""
    heads = [tuple(em * 0.96 for em in word_ems(text)) for text in table.columns] or [()] * len(table.rows[0])
    cells = [[word_ems(cell) for cell in row] for row in table.rows]
    cells = [[tuple(em * 1.04 for em in row[0]), *row[1:]] for row in cells]
    return [[head, *column] for head, column in zip(heads, map(list, zip(*cells, strict=True)), strict=True)]


def _measure(table: Table, em: float) -> _Measured:
    """The table set `em` wide."""
    columns = _columns(table)
    widths = column_widths(columns, em, 2 * _PAD_X)
    heights = [
        max(lines_of(column[row], width - 2 * _PAD_X) for column, width in zip(columns, widths, strict=True))
        for row in range(len(table.rows) + 1)
    ]
    header = heights[0] * LINE * HEADER + _PAD_Y if table.columns else 0.0
    rows = tuple(lines * LINE + 2 * _PAD_Y for lines in heights[1:])
    short = tuple(max(text_em(words) for words in column[1:]) <= 3.2 for column in columns)
    return _Measured(table, header, rows, tuple(width / em for width in widths), short)


def column_widths(columns: Sequence[Sequence[Words]], width: float, pad: float) -> list[float]:
    """Widths of the columns, `width` in all: as wide as their texts if there is room, else so that the rows are low.

    Each column has room for its longest word where that can be. The unit is the words' own.
    """
    least = [max(max(words, default=0.0) for words in column) + pad for column in columns]
    wanted = [max(text_em(words) for words in column) + pad for column in columns]
    spare = width - sum(wanted)
    if spare >= 0:
        return [want + spare / len(columns) for want in wanted]
    free = width - sum(least)
    if free <= 0:
        return [one * width / sum(least) for one in least]
    more = [want - one for want, one in zip(wanted, least, strict=True)]
    widths = [one + free * extra / sum(more) for one, extra in zip(least, more, strict=True)]
    cost = _cost(columns, widths, pad)
    for step in (width / 12, width / 24, width / 48, width / 96):
        better = True
        while better:
            better = False
            for giver in range(len(columns)):
                for taker in range(len(columns)):
                    if giver == taker or widths[giver] - step < least[giver]:
                        continue
                    tried = list(widths)
                    tried[giver] -= step
                    tried[taker] += step
                    if (price := _cost(columns, tried, pad)) < cost - 1e-9:
                        widths, cost, better = tried, price, True
    return widths


def _cost(columns: Sequence[Sequence[Words]], widths: Sequence[float], pad: float) -> float:
    """The lines that the rows take, and a little for how full these are: that tells which way to go."""
    cost = 0.0
    for row in range(len(columns[0])):
        cells = [(column[row], width - pad) for column, width in zip(columns, widths, strict=True)]
        cost += max(lines_of(words, room) for words, room in cells)
        cost += 0.1 * max(text_em(words) / room for words, room in cells)
    return cost


# --- faces ----------------------------------------------------------------------------------------------------------


def _values(face: list[list[_Part]], form: _Form, points: float, number: int, total: int) -> dict[str, object]:
    """What a layout sees as `piece`: lengths in mm, type in pt."""
    width, height = _width(form), _height(form)
    return {
        "number": number,
        "total": total,
        "points": points,
        "least": round(form.least / points, 3),
        "header": round(max(form.least, points * HEADER) / points, 3),
        "columns": [
            {
                "x": form.side + at * (width + form.gap),
                "y": form.band,
                "width": width,
                "height": height,
                "tables": [_table_values(part) for part in parts],
            }
            for at, parts in enumerate(face)
        ],
    }


def _table_values(part: _Part) -> dict[str, object]:
    item = part.measured
    return {
        "id": item.table.id,
        "title": item.table.title,
        "continued": part.start > 0,
        "columns": [
            {"title": title, "percent": round(100 * width, 2), "short": short}
            for title, width, short in zip(
                item.table.columns or [""] * len(item.widths), item.widths, item.short, strict=True
            )
        ],
        "headed": bool(item.table.columns),
        "rows": [list(row) for row in item.table.rows[part.start : part.stop]],
    }


def _panel(component: Component, form: _Form, values: Mapping[str, object]) -> Panel:
    trim = derived_trim(form.size.width, form.size.height, form.bleed, 3.0 if form.bleed else 0.0)
    values = {"title": component.title, **values}
    return Panel(f"{component.id}-{values['number']}", component.layout or form.layout, trim, values)


def _cards(component: Component, form: _Form, faces: list[Panel], copies: int) -> list[Cutout]:
    """Two faces a card; the back of the last, or with a `back` of every card, says only whose it is."""
    own = Panel(f"{component.id}-back", component.back or _BACK, faces[0].trim, {"title": component.title}, side="back")
    pairs = [(face, own) for face in faces] if component.back else [
        (faces[at], dataclasses.replace(faces[at + 1], side="back") if at + 1 < len(faces) else own)
        for at in range(0, len(faces), 2)
    ]  # fmt: skip
    return [
        Cutout(
            f"{component.id}-{at}" if len(pairs) > 1 else component.id,
            component.title,
            form.size,
            pair,
            copies=copies,
            bleed=form.bleed,
        )
        for at, pair in enumerate(pairs, 1)
    ]
