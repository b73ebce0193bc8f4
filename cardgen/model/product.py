"""Products: what a build makes, and what it made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from cardgen.model.cutout import Cutout
from cardgen.model.face import Face
from cardgen.model.game import Game, Print
from cardgen.model.kit import Stock
from cardgen.model.printer import Printer
from cardgen.model.sheet import Backs, Flip, Imposition, Piece, SheetTemplate
from cardgen.model.trim import Trim


class Product(Struct, frozen=True):
    """One print of one game in one language, ready to be drawn: its pieces in order and their faces by key.

    A print of components has `cutouts`, packed on sheets, or, where its sheet is a grid, `pieces` like one of cards.
    """

    game: Game
    print: Print
    # of the pieces; None where they are cutouts of many sizes
    trim: Trim | None
    template: SheetTemplate
    backs: Backs
    pieces: tuple[Piece, ...]
    faces: Mapping[str, Face]
    # cards that belong to it and have errors: they are not printed with something made up in place of what is wrong
    left_out: tuple[str, ...] = ()
    cutouts: tuple[Cutout, ...] = ()
    # what every sheet says besides: how large the dice came out
    remark: str = ""
    # the printer that its sheets are corrected for, and the edge that it turns paper over along
    printer: Printer | None = None
    flip: Flip = "long-edge"
    # of a booklet: how thick its paper is, in mm
    thickness: float = 0.0

    @property
    def name(self) -> str:
        """`game/lang/print`, as in the output folder."""
        return f"{self.game.id}/{self.game.lang}/{self.print.id}"


class Item(Struct, frozen=True):
    """One thing that a file holds: what it is called, how often it is there, and its size in mm as it is cut."""

    label: str
    title: str
    copies: int
    size: tuple[float, float]


class Made(Struct, frozen=True):
    """One file that was written."""

    path: Path
    sha256: str
    size: int
    pages: int
    paper: tuple[float, float]
    pieces: int
    copies: int
    game: str
    lang: str
    print: str
    engines: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    contents: tuple[Item, ...] = ()
    # sheets of paper, and the part of them that becomes pieces, in percent; backs in a file of their own take none
    sheets: int = 0
    used: float = 0.0


class KitFile(Struct, frozen=True):
    """One file of a kit: its name, what it is printed on, what it holds, and its sheets.

    `counts` says of each component how many there are; what belongs together, as a pawn and its base, counts once.
    """

    name: str
    stock: Stock
    product: Product
    imposition: Imposition
    counts: Mapping[str, int]

    @property
    def sheets(self) -> int:
        """How many sheets of paper it takes."""
        return sum(1 for sheet in self.imposition.sheets if sheet.side == "front")


class Kit(Struct, frozen=True):
    """The files of a kit, and those that were written, the checklist first."""

    files: tuple[KitFile, ...]
    made: tuple[Made, ...]
