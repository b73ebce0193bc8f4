"""Lengths: what is read, what is refused and with which words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardgen.errors import UnitError
from cardgen.units import Length, format_mm, mm_to_pt, parse_length, pt_to_mm


@pytest.mark.parametrize(
    ("text", "mm"),
    [
        ("63mm", 63.0),
        ("63 mm", 63.0),
        ("  63mm ", 63.0),
        ("1.2cm", 12.0),
        ("2.5in", 63.5),
        ("1/8in", 3.175),
        ("3/4in", 19.05),
        (".5mm", 0.5),
        ("72pt", 25.4),
        ("-3mm", -3.0),
        ("+3mm", 3.0),
        ("0mm", 0.0),
    ],
)
def test_lengths_are_read_exactly(text: str, mm: float) -> None:
    assert parse_length(text) == Length(mm)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("63", "a length needs a unit; did you mean `63mm`?"),
        ("-1.5", "a length needs a unit; did you mean `-1.5mm`?"),
        ("1/8", "a length needs a unit; did you mean `1/8mm`?"),
        ("63px", "unknown unit `px`; the units are mm, cm, in and pt"),
        ("63MM", "unknown unit `MM`; the units are mm, cm, in and pt"),
        ("1/0in", "`1/0in` divides by zero"),
        ("mm", "expected a length such as `63mm` or `1/8in`, found `mm`"),
        ("", "expected a length such as `63mm` or `1/8in`, found ``"),
        ("6,3mm", "expected a length such as `63mm` or `1/8in`, found `6,3mm`"),
        ("1e3mm", "expected a length such as `63mm` or `1/8in`, found `1e3mm`"),
        ("6 3mm", "expected a length such as `63mm` or `1/8in`, found `6 3mm`"),
        ("infmm", "expected a length such as `63mm` or `1/8in`, found `infmm`"),
        ("-0.5.1mm", "expected a length such as `63mm` or `1/8in`, found `-0.5.1mm`"),
    ],
)
def test_what_is_no_length_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse_length(text)
    assert str(caught.value) == words


@given(st.decimals(0, 10_000, places=4), st.sampled_from(["mm", "cm", "in", "pt"]))
def test_every_unit_is_its_fraction_of_an_inch(value: object, unit: str) -> None:
    in_one = {"mm": Fraction(254, 10), "cm": Fraction(254, 100), "in": Fraction(1), "pt": Fraction(72)}
    exact = Fraction(str(value)) / in_one[unit] * Fraction(254, 10)
    assert parse_length(f"{value}{unit}").mm == pytest.approx(float(exact), rel=1e-15, abs=0)


@given(st.floats(-10_000, 10_000))
@example(-0.0001)
def test_a_length_written_is_read_again(mm: float) -> None:
    assert parse_length(str(Length(mm))).mm == pytest.approx(mm, abs=0.000_500_01)


@given(st.integers(-100_000, 100_000))
def test_thousandths_of_a_millimetre_are_written_exactly(thousandths: int) -> None:
    length = Length(thousandths / 1000)
    assert parse_length(str(length)) == length


@given(st.text(max_size=12))
def test_any_text_is_a_length_or_a_unit_error(text: str) -> None:
    try:
        assert abs(parse_length(text).mm) < 1e11
    except UnitError as error:
        assert str(error)


@given(st.floats(-10_000, 10_000))
def test_points_and_millimetres_are_each_others_inverse(mm: float) -> None:
    assert pt_to_mm(mm_to_pt(mm)) == pytest.approx(mm, rel=1e-12)


def test_an_inch_is_72_points_and_25_4_millimetres() -> None:
    assert mm_to_pt(25.4) == pytest.approx(72)
    assert Length(25.4).pt == pytest.approx(72)
    assert Length(63).px(300) == pytest.approx(744.094, abs=0.001)


@pytest.mark.parametrize(
    ("mm", "text"), [(63.0, "63"), (3.1750001, "3.175"), (-0.0001, "0"), (1200.0, "1200"), (0.1, "0.1")]
)
def test_millimetres_for_people(mm: float, text: str) -> None:
    assert format_mm(mm) == text


@pytest.mark.parametrize("mm", [float("nan"), float("inf")])
def test_what_is_not_finite_is_not_written(mm: float) -> None:
    with pytest.raises(UnitError, match="not a finite length"):
        format_mm(mm)
