"""The boxes that texts must fit: how large, how much fits at full size, how small a language has to be set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from cardgen.diagnostics import Report
from cardgen.faces.fit import TOLERANCE_MM, fits
from cardgen.model.face import NO_LINES, Face, Fit, Lines
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.pipeline.draw import draw
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import Target
from cardgen.pipeline.translation.contents import Finder
from cardgen.workers import Workers

# From so many characters on, the texts of a box tell by themselves how wide its letters are.
ENOUGH_LETTERS = 60
# The part of lines in use that words fill, where they break between words.
RAGGED = 0.93


class Boxed(Struct, frozen=True):
    """A fitted box with what stands in it. Lengths in mm; `scale` is 1 at full size, `fill` the part of the height in use.

    `name` is the text's msgctxt where one text fills the box, else face and field; `contexts` are all texts in it.
    """

    name: str
    contexts: tuple[str, ...]
    whole: bool
    layout: str
    field: str
    lang: str
    characters: int
    width: float
    height: float
    scale: float
    tight: bool
    fill: float
    overflow: float
    lines: Lines = NO_LINES

    @property
    def rows(self) -> int:
        """How many lines the box has room for at full size."""
        lines = self.lines
        if not lines.wraps or not lines.count or not lines.taken:
            return 1
        return max(1, int((lines.height + TOLERANCE_MM) * lines.count * self.scale / lines.taken))

    @property
    def is_one_line(self) -> bool:
        """Whether the box has room for a single line: its width is what counts."""
        return self.rows == 1 and self.lines.count > 0

    @property
    def full(self) -> float:
        """The part of the box in use as it is set: of a single line that of its width, else that of its height."""
        return self.lines.natural / self.lines.width if self.is_one_line and self.lines.width else self.fill


def boxed_texts(
    project: Project, games: Iterable[Game], languages: Iterable[str], workers: Workers, report: Report
) -> list[Boxed]:
    """Every fitted box of cards and components, as it is drawn in each language, that holds a text to translate.

    What is wrong with faces and texts is for a check to tell: `report` gets only what kept them from being drawn.
    """
    targets = [
        Target(game, lang, tuple(item for item in game.prints.values() if not item.booklet))
        for game in games
        for lang in languages
        if lang in game.languages
    ]
    quiet = Report()
    products = make_products(project, targets, Options(only_looked_at=True), quiet)
    renderings = draw(project, products, workers, quiet)
    report.extend(item for item in quiet.items if item.code in ("CG302", "CG303", "CG322"))
    measured: dict[str, list[Fit]] = {}
    for rendering in renderings:
        for fit in rendering.fits:
            measured.setdefault(fit.key, []).append(fit)
    found: dict[tuple[str, str, str], Boxed] = {}
    finders: dict[tuple[str, str], Finder] = {}
    for product in products:
        game = product.game
        finder = finders.get((game.id, game.lang))
        if finder is None:
            finder = finders[game.id, game.lang] = Finder(game)
        for key, face in product.faces.items():
            for item in _of_face(face, finder, measured.get(key, ())):
                found.setdefault((game.id, item.lang, item.name), item)
    return list(found.values())


def _of_face(face: Face, finder: Finder, measured: Iterable[Fit]) -> Iterable[Boxed]:
    contents = finder.boxes(face)
    for fit in measured:
        inside = contents.get(fit.field)
        if inside is None or not inside.contexts:
            continue
        yield Boxed(
            inside.contexts[0] if inside.whole else f"{face.label} {fit.field}",
            inside.contexts,
            inside.whole,
            face.layout,
            fit.field,
            face.lang,
            inside.characters,
            fit.box.width,
            fit.box.height,
            fit.scale,
            fit.tight,
            fit.content.height / fit.box.height if fit.box.height else 0.0,
            0.0 if fits(fit) else fit.overflow,
            fit.lines,
        )


def letters_of(texts: Iterable[Boxed]) -> dict[str, float]:
    """How wide a character is on average, in em, in each type that texts are set in: as their own letters have it."""
    sums: dict[str, tuple[float, int]] = {}
    for text in texts:
        if text.lines.em and text.characters:
            length, count = sums.get(text.lines.type, (0.0, 0))
            sums[text.lines.type] = length + text.lines.natural / text.lines.em, count + text.characters
    return {type: length / count for type, (length, count) in sums.items()}


def notes_of(texts: Iterable[Boxed]) -> dict[str, str]:
    """For each text what a translator should know of its box: its size, and how many characters fit at full size.

    `texts` are those of one language, whose letters count. Of a text that stands in several boxes it is the one that
    holds the least.
    """
    boxes: dict[tuple[str, str, float, float], list[Boxed]] = {}
    texts = list(texts)
    letters = letters_of(texts)
    for text in texts:
        boxes.setdefault((text.layout, text.field, round(text.width, 1), round(text.height, 1)), []).append(text)
    notes: dict[str, tuple[bool, int, str]] = {}
    for (_, _, width, height), there in boxes.items():
        count = room_of(there, letters)
        size, one = f"{width:g} × {height:g} mm", ""
        holds = f"about {count} characters"
        if all(text.is_one_line for text in there):
            one, holds = ", one line", f"{holds} of average width"
        for text in there:
            note = (
                f"box {size}{one}; at full size it holds {holds}"
                if text.whole
                else f"shares a box of {size}{one}; at full size it holds {holds} in all"
            )
            for context in text.contexts:
                found = (not text.whole, count, note)
                notes[context] = min(notes.get(context, found), found)
    return {context: note for context, (_, _, note) in notes.items()}


def room_of(texts: list[Boxed], letters: Mapping[str, float]) -> int:
    """How many characters a box holds at full size, from the texts that were set in it.

    Of several lines: what had to be set smaller fits at its scale; a box that is filled from half its height up is taken
    to fill evenly; else, and of a single line, it is so many as its lines have room for letters of average width, which
    is that of `letters` where the box itself has too few to tell.
    """
    there = max(text.characters for text in texts if text.scale == 1 or text is texts[0])
    if not all(text.is_one_line for text in texts):
        known = [text.characters * text.scale**2 for text in texts if text.scale < 1]
        known += [
            text.characters / text.fill for text in texts if text.scale == 1 and text.fill >= 0.5 and text.height > 10
        ]
        if known:
            whole = [text.characters for text in texts if text.scale == 1]
            return round(max([*known, *whole]))
    length = sum(text.lines.natural / text.scale for text in texts)
    count = sum(text.characters for text in texts)
    widest = max(texts, key=lambda text: text.lines.em / text.scale)
    mean = letters.get(widest.lines.type, 0.0) * widest.lines.em / widest.scale
    if count >= ENOUGH_LETTERS or not mean:
        mean = length / count if count else 0.0
    if not mean:
        return there
    rows = min(text.rows for text in texts)
    return int(widest.lines.width * rows * (RAGGED if rows > 1 else 1.0) / mean)


def tightest(texts: Iterable[Boxed], count: int) -> list[Boxed]:
    """The texts that overflow, then those that had to be set smallest, then the fullest boxes."""
    return sorted(texts, key=lambda text: (-text.overflow, text.scale, not text.tight, -text.full, text.name))[:count]
