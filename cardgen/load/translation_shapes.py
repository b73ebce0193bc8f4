"""The shapes of what is said about translations: a project's policy, a game's glossaries."""

from __future__ import annotations

from cardgen.load.shapes import IDENT, Boolean, Choice, Key, Mapped, Record, Sequence, Text

_TITLE = Text(max_length=200)

# What is missing cannot be printed as it is.
POLICY = Record(
    "translation policy",
    {
        "missing": Key(Choice(("source", "mark", "refuse")), "source", "there is no translation"),
        "stale": Key(Choice(("print", "source", "mark", "refuse")), "source", "it was made from an older text"),
        "unreviewed": Key(Choice(("print", "source", "mark", "refuse")), "source", "it is marked as fuzzy"),
        "same": Key(Choice(("print", "source", "mark", "refuse")), "print", "it is the source, word for word"),
    },
)

GLOSSARY = Mapped(
    IDENT,
    Record(
        "term",
        {
            "source": Key(_TITLE, about="the term in the source language; a note in brackets is no part of it"),
            "target": Key(_TITLE, "", "how it is said; a note in brackets is no part of it"),
            "stems": Key(Sequence(_TITLE), (), "a translation uses the term when it holds one of these; case counts"),
            "forbidden": Key(Sequence(_TITLE), (), "what a translation must not say for it; case counts"),
            "keep": Key(Boolean(), False, "it is said as in the source"),
            "unless": Key(Sequence(_TITLE), (), "phrases of the source in which the word is not the term"),
        },
    ),
)
