"""A content stream in the making: operators, the state they leave behind, and the parts they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256

from msgspec import Struct

from cardgen.faces.card.display import Colour, Matrix, Rect, Text, Word
from cardgen.faces.card.encode import glyphs_of, show, spaced_by_state
from cardgen.faces.card.outlines import num, nums
from cardgen.model.painted import Blob, Category, Glyphs, Part, Uses, font_name


class Parts:
    """The parts that the faces of a rendering name, each once, and the fonts that they set."""

    def __init__(self) -> None:
        self.parts: dict[tuple[Category, str], Part] = {}
        self.fonts: set[str] = set()

    def add(self, part: Part) -> str:
        """Keep a part; its name."""
        self.parts.setdefault((part.category, part.name), part)
        return part.name


# Colours of fills and lines, alphas, font and size, letter spacing, whether a text object is open: see `Canvas`.
State = tuple[Colour | None, Colour | None, tuple[float, float], tuple[str, float] | None, float | None, bool]
Pen = tuple[float, float] | None


class Piece(Struct, frozen=True):
    """Operators that were drawn from a state, with the parts and words that they use; `before` is where the pen has to
    be for them, if that matters. `after` and `pen` are the state that they leave behind."""

    ops: str
    before: Pen
    after: State
    pen: Pen
    uses: frozenset[tuple[Category, str]]
    words: Mapping[str, frozenset[Word]]


class Canvas:
    """One content stream: a face's, or a form's."""

    def __init__(self, parts: Parts, is_form: bool = False) -> None:
        self.parts = parts
        self._ops: list[str] = []
        self._uses: set[tuple[Category, str]] = set()
        self._words: dict[str, set[Word]] = {}
        # What is set: the colours of fills and lines, font and size, letter spacing. A form is drawn with alphas of 1;
        # the spacing that it finds is anybody's.
        self._fill: Colour | None = None
        self._stroke: Colour | None = None
        self._alphas = (1.0, 1.0)
        self._font: tuple[str, float] | None = None
        self._letter: float | None = None if is_form else 0.0
        # Where the last text began, inside of a text object.
        self._pen: Pen = None
        # While something is recorded: where the pen was before, as long as nobody has moved it; and that it mattered.
        self._found: Pen = None
        self._asked: Pen = None

    @property
    def state(self) -> State:
        """What decides how that which comes next is written, with the place of the pen."""
        return self._fill, self._stroke, self._alphas, self._font, self._letter, self._pen is not None

    @property
    def pen(self) -> Pen:
        """Where the last text began, if a text object is open."""
        return self._pen

    def record(self, draw: Callable[[], None]) -> Piece:
        """Draw something, and tell what that has come to from this state."""
        uses, words, start = self._uses, self._words, len(self._ops)
        self._uses, self._words, self._found, self._asked = set(), {}, self._pen, None
        draw()
        own = {font: frozenset(used) for font, used in self._words.items()}
        ops = "".join(self._ops[start:])
        piece = Piece(ops, self._asked, self.state, self._pen, frozenset(self._uses), own)
        del self._ops[start:]
        self._uses, self._words, self._found = uses, words, None
        self.replay(piece)
        return piece

    def replay(self, piece: Piece) -> None:
        """Draw again what was drawn from this state."""
        if piece.ops:
            self._ops.append(piece.ops)
        self._fill, self._stroke, self._alphas, self._font, self._letter, _ = piece.after
        self._pen = piece.pen
        self._uses |= piece.uses
        for font, words in piece.words.items():
            if font in self._words:
                self._words[font] |= words
            else:
                self._words[font] = set(words)

    def op(self, operators: str) -> None:
        """Append operators that draw no text. Those that change colours or fonts would be forgotten."""
        if self._pen is not None:
            self._ops.append("ET\n")
            self._pen = self._found = None
        self._ops.append(operators)

    @contextmanager
    def saved(self) -> Iterator[None]:
        """What is set inside is undone afterwards."""
        self.op("q\n")
        before = self._fill, self._stroke, self._alphas, self._font, self._letter
        start = len(self._ops)
        yield
        if self._pen is None and len(self._ops) == start:
            self._ops.pop()
        else:
            self.op("Q\n")
        self._fill, self._stroke, self._alphas, self._font, self._letter = before

    def place(self, part: Part, matrix: Matrix, clip: str = "") -> None:
        """Draw a form or a picture under a matrix, within the path `clip` only."""
        if self._alphas != (1.0, 1.0):
            self._let_through(1.0, 1.0)
        inside = f"{clip}W n\n" if clip else ""
        self.op(f"q\n{inside}{_matrix(matrix)} cm\n/{self.use(part)} Do\nQ\n")

    def move(self, matrix: Matrix) -> None:
        """Draw on under a matrix."""
        self.op(f"{_matrix(matrix)} cm\n")

    def clip(self, path: str, rule: str = "W") -> None:
        """Draw on within a path only."""
        self.op(f"{path}{rule} n\n")

    def fill(self, colour: Colour) -> None:
        """Fill what comes next, and set texts, in a colour."""
        if colour != self._fill:
            if self._fill is None or colour[:3] != self._fill[:3]:
                self._ops.append(f"{_rgb(colour)} rg\n")
            self._fill = colour
        if colour[3] != self._alphas[0]:
            self._let_through(colour[3], self._alphas[1])

    def stroke(self, colour: Colour) -> None:
        """Draw lines that come next in a colour."""
        if colour != self._stroke:
            if self._stroke is None or colour[:3] != self._stroke[:3]:
                self._ops.append(f"{_rgb(colour)} RG\n")
            self._stroke = colour
        if colour[3] != self._alphas[1]:
            self._let_through(self._alphas[0], colour[3])

    def _let_through(self, fills: float, lines: float) -> None:
        for key, alpha, before in (("ca", fills, self._alphas[0]), ("CA", lines, self._alphas[1])):
            if alpha != before:
                value = num(alpha)
                state = Part("ExtGState", f"{key}{value}", f"/{key} {value}".encode("ascii"))
                self._ops.append(f"/{self.use(state)} gs\n")
        self._alphas = fills, lines

    def use(self, part: Part) -> str:
        """The name of a part, which the content will use."""
        self._uses.add((part.category, part.name))
        return self.parts.add(part)

    def do(self, part: Part, opacity: float = 1.0) -> None:
        """Draw a form or a picture."""
        if self._alphas != (opacity, opacity):
            self._let_through(opacity, opacity)
        self.op(f"/{self.use(part)} Do\n")

    def text(self, text: Text) -> None:
        """Draw a text."""
        run, size, colour, letter, word = text.run, text.size, text.colour, text.letter, text.word
        if not run.words or colour[3] <= 0 or size <= 0:
            return
        ops, pen, file = self._ops, self._pen, run.font
        if pen is None:
            ops.append("BT\n")
        if colour is not self._fill or colour[3] != self._alphas[0]:
            self.fill(colour)
        font = self._font
        if font is None or font[1] != size or font[0] != file:
            ops.append(_set_font(file, size))
            self._font = file, size
        if (letter or word) and not spaced_by_state(text):
            letter = 0.0
        if letter != self._letter:
            ops.append(f"{num(letter)} Tc\n")
            self._letter = letter
        # Readers set a line on a row of pixels; one that lies between two rows stays where it was meant to be.
        x, y = round(text.x, 2) + 0.0, round(text.y, 4) + 0.0
        self._pen = x, y
        if pen is None:
            ops.append(f"1 0 0 -1 {x:.8g} {y:.8g} Tm\n{show(text)}")
        else:
            if pen is self._found:
                self._asked = pen
            ops.append(f"{round(x - pen[0], 2) + 0.0:.8g} {round(pen[1] - y, 4) + 0.0:.8g} Td\n{show(text)}")
        words = self._words.get(file)
        if words is None:
            words = self._words[file] = set()
            self._uses.add(("Font", font_name(file)))
        words.update(run.words)

    def paste(self, other: Canvas) -> None:
        """Draw what another canvas holds, which was begun as a form and draws no text."""
        if self._alphas != (1.0, 1.0):
            self._let_through(1.0, 1.0)
        self.op("".join(other._ops))
        self._uses |= other._uses
        for part in other.parts.parts.values():
            self.parts.add(part)

    def finish(self) -> tuple[bytes, Uses, tuple[Glyphs, ...]]:
        """The content, the parts that it uses, and the glyphs that it draws."""
        if self._pen is not None:
            self._ops.append("ET\n")
        self.parts.fonts.update(self._words)
        glyphs = tuple(glyphs_of(font, words) for font, words in sorted(self._words.items()))
        return "".join(self._ops).encode("ascii"), tuple(map(_first, sorted(self._uses))), glyphs

    def mask(self, form: Part) -> None:
        """Let through what comes next as much as a form is bright."""
        self.use(form)
        state = Part("ExtGState", f"M{form.name}", b"", mask=form.name)
        self.op(f"/{self.use(state)} gs\n")

    def form(self, bbox: Rect, is_group: bool = False, space: str = "RGB") -> Part:
        """This content as a form, seen within `bbox`; a group is made transparent as one."""
        content, uses, glyphs = self.finish()
        x, y, width, height = bbox
        entries = f"/Type/XObject/Subtype/Form/BBox[{nums(x, y, x + width, y + height)}]"
        if is_group:
            entries += f"/Group<</S/Transparency/I true/CS/Device{space}>>"
        told = sha256(content)
        told.update(repr((entries, uses)).encode("ascii"))
        return Part("XObject", f"X{told.hexdigest()[:16]}", entries.encode("ascii"), Blob(content), uses, glyphs)


@lru_cache(maxsize=4096)
def _first(use: tuple[Category, str]) -> tuple[Category, str]:
    """The first of equal names: what faces share is sent and held once, 0.9 kB less for each."""
    return use


@lru_cache(maxsize=4096)
def _set_font(font: str, size: float) -> str:
    return f"/{font_name(font)} {num(size)} Tf\n"


@lru_cache(maxsize=4096)
def _rgb(colour: Colour) -> str:
    return nums(*colour[:3])


def _matrix(matrix: Matrix) -> str:
    # More decimals than places have: factors are multiplied, and edges that fall between two pixels stay there.
    return " ".join([f"{value + 0.0:.8f}".rstrip("0").rstrip(".") for value in matrix])
