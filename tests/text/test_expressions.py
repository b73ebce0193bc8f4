"""The language of expressions: what it can say, and that nothing it says runs long, grows large or gets out."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.model.game import Die, Keyword, KeywordUse
from cardgen.text.expressions import ExpressionError, TooCostly, compile_expression

DIE = Die("white", "White", "W", "#ffffff", "#000000", "die-white", ("1", "2"))
CARD: dict[str, Any] = {
    "name": "Axe",
    "points": 7,
    "reach": None,
    "dice": (DIE, DIE),
    "keywords": (KeywordUse(Keyword("shots", "Shots", "text", "integer"), 2),),
    "parts": {"low": 1, "high": 3},
}


def run(source: str, **context: Any) -> Any:
    return compile_expression(source).run({"card": CARD, "game": {}, **context})


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("card.points * 2 + 1", 15),
        ("card['points'] // 2", 3),
        ("card.points ** 2 % 10", 9),
        ("-card.points", -7),
        ("card.name ~ ' ' ~ card.points", "Axe 7"),
        ("card.name | upper", "AXE"),
        ("card.dice | length", 2),
        ("card.dice | map(attribute='id') | join(' ')", "white white"),
        ("card.dice | selectattr('id', 'in', ['white', 'blue']) | list | length", 2),
        ("card.keywords[0].title", "Shots (2)"),
        ("card.keywords[0].value", 2),
        ("card.parts.values", None),
        ("card.parts.low + card.parts['high']", 4),
        ("[3, 1, 2] | sort | first", 1),
        ("[1, 2, 3] | sum", 6),
        ("'big' if card.points > 5 else 'small'", "big"),
        ("card.reach is none and not card.heavy | default(false)", True),
        ("card.points in [6, 7]", True),
        ("1.005 | round(2)", 1.0),
        ("(1, 2) + (3,)", (1, 2, 3)),
        ("  card.points\n  + 1  ", 8),
    ],
)
def test_values(source: str, value: Any) -> None:
    if source == "card.parts.values":
        with pytest.raises(ExpressionError, match="there is no `values`"):
            run(source)
    else:
        assert run(source) == value


def test_what_an_expression_reads_is_known() -> None:
    expression = compile_expression("card.a + card['b'] + game.c + other")
    assert expression.names == {"card", "game", "other"}
    assert expression.attributes == {("card", "a"), ("card", "b"), ("game", "c")}


WRONG = [
    ("", "the expression is empty"),
    ("card.points *", "unexpected the end of the expression"),
    ("(1", "unexpected the end of the expression, expected '\\)'"),
    ("1 2", "found more behind the end"),
    ("{{ card.points }}", "written without"),
    ("{% set x = 1 %}", "written without"),
    ("1 }} {{ 2", "written without"),
    ("{# x #} 1", "."),
    ("card.name.upper()", "a call cannot be used"),
    ("range(9)", "a call cannot be used"),
    ("{'a': 1}", "a mapping cannot be used"),
    ("[1, 2][0:1]", "a slice cannot be used"),
    ("card.name | uper", "there is no filter `uper`; did you mean `upper`"),
    ("card.name | safe", "there is no filter `safe`"),
    ("card.name | _out", "there is no filter `_out`"),
    ("card.name is nice", "there is no test `nice`"),
    ("x" * 2001, "longer than 2000 characters"),
    ("+".join("1" * 300), "nested too deeply"),
    ("[" + "1," * 600 + "]", "more than 500 parts"),
    ("(" * 500 + "1" + ")" * 500, "nested too deeply"),
    ("-" * 1900 + "1", "nested"),
    ("not " * 400 + "1", "nested"),
    ("9" * 1900 + "** 1e999", "a number is too large"),
    ("1e999", "a number is too large"),
]


@pytest.mark.parametrize(("source", "problem"), WRONG, ids=lambda text: text[:30])
def test_what_cannot_be_compiled(source: str, problem: str) -> None:
    with pytest.raises(ExpressionError, match=problem):
        compile_expression(source)


FAILING = [
    ("card.point", "there is no `point`; did you mean `points`"),
    ("card.name.points", "text has no `points`"),
    ("card.name.upper", "text has no `upper`; did you mean the filter"),
    ("card.dice[0].titel", "there is no `titel`; did you mean `title`"),
    ("card.__class__", "there is no `__class__`"),
    ("''.__class__.__mro__", "text has no `__class__`"),
    ("card['__class__']", "there is no `__class__`"),
    ("card.dice[0].__init__", "there is no `__init__`"),
    ("card | attr('x')", "there is no filter `attr`"),
    ("missing", "there is no `missing`"),
    ("1 / 0", "division by zero"),
    ("1 % 0", "zero"),
    ("card.points + card.name", "`a number \\+ text`: operators are for numbers"),
    ("card.reach * 2", "`none \\* a number`"),
    ("'a' * 1000000000", "operators are for numbers"),
    ("[1] * 1000000000", "operators are for numbers"),
    ("'%s' % 1", "operators are for numbers"),
    ("card.name < 1", "`<` cannot compare text with a number"),
    ("1 in 2", "expected a list, found a number"),
    ("5 | join", "expected a list, found a number"),
    ("card.dice ~ ''", "a list cannot be printed"),
    ("[] | first", "No first item"),
    ("'x' | truncate(1)", "expected length"),
    ("9 ** (9 ** 9)", "is too large"),
    ("2 ** 65", "is too large"),
    ("(2 ** 64) ** 5", "is too large"),
    ("(2 ** 64) * (2 ** 64) * (2 ** 64) * (2 ** 64) * (2 ** 64) * 2", "a number grows too large"),
    ("1.5 | round(1000000000, 'ceil')", "too large a number of decimals"),
    ("[1] | batch(1000000000, 1) | list", "too large a number of parts"),
    ("[1] | slice(1000000000) | list", "too large a number of parts"),
    ("[[1], [2]] | sum(start=[])", "`sum` is for numbers"),
    ("('x' | replace('x', '" + "y" * 900 + "') | replace('y', '" + "z" * 900 + "'))", "a text grows longer"),
    ("('x' | replace('', '" + "y" * 600 + "') | replace('', '" + "z" * 600 + "'))", "a text grows longer"),
    ("[1,1,1,1,1,1,1,1,1] | join('" + "y" * 1000 + "') | list | join('" + "z" * 500 + "')", "a text grows longer"),
]


@pytest.mark.parametrize(("source", "problem"), FAILING, ids=lambda text: text[:30])
def test_what_fails(source: str, problem: str) -> None:
    started = time.perf_counter()
    with pytest.raises(ExpressionError, match=problem):
        run(source)
    assert time.perf_counter() - started < 5  # in fact milliseconds; a busy machine is no failure


def test_it_works_off_the_main_thread() -> None:
    said: list[str] = []

    def work() -> None:
        for source, _ in FAILING:
            try:
                run(source)
            except ExpressionError as error:
                said.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(said) == len(FAILING)


def test_what_costs_too_much_says_that_it_always_will() -> None:
    # 360 filters over 15 000 values: more than one run may spend, whatever the card.
    source = " + ".join(["(x" + "|sort|list" * 30 + "|length)"] * 6)
    with pytest.raises(TooCostly):
        run(source, x=list(range(15_000)))


@given(st.text("card.points()[]{}|~+-*/%<>=!'\" 019ifelsenotandor,", max_size=60))
def test_whatever_is_written_there_is_a_value_or_a_reason(source: str) -> None:
    try:
        compile_expression(source).run({"card": CARD})
    except ExpressionError as error:
        assert str(error)
