"""The shapes of what all games share besides trims and sheets: the words on sheets, fonts, glossaries."""

from __future__ import annotations

import dataclasses

from cardgen.load.definitions import PATH, PROSE, TITLE
from cardgen.load.shapes import IDENT, LANGUAGE, Boolean, Choice, Integer, Key, Mapped, Record, Sequence, Text
from cardgen.model.sheet import SheetWords

WORDS = Mapped(
    LANGUAGE,
    Record(
        "sheet words",
        {
            # What a language has no words for is said in English.
            **{name: Key(PROSE, text) for name, text in dataclasses.asdict(SheetWords()).items()},
            "sheet": Key(TITLE, about="`{number}` and `{total}` are filled in"),
            "version": Key(TITLE, about="`{version}` is filled in"),
            "back": Key(TITLE),
            "scale": Key(TITLE),
            "millimetres": Key(TITLE),
            "inches": Key(TITLE),
            "centimetres": Key(TITLE, "cm"),
        },
    ),
)

GLOSSARY = Mapped(
    IDENT,
    Record(
        "term",
        {
            "source": Key(TITLE, about="the term in the source language; a note in brackets is no part of it"),
            "target": Key(TITLE, "", "how it is said; a note in brackets is no part of it"),
            "stems": Key(Sequence(TITLE), (), "a translation uses the term when it holds one of these; case counts"),
            "forbidden": Key(Sequence(TITLE), (), "what a translation must not say for it; case counts"),
            "keep": Key(Boolean(), False, "it is said as in the source"),
            "unless": Key(Sequence(TITLE), (), "phrases of the source in which the word is not the term"),
        },
    ),
)

FONTS = Record(
    "font list",
    {
        "roles": Key(
            Mapped(
                IDENT,
                Record(
                    "font role",
                    {
                        "faces": Key(
                            Sequence(
                                Record(
                                    "font face",
                                    {
                                        "file": Key(PATH),
                                        "weight": Key(Integer(100, 900), 400),
                                        "style": Key(Choice(("normal", "italic")), "normal"),
                                    },
                                ),
                                1,
                            )
                        ),
                        "fallback": Key(Sequence(IDENT), ()),
                        "languages": Key(
                            Mapped(
                                LANGUAGE,
                                Record(
                                    "font tweak", {"size": Key(Text(4, r"\d{2,3}%", "a size such as `97%`"), "100%")}
                                ),
                            ),
                            {},
                        ),
                    },
                ),
                1,
            )
        ),
        "licences": Key(Mapped(Text(60), PATH), {}),
    },
)
