"""What fonts can draw: broken fonts are told, never trusted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cardgen.errors import FileProblem
from cardgen.text.cmaps import characters_of, lacking, show

FONTS = sorted((Path(__file__).resolve().parent.parent.parent / "fonts").rglob("*.ttf"))


def test_there_are_fonts() -> None:
    assert FONTS


@pytest.mark.parametrize("path", FONTS, ids=lambda path: path.name)
def test_shipped_fonts_have_letters(path: Path) -> None:
    assert {ord(char) for char in "AzñÑé"} <= characters_of(path.read_bytes()) or "Sans" not in path.name


@pytest.mark.parametrize("data", [b"", b"x", b"This is not a font.", b"\x00\x01\x00\x00", b"wOF2" + b"\0" * 100, b"OTTO" + b"\xff" * 100])  # fmt: skip
def test_what_is_no_font(data: bytes) -> None:
    with pytest.raises(FileProblem):
        characters_of(data)


def test_damaged_fonts_are_fonts_or_are_told() -> None:
    sound = min((path.read_bytes() for path in FONTS), key=len)
    rng = random.Random(1)
    for _ in range(200):
        data = bytearray(sound[: rng.choice((len(sound), rng.randrange(len(sound))))])
        for _ in range(rng.randrange(1, 20)):
            data[rng.randrange(min(len(data), 2000))] = rng.randrange(256)
        try:
            characters_of(bytes(data))
        except FileProblem as problem:
            assert str(problem)


def test_what_lacks_a_glyph() -> None:
    have = frozenset(map(ord, "abc "))
    assert lacking("a b c", have) == set()
    assert lacking("añb漢\n\u00ad\u200b", have) == {ord("ñ"), ord("漢")}
    assert show({ord("ñ")}) == "`ñ` (U+00F1)"
    assert show(set(range(0x41, 0x4B))).endswith("`H` (U+0048) and 2 more")
