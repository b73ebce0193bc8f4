"""The shapes of what all games share besides trims and sheets: the words on sheets, and fonts."""

from __future__ import annotations

from msgspec import structs

from cardgen.load.definitions import PATH, PROSE, TITLE
from cardgen.load.shapes import IDENT, LANGUAGE, Choice, Integer, Key, Mapped, Record, Sequence, Text
from cardgen.model.sheet import SheetWords

_ENGLISH = SheetWords()
WORDS = Mapped(
    LANGUAGE,
    Record(
        "sheet words",
        {
            # What a language has no words for is said in English.
            **{name: Key(PROSE, text) for name, text in structs.asdict(_ENGLISH).items()},
            "sheet": Key(TITLE, _ENGLISH.sheet, "`{number}` and `{total}` are filled in"),
            "version": Key(TITLE, _ENGLISH.version, "`{version}` is filled in"),
            "back": Key(TITLE, _ENGLISH.back),
            "scale": Key(TITLE, _ENGLISH.scale),
            "millimetres": Key(TITLE, _ENGLISH.millimetres),
            "inches": Key(TITLE, _ENGLISH.inches),
            "centimetres": Key(TITLE, _ENGLISH.centimetres),
        },
    ),
)

_FACES = Record(
    "font face",
    {
        "file": Key(PATH),
        "weight": Key(Integer(100, 900), 400),
        "style": Key(Choice(("normal", "italic")), "normal"),
    },
)
FONT_TWEAK = Record(
    "font tweak",
    {
        "size": Key(Text(4, r"\d{2,3}%", "a size such as `97%`"), "100%"),
        "offset": Key(Text(4, r"-?\d{1,2}%", "a part of the size such as `-4%`"), "0%", "moves letters down; - up"),
        "faces": Key(Sequence(_FACES), (), "other files for this language"),
        "fallback": Key(Sequence(IDENT), None, "other fallbacks for this language"),
    },
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
                        "faces": Key(Sequence(_FACES, 1)),
                        "fallback": Key(Sequence(IDENT), ()),
                        "languages": Key(
                            Mapped(
                                LANGUAGE,
                                FONT_TWEAK,
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
