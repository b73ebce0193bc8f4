"""What the faces of dice show, as layouts see it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cardgen.errors import CannotMake
from cardgen.model.game import Die, Game

# The looks of a die without a game's own: numerals in ink on paper.
PAPER, INK = "#f6f1e4", "#1f2022"

_COUNT = re.compile(r"(\d+)(!*)")
_ICON = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_TURNED_ICON = re.compile(r"([a-z][a-z0-9-]*):(-?\d+(?:\.\d+)?)")
# How a numeral reads upside down, as far as it does.
_UPSIDE_DOWN = str.maketrans("01689", "01986")


def die_of(game: Game, id: str, path: str) -> Die:
    """A die of the game. Raises CannotMake when there is none of that id."""
    if id not in game.dice:
        known = ", ".join(game.dice) or "none"
        raise CannotMake(f"there is no die `{id}`; the game's dice: {known}", path)
    return game.dice[id]


def die_values(die: Die, letter: bool = True) -> list[Mapping[str, object]]:
    """What each face of a die shows, in the order of their numbering.

    On a die whose faces are all different whole numbers they are read as numerals; on another, whole numbers count
    successes, each `!` behind them a headshot: `2!`. Other faces are the name of an icon, with degrees behind a colon
    if it is turned clockwise (`arrow:36`), or a word.
    """
    shown = die.letter if letter else ""
    looks = {"colour": die.colour, "ink": die.ink, "letter": shown, "die": die.id}
    numerals = all(face.isdecimal() for face in die.faces) and len(set(die.faces)) == len(die.faces)
    if numerals:
        return [{**face, **looks} for face in _numerals(die.faces)]
    return [{**_sign(face), **looks} for face in die.faces]


def numeral_values(count: int, first: int) -> list[Mapping[str, object]]:
    """What each face of a die shows that has the numerals from `first` on."""
    looks = {"colour": PAPER, "ink": INK, "letter": "", "die": ""}
    return [{**face, **looks} for face in _numerals([str(first + at) for at in range(count)])]


def _numerals(numerals: Sequence[str]) -> list[dict[str, object]]:
    return [{"form": "number", "sign": sign, "underlined": _is_ambiguous(sign, numerals)} for sign in numerals]


def _is_ambiguous(sign: str, signs: Sequence[str]) -> bool:
    """Whether a numeral, turned upside down, reads as another one of the die: 6 and 9."""
    if set(sign) - set("01689"):
        return False
    turned = sign[::-1].translate(_UPSIDE_DOWN)
    return turned != sign and turned in signs


def _sign(face: str) -> dict[str, object]:
    counted, turned = _COUNT.fullmatch(face), _TURNED_ICON.fullmatch(face)
    if counted:
        return {"form": "count", "sign": face, "successes": int(counted[1]), "headshots": len(counted[2])}
    if turned:
        return {"form": "icon", "sign": face, "icon": turned[1], "turn": float(turned[2])}
    if _ICON.fullmatch(face):
        return {"form": "icon", "sign": face, "icon": face, "turn": 0.0}
    return {"form": "word", "sign": face}
