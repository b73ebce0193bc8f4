"""Resource names in contents: found with their operators, changed there and nowhere else."""

from __future__ import annotations

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.pdf.glyphs import drawn_glyphs
from cardgen.pdf.names import rename


def marked(category: str, name: bytes) -> bytes:
    return category.lower().encode() + b"-" + name


@pytest.mark.parametrize(
    ("content", "renamed"),
    [
        (b"/i12 Do", b"/xobject-i12 Do"),
        (b"q\n/s0 gs\n/s0 sh\nQ", b"q\n/extgstate-s0 gs\n/shading-s0 sh\nQ"),
        (b"/Pattern cs /p0 scn", b"/colorspace-Pattern cs /pattern-p0 scn"),
        (b"/Pattern CS 1 0 0 /p0 SCN", b"/colorspace-Pattern CS 1 0 0 /pattern-p0 SCN"),
        (b"/ABCDEF 10.5 Tf\n[<0001>-3<0002>] TJ", b"/font-ABCDEF 10.5 Tf\n[<0001>-3<0002>] TJ"),
        (b"/F -3 Tf", b"/font-F -3 Tf"),
        (b"/Artifact BMC EMC", b"/Artifact BMC EMC"),
        (b"/a0.5\ngs", b"/extgstate-a0.5\ngs"),
        (b"/x0 Done", b"/x0 Done"),
        (b"1 0 0 rg", b"1 0 0 rg"),
        (b"", b""),
    ],
)
def test_names_are_changed_with_their_operator(content: bytes, renamed: bytes) -> None:
    assert rename(content, marked) == renamed


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (b"BT /F1 9 Tf (see /x0 Do here) Tj ET /x0 Do", b"(see /x0 Do here)"),
        (b"BT /F1 9 Tf (a \\( b (nested /x0 Do) c) Tj ET", b"nested /x0 Do"),
        (b"BI /W 8 /H 1 /BPC 1 /CS /G ID /x0 Do \nEI Q", b"/x0 Do"),
    ],
)
def test_what_only_looks_like_a_name_is_left_alone(content: bytes, kept: bytes) -> None:
    assert kept in rename(content, marked)


def test_beside_a_string_names_are_still_changed() -> None:
    pdf = pikepdf.new()
    content = rename(b"/F1 9 Tf (/x0 Do) Tj /x0 Do % /s0 gs\n/s0 gs", marked)
    operations = pikepdf.parse_content_stream(pikepdf.Stream(pdf, content))
    names = [str(operand) for step in operations for operand in step.operands if isinstance(operand, pikepdf.Name)]
    assert names == ["/font-F1", "/xobject-x0", "/extgstate-s0"]


words = st.sampled_from(
    [
        b"q", b"Q", b"/x0 Do", b"/s0 gs", b"/s0 sh", b"/F1 9.5 Tf", b"[<0012>-4<0034>] TJ", b"<0a0B> Tj", b"0.5 g",
        b"/Pattern cs", b"/p1 scn", b"0.1 0.2 0.3 /p1 SCN", b"1 0 0 1 -3.5 .25 cm", b"/P <</MCID 0>> BDC", b"EMC",
        b"BT", b"ET", b"/a1.0\tgs",
    ]
)  # fmt: skip


@given(st.lists(words, max_size=30))
def test_the_fast_and_the_slow_way_agree(parts: list[bytes]) -> None:
    content = b"\n".join(parts)

    def operations(data: bytes) -> list[str]:
        pdf = pikepdf.new()
        steps = pikepdf.parse_content_stream(pikepdf.Stream(pdf, data))
        return [f"{' '.join(map(repr, step.operands))} {step.operator}" for step in steps]

    # A comment sends the same content the slow way.
    assert operations(rename(content, marked)) == operations(rename(content + b"\n% comment", marked))


# --- glyphs ----------------------------------------------------------------------------------------------------------


def test_glyphs_are_told_by_font() -> None:
    content = b"BT /A 9 Tf [<00010002>-5<00ff>] TJ /B 7 Tf <0001> Tj ET BT /A 5 Tf <1234> Tj ET"
    assert drawn_glyphs(content) == {"A": {1, 2, 255, 0x1234}, "B": {1}}


def test_a_font_set_and_not_used_draws_nothing() -> None:
    assert drawn_glyphs(b"BT /A 9 Tf ET") == {"A": set()}
    assert drawn_glyphs(b"0 0 9 9 re f") == {}


@pytest.mark.parametrize(
    "content",
    [
        b"BT /A 9 Tf (text) Tj ET",  # strings are not read
        b"BT /A 9 Tf <01> Tj ET",  # half an id
        b"q /A 9 Tf BT <0001> Tj ET Q",  # the font comes from outside
        b"BT /A 9 Tf <0001> Tj ET BT <0002> Tj ET",
    ],
)
def test_where_it_cannot_be_told_it_is_not(content: bytes) -> None:
    assert drawn_glyphs(content) is None
