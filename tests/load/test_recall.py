"""Reading again gives what reading gives."""

from __future__ import annotations

import os
import pickle
import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markupsafe import Markup
from msgspec import structs

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.files import file_stamp
from cardgen.load import kept_cards, nodes
from cardgen.load import recall as recall_module
from cardgen.load.fields import Known
from cardgen.load.nodes import parse_yaml
from cardgen.load.recall import Blocks, KeptBlock, Recall, RecallingShelf
from cardgen.model.card import Card
from cardgen.model.game import Die, Keyword, KeywordUse

DIE, WORD = Die("red", "Red", "R", "#f00", "#fff", "", ("1",)), Keyword("shots", "Shots", "It shoots.", "integer")
KNOWN = Known({"red": DIE}, {"shots": WORD}, {}, (), ("item",))
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


def known(text: bytes) -> dict[bytes, KeptBlock]:
    """What another process may have kept of a file's blocks."""
    recall = Recall()
    found = recall.blocks(text, "f.yaml", Report())
    for block in found.items if isinstance(found, Blocks) else ():
        block.keep("item", b"rules", Card(block.key, "item", {}, 1, block.place, {"": (block.place.line + 1, 3)}), ())
    return recall.to_keep()


@example([(0, False, "  a: b\n")])
@example([(0, False, "-a: b\n")])
@given(st.lists(st.tuples(st.integers(0, 14), st.booleans(), st.sampled_from(PARTS)), max_size=4))
def test_blocks_of_another_process_are_as_if_they_were_read(edits: list[tuple[int, bool, str]]) -> None:
    lines = START.splitlines(keepends=True)
    kept = known(START.encode())
    assert len(kept) == 4
    for at, replace, part in [(0, False, ""), *edits]:
        lines[at : at + replace] = [part]
    data = "".join(lines).encode()
    expected, own = Report(), Report()
    node = parse_yaml(data, "f.yaml", expected)
    found = Recall(kept).blocks(data, "f.yaml", own)
    assert said(own) == said(expected)
    if isinstance(found, Blocks):
        assert isinstance(node, nodes.Map) and found.torn == node.torn
        assert {block.key: nodes.Entry(block.place, block.node()) for block in found.items} == node.entries
        for block in found.items:
            card, _ = block.card({"item": b"rules"}, KNOWN) or (None, ())
            assert card is None or card.places[""] == (block.place.line + 1, 3)
            assert block.card({"item": b"other rules"}, KNOWN) is None
    else:
        assert found == node


@pytest.mark.parametrize(
    "value",
    [
        "ñ",
        3,
        -2.5,
        True,
        None,
        (1, (2, "a")),
        {"a": (1.5, {"b": None})},
        (),
        {},
        DIE,
        KeywordUse(WORD, 3),
        (KeywordUse(WORD),),
    ],
)
def test_a_card_that_was_kept_comes_back_as_it_was(value: object) -> None:
    card = Card(
        "axe", "item", {"name": value}, 2, Span("f", 7, 1), {"name": (8, 3)}, back="b", revision="r", errata="e"
    )
    data = kept_cards.kept(card, b"rules")
    assert data is not None
    sent = msgspec.msgpack.decode(msgspec.msgpack.encode(data), type=kept_cards.KeptCard)
    back = kept_cards.card_of(sent, "axe", Span("f", 17, 1), KNOWN)
    assert back == msgspec.structs.replace(card, span=Span("f", 17, 1), places={"name": (18, 3)})
    assert repr(back.values) == repr(card.values)  # 1 is no True, a tuple no list


@pytest.mark.parametrize("value", ["\ud800", 2**63, [1], {1: 2}, {"": 1}, {"a": {3}}, Markup("x"), object()])
def test_what_would_not_come_back_is_not_kept(value: object) -> None:
    assert kept_cards.kept(Card("axe", "item", {"name": value}, 2, Span("f", 7, 1), {}), b"rules") is None


def test_fonts_are_read_again_when_their_files_change(tmp_path: Path) -> None:
    font = tmp_path / "fonts" / "a.ttf"
    font.parent.mkdir()
    font.write_bytes(b"one")
    shelf = RecallingShelf((tmp_path,), Recall())
    assert shelf.read("fonts/a.ttf", 10) is not shelf.read("fonts/a.ttf", 10)  # it was written just now
    long_ago = 1_000_000_000
    os.utime(font, (long_ago, long_ago))
    assert not file_stamp(font).is_settled  # type: ignore[union-attr] -- nobody sets back when it was changed
    stamp = structs.replace(file_stamp(font), changed=1)  # type: ignore[type-var]
    shelf.recall.fonts["fonts/a.ttf"] = stamp, b"remembered"
    assert shelf.read("fonts/a.ttf", 10) == b"one"
    with pytest.raises(FileProblem, match="larger"):
        shelf.read("fonts/a.ttf", 2)


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
