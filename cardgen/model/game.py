"""A game as data: its kinds of pieces, the values they share, and what is printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from cardgen.diagnostics import Span
from cardgen.model.card import Card, Deck
from cardgen.model.sheet import Backs, SheetWords

if TYPE_CHECKING:  # what many a game has none of is not loaded for those
    from cardgen.model.booklet import Booklet
    from cardgen.model.component import Component
    from cardgen.model.kit import KitPart
    from cardgen.model.odds import Chance, Situation
    from cardgen.model.rules import Pack
    from cardgen.model.translation import Glossaries

FieldType = Literal[
    "text",
    "rich",
    "integer",
    "number",
    "boolean",
    "choice",
    "die",
    "keyword",
    "card",
    "icon",
    "image",
    "length",
    "list",
    "record",
    "bands",
]


class Field(Struct, frozen=True):
    """A field that cards of a kind may have; which options apply depends on its type (docs/format.md).

    `title` is what forms call it; empty for its name.
    """

    type: FieldType
    required: bool = False
    default: object = None
    title: str = ""
    about: str = ""
    translate: bool = True
    max_length: int = 2000
    min: float | None = None
    max: float | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    of: Field | None = None
    min_items: int = 0
    max_items: int = 1000
    fields: Mapping[str, Field] = field(default_factory=dict)
    track: str = ""
    # of a picture: the width and height in mm in which it is printed
    frame: tuple[float, ...] = ()
    # of a record: the record beside it whose values go no further than its own
    limits: str = ""


class Source(Struct, frozen=True):
    """A text as its author wrote it, and where; `rich` when it has inline markup."""

    text: str
    span: Span
    rich: bool


class Die(Struct, frozen=True):
    """A kind of die: its faces in the order of its numbering, and how it is shown on cards."""

    id: str
    title: str
    letter: str
    colour: str
    ink: str
    icon: str
    faces: tuple[str, ...]


class Keyword(Struct, frozen=True):
    """A word with a rule; `parameter` says what stands behind it."""

    id: str
    title: str
    text: str
    parameter: Literal["none", "integer", "text"] = "none"
    # the ids of the rulings of play that touch it
    rulings: tuple[str, ...] = ()


class KeywordUse(Struct, frozen=True):
    """A keyword on a card, with its parameter if it takes one."""

    keyword: Keyword
    value: int | str | None = None

    @property
    def id(self) -> str:
        """The keyword's id."""
        return self.keyword.id

    @property
    def title(self) -> str:
        """The keyword's title with its parameter in brackets."""
        return self.keyword.title if self.value is None else f"{self.keyword.title} ({self.value})"

    @property
    def text(self) -> str:
        """The keyword's rule."""
        return self.keyword.text


class TrackBand(Struct, frozen=True):
    """A stretch of a track, both ends included."""

    id: str
    title: str
    start: int
    end: int
    colour: str

    @property
    def steps(self) -> tuple[int, ...]:
        """The numbers of the band."""
        return tuple(range(self.start, self.end + 1))


class Track(Struct, frozen=True):
    """A numbered track in bands without gap or overlap."""

    id: str
    title: str
    start: int
    end: int
    bands: tuple[TrackBand, ...]


class Table(Struct, frozen=True):
    """A reference table; cells are rich text."""

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class CardOdds(Struct, frozen=True):
    """Odds that cards of a kind show: a situation of the game, what it is given as expressions over the card, for which
    cards (empty: all), and which results (empty: all)."""

    of: str
    given: Mapping[str, str]
    when: str
    results: tuple[str, ...]
    span: Span


class Kind(Struct, frozen=True):
    """A kind of piece: its trim, the layouts of its faces, its fields and derived fields."""

    id: str
    title: str
    trim: str
    front: str | None
    back: str | None
    fields: Mapping[str, Field]
    derived: Mapping[str, str]
    span: Span
    odds: Mapping[str, CardOdds] = field(default_factory=dict)


class Print(Struct, frozen=True):
    """One product: which cards or components, on which sheet, with which backs."""

    id: str
    title: str
    version: str
    changes: str
    deck: str | None
    kinds: tuple[str, ...]
    sheet: str | None
    backs: Backs
    span: Span
    # the components it holds, in place of a deck or kinds
    components: tuple[str, ...] = ()
    # the booklet that it is, in place of all these
    booklet: str = ""
    # of a booklet: how thick its paper is, in mm
    paper_thickness: float = 0.1


class Choices(Struct, frozen=True):
    """What an entry of a band may choose from: the lists of its record whose cards are options.

    `skip` is an expression over `option`, true of cards that nobody chooses. What an option asks for may have to be
    brought along: `best` are an entry's values at their most, expressions over `it`; `helped_by` are those of the
    options' lists from which one more may be taken. `version` is the text field of an entry that says of which version
    of the catalogue it was made; empty for none.

    Of records of an entry that are trained, forms say what is `printed` and the `least` that is allowed, expressions over
    `it`, beside `best`; what `fixed` names cannot be trained at all, for the reason that is the title of a rule.
    """

    options: tuple[str, ...]
    skip: str = ""
    best: Mapping[str, str] = field(default_factory=dict)
    helped_by: tuple[str, ...] = ()
    version: str = ""
    printed: Mapping[str, str] = field(default_factory=dict)
    least: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)


class Itself(Struct, frozen=True):
    """How a band is printed as one card of the kind `kind`, such as a character that is a band of its skills.

    `shows` are expressions over `band`; whatever they leave out is as on the card that the band's field `of` names, if it
    names one.
    """

    kind: str
    of: str = ""
    shows: Mapping[str, str] = field(default_factory=dict)


class BandKind(Struct, frozen=True):
    """A kind of band: its fields, the pack that judges it, and how its entries are told and priced.

    `entries` names the list field whose items are the band's entries; `name`, `cost`, `limit`, `states` and `summary`
    are expressions, `limit` and `summary` over `band`, the others over `it`; empty ones are none. `states` is told of an
    entry in place of its fields, `summary` of the whole before its entries. `card` says how an entry is printed: its own card,
    with the values of these expressions over `it` in place of the card's. `itself` is the card that the whole band is,
    for bands that are one. A kit takes up to `tables` of them.
    """

    id: str
    title: str
    pack: str
    fields: Mapping[str, Field]
    entries: str
    name: str
    cost: str
    limit: str
    unit: str
    span: Span
    card: Mapping[str, str] = field(default_factory=dict)
    choices: Choices | None = None
    itself: Itself | None = None
    tables: int = 2
    states: str = ""
    summary: str = ""

    @property
    def entry(self) -> Field:
        """What an entry is: a record, or a card by itself."""
        of = self.fields[self.entries].of
        assert of is not None  # a list states what it holds
        return of

    @property
    def own(self) -> tuple[str, Field] | None:
        """The field of an entry that names the entry's own card, the first of its kind; the name is empty when an
        entry is nothing else. None when entries have no card.
        """
        if self.entry.type == "card":
            return "", self.entry
        return next(((name, item) for name, item in self.entry.fields.items() if item.type == "card"), None)


class Game(Struct, frozen=True):
    """Everything that `cards/<game>` says."""

    id: str
    title: str
    subtitle: str
    version: str
    source: str
    languages: tuple[str, ...]
    credits: str
    licence: str
    labels: Mapping[str, str]
    dice: Mapping[str, Die]
    keywords: Mapping[str, Keyword]
    tracks: Mapping[str, Track]
    tables: Mapping[str, Table]
    kinds: Mapping[str, Kind]
    prints: Mapping[str, Print]
    cards: Mapping[str, Card]
    decks: Mapping[str, Deck]
    # every translatable text by its msgctxt
    strings: Mapping[str, Source]
    lang: str = ""
    # the pack that judges cards and decks, and every pack of the game
    rules: str = ""
    packs: Mapping[str, Pack] = field(default_factory=dict)
    bands: Mapping[str, BandKind] = field(default_factory=dict)
    components: Mapping[str, Component] = field(default_factory=dict)
    kit: tuple[KitPart, ...] = ()
    booklets: Mapping[str, Booklet] = field(default_factory=dict)
    odds: Mapping[str, Situation] = field(default_factory=dict)
    # what components ask of them, by call, computed
    answers: Mapping[str, tuple[Chance, ...]] = field(default_factory=dict)
    # translations of what is only looked up: rules, notes, set-up
    words: Mapping[str, str] = field(default_factory=dict)
    # the terms that translations keep to, by language
    glossaries: Glossaries = field(default_factory=dict)
    # where to tell of mistakes, an address with `{id}`, `{version}` and `{lang}`; empty when nobody wants to know
    report_url: str = ""
    # what the program itself says in print and in verdicts, by language
    speech: Mapping[str, SheetWords] = field(default_factory=dict)
    # who translated the game into `lang`; empty in its source language
    translators: str = ""
    # whether something of it was reported as unusable: a name that points to nothing may then be right
    partial: bool = False
    # files of cards that could not be read whole
    unread: tuple[str, ...] = ()
    # cards of catalogues before this one, by version: entries of bands that were kept at one have theirs
    kept: Mapping[str, Mapping[str, Card]] = field(default_factory=dict)

    def card_of(self, id: str, version: object) -> tuple[Card | None, str]:
        """The card that an entry of a band has which states a version of the catalogue, and the version that it is of."""
        older = self.kept.get(str(version), {}).get(id) if version != self.version else None
        return (older, str(version)) if older is not None else (self.cards.get(id), self.version)

    @property
    def says(self) -> SheetWords:
        """The program's own words in the language that the game is in; English ones where there are none."""
        return self.speech.get(self.lang or self.source, SheetWords())
