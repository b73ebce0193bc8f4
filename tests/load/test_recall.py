"""Reading again gives what reading gives."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.load import nodes
from cardgen.load import recall as recall_module
from cardgen.load.nodes import parse_yaml
from cardgen.load.recall import Recall, RecallingShelf

START = """\
# cards
axe:
  kind: item
  rules: "**Chop** it,
    and more"
saw: {kind: item, name: Saw}

rope:
- a
- b
list: |
  text

  more
# the end
"""
# What is put into the text at some place, or takes a line's place.
PARTS = [
    "x: 1\n", "axe: 2\n", "  a: b\n", "&a b: c\n", "k: &a v\n", "l: *a\n", "'q': v\n", "? k\n: v\n", "---\n", "...\n",
    "\tt: 1\n", "t:\t1\n", '"', "'", "{", "}", "[", ": ", "- ", "#", "\r\n", "\u2028", "\x07", "é: ñ\n", "<<: {a: b}\n",
    "!t k: v\n", "w: \"a\nfoo: b\"\n", "w: {a: 1,\nfoo: 2}\n", "w: 'a\n\nb: c'\n", "v: >\n  a\n b\n", "v: |+\n  a\n\n\n", "\ufeff", "%YAML 1.1\n",
    "plain: a\n  b\n", "no:\n", "x:1\n", "1: 2\n", "a b: c\n", "a.b-c_d: e\n",
]  # fmt: skip


def said(report: Report) -> list[str]:
    return [f"{item.span} {item.code} {item.message} {item.hint}" for item in report.items]


@example([(0, False, "  a: b\n")])
@example([(0, False, "- a\n")])
@example([(0, False, "\u2028")])
@given(st.lists(st.tuples(st.integers(0, 14), st.booleans(), st.sampled_from(PARTS)), max_size=4))
def test_every_edit_is_read_as_if_for_the_first_time(edits: list[tuple[int, bool, str]]) -> None:
    recall, lines = Recall(), START.splitlines(keepends=True)
    for at, replace, part in [(0, False, ""), *edits]:
        lines[at : at + replace] = [part]
        data = "".join(lines).encode()
        expected, own = Report(), Report()
        node = parse_yaml(data, "f.yaml", expected)
        assert recall.node(data, "f.yaml", own) == node
        assert said(own) == said(expected)


def test_blocks_that_did_not_change_are_the_same_nodes() -> None:
    recall = Recall()
    text = "".join(f"c{n}:\n  kind: item\n  name: Card {n}\n" for n in range(50))
    recall.node(text.encode(), "f.yaml", Report())  # as a whole
    first = recall.node(text.replace("Card 7\n", "Another\n").encode(), "f.yaml", Report())
    second = recall.node(text.replace("Card 7\n", "Other\n").encode(), "f.yaml", Report())
    same = [name for name in first.entries if first.entries[name].value is second.entries[name].value]  # type: ignore
    assert len(same) == 49 and "c7" not in same


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "a: &x 1\nb: *x\n", "- a\n", "a: [\n", ""])
def test_what_is_no_plain_mapping_is_read_as_a_whole(text: str) -> None:
    recall, own, expected = Recall(), Report(), Report()
    assert recall.node(text.encode(), "f", own) == parse_yaml(text.encode(), "f", expected)
    assert said(own) == said(expected)


def test_bounds_hold_over_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (nodes, recall_module):
        monkeypatch.setattr(module, "MAX_NODES", 20)
    text = "".join(f"k{n}: v\n" for n in range(random.Random(1).randint(15, 30)))
    own, expected = Report(), Report()
    assert Recall().node(text.encode(), "f", own) == parse_yaml(text.encode(), "f", expected)
    assert said(own) == said(expected) and own.items


def test_a_shelf_travels_without_its_memory(tmp_path: object) -> None:
    shelf = RecallingShelf((), Recall())
    shelf.recall.node(b"a: 1\n", "f", Report())
    assert b"f.yaml" not in pickle.dumps(shelf) and len(pickle.dumps(shelf)) < 200
