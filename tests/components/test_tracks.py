"""Tracks: every step stands once where its marker meets it, bands stay apart in grey, boards fit the paper."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.components.boards import SIZES_PT
from cardgen.components.makers import MAKERS
from cardgen.components.markers import PLAY, TAB, WINDOW_EASE
from cardgen.components.shades import PATTERNS, SAME_GREY, ink_on, lightness, paler, patterns_of
from cardgen.components.tracks import CAP, EDGE, LONG, SHORT, make_track
from cardgen.diagnostics import Report, Span
from cardgen.errors import CannotMake
from cardgen.geometry import EPSILON_MM, Box, bounds
from cardgen.load.project import load_project
from cardgen.model.component import Component, Counters, TrackPiece
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game, Table, Track, TrackBand
from cardgen.pipeline.languages import in_language
from tests.support import edit, write_project

THREAT = ((1, 3), (4, 8), (9, 13), (14, 18))
COLOURS = ("#d5e3da", "#f0cf6a", "#d9822b", "#8f1f1f", "#27486b", "#efe6d2", "#5b83ab")


def track(id: str = "threat", ends: tuple[tuple[int, int], ...] = THREAT) -> Track:
    bands = tuple(
        TrackBand(f"band-{at}", f"Band {at}", first, last, COLOURS[at % len(COLOURS)])
        for at, (first, last) in enumerate(ends)
    )
    return Track(id, id.title(), ends[0][0], ends[-1][1], bands)


def game(*tracks: Track, tables: tuple[Table, ...] = (), labels: dict[str, str] | None = None) -> Game:
    none: dict[str, Any] = {}
    return Game(
        "game", "A Game", "", "1", "en", ("en",), "", "", labels or {}, none, none, {item.id: item for item in tracks},
        {table.id: table for table in tables}, none, none, none, none, none, "en",
    )  # fmt: skip


def made(
    *tracks: Track, tables: tuple[Table, ...] = (), labels: dict[str, str] | None = None, **options: Any
) -> list[Cutout]:
    piece = TrackPiece(tracks=tuple(item.id for item in tracks), **options)
    component = Component("piece", "Piece", "track", piece, "", "", Span("components/t.yaml", 1, 1), {})
    return make_track(component, game(*tracks, tables=tables, labels=labels))


def refused(path: str, *tracks: Track, **options: Any) -> str:
    with pytest.raises(CannotMake) as error:
        made(*tracks, **options)
    assert error.value.path == path
    return str(error.value)


def values(cutout: Cutout) -> Any:
    return cutout.panels[0].values


def steps(cutout: Cutout) -> list[int]:
    return [cell["step"] for row in values(cutout)["rows"] for cell in row["cells"]]


def check_rows(cutout: Cutout) -> None:
    """Cells and bands tile their rows, and all of it stands inside of the unprinted edge."""
    inside = Box(0.0, 0.0, cutout.size.width, cutout.size.height).grown(-EDGE)
    for row in values(cutout)["rows"]:
        assert inside.contains(Box(row["x"], row["y"], row["width"], row["height"]))
        assert row["bar"] + row["number"] + row["lane"] == pytest.approx(row["height"])
        assert min(row["number"], row["lane"], row["type"]) > 0
        for at, cell in enumerate(row["cells"]):
            assert cell["x"] == pytest.approx(row["x"] + at * row["cell"])
        left = row["x"]
        for band in row["bands"]:
            assert band["x"] == pytest.approx(left)
            left += band["width"]
        assert left == pytest.approx(row["x"] + row["width"])


def test_threat_is_one_strip_of_eighteen_steps_in_four_bands() -> None:
    strip, rider = made(track(), cell=9.0, height=27.0, marker="arrow")
    assert strip.straight and (strip.size.width, strip.size.height) == (2 * EDGE + CAP + 18 * 9, 27.0)
    assert steps(strip) == list(range(1, 19))
    check_rows(strip)
    (row,) = values(strip)["rows"]
    assert [band["width"] / 9 for band in row["bands"]] == [3, 5, 5, 5]
    assert rider.label == "piece/threat-arrow" and rider.folds


@st.composite
def tracks_of_bands(draw: st.DrawFn) -> Track:
    first = draw(st.integers(-30, 30))
    lengths = draw(st.lists(st.integers(1, 9), min_size=1, max_size=7))
    ends = []
    for length in lengths:
        ends.append((first, first + length - 1))
        first += length
    return track("any", tuple(ends))


@given(tracks_of_bands(), st.floats(5, 30), st.floats(16, 60), st.sampled_from(["none", "arrow", "slider"]))
def test_strips_hold_every_step_once_or_say_what_would_do(
    any_track: Track, cell: float, height: float, marker: str
) -> None:
    count = any_track.end - any_track.start + 1
    try:
        strip, *markers = made(any_track, cell=cell, height=height, marker=marker)
    except CannotMake as error:
        assert 2 * EDGE + CAP + count * cell > LONG and "would do" in str(error)
        return
    assert strip.size.width <= LONG + EPSILON_MM and steps(strip) == list(range(any_track.start, any_track.end + 1))
    check_rows(strip)
    assert len(markers) == (marker != "none")


@given(tracks_of_bands(), st.floats(5, 60), st.floats(9, 60), st.integers(0, 60))
def test_boards_hold_every_step_once_and_fit_the_paper(
    any_track: Track, cell: float, height: float, per_row: int
) -> None:
    try:
        (board,) = made(any_track, form="board", cell=cell, height=height, per_row=per_row)
    except CannotMake as error:
        assert "would do" in str(error)
        return
    assert steps(board) == list(range(any_track.start, any_track.end + 1))
    check_rows(board)
    sides = sorted((board.size.width, board.size.height))
    assert sides[0] <= SHORT + EPSILON_MM and sides[1] <= LONG + EPSILON_MM
    if per_row:
        assert all(len(row["cells"]) <= per_row for row in values(board)["rows"])


@given(st.floats(5, 25), st.floats(16, 60))
def test_a_sleeve_closes_round_its_strip_and_shows_one_number(cell: float, height: float) -> None:
    strip, sleeve = made(track(ends=((1, 4), (5, 7))), cell=cell, height=height, marker="slider")
    (row,) = values(strip)["rows"]
    first, second = (fold.line[0][1] for fold in sleeve.folds)
    # Back, front, tab: back and front are as high as each other, and wider inside than the strip by the play.
    assert first == pytest.approx(second - first) == pytest.approx(height + PLAY)
    assert sleeve.size.height - second == pytest.approx(TAB) and first > TAB
    # Both edges that meet are as long as each other, so that the tube is straight.
    outline, window = sleeve.cuts
    assert bounds(outline).width == pytest.approx(sleeve.size.width)
    assert {x for fold in sleeve.folds for x, _ in fold.line} == {0.0, sleeve.size.width}
    # Pushed along, with as much play above as below, the window shows all of a number's cell and no band's title.
    hole = bounds(window)
    assert hole.y - first - PLAY / 2 == pytest.approx(row["y"] + row["bar"] - WINDOW_EASE)
    assert hole.height == pytest.approx(row["number"] + 2 * WINDOW_EASE)
    assert hole.width == pytest.approx(cell + 2 * WINDOW_EASE)
    assert hole.x >= 4.0 and hole.bottom < second - 2.0
    (glue,) = sleeve.glue
    assert bounds(glue.area).y == pytest.approx(second)


@given(st.floats(5, 25), st.floats(16, 60))
def test_a_rider_folds_on_the_lower_edge_and_points_at_the_number(cell: float, height: float) -> None:
    strip, rider = made(track(ends=((1, 4), (5, 7))), cell=cell, height=height, marker="arrow")
    (row,) = values(strip)["rows"]
    (fold,) = rider.folds
    front = fold.line[0][1]
    # Folded there, its tip is where the lane ends and the number begins.
    assert height - front == pytest.approx(row["y"] + row["bar"] + row["number"])
    # The tongue behind does not look over the strip's upper edge.
    assert 0 < rider.size.height - front < height
    (outline,) = rider.cuts
    assert min(outline, key=lambda point: point[1]) == (rider.size.width / 2, 0.0)


def test_a_boards_arrow_has_two_halves_that_lie_on_each_other() -> None:
    board, arrow = made(track(), form="board", cell=20.0, height=36.0, per_row=9, marker="arrow")
    assert [len(row["cells"]) for row in values(board)["rows"]] == [9, 9]
    (fold,) = arrow.folds
    middle = fold.line[0][1]
    (outline,) = arrow.cuts
    folded = {(round(x, 6), round(2 * middle - y, 6)) for x, y in outline}
    assert folded == {(round(x, 6), round(y, 6)) for x, y in outline}
    upper, lower = arrow.panels
    # What is printed on the other half stands on its head, so that it is upright once it is folded.
    assert lower.matrix.apply(0.0, 0.0) == pytest.approx((arrow.size.width, arrow.size.height))
    assert upper.values == lower.values


def test_a_track_with_a_hole_or_an_overlap_is_not_drawn() -> None:
    problem = refused("tracks.0", track(ends=((1, 3), (5, 8))))
    assert "4 is in none" in problem and "would do" not in problem
    assert "some overlap" in refused("tracks.0", track(ends=((1, 3), (3, 8))))


@pytest.mark.parametrize(("start", "code"), [(4, "CG109"), (2, "CG109"), (3, "")])
def test_the_loader_refuses_gaps_and_overlaps_at_their_place(tmp_path: Path, start: int, code: str) -> None:
    changes = {
        **edit("cards/g/game.yaml", "from: 3, to: 4", f"from: {start}, to: 4"),
        "cards/g/components/t.yaml": "strip: {make: track, title: Strip, tracks: [threat], cell: 9mm}\n",
    }
    report = Report()
    project = load_project(write_project(tmp_path, dict(changes)), report)
    assert project is not None
    assert [item.code for item in report.items] == ([code] if code else [])
    assert not code or str(report.items[0].span).startswith("cards/g/game.yaml:18:")
    shipped = project.games["g"]
    if code:
        with pytest.raises(CannotMake, match="do not cover 1 to 4"):
            make_track(shipped.components["strip"], shipped)
    else:
        assert steps(make_track(shipped.components["strip"], shipped)[0]) == [1, 2, 3, 4]


def test_wrong_options_say_what_would_do() -> None:
    assert "`form: board` would do" in refused("per_row", track(), per_row=9)
    assert "16 mm would do" in refused("height", track(), height=12.0, marker="slider")
    assert "5 mm would do" in refused("cell", track(), cell=4.0)
    assert "at most 12.4mm a step would do" in refused("cell", track(), cell=20.0)
    assert "`form: board`" in refused("cell", track(ends=((1, 60),)), cell=9.0)
    assert "12 or a smaller" in refused("per_row", track(), form="board", cell=20.0, per_row=13)
    assert "`marker: arrow` would do" in refused("marker", track(), form="board", marker="slider")
    assert "no label `agility`" in refused("each.0", track(), form="board", each=("agility",))
    assert "no table `events`" in refused("table", track(), form="board", table="events")
    assert "fewer tracks" in refused("height", *(track(f"t{n}") for n in range(9)), form="board", height=30.0)
    with pytest.raises(CannotMake, match="no track `mood`; the game has `threat`"):
        make_track(
            Component("p", "P", "track", TrackPiece(tracks=("mood",)), "", "", Span("t.yaml", 1, 1), {}), game(track())
        )


def test_the_first_track_once_for_each_label() -> None:
    labels = {"agility": "Agility", "mind": "Mind"}
    (board,) = made(
        track(ends=((3, 10),)),
        track("soul", ((0, 6),)),
        labels=labels,
        form="board",
        each=("agility", "mind"),
        height=9.0,
    )
    assert [label["text"] for label in values(board)["labels"]] == ["Agility", "Mind", "Soul"]
    assert [len(row["cells"]) for row in values(board)["rows"]] == [8, 8, 7]


def test_a_tables_columns_stand_below_the_bands() -> None:
    cells = tuple(tuple(f"Row {row} band {band}" for band in range(4)) for row in range(3))
    straight = Table("t", "T", ("Die", *"abcd"), tuple((str(at), *row) for at, row in enumerate(cells)))
    turned = Table(
        "t", "T", ("Band", "0", "1", "2"), tuple((f"b{band}", *(row[band] for row in cells)) for band in range(4))
    )
    shown = []
    for table in (straight, turned):
        (board,) = made(track(), tables=(table,), form="board", cell=12.0, table="t")
        rows, bands = values(board)["table"]["rows"], values(board)["rows"][0]["bands"]
        for row in rows:
            assert [(c["x"], c["width"]) for c in row["cells"]] == [pytest.approx((b["x"], b["width"])) for b in bands]
        shown.append([(row["label"], tuple(c["text"] for c in row["cells"])) for row in rows])
        assert rows[-1]["y"] + rows[-1]["height"] <= board.size.height - EDGE + EPSILON_MM
    assert shown[0] == shown[1] == [(str(at), row) for at, row in enumerate(cells)]
    wrong = Table("t", "T", ("a", "b"), (("1", "2"),))
    with pytest.raises(CannotMake, match="5 columns, the labels first, or 4 rows, would do"):
        made(track(), tables=(wrong,), form="board", table="t")


@given(st.integers(1, 12), st.integers(1, 60))
def test_a_table_takes_the_largest_type_that_it_has_room_for(rows: int, words: int) -> None:
    table = Table(
        "t", "T", ("Die", *"abcd"), tuple((str(n), *["some words"] * 3, "word " * words) for n in range(rows))
    )
    try:
        (board,) = made(track(), tables=(table,), form="board", cell=12.0, table="t")
    except CannotMake as error:
        assert error.path == "table" and "5.5 pt" in str(error)
        return
    assert values(board)["table"]["type"] in SIZES_PT and board.size.height <= SHORT + EPSILON_MM


COLOUR = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@given(st.lists(COLOUR, max_size=12))
def test_bands_of_one_grey_differ_in_pattern(colours: list[str]) -> None:
    patterns = patterns_of(colours)
    for at, pattern in enumerate(patterns):
        same = [other for other in range(at) if patterns[other] == pattern != PATTERNS[-1]]
        assert all(abs(lightness(colours[other]) - lightness(colours[at])) >= SAME_GREY for other in same)


@given(COLOUR)
def test_ink_reads_on_every_colour(colour: str) -> None:
    assert abs(lightness(ink_on(colour)) - lightness(colour)) > 40
    assert lightness(paler(colour, 0.78)) >= lightness(colour) - 0.5
    assert paler(colour, 0.0) == colour and paler(colour, 1.0) == "#ffffff"


def test_lightness_is_cie() -> None:
    assert [round(lightness(c), 1) for c in ("#000000", "#ffffff", "#808080", "#ff0000")] == [0.0, 100.0, 53.6, 53.2]


# What is shipped.


@cache
def shipped(root: Path, name: str, lang: str) -> Game:
    project = load_project(root, Report())
    assert project is not None
    return in_language(project.games[name], lang, project.shelf, {}, Report())


@pytest.mark.parametrize("lang", ["en", "es", "ru"])
@pytest.mark.parametrize("name", ["twd", "arena", "zombies", "zcorps"])
def test_all_that_is_shipped_is_made_and_fits_the_paper(root: Path, name: str, lang: str) -> None:
    game = shipped(root, name, lang)
    pieces = [item for item in game.components.values() if isinstance(item.options, TrackPiece | Counters)]
    assert len(pieces) >= 4
    for component in pieces:
        cutouts = MAKERS[component.make](component, game)
        assert cutouts and len({cutout.label for cutout in cutouts}) == len(cutouts)
        for cutout in cutouts:
            sides = sorted((cutout.size.width, cutout.size.height))
            assert sides[0] <= SHORT + EPSILON_MM and sides[1] <= LONG + EPSILON_MM, cutout.label


@pytest.mark.parametrize(
    ("lang", "home", "away", "away_pattern"),
    [("en", "home", "visiting", "visiting"), ("es", "de casa", "visitante", "visitantes?"), ("ru", "хозяев", "гостей", "гостей")],
)  # fmt: skip
def test_the_crowd_treats_both_sides_alike(root: Path, lang: str, home: str, away: str, away_pattern: str) -> None:
    """Column k of the public events is column 6 - k with the sides exchanged and the mood's sign turned."""
    table = shipped(root, "arena", lang).tables["public-events"]
    assert [row[0] for row in table.rows] == [str(die) for die in range(1, 10)]
    marks = {"+": "−", "−": "+"}

    def plain(text: str) -> str:
        return re.sub(away_pattern, away, text)

    def exchanged(text: str) -> str:
        text = re.sub(f"{home}|{away}", lambda found: away if found[0] == home else home, plain(text))
        return re.sub("[+−]", lambda found: marks[found[0]], text)

    for row in table.rows:
        cells = row[1:]
        assert len(cells) == 7
        for at, cell in enumerate(cells):
            assert plain(cell) == exchanged(cells[6 - at])


def test_the_public_sheet_says_whose_table_it_is(root: Path) -> None:
    game = shipped(root, "arena", "en")
    sheet = make_track(game.components["public-sheet"], game)[0]
    assert steps(sheet) == list(range(-12, 13))
    assert any("own table" in note for note in values(sheet)["foot"]["notes"])
    assert len(values(sheet)["table"]["rows"]) == 9
