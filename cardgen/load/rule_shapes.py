"""The shapes of rule packs, band kinds and bands. docs/rules.md tells the same in prose."""

from __future__ import annotations

from cardgen.load.definitions import EXPRESSION, FIELD_NAME, PACK_ID, PROSE, TITLE
from cardgen.load.shapes import Choice, Data, Key, Mapped, Raw, Record, Sequence, Shape, Text

RULE_ID = Text(max_length=40, pattern=r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*", what="a rule id such as `ABC-001`")
WORD = Text(max_length=60, what="a word")
REASON = Text(max_length=1000, pattern=r"(?s).*\S.*", what="a reason", multiline=True)
READINGS = Mapped(RULE_ID, WORD)
OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in", "within", "true", "empty")

_EXAMPLE = Record("example", {"given": Key(Raw()), "rulings": Key(READINGS, {})})

REMEDY = Record(
    "mend",
    {
        "leave_out": Key(EXPRESSION, "", "cards or entries to leave out"),
        "set": Key(Text(max_length=120), "", "the field to set, as a dotted path below an entry or the band"),
        "of": Key(EXPRESSION, "", "the entries whose field is set; default: `it`, else the band"),
        "to": Key(EXPRESSION, "", "what the field becomes; none leaves it to what is printed"),
        "most": Key(EXPRESSION, "", "how many of them, the last first; default: all"),
    },
)

RULE = Record(
    "rule",
    {
        "title": Key(TITLE),
        "about": Key(PROSE, "", "why there is such a rule"),
        "source": Key(TITLE, about="document and page"),
        "scope": Key(Choice(("card", "deck", "band"))),
        "kinds": Key(Sequence(WORD), (), "kinds of cards, or of bands, that it is for; default: all"),
        "severity": Key(Choice(("error", "warning", "info")), "error"),
        "each": Key(EXPRESSION, "", "judge each item of this list, seen as `it`"),
        "when": Key(EXPRESSION, "", "only when this holds"),
        "unless": Key(EXPRESSION, "", "not when this holds"),
        "actual": Key(EXPRESSION),
        "op": Key(Choice(OPERATORS)),
        "limit": Key(EXPRESSION, ""),
        "offenders": Key(EXPRESSION, "", "the entries that break it; default: the list that should be empty, or `it`"),
        "values": Key(Mapped(FIELD_NAME, EXPRESSION), {}, "more that the message may name"),
        "message": Key(PROSE),
        "fix": Key(PROSE, ""),
        "mend": Key(Sequence(REMEDY), (), "what would mend it, each by itself: Studio offers it"),
        "rulings": Key(Sequence(RULE_ID), (), "the rulings that it depends on"),
        "examples": Key(
            Record(
                "examples",
                {
                    "legal": Key(Sequence(_EXAMPLE, 1)),
                    "illegal": Key(Sequence(_EXAMPLE, 1)),
                    "unknown": Key(Sequence(_EXAMPLE), ()),
                },
            )
        ),
    },
)

PACK = Record(
    "rule pack",
    {
        "title": Key(TITLE),
        "about": Key(PROSE, ""),
        "extends": Key(PACK_ID, "", "another pack of the game, whose entries this one has as well"),
        "documents": Key(Mapped(WORD, TITLE), {}, "short names of the sources"),
        "rulings": Key(
            Mapped(
                RULE_ID,
                Record(
                    "ruling",
                    {
                        "question": Key(PROSE),
                        "readings": Key(Mapped(WORD, PROSE, 2)),
                        "default": Key(WORD),
                        "source": Key(TITLE),
                    },
                ),
            ),
            {},
        ),
        "tables": Key(Mapped(FIELD_NAME, Data()), {}, "data that expressions see as `tables.<name>`"),
        "rules": Key(Mapped(RULE_ID, RULE), {}),
        "notes": Key(
            Mapped(
                RULE_ID,
                Record(
                    "note",
                    {
                        "title": Key(TITLE),
                        "question": Key(PROSE),
                        "answer": Key(PROSE),
                        "source": Key(TITLE),
                        "touches": Key(Sequence(WORD), (), "keywords and rules that it is about"),
                    },
                ),
            ),
            {},
        ),
        "formulas": Key(
            Mapped(
                FIELD_NAME,
                Record(
                    "formula",
                    {
                        "title": Key(TITLE),
                        "source": Key(TITLE),
                        "arguments": Key(Sequence(FIELD_NAME, 1)),
                        "value": Key(EXPRESSION),
                        "rulings": Key(Sequence(RULE_ID), ()),
                        "examples": Key(
                            Sequence(
                                Record(
                                    "formula example",
                                    {
                                        "given": Key(Mapped(WORD, Data())),
                                        "is": Key(Data()),
                                        "rulings": Key(READINGS, {}),
                                    },
                                ),
                                1,
                            )
                        ),
                    },
                ),
            ),
            {},
        ),
        "setup": Key(
            Mapped(
                FIELD_NAME,
                Record(
                    "set-up line",
                    {
                        "title": Key(TITLE),
                        "source": Key(TITLE),
                        "formula": Key(FIELD_NAME, ""),
                        "given": Key(Mapped(FIELD_NAME, EXPRESSION), {}),
                        "value": Key(EXPRESSION, ""),
                    },
                ),
            ),
            {},
        ),
        "cast": Key(Raw(), None, "cards that only examples see, in the format of cards"),
    },
)


def band_shape(fields: dict[str, Key]) -> Shape:
    """The shape of a band file whose kind has the given fields."""
    keys = {
        "title": Key(TITLE),
        "kind": Key(WORD),
        "rules": Key(PACK_ID, ""),
        "rulings": Key(READINGS, {}, "readings that differ from the pack's defaults"),
        "waivers": Key(Mapped(RULE_ID, REASON), {}, "rules left aside, and why"),
        "expect": Key(
            Record(
                "expectation",
                {
                    "verdict": Key(Choice(("legal", "unknown", "illegal"))),
                    "rules": Key(Sequence(RULE_ID), (), "the rules that find something"),
                },
            ),
            None,
        ),
        **fields,
    }
    return Record("band", keys, code="CG102")
