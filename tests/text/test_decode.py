"""Bytes as text: UTF-8 and nothing else, with the place of the first byte or character that is not."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.text.decode import CONTROL, decode_text, place_of


def decode(data: bytes) -> tuple[str | None, list[str]]:
    report = Report()
    text = decode_text(data, "f", report)
    return text, [f"{item.span} {item.code} {item.message}" for item in report]


@given(st.text(st.characters(codec="utf-8")))
def test_text_is_what_it_was_or_holds_a_control_character(text: str) -> None:
    decoded, problems = decode(text.encode())
    if CONTROL.search(text.removeprefix("\ufeff")):
        assert decoded is None
        assert len(problems) == 1
    else:
        assert (decoded, problems) == (text.removeprefix("\ufeff"), [])


@given(st.binary())
def test_any_bytes_are_text_or_a_problem(data: bytes) -> None:
    text, problems = decode(data)
    assert (text is None) == bool(problems)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"ab\ncd\xffe", "f:2:3 CG002 expected UTF-8 text, found byte 0xff"),
        ("añ\n".encode() + b"\xe9", "f:2:1 CG002 expected UTF-8 text, found byte 0xe9"),
        ("ñ".encode("latin-1"), "f:1:1 CG002 expected UTF-8 text, found byte 0xf1"),
        ("a".encode("utf-16"), "f:1:1 CG002 expected UTF-8 text, found UTF-16"),
        (b"a\0b", "f:1:2 CG008 found the control character U+0000"),
        ("añ\u2028".encode(), "f:1:3 CG008 found the control character U+2028"),
        ("añ\u202e".encode(), "f:1:3 CG008 found the control character U+202E"),
        ("a\u2067".encode(), "f:1:2 CG008 found the control character U+2067"),
        ("a\ufeff".encode(), "f:1:2 CG008 found the control character U+FEFF"),
        (b"\x1b[31m", "f:1:1 CG008 found the control character U+001B"),
    ],
)
def test_places(data: bytes, problem: str) -> None:
    assert decode(data) == (None, [problem])


def test_utf16_without_a_mark_is_recognised() -> None:
    report = Report()
    decode_text("name: Axe".encode("utf-16-le"), "f", report)
    assert report.items[0].hint == "it looks like UTF-16; save the file as UTF-8"


def test_every_control_character_but_tab_and_line_breaks_is_one() -> None:
    for number in range(0x110000):
        char = chr(number)
        if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} and char not in "\t\n\r":
            assert CONTROL.match(char), hex(number)
    assert all(CONTROL.match(chr(number)) for number in (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
    # Marks of direction are part of how Hebrew and Arabic are written.
    assert not CONTROL.search("\u200e\u200f\u061c")
    assert not CONTROL.search("añ漢\u00a0\u00ad\u200b\U0001f3b2\t\r\n")


def test_the_place_of_an_index() -> None:
    text = "ab\ncd\n"
    assert [str(place_of(text, at, "f")) for at in (0, 2, 3, 6)] == ["f:1:1", "f:1:3", "f:2:1", "f:3:1"]
