"""The shape of every kind of file, written down once. docs/format.md tells the same in prose."""

from __future__ import annotations

from cardgen.load.shapes import (
    COLOUR,
    ID_PATTERN,
    IDENT,
    LANGUAGE,
    Boolean,
    Choice,
    Either,
    Integer,
    Key,
    Later,
    Mapped,
    Measure,
    Record,
    Sequence,
    Shape,
    Text,
)
from cardgen.load.translation_shapes import POLICY
from cardgen.model.sheet import PAPERS

TITLE = Text(max_length=200)
REPORT_URL = Text(
    max_length=300,
    pattern=r"(?:https?://[^\s/]+\S*|mailto:\S*|\{id\}[^\n]*)",
    what="an address such as `https://…` or `mailto:…`, or what sheets are told by: `{id} {version} {lang}`",
)
DATE = Text(max_length=10, pattern=r"\d{4}-\d{2}-\d{2}", what="a date such as `2026-01-31`")
PROSE = Text(max_length=4000, multiline=True)
PATH = Text(max_length=200, what="a file name")
FILE_ID = Text(max_length=120, pattern=r"[a-z0-9_]+(?:[-_/][a-z0-9_]+)*", what="a layout such as `game/card`")

FIELD_TYPES = (
    "text", "rich", "integer", "number", "boolean", "choice", "die", "keyword", "card", "icon", "image", "length",
    "list", "record", "bands",
)  # fmt: skip
FIELD_NAME = Text(max_length=40, pattern=r"[a-z][a-z0-9_]*", what="a field name (lower-case letters, digits, `_`)")
# Names that a card or its layout already uses for something else.
RESERVED_FIELDS = ("kind", "copies", "id", "back", "odds")
RESERVED_CARDS = (
    "labels",
    "keywords",
    "dice",
    "tracks",
    "tables",
    "kinds",
    "prints",
    "game",
    "odds",
    "booklets",
    "packs",
    "rules",
    "notes",
    "setup",
    "bands",
    "components",
    "fields",
)

_BOUND = Text(max_length=30, what="a number or a length")


def _field() -> Shape:
    return FIELD


FIELD = Record(
    "field",
    {
        "type": Key(Choice(FIELD_TYPES), about="what the field holds"),
        "required": Key(Boolean(), False, "whether every card must have it"),
        "default": Key(
            Text(4000, what="a single value", multiline=True), None, "the value of cards that do not state one"
        ),
        "title": Key(TITLE, "", "what forms call it; else what `fields` of the game says of its name"),
        "about": Key(Text(), "", "shown by editors and forms"),
        "translate": Key(Boolean(), True, "whether translators see the text"),
        "max_length": Key(Integer(1, 20_000), 2000, "most characters"),
        "min": Key(_BOUND, None, "least value"),
        "max": Key(_BOUND, None, "greatest value"),
        "values": Key(
            Either(sequence=Sequence(TITLE, 1), mapping=Mapped(IDENT, TITLE, 1), what="a list or mapping of values"),
            None,
            "what a choice may be",
        ),
        "kinds": Key(Sequence(IDENT), (), "kinds that a reference may point to"),
        "of": Key(Later("field", _field), None, "what a list or a bands mapping holds"),
        "min_items": Key(Integer(0, 10_000), 0, "fewest items"),
        "max_items": Key(Integer(0, 10_000), 1000, "most items"),
        "fields": Key(Mapped(FIELD_NAME, Later("field", _field), 1), None, "the keys of a record"),
        "track": Key(IDENT, "", "the track whose bands are the keys"),
        "frame": Key(Sequence(Measure(1, 2000), 2, 2), (), "width and height in which cards print the picture"),
        "limits": Key(FIELD_NAME, "", "the record beside it of whose values this one states the most"),
    },
)

DIE = Record(
    "die",
    {
        "title": Key(TITLE),
        "letter": Key(Text(max_length=3), about="readable without colour"),
        "colour": Key(COLOUR),
        "ink": Key(COLOUR, "#1f2022"),
        "icon": Key(Text(max_length=60), ""),
        "faces": Key(Sequence(Text(max_length=20), 2, 100), about="in the order of its numbering"),
    },
)

KEYWORD = Record(
    "keyword",
    {
        "title": Key(TITLE),
        "parameter": Key(Choice(("none", "integer", "text")), "none"),
        "text": Key(PROSE),
    },
)

TRACK = Record(
    "track",
    {
        "title": Key(TITLE),
        "from": Key(Integer(-1000, 1000)),
        "to": Key(Integer(-1000, 1000)),
        "bands": Key(
            Sequence(
                Record(
                    "band",
                    {
                        "id": Key(IDENT),
                        "title": Key(TITLE),
                        "from": Key(Integer(-1000, 1000)),
                        "to": Key(Integer(-1000, 1000)),
                        "colour": Key(COLOUR),
                    },
                ),
                1,
            )
        ),
    },
)

TABLE = Record(
    "table",
    {
        "title": Key(TITLE),
        "columns": Key(Sequence(TITLE, 1, 30)),
        "rows": Key(Sequence(Sequence(PROSE, 1, 30), 1, 500)),
    },
)


def _odds() -> Shape:
    from cardgen.load.odds import SITUATION

    return SITUATION


CARD_ODDS = Record(
    "odds of a card",
    {
        "of": Key(IDENT, about="a situation of the game's odds"),
        "given": Key(Mapped(FIELD_NAME, PROSE), {}, "expressions over the card: lists of dice, pools, numbers"),
        "when": Key(PROSE, "", "only for cards of which this holds"),
        "results": Key(Sequence(FIELD_NAME, 1), (), "which results of the situation; default: all"),
    },
)

KIND = Record(
    "kind",
    {
        "title": Key(TITLE),
        "trim": Key(IDENT),
        "front": Key(FILE_ID, None, "the layout of the front; a kind without one is judged and not printed"),
        "back": Key(FILE_ID, None, "the layout of the back"),
        "fields": Key(Mapped(FIELD_NAME, FIELD, 1)),
        "derived": Key(Mapped(FIELD_NAME, PROSE), {}, "expressions over the card"),
        "odds": Key(Mapped(FIELD_NAME, CARD_ODDS), {}, "odds that layouts see as `card.odds.<name>`"),
    },
)

PRINT = Record(
    "print",
    {
        "title": Key(TITLE),
        "version": Key(Text(max_length=30)),
        "changes": Key(PROSE, ""),
        "deck": Key(IDENT, None, "a deck file; or state `kinds` or `components`"),
        "kinds": Key(Sequence(IDENT, 1), (), "every card of these kinds"),
        "components": Key(Sequence(IDENT, 1), (), "components, in place of a deck or kinds"),
        "booklet": Key(IDENT, "", "a booklet, in place of all these"),
        "paper_thickness": Key(Measure(0, 0.5), 0.1, "of a booklet: how thick its paper is; 0.1mm is paper of 80 g"),
        "sheet": Key(IDENT, None, "default: the best for the trim"),
        "backs": Key(Choice(("duplex", "gutterfold", "separate", "none")), "duplex"),
    },
)

PACK_ID = Text(max_length=60, pattern=r"[a-z0-9]+(?:-[a-z0-9]+)*", what="a pack id")
EXPRESSION = Text(max_length=2000, multiline=True, what="an expression")

CHOICES = Record("choices", {
    "options": Key(Sequence(FIELD_NAME, 1), about="the lists of an entry whose cards are options"),
    "skip": Key(EXPRESSION, "", "over `option`, a card: whether nobody chooses it"),
    "best": Key(Mapped(FIELD_NAME, EXPRESSION), {}, "over `it`: an entry's values at their most"),
    "printed": Key(Mapped(FIELD_NAME, EXPRESSION), {}, "over `it`: what a record's values are where nothing is stated"),
    "least": Key(Mapped(FIELD_NAME, EXPRESSION), {}, "over `it` and `rulings`: the least that a record's values may be"),
    "fixed": Key(Mapped(FIELD_NAME, Text(max_length=40)), {}, "values that nobody changes, and the rule that says so"),
    "helped_by": Key(Sequence(FIELD_NAME), (), "the lists from which one more option may be what another asks for"),
    "version": Key(FIELD_NAME, "", "the text field that says of which version of the catalogue an entry was made"),
})  # fmt: skip

ITSELF = Record("card of a band", {
    "kind": Key(IDENT, about="the kind of card that the band is"),
    "of": Key(FIELD_NAME, "", "the band's field that names the card whose other values it has"),
    "shows": Key(Mapped(FIELD_NAME, EXPRESSION), {}, "over `band`: what the card shows"),
})  # fmt: skip

BAND_KIND = Record(
    "band kind",
    {
        "title": Key(TITLE),
        "pack": Key(PACK_ID, about="the rules that judge it unless the band says else"),
        "fields": Key(Mapped(FIELD_NAME, FIELD, 1)),
        "entries": Key(FIELD_NAME, about="the list whose items are the entries"),
        "name": Key(EXPRESSION, "", "what an entry is called, over `it`"),
        "states": Key(EXPRESSION, "", "what is told of an entry in place of what its fields hold, over `it`"),
        "summary": Key(EXPRESSION, "", "what is told of the whole before its entries, over `band`"),
        "cost": Key(EXPRESSION, "", "what an entry costs, over `it`"),
        "limit": Key(EXPRESSION, "", "what the whole may cost, over `band`"),
        "unit": Key(TITLE, "", "of the cost"),
        "card": Key(Mapped(FIELD_NAME, EXPRESSION), {}, "over `it`: what an entry's card shows in place of its own"),
        "choices": Key(CHOICES, None, "what an entry may choose from"),
        "itself": Key(ITSELF, None, "the card that the whole band is, where it is one, such as a character"),
        "at_one_table": Key(Integer(1, 12), 2, "how many of them a kit is for at most"),
    },
)

KIT_PART = Record(
    "part of a kit",
    {
        "deck": Key(IDENT, "", "a whole deck"),
        "component": Key(IDENT, ""),
        "cards": Key(EXPRESSION, "", "over `it`, an entry of a band: the cards that it brings"),
        "entries": Key(
            Boolean(),
            False,
            "every entry of the bands as its own card, as `card` of their kind says; pawns: of these cards",
        ),
        "itself": Key(
            Boolean(), False, "every band as the card that it is, as `itself` of its kind says; pawns, sheets: of it"
        ),
        "brings": Key(EXPRESSION, "", "over `band`: the cards that the band itself brings"),
        "each": Key(EXPRESSION, "", "how many, over `setup` and `bands`"),
        "when": Key(EXPRESSION, "", "over `setup` and `bands`: whether it is needed at all"),
        "stock": Key(Choice(("card", "label", "paper")), "card", "what it is printed on"),
    },
)

GAME = Record(
    "game",
    {
        "title": Key(TITLE),
        "subtitle": Key(TITLE, ""),
        "version": Key(Text(max_length=30)),
        "source": Key(LANGUAGE, about="the language the cards are written in"),
        "languages": Key(Sequence(LANGUAGE, 1)),
        "credits": Key(PROSE, ""),
        "licence": Key(Text(max_length=100), ""),
        "report_url": Key(REPORT_URL, "", "where to tell of mistakes; `{id}`, `{version}` and `{lang}` are filled in"),
        "labels": Key(Mapped(IDENT, TITLE), {}),
        "dice": Key(Mapped(IDENT, DIE), {}),
        "keywords": Key(Mapped(IDENT, KEYWORD), {}),
        "tracks": Key(Mapped(IDENT, TRACK), {}),
        "tables": Key(Mapped(IDENT, TABLE), {}),
        "odds": Key(Mapped(IDENT, Later("odds", _odds)), {}, "situations that dice decide"),
        "fields": Key(Mapped(FIELD_NAME, TITLE), {}, "what forms call the fields of cards and bands, by their names"),
        "kinds": Key(Mapped(IDENT, KIND, 1)),
        "prints": Key(Mapped(IDENT, PRINT), {}),
        "rules": Key(PACK_ID, "", "the rule pack that judges cards and decks"),
        "bands": Key(Mapped(IDENT, BAND_KIND), {}),
        "kit": Key(Sequence(KIT_PART), (), "what two bands need on the table"),
    },
)

DECK = Record(
    "deck",
    {
        "title": Key(TITLE),
        "cards": Key(
            Mapped(IDENT, Integer(0, 999), 1, what="a mapping of card to copies"),
            about="copies of each card, in printing order",
        ),
        "back": Key(FILE_ID, None, "the layout of its cards' backs; default: that of their kinds"),
    },
)

PROJECT = Record(
    "project",
    {
        "name": Key(TITLE),
        "languages": Key(Sequence(LANGUAGE, 1), None, "languages to build; default: each game's own"),
        "games": Key(Sequence(IDENT, 1), None, "default: every folder under cards/"),
        "paper": Key(Choice(tuple(PAPERS)), None, "what to print on; default: each sheet's own paper"),
        "translations": Key(POLICY, {}, "what a build does with texts that are missing, stale and so on"),
        "codes": Key(Boolean(), False, "whether cards carry a short code, by which `cardgen identify` knows them"),
    },
)

TRIM = Record(
    "trim",
    {
        "title": Key(TITLE),
        "width": Key(Measure(1, 2000)),
        "height": Key(Measure(1, 2000)),
        "bleed": Key(Measure(0, 50), 3.0),
        "safe": Key(Measure(0, 50), 3.0),
        "corner": Key(Measure(0, 100), 3.0),
        "about": Key(Text(), ""),
    },
)
TRIMS = Mapped(IDENT, TRIM, 1)

SHEET = Record(
    "sheet",
    {
        "version": Key(Integer(1, 10_000)),
        "title": Key(TITLE),
        "about": Key(Text(), ""),
        "paper": Key(Choice((*PAPERS, "none")), about="`none`: one face a page, as large as the face"),
        "arrange": Key(Choice(("grid", "packed")), "grid", "`packed`: pieces of many sizes, on the fewest sheets"),
        "columns": Key(Integer(0, 100), 0, "0: as many as fit"),
        "rows": Key(Integer(0, 100), 0, "0: as many as fit"),
        "orientation": Key(Choice(("auto", "portrait", "landscape")), "auto"),
        "margin": Key(Measure(0, 100), 5.0, "what the printer cannot reach"),
        "gap": Key(Measure(0, 100), 0.0),
        "bleed": Key(Choice(("outer", "each", "none")), "outer"),
        "bleed_amount": Key(Measure(0, 50), None, "default: the trim's own"),
        "back_bleed": Key(Measure(0, 50), None, "how far backs paint beyond their cut; default: as far as fronts"),
        "marks": Key(Choice(("margin", "full", "corner", "in-gap", "none")), "margin"),
        "registration": Key(
            Choice(("none", "silhouette")), "none", "the marks that a cutting machine looks for, on fronts"
        ),
        "turn": Key(Boolean(), None, "whether pieces lie on their side; default: whichever holds more"),
        "ruler": Key(Boolean(), True),
        "labels": Key(Boolean(), True),
    },
)


def card_shape(fields: dict[str, Key], kind: str, card: str) -> Record:
    """The shape of one card whose kind has the given fields."""
    keys = {
        "kind": Key(IDENT),
        "copies": Key(Integer(0, 999), 1),
        "back": Key(FILE_ID, None, "the layout of its back; default: that of the deck, else of the kind"),
        "revision": Key(Text(max_length=20), "", "its own version, where it was corrected"),
        "errata": Key(DATE, "", "when it was last corrected; a release lists it"),
        **fields,
    }
    return Record(f"{kind} `{card}`", keys, code="CG102")


CARD_ID = Text(max_length=60, pattern=ID_PATTERN, what="a card id (lower-case letters, digits and hyphens)")
