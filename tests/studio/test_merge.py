"""Merging: relations that hold whatever was typed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardgen.load.trees import Tree
from cardgen.studio.bandroom import patched
from cardgen.studio.merge import merge
from cardgen.studio.sent import operate

texts = st.sampled_from(["", "a", "b", "c"])
trees = st.recursive(
    texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=8,
)
maps = st.dictionaries(st.sampled_from("klmn"), trees, max_size=4)


@given(maps, maps)
def test_who_changed_nothing_gets_the_others_work(base: dict[str, Tree], other: dict[str, Tree]) -> None:
    assert merge(base, base, other, {}).tree == other
    assert merge(base, other, base, {}).tree == other
    assert merge(base, other, other, {}).tree == other
    assert not merge(base, base, other, {}).conflicts


@given(maps, maps, maps)
def test_nothing_is_lost_without_being_asked(
    base: dict[str, Tree], mine: dict[str, Tree], theirs: dict[str, Tree]
) -> None:
    """Each field of the result is what one side says, and where a side changed it and lost, somebody is asked."""
    merged = merge(base, mine, theirs, {})
    asked = {conflict.path.split(".")[0] for conflict in merged.conflicts}
    for key in {*base, *mine, *theirs}:
        if key in asked:
            continue
        if mine.get(key) != base.get(key) and theirs.get(key) == base.get(key):
            assert merged.tree.get(key) == mine.get(key)
        if theirs.get(key) != base.get(key) and mine.get(key) == base.get(key):
            assert merged.tree.get(key) == theirs.get(key)


@given(maps, maps, maps)
def test_answers_settle_every_conflict(base: dict[str, Tree], mine: dict[str, Tree], theirs: dict[str, Tree]) -> None:
    paths = [conflict.path for conflict in merge(base, mine, theirs, {}).conflicts]
    for answer, side in (("mine", mine), ("theirs", theirs)):
        merged = merge(base, mine, theirs, dict.fromkeys(paths, answer))
        assert merged.conflicts == ()
        for path in paths:
            if "." not in path:
                assert merged.tree.get(path) == side.get(path)


def test_different_parts_of_a_record_are_merged() -> None:
    base: dict[str, Tree] = {"train": {"a": "1", "b": "2"}}
    merged = merge(base, {"train": {"a": "5", "b": "2"}}, {"train": {"a": "1", "b": "7"}}, {})
    assert merged.tree == {"train": {"a": "5", "b": "7"}}
    assert merged.taken == ("train.b",)


@given(trees, trees)
def test_a_patch_of_itself_is_the_other(before: Tree, after: Tree) -> None:
    """What is patched as it was says afterwards what was wanted."""
    found = patched(before, before, after)
    assert found == after or (isinstance(before, dict) and isinstance(after, dict))


def test_a_patch_leaves_what_did_not_change_as_it_is_written() -> None:
    tree: Tree = {"limit": "100", "members": [{"card": "skip", "leader": "on"}, {"card": "peck"}], "note": "kept"}
    before: Tree = {"limit": "100", "members": [{"card": "skip", "leader": "yes"}, {"card": "peck", "leader": "no"}]}
    after: Tree = {"limit": "100", "members": [{"card": "skip", "leader": "yes"}]}
    assert patched(tree, before, after) == {
        "limit": "100",
        "members": [{"card": "skip", "leader": "on"}],
        "note": "kept",
    }


def test_operations_on_lists() -> None:
    tree: dict[str, Tree] = {"m": [{"h": ["a", "b"]}, {"h": ["c"]}]}
    assert operate(tree, "down:m.0") == {"m": [{"h": ["c"]}, {"h": ["a", "b"]}]}
    assert operate(tree, "up:m.0.h.1") == {"m": [{"h": ["b", "a"]}, {"h": ["c"]}]}
    assert operate(tree, "remove:m.1.h.0") == {"m": [{"h": ["a", "b"]}, {}]}
    assert operate(tree, "twin:m.1") == {"m": [{"h": ["a", "b"]}, {"h": ["c"]}, {"h": ["c"]}]}
    assert operate({"m": ["a", "b", "c"]}, "move:m.0:2") == {"m": ["b", "c", "a"]}
    assert operate({"m": ["a", "b", "c"]}, "move:m.2:0") == {"m": ["c", "a", "b"]}
    assert operate({"m": ["a", "b"]}, "move:m.0:99") == {"m": ["b", "a"]}
    for nonsense in (
        "move:m.0",
        "move:m.0:x",
        "move:m:1",
        "move:m.0:-1",
        "remove:m",
        "remove:m.9",
        "drop:m.0",
        "remove:",
        "remove:q.0",
        "up:m.x",
    ):
        assert operate(tree, nonsense) == tree
