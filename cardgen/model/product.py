"""Products: what a build makes, and what it made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cardgen.model.face import Face
from cardgen.model.game import Game, Print
from cardgen.model.sheet import Backs, Piece, SheetTemplate
from cardgen.model.trim import Trim


@dataclass(frozen=True, slots=True)
class Product:
    """One print of one game in one language, ready to be drawn: its pieces in order and their faces by key."""

    game: Game
    print: Print
    trim: Trim
    template: SheetTemplate
    backs: Backs
    pieces: tuple[Piece, ...]
    faces: Mapping[str, Face]
    # cards that belong to it and have errors: they are not printed with something made up in place of what is wrong
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """`game/lang/print`, as in the output folder."""
        return f"{self.game.id}/{self.game.lang}/{self.print.id}"


@dataclass(frozen=True, slots=True)
class Made:
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
