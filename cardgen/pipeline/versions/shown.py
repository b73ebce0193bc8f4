"""Parts of texts as pages of cards side by side show them: icons as pictures, emphasis as such, no marks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from cardgen.text.markup import pieces_of

# What differs between two texts: `same`, `del`, `ins`, and the words.
Part = Mapping[str, str]


class Shown(Struct, frozen=True):
    """A piece of a text: words, or an icon by its name in place of them, and how it is set."""

    kind: str
    text: str
    icon: str = ""
    bold: bool = False
    italic: bool = False


def shown(parts: Sequence[Part], rich: bool, icons: Collection[str]) -> list[Shown]:
    """The parts of a text; of a rich one without its marks, where they are sound. What is not stays as it is written."""
    plain = [Shown(part["kind"], part["text"]) for part in parts]
    if not rich:
        return plain
    made: list[Shown] = []
    opened: list[str] = []
    for part in parts:
        for kind, text in pieces_of(part["text"]):
            bold, italic = "**" in opened, "*" in opened
            if kind == "mark" and text not in opened:
                opened.append(text)
            elif kind == "mark" and opened[-1] == text:
                opened.pop()
            elif kind == "mark":
                return plain
            elif kind == "icon":
                known = text in icons
                made.append(Shown(part["kind"], f"[{text}]", text if known else "", bold, italic))
            else:
                made.append(Shown(part["kind"], text, "", bold, italic))
    return plain if opened else made
