"""A content stream in the making: operators, the state they leave behind, and the parts they name."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from sys import byteorder

from cardgen.faces.card.display import Colour, Rect, Text, Word
from cardgen.faces.card.encode import encoded, show, spaced_by_state
from cardgen.faces.card.fonts import opened
from cardgen.faces.card.outlines import num, nums
from cardgen.model.painted import Blob, Category, Part, Uses, font_name

Glyphs = tuple[tuple[str, bytes], ...]


class Parts:
    """The parts that the faces of a rendering name, each once, and the words that they set in each font."""

    def __init__(self) -> None:
        self.parts: dict[tuple[Category, str], Part] = {}
        self.words: dict[str, set[Word]] = {}

    def add(self, part: Part) -> str:
        """Keep a part; its name."""
        self.parts.setdefault((part.category, part.name), part)
        return part.name


class Canvas:
    """One content stream: a face's, or a form's."""

    def __init__(self, parts: Parts, is_form: bool = False) -> None:
        self.parts = parts
        self._ops: list[str] = []
        self._uses: set[tuple[Category, str]] = set()
        self._words: dict[str, set[Word]] = {}
        # Fill and stroke colour (None: as it was before), their alphas, font and size, letter spacing.
        # A form is drawn with alphas of 1; the spacing it finds is anybody's.
        self._state: tuple[str, str, str, str, str, str] = ("", "", "1", "1", "", "" if is_form else "0")
        # Where the last text began, inside of a text object.
        self._pen: tuple[float, float] | None = None

    def op(self, operators: str) -> None:
        """Append operators that draw no text. Those that change colours or fonts would be forgotten."""
        if self._pen is not None:
            self._ops.append("ET\n")
            self._pen = None
        self._ops.append(operators)

    @contextmanager
    def saved(self) -> Iterator[None]:
        """What is set inside is undone afterwards."""
        self.op("q\n")
        before, start = self._state, len(self._ops)
        yield
        if self._pen is None and len(self._ops) == start:
            self._ops.pop()
        else:
            self.op("Q\n")
        self._state = before

    def move(self, a: float, b: float, c: float, d: float, e: float, f: float) -> None:
        """Draw on under a matrix; factors keep more decimals than places, since they are multiplied."""
        if (a, b, c, d, e, f) != (1, 0, 0, 1, 0, 0):
            factors = " ".join([f"{value:.6f}".rstrip("0").rstrip(".") for value in (a, b, c, d)])
            self.op(f"{factors} {nums(e, f)} cm\n")

    def clip(self, path: str, rule: str = "W") -> None:
        """Draw on within a path only."""
        self.op(f"{path}{rule} n\n")

    def fill(self, colour: Colour) -> None:
        """Fill what comes next, and set texts, in a colour."""
        code = nums(*colour[:3])
        fill, stroke, alpha, alpha_stroke, font, letter = self._state
        if code != fill:
            self._ops.append(f"{code} rg\n")
        if (wanted := num(colour[3])) != alpha:
            self._ops.append(f"/{self._alpha('ca', wanted)} gs\n")
        self._state = (code, stroke, wanted, alpha_stroke, font, letter)

    def stroke(self, colour: Colour) -> None:
        """Draw lines that come next in a colour."""
        code = nums(*colour[:3])
        fill, stroke, alpha, alpha_stroke, font, letter = self._state
        if code != stroke:
            self._ops.append(f"{code} RG\n")
        if (wanted := num(colour[3])) != alpha_stroke:
            self._ops.append(f"/{self._alpha('CA', wanted)} gs\n")
        self._state = (fill, code, alpha, wanted, font, letter)

    def _alpha(self, key: str, value: str) -> str:
        return self.use(Part("ExtGState", f"{key}{value}", f"/{key} {value}".encode("ascii")))

    def use(self, part: Part) -> str:
        """The name of a part, which the content will use."""
        self._uses.add((part.category, part.name))
        return self.parts.add(part)

    def do(self, part: Part, opacity: float = 1.0) -> None:
        """Draw a form or a picture."""
        fill, stroke, alpha, alpha_stroke, font, letter = self._state
        wanted = num(opacity)
        if alpha != wanted:
            self._ops.append(f"/{self._alpha('ca', wanted)} gs\n")
        if alpha_stroke != wanted:
            self._ops.append(f"/{self._alpha('CA', wanted)} gs\n")
        self._state = (fill, stroke, wanted, wanted, font, letter)
        self.op(f"/{self.use(part)} Do\n")

    def text(self, text: Text) -> None:
        """Draw a text."""
        run = text.run
        if not run.words or text.colour[3] <= 0 or text.size <= 0:
            return
        if self._pen is None:
            self._ops.append("BT\n")
        self.fill(text.colour)
        font, letter = f"/{font_name(run.font)} {num(text.size)} Tf\n", num(text.letter)
        if not spaced_by_state(text):
            letter = "0"
        if font != self._state[4]:
            self._ops.append(font)
        if letter != self._state[5]:
            self._ops.append(f"{letter} Tc\n")
        self._state = (*self._state[:4], font, letter)
        x, y = round(text.x, 3), round(text.y, 3)
        if self._pen is None:
            self._ops.append(f"1 0 0 -1 {nums(x, y)} Tm\n")
        else:
            self._ops.append(f"{nums(x - self._pen[0], self._pen[1] - y)} Td\n")
        self._pen = x, y
        self._ops.append(show(text))
        self._uses.add(("Font", font_name(run.font)))
        words = self._words.get(run.font)
        if words is None:
            words = self._words[run.font] = set()
        words.update(run.words)

    def finish(self) -> tuple[bytes, Uses, Glyphs]:
        """The content, the parts that it uses, and the glyphs that it draws."""
        if self._pen is not None:
            self._ops.append("ET\n")
        for font, words in self._words.items():
            self.parts.words.setdefault(font, set()).update(words)
        glyphs = tuple((font, _ids(font, words)) for font, words in sorted(self._words.items()))
        return "".join(self._ops).encode("ascii"), tuple(sorted(self._uses)), glyphs

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


def _ids(font: str, words: set[Word]) -> bytes:
    face = opened(font)
    ids = array("H", sorted(frozenset().union(*[encoded(word, face).ids for word in words])))
    if byteorder == "little":
        ids.byteswap()
    return ids.tobytes()
