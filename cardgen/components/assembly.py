"""The assembly page: for every kind of piece its picture, what it becomes, and what to do in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from cardgen.components.finished import finished
from cardgen.components.pictures import extent, fitting, picture
from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import Size
from cardgen.model.component import (
    Assembly,
    Component,
    Disc,
    OddsCards,
    Pawns,
    Reference,
    RulingCards,
    Sheets,
    TrackPiece,
)
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.game import Game
from cardgen.units import format_mm

LAYOUT = "_base/assembly"
# A page that prints on A4 and on Letter with 10 mm around it.
PAGE = Size(186.0, 250.0)
# What stands above the blocks: the title, and on the first page what lines mean and what paper to take.
BAND, LEGEND, FOOT = 15.0, 34.0, 7.0
_SIDE, _GAP = 4.0, 4.0
# Inside a block: its title, the pictures on the left, the steps on the right.
_HEAD, _TAIL = 7.0, 3.4
_BESIDE, _ARROW, _FINISHED = 5.0, 8.0, Size(34.0, 30.0)
# More pictures than that would be too small; the others are cut and folded alike.
_MOST_PICTURES = 3
# So many pieces of a kind are named.
_MOST_TITLES = 4
# A line of a step and the space below it, mm; how many lines a step may take in the narrow half of a page.
_LINE, _BELOW = 4.1, 1.2
_LINES = {"glue_numbers": 4, "glue_hatched": 3, "join_letters": 3, "both_sides": 3, "trace": 3}


class _Form(Struct, frozen=True):
    """How a block is divided, mm: its width, the room for pictures, and where its steps begin."""

    width: float
    pictures: Size
    steps: float


# What is folded needs pictures whose numbers can be read; what is only cut is told in half the width.
_WHOLE = _Form(PAGE.width - 2 * _SIDE, Size(102.0, 42.0), 110.0)
_HALF = _Form((PAGE.width - 2 * _SIDE - 6.0) / 2, Size(31.0, 22.0), 35.0)


class _Kind(Struct):
    """Pieces that are made alike: the first of them, its distinct cutouts, and the titles of all."""

    component: Component
    cutouts: list[Cutout]
    titles: list[str] = field(default_factory=list)


# What is read and only cut along marks.
READ = (Reference, OddsCards, RulingCards, Sheets)


def make_assembly(component: Component, game: Game) -> list[Cutout]:
    """Pages with a block for every kind of piece among the components that it is `of`, in their order.

    Kinds differ in what is to be done: a second die of the same form is only named. Raises CannotMake when it is to
    explain itself, or tables, which are cut like any card.
    """
    options = component.options
    assert isinstance(options, Assembly)
    kinds = _kinds(options, game)
    if not kinds:
        raise CannotMake("found nothing that is folded, glued or cut to shape, expected some; leave the page out", "of")
    pages = _pages(kinds)
    trim = derived_trim(PAGE.width, PAGE.height)
    cutouts = []
    for number, blocks in enumerate(pages, 1):
        values = {"title": component.title, "number": number, "total": len(pages), "blocks": blocks}
        label = f"{component.id}-{number}" if len(pages) > 1 else component.id
        panel = Panel(label, component.layout or LAYOUT, trim, values)
        cutouts.append(Cutout(label, component.title, PAGE, (panel,)))
    return cutouts


def _pages(kinds: Iterable[_Kind]) -> list[list[Mapping[str, object]]]:
    """The blocks of every page: first what is folded, one below the other, then what is cut, two in a row."""
    blocks = [_block(kind) for kind in kinds]
    whole = [[block] for block in blocks if block["whole"]]
    halves = [block for block in blocks if not block["whole"]]
    pages: list[list[Mapping[str, object]]] = [[]]
    y = BAND + LEGEND
    for row in [*whole, *(halves[at : at + 2] for at in range(0, len(halves), 2))]:
        height = max(block["height"] for block in row)
        if y + height > PAGE.height - FOOT:
            pages.append([])
            y = BAND
        x = _SIDE
        for block in row:
            pages[-1].append({**block, "x": round(x, 2), "y": round(y, 2)})
            x += block["width"] + 6.0
        y += height + _GAP
    return pages


def _kinds(options: Assembly, game: Game) -> list[_Kind]:
    # Not above: the table of makers names this module.
    from cardgen.components.makers import MAKERS

    kinds: dict[tuple[object, ...], _Kind] = {}
    for other in _explained(options, game):
        distinct = {_likeness(cutout): cutout for cutout in reversed(MAKERS[other.make](other, game))}
        found = list(reversed(distinct.values()))
        if not found:
            continue  # pawns of cards that there are none of
        key = (other.make, *map(_likeness, found), *_apart(other))
        kind = kinds.setdefault(key, _Kind(other, found))
        if other.title not in kind.titles:
            kind.titles.append(other.title)
    if options.of:
        return list(kinds.values())
    # What marks are is told above all blocks.
    return [kind for kind in kinds.values() if list(_steps(kind.component, kind.cutouts)) != ["cut_straight"]]


def _explained(options: Assembly, game: Game) -> Iterator[Component]:
    """The components that the page is of, in their order."""
    names = options.of or tuple(game.components)
    for at, name in enumerate(names):
        other = game.components[name]
        if not isinstance(other.options, (Assembly, *READ)):
            yield other
        elif options.of:
            what = "an assembly page" if isinstance(other.options, Assembly) else "a table or a card to read"
            raise CannotMake(f"`{name}` is {what}; expected pieces to cut and fold", f"of.{at}")


def _likeness(cutout: Cutout) -> tuple[object, ...]:
    """What two cutouts share that are made by the same steps."""
    return (
        cutout.straight,
        cutout.two_sided,
        len(cutout.cuts),
        bool(cutout.slits),
        tuple(fold.kind for fold in cutout.folds),
        tuple(bool(glue.name) for glue in cutout.glue) if cutout.folds else bool(cutout.glue),
    )


def _apart(component: Component) -> tuple[object, ...]:
    """What else tells kinds of pieces apart: what is done with them when they are cut and folded."""
    options = component.options
    if isinstance(options, Pawns):
        return options.fold, options.foot, options.base != "none"
    if isinstance(options, TrackPiece):
        return options.marker, options.form
    return (options.form,) if isinstance(options, Disc) else ()


def _block(kind: _Kind) -> dict[str, Any]:
    """One block: lengths in mm from its own top left corner, the steps by the names of their words."""
    steps = list(dict.fromkeys(_steps(kind.component, kind.cutouts)))
    shown = kind.cutouts[:_MOST_PICTURES]
    form = _WHOLE if any(cutout.folds for cutout in kind.cutouts) else _HALF
    sizes = [Size(box.width, box.height) for box in map(extent, shown)]
    whole = finished(kind.component, shown, _FINISHED)
    beside = _ARROW + _FINISHED.width if whole else 0.0
    scale = fitting(sizes, Size(form.pictures.width - beside, form.pictures.height), _BESIDE)
    flat = [picture(cutout, scale) for cutout in shown]
    text = sum(_LINES.get(step, 2 if form is _HALF else 1.5) * _LINE + _BELOW for step in steps)
    height = max([one["height"] for one in flat] + ([_FINISHED.height] if whole else []) + [text - _TAIL])
    x, placed = 0.0, []
    for one, size in zip(flat, sizes, strict=True):
        placed.append(
            {**one, "x": round(x, 2), "y": round(_HEAD + (height - one["height"]) / 2, 2), "size": _size(size)}
        )
        x += one["width"] + _BESIDE
    return {
        "whole": form is _WHOLE,
        "titles": kind.titles[:_MOST_TITLES] + ["…"] * (len(kind.titles) > _MOST_TITLES),
        "width": round(form.width, 2),
        "height": round(_HEAD + height + _TAIL, 2),
        "pictures": placed,
        "finished": _placed(whole, x - _BESIDE, height) if whole else None,
        "steps": steps,
        "steps_x": form.steps,
        "steps_y": _HEAD - 1.0,
        "steps_width": round(form.width - form.steps, 2),
        "steps_height": round(height + _TAIL, 2),
    }


def _placed(whole: Mapping[str, Any], x: float, height: float) -> Mapping[str, object]:
    """The finished piece behind an arrow that begins at `x`, both in the middle of the height."""
    middle = _HEAD + height / 2
    return {
        **whole,
        "arrow": round(x + 1.5, 2),
        "middle": round(middle, 2),
        "x": round(x + _ARROW, 2),
        "y": round(middle - whole["height"] / 2, 2),
    }


def _size(size: Size) -> str:
    return f"{format_mm(round(size.width))} × {format_mm(round(size.height))}"


# --- what to do -----------------------------------------------------------------------------------------------------


def _steps(component: Component, cutouts: Iterable[Cutout]) -> Iterator[str]:
    """The names of the words for each step, in the order of doing them."""
    cutouts = list(cutouts)
    folds = {fold.kind for cutout in cutouts for fold in cutout.folds}
    if component.make == "stickers":
        yield "label_paper"
    if any(cutout.two_sided for cutout in cutouts):
        yield "both_sides"
    if folds:
        yield "score"
    if any(cutout.straight for cutout in cutouts):
        yield "cut_straight"
    if any(not cutout.straight for cutout in cutouts):
        yield "cut_outline"
    if any(len(cutout.cuts) > 1 or (cutout.slits and cutout.cuts) for cutout in cutouts):
        yield "cut_inside"
    if "mountain" in folds:
        yield "fold_mountain"
    if "valley" in folds:
        yield "fold_valley"
    yield from _joined(component, cutouts)
    yield from _used(component)


def _joined(component: Component, cutouts: Iterable[Cutout]) -> Iterator[str]:
    """How tabs are glued, or parts joined."""
    if isinstance(component.options, Pawns):
        return
    for cutout in cutouts:
        if not cutout.folds and any(glue.name for glue in cutout.glue):
            yield "join_letters"
        elif any(glue.name for glue in cutout.glue):
            yield "glue_numbers"
        elif cutout.glue:
            yield "glue_hatched"


def _used(component: Component) -> Iterator[str]:
    """What is done with a piece that is cut, folded and glued."""
    options = component.options
    if component.make == "stickers":
        yield "stick"
    elif isinstance(options, Pawns):
        yield "glue_halves"
        if options.foot == "slot" and options.base == "none":
            yield "into_stand"
        elif options.foot == "folded" and options.base != "none":
            yield "feet_on_base"
        elif options.foot in {"tab", "slot"}:
            yield "through_slit"
        else:
            yield "feet_apart"
    elif isinstance(options, TrackPiece) and options.marker == "slider":
        yield "slide_on"
    elif isinstance(options, TrackPiece) and options.marker == "arrow":
        yield from ("hang_on",) if options.form == "strip" else ("glue_halves", "lay_on")
    elif isinstance(options, Disc) and options.form == "outline":
        yield "trace"
