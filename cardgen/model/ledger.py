"""The ledger: what was printed, by content; and what has changed since.

A face's `id` is the first 80 bits of its key in Crockford's base 32 (no I, L, O, U), 16 letters; the first 6 of them are
the code that may be printed on it. 30 bits: of a thousand different faces
two share a code in one project of two thousand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from cardgen.diagnostics import Span
from cardgen.model.face import Side
from cardgen.model.sheet import Backs

# Crockford, Base 32 Encoding: https://www.crockford.com/base32.html
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ID_LENGTH, CODE_LENGTH = 16, 6
_READ_AS = str.maketrans({"I": "1", "L": "1", "O": "0", "-": None, " ": None})


def face_id(key: str) -> str:
    """The id of a face from its key (a sha256 in hexadecimal digits)."""
    number = int(key[:20], 16)
    return "".join(ALPHABET[(number >> shift) & 31] for shift in range(75, -1, -5))


def code_of(key: str) -> str:
    """The short code of a face from its key."""
    return face_id(key)[:CODE_LENGTH]


def read_code(text: str) -> str | None:
    """A code as somebody typed it, as it is printed: capitals, no hyphens, O read as 0, I and L as 1; None for no code."""
    code = text.upper().translate(_READ_AS)
    return code if re.fullmatch(f"[{ALPHABET}]{{1,{ID_LENGTH}}}", code) else None


class PrintedItem(Struct, frozen=True):
    """One card or cutout as it was printed: the ids of its faces, of its outline (empty: a card's), and its values."""

    title: str
    copies: int
    front: tuple[str, ...]
    back: tuple[str, ...] = ()
    shape: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


class PrintedWith(Struct, frozen=True):
    """The options of the build that change what faces look like. None and False: nothing was asked for.

    `codes` is the project's: whether faces carried their codes.
    """

    no_backgrounds: bool = False
    low_ink: bool = False
    backs: Backs | None = None
    size: float | None = None
    scale: float | None = None
    sets: int | None = None
    codes: bool = False


class Snapshot(Struct, frozen=True):
    """All of one print in one language as it was printed; `fonts` and `layouts` are hashes that tell causes apart."""

    game: str
    lang: str
    print: str
    version: str
    options: PrintedWith
    fonts: str
    layouts: Mapping[str, str]
    items: Mapping[str, PrintedItem]

    @property
    def name(self) -> str:
        """`game/lang/print`, as in the output folder."""
        return f"{self.game}/{self.lang}/{self.print}"


class Printing(Struct, frozen=True):
    """What one `cardgen printed` recorded: its name, when (`2026-11-30`, or with the time of day, UTC), and what."""

    id: str
    number: int
    date: str
    snapshots: Mapping[str, Snapshot]
    span: Span

    @property
    def order(self) -> tuple[str, int, str]:
        """Printings come in the order of their dates; of one date, in the order they were recorded."""
        return self.date, self.number, self.id


class Ledger(Struct, frozen=True):
    """All printings, the oldest first."""

    printings: tuple[Printing, ...]

    def latest(self, until: Printing | None = None) -> dict[str, tuple[Printing, Snapshot]]:
        """What people hold: the last snapshot of every print and language, and its printing; `until` that printing."""
        found: dict[str, tuple[Printing, Snapshot]] = {}
        for printing in self.printings:
            if until is None or printing.order <= until.order:
                found |= {name: (printing, snapshot) for name, snapshot in printing.snapshots.items()}
        return found


ChangeKind = Literal["new", "changed", "copies", "gone"]
Part = Literal["front", "back", "shape"]
# Why a face differs where none of the card's own values does.
Cause = Literal["layout", "fonts", "codes", "shared"]


class ValueChange(Struct, frozen=True):
    """A value that differs; empty where there was or is none."""

    field: str
    old: str
    new: str


class Change(Struct, frozen=True):
    """One card or cutout that is not as it was printed. Copies of 0: there were, or are, none.

    `old_label` and `old_title` are what the printed one was called; empty where it is new.
    """

    label: str
    title: str
    kind: ChangeKind
    old_copies: int
    copies: int
    parts: tuple[Part, ...] = ()
    values: tuple[ValueChange, ...] = ()
    causes: tuple[Cause, ...] = ()
    old_label: str = ""
    old_title: str = ""

    @property
    def to_print(self) -> int:
        """How many must be printed."""
        return max(0, self.copies - self.old_copies) if self.kind == "copies" else self.copies

    @property
    def to_take_out(self) -> int:
        """How many of the old ones are not to be played with any more."""
        return max(0, self.old_copies - self.copies) if self.kind == "copies" else self.old_copies


class Changes(Struct, frozen=True):
    """What has changed of one print in one language since a printing."""

    game: str
    lang: str
    print: str
    title: str
    since: str
    items: tuple[Change, ...]
    same: int
    # cards with errors: whether they have changed cannot be told
    unknown: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """`game/lang/print`, as in the output folder."""
        return f"{self.game}/{self.lang}/{self.print}"


class Sighting(Struct, frozen=True):
    """One face that a code may stand for: whose it is, where it was printed, and what it is now.

    `now` is the code of the face that has taken its place; empty where it is gone, itself where it is `current`.
    """

    id: str
    game: str
    lang: str
    print: str
    label: str
    title: str
    side: Side
    printings: tuple[str, ...]
    current: bool
    now: str = ""
    gone: bool = False
    # whether something else of the same card has changed since: its other side, another face, how it is cut
    other_side_changed: bool = False
