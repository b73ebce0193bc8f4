"""Shapes: what a YAML value may be, as values. One description serves the reader and the JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from cardgen.diagnostics import nearest

REQUIRED = object()


class Text(Struct, frozen=True):
    """A scalar taken as it is written. `pattern` must match all of it; `what` names it in messages."""

    max_length: int = 2000
    pattern: str = ""
    what: str = "text"
    multiline: bool = False


class Integer(Struct, frozen=True):
    """A whole number."""

    min: float | None = None
    max: float | None = None


class Number(Struct, frozen=True):
    """A number, whole or decimal."""

    min: float | None = None
    max: float | None = None


class Boolean(Struct, frozen=True):
    """`true`, `false`, `yes` or `no`."""


class Measure(Struct, frozen=True):
    """A length with a unit; read as millimetres. Bounds in mm."""

    min: float | None = None
    max: float | None = None


class Choice(Struct, frozen=True):
    """One of a few words; `titles` is what they are called, each at the place of its word."""

    values: tuple[str, ...]
    titles: tuple[str, ...] = ()

    def told(self) -> str:
        """The words as a message lists them, with their titles where those say more."""
        titles = self.titles or self.values
        pairs = zip(self.values, titles, strict=True)
        return ", ".join(
            word if re.sub(r"[\W_]+", "-", title.casefold()) == word.casefold() else f"{word} ({title})"
            for word, title in pairs
        )

    def meant(self, text: str) -> str | None:
        """The word that somebody meant who wrote this: its title, or something near."""
        folded = text.strip().casefold()
        named = (word for word, title in zip(self.values, self.titles, strict=False) if title.casefold() == folded)
        return next(named, None) or nearest(text, self.values)


class Name(Struct, frozen=True):
    """The id of something that exists; `what` says of what. `known` of None is checked later.

    `lost` are names of things that exist but were reported as unusable: nothing more is to say about them.
    """

    what: str
    known: tuple[str, ...] | None = None
    lost: frozenset[str] = frozenset()


class Anything(Struct, frozen=True):
    """What cannot be read, because the declaration of it was reported; anything is taken and nothing is kept."""


class Data(Struct, frozen=True):
    """Any data: mappings, lists, and scalars as YAML readers usually take them (numbers, true and false, else text)."""


class Raw(Struct, frozen=True):
    """Anything, kept as it is to be read later against a shape that is not known yet."""


class Sequence(Struct, frozen=True):
    """A list of one shape."""

    of: Shape
    min_items: int = 0
    max_items: int = 10_000


class Mapped(Struct, frozen=True):
    """A mapping with free keys of one shape and values of another."""

    key: Text | Name
    of: Shape
    min_items: int = 0
    max_items: int | None = None
    what: str = "a mapping"


class Key(Struct, frozen=True):
    """A key of a record. Without a default it must be present."""

    shape: Shape
    default: object = REQUIRED
    about: str = ""


class Record(Struct, frozen=True):
    """A mapping with known keys. `what` names it in messages; `code` is the diagnostic for a key it does not have."""

    what: str
    keys: Mapping[str, Key]
    code: str = "CG100"


class Either(Struct, frozen=True):
    """A list, a mapping or a scalar, told apart by how it is written."""

    scalar: Shape | None = None
    sequence: Shape | None = None
    mapping: Shape | None = None
    what: str = "a value"


class Later(Struct, frozen=True):
    """A shape that refers to itself; `id` names it in the JSON Schema."""

    id: str
    get: Callable[[], Shape]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Later) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


Shape = (
    Text
    | Integer
    | Number
    | Boolean
    | Measure
    | Choice
    | Name
    | Anything
    | Data
    | Raw
    | Sequence
    | Mapped
    | Record
    | Either
    | Later
)

ID_PATTERN = r"[a-z0-9]+(?:[-_][a-z0-9]+)*"
IDENT = Text(max_length=60, pattern=ID_PATTERN, what="an id (lower-case letters, digits and hyphens)")
LANGUAGE = Text(
    max_length=12,
    pattern=r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?",
    what="a language code such as `en` or `pt-BR`",
)
COLOUR = Text(max_length=7, pattern=r"#[0-9a-fA-F]{6}", what="a colour such as `#a8502f`")
