"""From a booklet to the face that it is: its blocks and what is inserted between them, as plain values for a layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardgen.components.dice_faces import die_values
from cardgen.components.odds import trimmed
from cardgen.components.rulings import note_view
from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.geometry import Size
from cardgen.model.booklet import Block, Booklet
from cardgen.model.face import Face, LeaveOut
from cardgen.model.game import Die, Game, Print
from cardgen.model.sheet import SheetTemplate
from cardgen.model.trim import Trim
from cardgen.odds.pools import OddsProblem
from cardgen.pipeline.odds import answer, asked

LAYOUT, NOTES = "_base/booklet", "_base/booklet-notes"
# The sheets of a booklet: nothing but its pages.
BOOKLET = SheetTemplate(
    "booklet", 1, "Booklet", "a4", 2, 1, "landscape", margin=0.0, marks="none", ruler=False, labels=False
)

# Nobody trims a booklet, but printers at home leave the edge of the paper white. In mm.
SAFE = 4.0
# Of a page for notes: where its first line is, how much stays free below the last, and between them. In mm.
FIRST_LINE, LAST_LINE, LINES_APART = 32.0, 17.0, 8.0


def booklet_face(
    book: Booklet,
    item: Print,
    game: Game,
    page: Size,
    maker: FaceMaker,
    leave_out: tuple[LeaveOut, ...],
    report: Report,
) -> Face | None:
    """The booklet as one face that flows over pages of `page` mm, or None after reporting why it cannot be."""
    before = len(report.items)
    blocks = list(_views(book, game, report))
    if any(entry.severity == "error" for entry in report.items[before:]):
        return None
    context = {"book": {"id": book.id, "title": book.title, "version": item.version, "blocks": blocks}}
    return maker.make_flow(LAYOUT, context, game, _page(page), f"booklets/{book.id}", leave_out)


def notes_faces(
    book: Booklet, game: Game, page: Size, maker: FaceMaker, leave_out: tuple[LeaveOut, ...]
) -> tuple[Face, ...]:
    """The pages for notes that the text may leave, on the left and on the right of the fold, in that order."""
    lines = [
        FIRST_LINE + LINES_APART * n for n in range(int((page.height - FIRST_LINE - LAST_LINE) // LINES_APART) + 1)
    ]
    found = []
    for side in ("left", "right"):
        context = {"book": {"id": book.id, "title": book.title, "side": side, "lines": lines}}
        label = f"booklets/{book.id}/notes-{side}"
        found.append(maker.make_page(NOTES, context, game, _page(page), label, leave_out))
    return tuple(face for face in found if face is not None)


def pages_to_bind(text: Sequence[str], notes: Sequence[str]) -> list[str]:
    """The keys of all pages of a booklet: those of its text, then the pages for notes (left, right) that fill its last
    sheet. Odd pages lie on the right of the fold."""
    if not text or len(notes) != 2:
        return list(text)
    return [*text, *(notes[number % 2] for number in range(len(text) + 1, -(-len(text) // 4) * 4 + 1))]


def _page(size: Size) -> Trim:
    return Trim("booklet-page", "Page of a booklet", size, bleed=0.0, safe=SAFE, corner=0.0)


def _views(book: Booklet, game: Game, report: Report) -> Iterator[dict[str, object]]:
    """The blocks for the layout; headings have an anchor."""
    number = 0
    for block in book.blocks:
        if block.kind == "insert":
            shown = _insert(block, game, report)
            if shown is not None:
                yield shown
        elif block.kind == "heading":
            number += 1
            yield {"kind": "heading", "text": block.text, "level": block.level, "anchor": f"part-{number}"}
        else:
            yield {"kind": block.kind, "text": block.text, "level": block.level}


def _insert(block: Block, game: Game, report: Report) -> dict[str, object] | None:
    """What an insert shows; None after reporting that it cannot be computed. Loading has seen to its names."""
    word, _, rest = block.insert.partition(" ")
    match word:
        case "table":
            return {"kind": "tables", "tables": [game.tables[name] for name in rest.split()]}
        case "track":
            return {"kind": "tracks", "tracks": [game.tracks[name] for name in rest.split()]}
        case "notes":
            return {"kind": "notes", "notes": list(_notes(rest.split(), game))}
        case "odds":
            call, closed, results = rest.rpartition(")")
            wanted = results.split() if closed else []
            try:
                found = answer(game, call + closed if closed else rest, wanted)
            except OddsProblem as error:
                report.add("CG681", block.span, insert=block.insert, problem=str(error))
                return None
            return {"kind": "odds", "asked": asked(found), "results": [trimmed(chance) for chance in found.chances]}
    if word == "dice":
        return {"kind": "dice", "dice": [_die(die) for die in game.dice.values()]}
    return {"kind": word}


def _die(die: Die) -> dict[str, object]:
    """A die and its faces; of many numerals only the first and the last."""
    faces = die_values(die)
    long = len(faces) > 6 and all(face["form"] == "number" for face in faces)
    shown = [faces[0], {"form": "word", "sign": "…"}, faces[-1]] if long else faces
    return {"id": die.id, "title": die.title, "faces": shown}


def _notes(names: list[str], game: Game) -> Iterator[object]:
    """The rulings that are named, or those of a pack."""
    for name in names:
        if name in game.packs:
            pack = game.packs[name]
            yield from (note_view(note, pack, game) for note in pack.notes.values())
            continue
        pack = next(pack for pack in game.packs.values() if name in pack.notes)
        yield note_view(pack.notes[name], pack, game)
