"""YAML with positions: what is written is what is read, at its place, whatever the style; whatever is wrong is told."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.load import nodes
from cardgen.load.nodes import Broken, Map, Node, Scalar, Sequence, describe, parse_yaml

TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff")
)
KEYS = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=20)
VALUES: st.SearchStrategy[Any] = st.recursive(
    TEXT, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=20
)


def parse(text: str | bytes) -> tuple[Node | None, list[str]]:
    report = Report()
    node = parse_yaml(text.encode("utf-8") if isinstance(text, str) else text, "f.yaml", report)
    return node, [f"{item.span} {item.code}" for item in report]


def plain(node: Node | None) -> Any:
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return [plain(item) for item in node.items]
        case Map():
            return {key: plain(entry.value) for key, entry in node.entries.items()}
    raise AssertionError(node)


@given(VALUES, st.booleans(), st.sampled_from([None, '"', "'", "|", ">"]), st.integers(2, 6))
def test_what_is_written_is_read(value: Any, flow: bool, style: Any, indent: int) -> None:
    text = yaml.safe_dump(
        value, default_flow_style=flow, default_style=style, indent=indent, allow_unicode=True, width=40
    )
    node, problems = parse(text)
    assert problems == []
    assert plain(node) == value


@given(st.dictionaries(KEYS, st.lists(KEYS, min_size=1, max_size=3), min_size=1, max_size=5), st.integers(1, 8))
def test_every_value_knows_its_place(value: dict[str, list[str]], indent: int) -> None:
    lines = []
    for key, items in value.items():
        lines += [f"{key}:", *(f"{' ' * indent}- {item}" for item in items)]
    node, _ = parse("\n".join(lines))
    assert isinstance(node, Map)
    for key, entry in node.entries.items():
        assert lines[entry.key.line - 1][entry.key.column - 1 :] == f"{key}:"
        assert isinstance(entry.value, Sequence)
        for item in entry.value.items:
            assert isinstance(item, Scalar)
            assert lines[item.span.line - 1][item.span.column - 1 :] == item.text


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_whatever_the_bytes_there_is_a_value_or_a_problem(data: bytes) -> None:
    node, problems = parse(data)
    assert node is not None or problems
    assert all(problem.startswith("f.yaml:") for problem in problems)


@given(st.text("[]{}:-,&*!|>'\"#%@`?\\ \nab1", max_size=60))
def test_whatever_the_marks_there_is_a_value_or_a_problem(text: str) -> None:
    node, problems = parse(text)
    assert node is not None or problems


@pytest.mark.parametrize("text", ["no", "1.0", "07", "null", "~", "2024-01-01", "0x10", "1e3", "yes", ".inf", "<"])
def test_scalars_stay_as_they_are_written(text: str) -> None:
    node, _ = parse(f"a: {text}")
    assert plain(node) == {"a": text}


@pytest.mark.parametrize(
    ("text", "plainly"),
    [("a", True), ("'a'", False), ('"a"', False), ("|\n a", False), (">\n a", False), ("5", True)],
)
def test_quotes_are_remembered(text: str, plainly: bool) -> None:
    node, _ = parse(f"k: {text}")
    assert isinstance(node, Map)
    value = node.entries["k"].value
    assert isinstance(value, Scalar)
    assert value.plain is plainly


def test_aliases_repeat_what_they_name_at_its_own_place() -> None:
    node, problems = parse("a: &x [one]\nb: *x")
    assert (plain(node), problems) == ({"a": ["one"], "b": ["one"]}, [])
    assert isinstance(node, Map)
    assert node.entries["b"].value.span.line == 1


def test_aliases_are_bounded_and_few_are_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "MAX_ALIASED", 9)
    assert parse("[&a [1, 2], *a, *a, *a]")[1] == []
    assert parse("[&a [1, 2], *a, *a, *a, *a]") == (None, ["f.yaml:1:25 CG006"])


def test_values_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "MAX_NODES", 5)
    assert parse("[1, 2, 3, 4]")[1] == []
    assert parse("[1, 2, 3,\n 4, 5]") == (None, ["f.yaml:2:5 CG014"])


def test_a_broken_value_keeps_its_key() -> None:
    node, problems = parse('a: !x 1\nb: "\\x07"\nc: *gone\nd: 4')
    assert isinstance(node, Map)
    assert [type(entry.value) for entry in node.entries.values()] == [Broken, Broken, Broken, Scalar]
    assert problems == ["f.yaml:1:4 CG011", "f.yaml:2:4 CG008", "f.yaml:3:4 CG104"]


def test_the_first_of_two_equal_keys_is_kept() -> None:
    node, problems = parse("a: 1\na: 2\nb: 3")
    assert (plain(node), problems) == ({"a": "1", "b": "3"}, ["f.yaml:2:1 CG005"])


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "nothing"), ("5", "the number 5"), ("-1.5", "the number -1.5"), ("5mm", "`5mm`"), ("'5'", "`5`"),
     ("[a]", "a list"), ("{a: 1}", "a mapping"), ("x" * 70, f"`{'x' * 57}...`")],
)  # fmt: skip
def test_nodes_are_described(text: str, said: str) -> None:
    node, _ = parse(f"k: {text}")
    assert isinstance(node, Map)
    assert describe(node.entries["k"].value) == said


def test_a_byte_order_mark_and_other_line_ends_are_fine() -> None:
    assert parse(b"\xef\xbb\xbfa: 1\r\nb:\r\n  - c\r\n") == (parse("a: 1\nb:\n  - c\n")[0], [])
