"""Tables as reference cards and pages: how wide the columns are, what stands on which card, how large the type is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from cardgen.components.columns import HEADER, Measured, least_em, measure
from cardgen.components.room import PT_MM
from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import Box, Size, box_points, translation
from cardgen.model.component import Component, Reference
from cardgen.model.cutout import Cutout, Fold, Glue, Panel
from cardgen.model.game import Game, Table
from cardgen.units import format_mm


class _Form(Struct, frozen=True):
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
    # whether two faces make one piece, front and back
    paired: bool = False


# Legible at arm's length: 6.5 pt on a card, 8 pt on a page, and larger where that takes no more paper. A page of 186 x
# 250 mm prints on A4 and on Letter with 10 mm around it.
_CARD = _Form(
    Size(63.0, 88.0),
    bleed=3.0,
    band=11.0,
    foot=6.0,
    side=3.5,
    columns=1,
    gap=0.0,
    sizes=(6.6, 6.9, 7.2, 7.5, 7.8, 8.1, 8.5, 9.0),
    least=6.5,
    layout="_base/table-card",
    paired=True,
)
_PAGE = _Form(
    Size(186.0, 250.0),
    bleed=0.0,
    band=16.0,
    foot=8.0,
    side=4.0,
    columns=2,
    gap=7.0,
    sizes=(8.4, 8.7, 9.0, 9.4, 9.8, 10.5),
    least=8.0,
    layout="_base/table-page",
)
# A panel of a folding screen: two of them and the strip that joins them to the next two are as long as a page is high.
_JOIN = 12.0
_SCREEN = _Form(
    Size(119.0, 186.0),
    bleed=0.0,
    band=16.0,
    foot=8.0,
    side=5.0,
    columns=1,
    gap=0.0,
    sizes=(8.4, 8.7, 9.0, 9.4, 9.8, 10.5),
    least=8.0,
    layout="_base/table-panel",
    paired=True,
)
_FORMS = {"card": _CARD, "page": _PAGE, "screen": _SCREEN}
_BACK = "_base/table-card-back"

_HEADING = 2.6  # em, the title of a table in the flow
_BETWEEN = 0.9  # em, above that
# Widths told from letters are a few hundredths too large; what fits only just is for the layout's fitted boxes to judge.
_CAUTION = 1.08


class _Part(Struct, frozen=True):
    """Rows `start` to `stop` of a table."""

    measured: Measured
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
    if component.back and options.form == "card":
        form = structs.replace(form, paired=False)
    form, points, faces = _set(tables, form)
    values = [_values(face, form, points, number, len(faces)) for number, face in enumerate(faces, 1)]
    panels = [_panel(component, form, one) for one in values]
    if options.form == "page":
        return [
            Cutout(f"{component.id}-{at}" if len(panels) > 1 else component.id, component.title, panel.trim.size, (panel,),
                   copies=options.sets)
            for at, panel in enumerate(panels, 1)
        ]  # fmt: skip
    return (_screen if options.form == "screen" else _cards)(component, form, panels, options.sets)


def _form(options: Reference) -> _Form:
    form = _FORMS[options.form]
    size = Size(options.width or form.size.width, options.height or form.size.height)
    if size.width > _PAGE.size.width or size.height > _PAGE.size.height:
        path = "width" if size.width > _PAGE.size.width else "height"
        raise CannotMake(
            f"found {_mm(size)}, expected at most {_mm(_PAGE.size)}, which prints on A4 and on Letter", path
        )
    if options.form == "screen" and 2 * size.width + _JOIN > _PAGE.size.height:
        widest = (_PAGE.size.height - _JOIN) / 2
        problem = (
            f"found {format_mm(size.width)} mm, expected at most {format_mm(widest)} mm: two panels lie side by side"
        )
        raise CannotMake(problem, "width")
    if size.height - form.band - form.foot < 20:
        raise CannotMake(f"found {_mm(size)}, which leaves no room for rows; make `height` larger", "height")
    return structs.replace(form, size=size)


def _mm(size: Size) -> str:
    return f"{format_mm(size.width)} x {format_mm(size.height)} mm"


def _keyword_table(component: Component, game: Game) -> Table:
    rows = tuple((f"{word.title} (X)" if word.parameter != "none" else word.title, word.text)
                 for word in game.keywords.values())  # fmt: skip
    # Words without heads of their own: what stands in the columns tells itself.
    return Table("", game.labels.get("keywords") or component.title, (), rows)


def _set(tables: Sequence[Table], form: _Form) -> tuple[_Form, float, list[list[list[_Part]]]]:
    """How the tables are set: the form with the columns that there is room for, the size of the type in pt, and the
    parts of tables by face and column. The smallest size decides how many faces there are; of those sizes that need no
    more, the one that splits the fewest tables is taken, and the largest of these."""
    widest = max(tables, key=least_em)
    if least_em(widest) * form.sizes[0] * PT_MM > _width(form):
        form = structs.replace(form, columns=1)
    need, room = least_em(widest) * form.sizes[0] * PT_MM, _width(form)
    if need > room * _CAUTION:
        what = f"the columns of the table `{widest.id}` need {need:.0f} mm for their longest words"
        remedy = (
            "use fewer columns" if form.size.width >= _PAGE.size.width else "state a larger `width` or `form: page`"
        )
        raise CannotMake(f"{what}, the face has {room:.0f}; {remedy}", "tables")
    least = _faces(tables, form, form.sizes[0])
    # The back of the last card is there in any case.
    most = len(least) + len(least) % 2 if form.paired else len(least)
    best, points = least, form.sizes[0]
    for size in form.sizes[1:]:
        if least_em(widest) * size * PT_MM <= _width(form):
            found = _faces(tables, form, size, refuse=False)
            if found and len(found) <= most and _split(found) <= _split(best):
                best, points = found, size
    return form, points, best


def _split(faces: list[list[list[_Part]]]) -> int:
    """How many tables are split."""
    parts = [part.measured.table.id for face in faces for column in face for part in column]
    return len({name for name in parts if parts.count(name) > 1})


def _width(form: _Form) -> float:
    """The width of one column of tables, mm."""
    return (form.size.width - 2 * form.side - (form.columns - 1) * form.gap) / form.columns


def _height(form: _Form) -> float:
    return form.size.height - form.band - form.foot


def _faces(tables: Sequence[Table], form: _Form, points: float, refuse: bool = True) -> list[list[list[_Part]]]:
    """The parts by face and column, as even as can be; none when a row is too high and that is not to be refused."""
    em = points * PT_MM
    measured = [measure(table, _width(form) / em) for table in tables]
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


def _flow(measured: Sequence[Measured], height: float, first: float) -> list[list[_Part]]:
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


def _rows_until(item: Measured, start: int, room: float) -> int:
    stop = start
    while stop < len(item.rows) and item.rows[stop] <= room + 1e-9:
        room -= item.rows[stop]
        stop += 1
    return stop


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
            {"title": title, "percent": round(100 * width, 2), "short": short, "numbers": numbers}
            for title, width, short, numbers in zip(
                item.table.columns or [""] * len(item.widths), item.widths, item.short, item.numbers, strict=True
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
        (faces[at], structs.replace(faces[at + 1], side="back") if at + 1 < len(faces) else own)
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


def _screen(component: Component, form: _Form, faces: list[Panel], copies: int) -> list[Cutout]:
    """Two panels a sheet with a fold between them, and a strip that the next sheet is glued on. Folded, the screen
    stands in a zigzag: a valley between the two, a mountain where the next sheet begins. The backs face the others."""
    width, height = form.size.width, form.size.height
    pairs = [faces[at : at + 2] for at in range(0, len(faces), 2)]
    made = []
    for at, pair in enumerate(pairs):
        last = at == len(pairs) - 1
        printed = len(pair) * width
        size = Size(printed + (0.0 if last else _JOIN), height)
        letter = chr(ord("A") + at) if len(pairs) > 1 else ""
        panels = [structs.replace(one, matrix=translation(n * width, 0.0)) for n, one in enumerate(pair)]
        if component.back:
            # Seen from behind the first panel is the last.
            panels += [
                Panel(
                    f"{one.label}-back",
                    component.back,
                    one.trim,
                    {"title": component.title, "number": one.values["number"], "total": len(faces)},
                    matrix=translation(size.width - (n + 1) * width, 0.0),
                    side="back",
                )
                for n, one in enumerate(pair)
            ]
        folds = [Fold(((width, 0.0), (width, height)), "valley")] if len(pair) > 1 else []
        if not last:
            folds.append(Fold(((printed, 0.0), (printed, height)), "mountain"))
        strip = () if last else (Glue(box_points(Box(printed, 0.0, _JOIN, height)), letter, chr(ord(letter) + 1)),)
        made.append(
            Cutout(
                f"{component.id}/{letter}" if letter else component.id,
                f"{component.title} {letter}".strip(),
                size,
                tuple(panels),
                folds=tuple(folds),
                glue=strip,
                copies=copies,
                group=component.id,
            )
        )
    return made
