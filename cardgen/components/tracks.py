"""Tracks as strips and boards: a band's title above its numbers, and below them a lane where the marker stands.

What the layouts draw is worked out here, in mm from the piece's top left corner, so that arrows, sleeves and tables
meet the steps they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.components.boards import LEAST_LABEL, column_tables, foot_of, label_width, table_below
from cardgen.components.markers import make_marker
from cardgen.components.shades import ink_on, patterns_of
from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import Size
from cardgen.model.component import Component, TrackPiece
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.game import Game, Track
from cardgen.units import format_mm

# The largest piece that A4 and Letter both hold with margins of 10 mm, either way up.
LONG, SHORT = 250.0, 186.0
# Left unprinted all round, so that a cut that is 1 mm off shows no neighbour.
EDGE = 2.0
# The end of a strip, where its title stands.
CAP = 23.0
HEADING = 9.0
ROW_GAP = 1.5
# A lower row has no room for the titles of its bands; their colours and patterns remain.
LEAST_TITLED = 14.0
LEAST_CELL = 5.0
LEAST_SLIDER = 16.0

Values = dict[str, object]


def make_track(component: Component, game: Game) -> list[Cutout]:
    """The strips or the board of a component's tracks, each with its markers.

    Raises CannotMake when a track is not there or has a hole, or when steps and paper do not go together.
    """
    options = component.options
    assert isinstance(options, TrackPiece)
    tracks = [_track(name, f"tracks.{at}", game) for at, name in enumerate(options.tracks)]
    if options.cell < LEAST_CELL:
        problem = (
            f"a step of {format_mm(options.cell)} mm has no room for a number: {format_mm(LEAST_CELL)} mm would do"
        )
        raise CannotMake(problem, "cell")
    if options.form == "board":
        return _board(component, options, tracks, game)
    for name in ("per_row", "each", "table", "aside", "notes"):
        if getattr(options, name):
            raise CannotMake(f"`{name}` is for boards, and this is a strip: `form: board` would do", name)
    if options.marker == "slider" and options.height < LEAST_SLIDER:
        problem = f"a strip {format_mm(options.height)} mm high is too low for a sleeve with a window:"
        raise CannotMake(f"{problem} {format_mm(LEAST_SLIDER)} mm would do", "height")
    return [cutout for track in tracks for cutout in _strip(component, options, track)]


def _track(name: str, path: str, game: Game) -> Track:
    """A track of the game that is whole: every step from its start to its end in one band."""
    track = game.tracks.get(name)
    if track is None:
        known = ", ".join(f"`{other}`" for other in sorted(game.tracks)) or "none"
        raise CannotMake(f"there is no track `{name}`; the game has {known}", path)
    steps = [step for band in track.bands for step in band.steps]
    if steps != list(range(track.start, track.end + 1)):
        problem = f"the bands of track `{name}` do not cover {track.start} to {track.end} one after the other:"
        missing = sorted(set(range(track.start, track.end + 1)) - set(steps))
        fault = f"{', '.join(map(str, missing))} is in none" if missing else "some overlap"
        raise CannotMake(f"{problem} {fault}; mend the track, and the piece follows", path)
    return track


def _strip(component: Component, options: TrackPiece, track: Track) -> list[Cutout]:
    steps = _length(track)
    width, height = 2 * EDGE + CAP + steps * options.cell, options.height
    if width > LONG:
        most = (LONG - 2 * EDGE - CAP) / steps
        problem = (
            f"the strip of `{track.id}` would be {format_mm(width)} mm long; a sheet has room for {format_mm(LONG)}"
        )
        remedy = f"at most {most:.1f}mm a step" if most >= LEAST_CELL else "`form: board`, which goes on in rows"
        raise CannotMake(f"{problem}: {remedy} would do", "cell")
    if height > SHORT:
        raise CannotMake(f"a strip {format_mm(height)} mm high is more than {format_mm(SHORT)} mm", "height")
    row = track_row(
        track, range(track.start, track.end + 1), EDGE + CAP, EDGE, options.cell, height - 2 * EDGE, _lane(options)
    )
    cap = {"x": EDGE, "y": EDGE, "width": CAP, "height": height - 2 * EDGE, "text": track.title}
    values: Values = {"form": "strip", "heading": None, "labels": [cap], "rows": [row], "table": None, "foot": None}
    label = f"{component.id}/{track.id}"
    strip = _piece(component, label, track.title, Size(width, height), values, options.sets)
    return [strip, *make_marker(component, options, track, row)]


def _board(component: Component, options: TrackPiece, tracks: Sequence[Track], game: Game) -> list[Cutout]:
    if options.marker == "slider":
        raise CannotMake("a sleeve goes round a strip, and this is a board: `marker: arrow` would do", "marker")
    titled = _titled(options, tracks, game)
    table = column_tables(options.table, tracks[0], game) if options.table else None
    label = label_width([title for title, _ in titled], table)
    if table:
        # One row has to hold all steps in every language: its labels leave them their room.
        label = min(label, max(LEAST_LABEL, LONG - 2 * EDGE - _length(tracks[0]) * options.cell))
    per_row = _per_row(options, tracks, label, bool(table))
    width = 2 * EDGE + label + per_row * options.cell
    most_height = SHORT if width > SHORT else LONG
    # What stands below the first track takes its room from the table.
    later = sum(-(-_length(track) // per_row) for _, track in titled[1:]) * (options.height + ROW_GAP)
    top = EDGE + HEADING + ROW_GAP
    labels: list[Values] = []
    rows: list[Values] = []
    below = None
    for at, (title, track) in enumerate(titled):
        steps = range(track.start, track.end + 1)
        if label:
            labels.append({"x": EDGE, "y": top, "width": label - 1, "height": options.height, "text": title})
        for first in range(0, len(steps), per_row):
            part = steps[first : first + per_row]
            rows.append(track_row(track, part, EDGE + label, top, options.cell, options.height, _lane(options)))
            top += options.height + ROW_GAP
        if at == 0 and table:
            most = most_height - EDGE - top - later - foot_of(options, game, width - 2 * EDGE)[1]
            below = table_below(table, track, EDGE, top, label, options.cell, most)
            top += below.height + ROW_GAP
    foot, tall = foot_of(options, game, width - 2 * EDGE, top)
    height = top + tall - ROW_GAP + EDGE
    if width > LONG or height > most_height:
        problem = f"the board would be {format_mm(width)} x {format_mm(height)} mm; a sheet has room for"
        room = f"{format_mm(LONG)} x {format_mm(SHORT)} mm either way: a smaller `cell` or `height`, or fewer tracks, would do"
        raise CannotMake(f"{problem} {room}", "cell" if width > LONG else "height")
    heading = {"x": EDGE, "y": EDGE, "width": width - 2 * EDGE, "height": HEADING, "text": component.title}
    values: Values = {
        "form": "board",
        "heading": heading,
        "labels": labels,
        "rows": rows,
        "table": below.values if below else None,
        "foot": foot,
    }
    board = _piece(component, component.id, component.title, Size(width, height), values, options.sets)
    arrows = [arrow for _, track in titled for arrow in make_marker(component, options, track, rows[0])]
    return [board, *arrows]


def _titled(options: TrackPiece, tracks: Sequence[Track], game: Game) -> list[tuple[str, Track]]:
    """The tracks with their titles; the first once for each label that is asked for."""
    titles = []
    for at, name in enumerate(options.each):
        if name not in game.labels:
            raise CannotMake(f"the game has no label `{name}`; `each` names labels of game.yaml", f"each.{at}")
        titles.append((game.labels[name], tracks[0]))
    return [*(titles or [(tracks[0].title, tracks[0])]), *((track.title, track) for track in tracks[1:])]


def _per_row(options: TrackPiece, tracks: Sequence[Track], label: float, whole: bool) -> int:
    """How many steps a row of the board has: as wished for, or as many as fit, in rows as long as each other."""
    longest = max(_length(track) for track in tracks)
    room = int((LONG - 2 * EDGE - label) / options.cell + 1e-9)
    if room < 1:
        raise CannotMake(f"a step of {format_mm(options.cell)} mm is wider than a sheet has room for", "cell")
    if options.per_row > room:
        problem = f"{options.per_row} steps of {format_mm(options.cell)} mm are more than a row has room for"
        raise CannotMake(f"{problem}: {room} or a smaller `cell` would do", "per_row")
    if not whole:
        wished = min(options.per_row, longest)
        return wished or -(-longest // -(-longest // min(room, longest)))
    steps = _length(tracks[0])
    if options.per_row not in (0, steps):
        raise CannotMake(f"a table stands below one row of all {steps} steps: no `per_row` would do", "per_row")
    if longest > room:
        problem = (
            f"a table stands below one row, and {longest} steps of {format_mm(options.cell)} mm are too many for one"
        )
        raise CannotMake(f"{problem}: at most {(LONG - 2 * EDGE - label) / longest:.1f}mm would do", "cell")
    return longest


def _length(track: Track) -> int:
    return track.end - track.start + 1


def _lane(options: TrackPiece) -> bool:
    """Whether a marker stands below the numbers: not where a sleeve shows them, nor where there is no height."""
    return options.marker != "slider" and options.height >= LEAST_TITLED


def track_row(track: Track, steps: range, x: float, y: float, cell: float, height: float, lane: bool) -> Values:
    """A row of a track's steps from (x, y): title bars, numbers, and below them the lane (mm).

    The lane carries the bands' patterns, out of the numbers' way; it is high where a marker stands on it (`lane`).
    """
    titled = height >= LEAST_TITLED
    bar = round(min(9.0, max(4.5, 0.28 * height)), 3) if titled else 0.0
    below = round((0.38 if lane else 0.16) * (height - bar), 3)
    number = height - bar - below
    patterns = patterns_of([band.colour for band in track.bands])
    bands: list[Values] = []
    cells: list[Values] = []
    for band, pattern in zip(track.bands, patterns, strict=True):
        inside = [step for step in steps if band.start <= step <= band.end]
        if not inside:
            continue
        left = x + (inside[0] - steps[0]) * cell
        ink = ink_on(band.colour)
        look = {"colour": band.colour, "ink": ink, "pattern": pattern}
        bands.append({**look, "id": band.id, "title": band.title, "x": left, "width": len(inside) * cell})
        cells += [
            {**look, "text": str(step).replace("-", "−"), "step": step, "x": x + (step - steps[0]) * cell}
            for step in inside
        ]
    return {
        "track": track.id,
        "x": x,
        "y": y,
        "cell": cell,
        "width": len(steps) * cell,
        "height": height,
        "bar": bar,
        "number": number,
        "lane": below,
        "bands": bands,
        "cells": cells,
        # The longest number decides for all: numbers of one row have one size.
        "type": round(min(0.8 * number, cell / (0.52 * max(len(str(c["step"])) for c in cells) + 0.35)), 2),
    }


def _piece(component: Component, label: str, title: str, size: Size, values: Values, copies: int) -> Cutout:
    trim = derived_trim(size.width, size.height)
    panel = Panel(label, component.layout or "_base/track", trim, values)
    return Cutout(label, title, trim.size, (panel,), copies=copies)
