"""Pawns: fold-over standees of cards, and the bases that they stand on. Millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct, structs

from cardgen.components.pawn_strips import (
    HALF_TURN,
    all_around,
    feet_strip,
    head_strip,
    plate_of,
    side_shape,
    slit_width,
)
from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import Box, Matrix, Polygon, Size, bounds, box_points, circle, moved, translation
from cardgen.model.card import Card, card_view
from cardgen.model.component import Component, Pawns
from cardgen.model.cutout import Cutout, Fold, Glue, Note, Panel
from cardgen.model.game import Game
from cardgen.units import format_mm

# Pawns for 28 mm scale are about 25 mm wide and 35 to 50 mm tall (facts on print, "Dice, pawns, counters").
WIDTH = 25.0
HEIGHT = 42.0
# Of a base, the part of its width that the name on it may take; and from how many letters on it takes another line
BASE_NAME, LONG_NAME = 0.86, 16
# A printed half and its back rarely meet exactly: this much stays white around a face (ibid.: "leave a white border").
BORDER = 1.2
# The name stands on a strip below the feet, this high as a share of the side's width, and of its height at most.
STRIP, STRIP_AT_MOST = 0.2, 0.14
# An oblong base is 25 x 40 mm; others of that form keep its proportion.
OBLONG = 1.6
# How much longer a slit is at either end than what goes into it.
PLAY = 0.25
# A single piece must fit A4 as well as Letter inside of 10 mm margins.
PAPER = Size(186.0, 250.0)


class _Figure(Struct, frozen=True):
    """Which card stands on which base, as what."""

    id: str
    card: Card
    name: str
    letter: str
    picture: str
    behind: str
    # width and depth of the base; None without one
    base: Size | None
    side: Size


def make_pawns(component: Component, game: Game) -> list[Cutout]:
    """A pawn for each card, and the base that it is glued to. Raises CannotMake.

    A card's picture is its field `pawn`, or another that is stated, an image or a list of images that its copies take in
    turn; its back is the field of that name with `_back` behind it, else the front mirrored. Where there are several of a card they are lettered.
    """
    options = component.options
    assert isinstance(options, Pawns)
    if options.fold == "feet" and options.foot == "tab":
        problem = "a foot of `tab` has two ends, and `fold: feet` joins them; state `fold: head`, or `foot: folded`"
        raise CannotMake(problem, "foot")
    made: list[Cutout] = []
    for figure in _figures(component, game):
        made.append(_pawn(figure, component, options))
        if figure.base is not None:
            made.append(_plate(figure, figure.base, options))
    return made


# Which pawns


def _figures(component: Component, game: Game) -> Iterator[_Figure]:
    options = component.options
    assert isinstance(options, Pawns)
    for card, copies in _cards(options, game):
        pictures = _pictures(card.values.get(options.picture))
        behind = _pictures(card.values.get(f"{options.picture}_back"))
        base = _base(options, card)
        side = _side(options, base)
        for at in range(copies):
            letter = letters(at) if copies > 1 else ""
            yield _Figure(
                f"{component.id}/{card.id}{'-' + letter.lower() if letter else ''}",
                card,
                _name(card, options),
                letter,
                pictures[at % len(pictures)] if pictures else "",
                behind[at % len(behind)] if behind else "",
                base,
                side,
            )


def _cards(options: Pawns, game: Game) -> list[tuple[Card, int]]:
    """The cards and how many pawns each has."""
    if options.only is not None:
        wanted = dict(options.only)
    elif options.deck is not None:
        wanted = {id: options.each or copies for id, copies in game.decks[options.deck].cards.items()}
    elif options.kinds:
        cards = (card for kind in options.kinds for card in game.cards.values() if card.kind == kind)
        wanted = {card.id: options.each or card.copies for card in cards}
    else:
        raise CannotMake("pawns of nothing: expected `kinds` or a `deck`")
    return [(game.cards[id], copies) for id, copies in wanted.items() if id in game.cards and copies > 0]


def letters(at: int) -> str:
    """The letter of the copy `at`, counted from 0: A to Z, then AA, AB and so on."""
    name = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def _pictures(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(str(item) for item in value) if isinstance(value, (list, tuple)) else ()


def _base(options: Pawns, card: Card) -> Size | None:
    if options.base == "none":
        return None
    size = options.base_size
    if options.base_from:
        stated = card.values.get(options.base_from)
        if isinstance(stated, bool) or not isinstance(stated, (int, float)) or stated <= 0:
            found = "nothing" if stated is None else f"`{stated}`"
            problem = f"card `{card.id}` has {found} in `{options.base_from}`; expected the size of its base in mm"
            raise CannotMake(problem, "base_from")
        size = float(stated) * options.factor
    return Size(size * OBLONG if options.base == "oblong" else size, size)


def _side(options: Pawns, base: Size | None) -> Size:
    """The size of a pawn's front: as stated, else that of the scale, as wide and the more tall as its base is wider."""
    usual, tall = WIDTH * options.factor, HEIGHT * options.factor
    if base is not None and options.base == "oblong":
        # A beast is longer than it is tall.
        return Size(options.width or base.width, options.height or tall)
    wide = base.width if base is not None else 0.0
    width = options.width or max(usual, wide)
    return Size(width, options.height or tall + max(0.0, min(width, wide) - usual))


# Their strips


def _pawn(figure: _Figure, component: Component, options: Pawns) -> Cutout:
    strip = (
        head_strip(figure.side, figure.base, options)
        if options.fold == "head"
        else feet_strip(figure.side, figure.base, options)
    )
    half = bounds(strip.quarter)
    size = Size(2 * half.right, 2 * half.bottom)
    _must_fit(size, figure, options)
    middle = translation(size.width / 2, size.height / 2)
    faces = [
        _face(figure, component, translation(-figure.side.width / 2, strip.top), behind) for behind in (False, True)
    ]
    turns = (Matrix(), HALF_TURN)
    if strip.flat:
        at = bounds(strip.flat)
        lying = moved(strip.flat, translation(-at.x, -at.y))
        values = {**_values(figure), "part": "foot"}
        for turn, name in zip(turns, ("foot", "heel"), strict=True):
            matrix = translation(at.x, at.y).then(turn)
            faces.append(_lying(f"{figure.id}/{name}", lying, values, matrix))
    return Cutout(
        figure.id,
        _title(figure),
        size,
        tuple(
            structs.replace(face, matrix=face.matrix.then(middle), outline=moved(face.outline or (), middle))
            for face in faces
        ),
        (moved(all_around(strip.quarter), middle),),
        folds=tuple(
            Fold(moved(((-half_width, y), (half_width, y)), middle), kind)
            for half_width, distance, kind in strip.folds
            for y in sorted({-distance, distance})
        ),
        glue=tuple(Glue(moved(strip.glued, turn.then(middle))) for turn in turns) if strip.glued else (),
        group=figure.id,
    )


def _must_fit(size: Size, figure: _Figure, options: Pawns) -> None:
    """Raises CannotMake when the strip, unfolded, has no room on paper, either way round."""
    fits = (PAPER, PAPER.turned())
    if any(size.width <= paper.width and size.height <= paper.height for paper in fits):
        return
    unfolded = f"{format_mm(size.width)} x {format_mm(size.height)} mm"
    found = f"a pawn {format_mm(figure.side.width)} mm wide and {format_mm(figure.side.height)} mm tall unfolds to {unfolded}"
    paper = f"the paper takes {format_mm(PAPER.width)} x {format_mm(PAPER.height)} mm"
    widest = PAPER.height if size.height <= PAPER.width else PAPER.width
    if size.width > widest:
        by_base = size.width > figure.side.width or not options.width
        path = ("base_from" if options.base_from else "base_size") if by_base else "width"
        raise CannotMake(f"{found}; {paper}: {format_mm(widest)} mm wide at most", path)
    most = math.floor(figure.side.height - (size.height - PAPER.height) / 2)
    remedy = f"{most} mm tall at most" if most >= 10 else "a smaller base, or `foot: slot`"
    raise CannotMake(f"{found}; {paper}: {remedy}", "height" if options.height else "fold")


# Their faces


def _face(figure: _Figure, component: Component, upright: Matrix, behind: bool) -> Panel:
    shape = side_shape(figure.side)
    mirrored = behind and not figure.behind and not component.back
    values = {
        **_values(figure),
        "side": "behind" if behind else "front",
        "art": figure.behind or figure.picture if behind else figure.picture,
        "mirrored": mirrored,
        # what is tinted, inside of a white border, and the strip below the feet that bears the name
        "frame": side_shape(figure.side, BORDER),
        "border": BORDER,
        "strip": min(STRIP * figure.side.width, STRIP_AT_MOST * figure.side.height),
    }
    layout = (component.back if behind else "") or component.layout or "_base/pawn"
    matrix = upright.then(HALF_TURN) if behind else upright
    trim = derived_trim(figure.side.width, figure.side.height)
    return Panel(f"{figure.id}/{values['side']}", layout, trim, values, matrix, moved(shape, matrix), shape)


def _lying(label: str, shape: Polygon, values: dict[str, object], matrix: Matrix) -> Panel:
    """What is seen from above: a foot, or a base."""
    around = bounds(shape)
    trim = derived_trim(around.width, around.height)
    return Panel(label, "_base/pawn-base", trim, values, matrix, moved(shape, matrix), shape)


def _values(figure: _Figure) -> dict[str, object]:
    return {"card": card_view(figure.card), "name": figure.name, "letter": figure.letter}


def _name(card: Card, options: Pawns) -> str:
    """What stands on the pawn: the card's name, and what tells it from others of that name."""
    name = card.values.get("name")
    more = card.values.get(options.also) if options.also else None
    shown = name if isinstance(name, str) and name else card.id
    return f"{shown}, {more}" if isinstance(more, str) and more else shown


def _title(figure: _Figure) -> str:
    return f"{figure.name} {figure.letter}".strip()


def _lines(name: str, x: float, y: float, room: float) -> Iterator[Note]:
    """A name across a base: in two or three lines, broken between words, when it is long; smaller where a word is."""
    words = name.split()
    rows = min(len(words), 1 + (len(name) > LONG_NAME) + (len(name) > 2 * LONG_NAME))
    parts: list[str] = []
    for word in words:
        # As even as words allow: a line is full once it holds its share of the name.
        if (parts and len(parts[-1]) + len(word) / 2 < len(name) / rows) or len(parts) == rows:
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    for number, part in enumerate(parts):
        note = Note(x, y, part, room=room)
        yield structs.replace(note, y=y + (number - (len(parts) - 1) / 2) * 1.2 * note.size * 25.4 / 72)


def _plate(figure: _Figure, base: Size, options: Pawns) -> Cutout:
    """The base itself: with a slit where something goes through it, else covered by what is glued on it."""
    x, y = base.width / 2, base.height / 2
    outline = circle(x, y, x) if options.base == "round" else box_points(Box(0.0, 0.0, base.width, base.height))
    label, values = f"{figure.id}/base", _values(figure)
    if options.foot == "folded":
        # A foot at the head's fold is as large as the base; one between the feet may leave its rim free.
        plate = plate_of(figure.side, base, options)
        covered = options.fold == "head" or options.base != "round"
        area = (
            outline
            if covered
            else box_points(Box(x - plate.width / 2, y - plate.height / 2, plate.width, plate.height))
        )
        rim = () if covered else (_lying(label, outline, {**values, "part": "plain"}, Matrix()),)
        notes = tuple(_lines(_title(figure), x, y, BASE_NAME * base.width))
        return Cutout(label, _title(figure), base, rim, (outline,), glue=(Glue(area),), notes=notes, group=figure.id)
    half = slit_width(figure.side, base, options) / 2 + PLAY
    face = _lying(label, outline, {**values, "part": "base"}, Matrix())
    return Cutout(
        label, _title(figure), base, (face,), (outline,), slits=(((x - half, y), (x + half, y)),), group=figure.id
    )
