"""Shapes: what a YAML value may be, as values. One description serves the reader and the JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

REQUIRED = object()


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar taken as it is written. `pattern` must match all of it; `what` names it in messages."""

    max_length: int = 2000
    pattern: str = ""
    what: str = "text"
    multiline: bool = False


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number."""

    min: float | None = None
    max: float | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A number, whole or decimal."""

    min: float | None = None
    max: float | None = None


@dataclass(frozen=True, slots=True)
class Boolean:
    """`true`, `false`, `yes` or `no`."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A length with a unit; read as millimetres. Bounds in mm."""

    min: float | None = None
    max: float | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """The id of something that exists; `what` says of what. `known` of None is checked later.

    `lost` are names of things that exist but were reported as unusable: nothing more is to say about them.
    """

    what: str
    known: tuple[str, ...] | None = None
    lost: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Anything:
    """What cannot be read, because the declaration of it was reported; anything is taken and nothing is kept."""


@dataclass(frozen=True, slots=True)
class Data:
    """Any data: mappings, lists, and scalars as YAML readers usually take them (numbers, true and false, else text)."""


@dataclass(frozen=True, slots=True)
class Raw:
    """Anything, kept as it is to be read later against a shape that is not known yet."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of one shape."""

    of: Shape
    min_items: int = 0
    max_items: int = 10_000


@dataclass(frozen=True, slots=True)
class Mapped:
    """A mapping with free keys of one shape and values of another."""

    key: Text | Name
    of: Shape
    min_items: int = 0
    max_items: int | None = None
    what: str = "a mapping"


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a record. Without a default it must be present."""

    shape: Shape
    default: object = REQUIRED
    about: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping with known keys. `what` names it in messages; `code` is the diagnostic for a key it does not have."""

    what: str
    keys: Mapping[str, Key]
    code: str = "CG100"


@dataclass(frozen=True, slots=True)
class Either:
    """A list, a mapping or a scalar, told apart by how it is written."""

    scalar: Shape | None = None
    sequence: Shape | None = None
    mapping: Shape | None = None
    what: str = "a value"


@dataclass(frozen=True, slots=True)
class Later:
    """A shape that refers to itself; `id` names it in the JSON Schema."""

    id: str
    get: Callable[[], Shape] = field(compare=False)


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
