"""Booklets: pages of half a sheet, in the order in which folded and stapled sheets are read. Millimetres.

Sheets lie one in the other, in signatures of at most SIGNATURE sheets: more do not fold well, and inner pages stand
out by more than their margins can bear. Where pages are missing at the end, they stay blank;
the pipeline fills them with pages for notes.

Creep: a sheet that lies in others is folded around nothing and they around it, so that it stands out at the front edge
by the paper's thickness for each of them. Its pages are moved towards the fold by as much: every page then ends
equally far from the front edge of the outermost, whether that is trimmed or not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct, structs

from cardgen.geometry import Box, Size, translation
from cardgen.model.drawing import Drawing, Path
from cardgen.model.sheet import Flip, Imposition, Imprint, Placement, Sheet, SheetTemplate
from cardgen.sheets.flip import mirror
from cardgen.sheets.paint import place

SIGNATURE = 10
# A tick on the fold at either end of the outermost front, where the paper is folded.
_TICK = 4.0


class Leaf(Struct, frozen=True):
    """The four pages of one sheet, by number from 1: beside each other on its front, and behind each of these."""

    left: int
    right: int
    behind_left: int
    behind_right: int


def leaves(pages: int) -> tuple[tuple[Leaf, ...], ...]:
    """The sheets of every signature, the outermost first, for so many pages; numbers beyond `pages` are blank."""
    sheets = max(1, math.ceil(pages / 4))
    count = math.ceil(sheets / SIGNATURE)
    made = []
    first = 1
    for at in range(count):
        # As even as can be: no signature is much thinner than another.
        held = sheets // count + (1 if at < sheets % count else 0)
        last = first + 4 * held - 1
        made.append(
            tuple(
                Leaf(last - 2 * inner, first + 2 * inner, last - 2 * inner - 1, first + 2 * inner + 1)
                for inner in range(held)
            )
        )
        first = last + 1
    return tuple(made)


def page_size(paper: Size) -> Size:
    """The size of a page: half the paper, upright."""
    short, long = sorted((paper.width, paper.height))
    return Size(long / 2, short)


def booklet(
    keys: Sequence[str],
    label: str,
    template: SheetTemplate,
    paper: Size,
    imprint: Imprint,
    flip: Flip,
    thickness: float = 0.0,
) -> Imposition:
    """The sheets of a booklet whose pages are the faces `keys`, printed on both sides and flipped along `flip`.

    `thickness` is the paper's, in mm: by so much the pages of each sheet lie nearer to the fold than those of the sheet
    around it.
    """
    page = page_size(paper)
    lying = Size(2 * page.width, page.height)
    left, right = Box(0.0, 0.0, page.width, page.height), Box(page.width, 0.0, page.width, page.height)
    turned = mirror(lying, flip)

    def placed(number: int, slot: Box, turns: int, creep: float) -> list[Placement]:
        if number > len(keys):
            return []
        # Towards the fold, the middle of the sheet on either side of it; what would cross the fold is not painted.
        move = creep if slot.x < page.width / 2 else -creep
        laid = place(keys[number - 1], f"{label}/{number}", page, slot, slot, turns)
        trim = Box(slot.x + move, slot.y, slot.width, slot.height)
        return [structs.replace(laid, trim=trim, matrix=laid.matrix.then(translation(move, 0.0)))]

    sheets: list[Sheet] = []
    for signature in leaves(len(keys)):
        for inner, leaf in enumerate(signature):
            creep = inner * thickness
            front = placed(leaf.left, left, 0, creep) + placed(leaf.right, right, 0, creep)
            back = placed(leaf.behind_left, turned.box(left), turned.turns(0), creep)
            back += placed(leaf.behind_right, turned.box(right), turned.turns(0), creep)
            ticks = Drawing(over=_ticks(lying)) if inner == 0 else Drawing()
            number = len(sheets) // 2 + 1
            sheets.append(Sheet(number, "front", lying, tuple(front), ticks))
            sheets.append(Sheet(number, "back", lying, tuple(back), Drawing()))
    return Imposition(tuple(sheets), template, imprint, lying, duplex=flip)


def _ticks(paper: Size) -> tuple[Path, ...]:
    middle = paper.width / 2
    ends = (((middle, 0.0), (middle, _TICK)), ((middle, paper.height - _TICK), (middle, paper.height)))
    return (Path(ends, width=0.15, dash=(1.0, 0.6)),)
