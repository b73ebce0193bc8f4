"""A project: what it builds and what all its games share."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from cardgen.files import Shelf
from cardgen.model.font import FontRole
from cardgen.model.game import Game
from cardgen.model.sheet import SheetTemplate, SheetWords
from cardgen.model.translation import Policy
from cardgen.model.trim import Trim


class Project(Struct, frozen=True):
    """A loaded project; its games are in their source language."""

    name: str
    shelf: Shelf
    languages: tuple[str, ...]
    # what the project prints on; None leaves it to the sheets
    paper: str | None
    games: Mapping[str, Game]
    trims: Mapping[str, Trim]
    sheets: Mapping[str, SheetTemplate]
    fonts: Mapping[str, FontRole]
    # what sheets say in their margins, by language
    words: Mapping[str, SheetWords]
    # what a build does with translations that are not done
    policy: Policy = field(default_factory=Policy)
    # whether faces carry their short code, where their layouts have a place for it
    codes: bool = False
