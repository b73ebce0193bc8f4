"""Shapes: what the reader takes, what it refuses, and that an editor's schema takes all that the reader takes."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.load import shapes
from cardgen.load.definitions import FIELD, GAME
from cardgen.load.jsonschema import json_schema
from cardgen.load.nodes import parse_yaml
from cardgen.load.reader import BAD, Reader


class Editor(yaml.SafeLoader):
    """YAML 1.2 as the language servers of editors read it: only its core types, every other word is text."""


Editor.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"null|Null|NULL|~|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+0123456789."),
):
    Editor.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first))
Editor.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Editor.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


def read(text: str, shape: shapes.Shape) -> tuple[Any, list[str]]:
    report = Report()
    node = parse_yaml(text.encode(), "f", report)
    assert node is not None, [item.message for item in report]
    value = Reader(report).read(node, shape)
    return value, [f"{item.span} {item.code}" for item in report]


RECORD = shapes.Record(
    "thing",
    {
        "name": shapes.Key(shapes.Text(10)),
        "id": shapes.Key(shapes.IDENT, "none"),
        "count": shapes.Key(shapes.Integer(-5, 20), 1),
        "weight": shapes.Key(shapes.Number(0, 1.5), None),
        "heavy": shapes.Key(shapes.Boolean(), False),
        "width": shapes.Key(shapes.Measure(1, 50), 3.0),
        "colour": shapes.Key(shapes.COLOUR, None),
        "kind": shapes.Key(shapes.Choice(("red", "no", "7", "1.5", "true", "null")), None),
        "die": shapes.Key(shapes.Name("die", ("white", "12")), None),
        "tags": shapes.Key(shapes.Sequence(shapes.Text(5), 1, 3), ()),
        "uses": shapes.Key(
            shapes.Either(
                scalar=shapes.Name("die", ("white",)),
                mapping=shapes.Mapped(shapes.Name("die", ("white",)), shapes.Text(9), 1, 1),
                what="a use",
            ),
            None,
        ),
        "inner": shapes.Key(shapes.Mapped(shapes.IDENT, shapes.Later("thing", lambda: RECORD)), {}),
    },
)

SCALARS = st.sampled_from(
    ["", "a", "word", "no", "yes", "On", "FALSE", "true", "null", "~", "0", "7", "07", "-3", "+4", "21", "1.5", ".5", "1e3",
     "1.", "3mm", "1/8in", "2.5 in", ".5cm", "60mm", "5", "'5'", "'white'", "white", "12", "red", "two words", "'#a0b1c2'",
     "'#xyz'", "[a]", "[a, 1, null]", "[a, b, c, d]", "[]", "{white: 1}", "{white: 1, b: 2}", "{}", "0x10", "1/0mm", "٣"]
)  # fmt: skip
DOCUMENTS = st.dictionaries(st.sampled_from([*RECORD.keys, "other"]), SCALARS, max_size=12).map(
    lambda keys: "{name: x}" if not keys else "\n".join(f"{key}: {text}" for key, text in keys.items())
)


@given(st.sampled_from(sorted(RECORD.keys)), SCALARS)
@settings(max_examples=600)
def test_what_the_reader_takes_the_schema_takes(key: str, scalar: str) -> None:
    text = f"name: x\n{key}: {scalar}" if key != "name" else f"name: {scalar}"
    value, problems = read(text, RECORD)
    assert (value is BAD) <= bool(problems)
    if not problems:
        jsonschema.validate(yaml.load(text, Editor), json_schema(RECORD, "thing"))


@given(DOCUMENTS)
def test_the_schema_refuses_what_is_written_in_the_wrong_place(text: str) -> None:
    """The other way round only for keys: an editor may be more lenient about values, never about names."""
    keys = set(yaml.load(text, Editor))
    validator = jsonschema.Draft202012Validator(json_schema(RECORD, "thing"))
    wrong = "other" in keys or "name" not in keys
    assert not wrong or not validator.is_valid(yaml.load(text, Editor))


@pytest.mark.parametrize("shape", [GAME, FIELD, RECORD])
def test_schemas_are_schemas(shape: shapes.Shape) -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema(shape, "x"))


@pytest.mark.parametrize(
    ("text", "shape", "value"),
    [
        ("'  two  words '", shapes.Text(), "two  words"),
        ("e\u0301", shapes.Text(), "\u00e9"),
        ("|\n  a\n\n  b\n", shapes.Text(multiline=True), "a\n\nb"),
        ("+7", shapes.Integer(), 7),
        ("'7'", shapes.Integer(), 7),
        ("-0.25", shapes.Number(), -0.25),
        ("On", shapes.Boolean(), True),
        ("NO", shapes.Boolean(), False),
        ("1/8in", shapes.Measure(), 3.175),
        ("[1, 2]", shapes.Sequence(shapes.Integer()), (1, 2)),
        ("{a: 1}", shapes.Mapped(shapes.IDENT, shapes.Integer()), {"a": 1}),
    ],
)
def test_values(text: str, shape: shapes.Shape, value: Any) -> None:
    assert read(text, shape) == (value, [])


def test_every_mistake_is_reported_and_the_sound_rest_is_kept() -> None:
    text = "name: x\ncount: many\nwidth: 3\ntags: [a, toolong, [b]]\nwrong: 1\nkind: no\n"
    value, problems = read(text, RECORD)
    assert problems == ["f:2:8 CG020", "f:3:8 CG021", "f:4:11 CG023", "f:4:20 CG020", "f:5:1 CG100"]
    assert (value["name"], value["count"], value["tags"], value["kind"]) == ("x", 1, ("a",), "no")


def test_a_missing_required_key_makes_the_whole_unusable() -> None:
    assert read("count: 2", RECORD) == (BAD, ["f:1:1 CG025"])
    assert read("name:", RECORD) == (BAD, ["f:1:6 CG020"])


def test_places_are_remembered_by_path() -> None:
    report = Report()
    node = parse_yaml(b"name: x\ntags:\n  - a\n  - b\ninner:\n  one: {name: y}\n", "f", report)
    reader = Reader(report)
    assert node is not None
    reader.read(node, RECORD)
    assert str(reader.span("f", "tags.1")) == "f:4:5"
    assert str(reader.span("f", "inner.one.name")) == "f:6:15"
    assert str(reader.span("f", "inner.one.count")) == "f:6:8"  # not written: the nearest around it
    assert str(reader.key_span("f", "inner.one")) == "f:6:3"
    assert reader.written("tags") and not reader.written("count")


def test_what_was_lost_is_known() -> None:
    report = Report()
    node = parse_yaml(b"{a: {name: x}, b: {nam: x}, c: [1]}", "f", report)
    reader = Reader(report)
    assert node is not None
    assert set(reader.read(node, shapes.Mapped(shapes.IDENT, RECORD))) == {"a"}
    assert reader.lost("") == {"b", "c"}
    assert reader.whole("a") and not reader.whole("b")


def test_names_that_are_lost_are_no_second_mistake() -> None:
    assert read("gone", shapes.Name("die", ("white",), frozenset(["gone"]))) == (BAD, [])
    assert read("[1, x]", shapes.Anything()) == (BAD, [])


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read_as_they_are_printed(number: float) -> None:
    text = str(number)
    value, problems = read(text, shapes.Number())
    if re.fullmatch(r"-?\d{1,15}(\.\d{1,15})?", text):
        assert (value, problems) == (number, [])
    else:
        assert value is BAD
