"""Writing back: what was changed is changed, every other byte stays."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.load.nodes import parse_yaml
from cardgen.load.trees import Tree, tree_of
from cardgen.load.yamledit import edit, remove
from cardgen.model.game import Field

ROOT = Path(__file__).resolve().parents[2]
FIELDS = {
    "name": Field("text"),
    "points": Field("integer"),
    "dice": Field("list", of=Field("die")),
    "rules": Field("rich"),
    "flavour": Field("text"),
}
FILE = """# The first line.

hatchet:
  kind: equipment   # what it is
  name: Hatchet
  # what it costs
  points: 7         # 4 + 3
  dice: [white, blue]
  flavour: “Chop.”

# The crowbar came later.
crowbar:
  kind: equipment
  name: 'Crowbar'
rope: {kind: equipment, name: Rope}
"""


def tree(text: str) -> dict[str, Tree]:
    root = parse_yaml(text.encode(), "file", Report())
    assert root is not None
    found = tree_of(root)
    assert isinstance(found, dict)
    return found


def entry(text: str, key: str) -> dict[str, Tree]:
    found = tree(text)[key]
    assert isinstance(found, dict)
    return dict(found)


def test_one_value_changes_one_line() -> None:
    changed = edit(FILE, "hatchet", {**entry(FILE, "hatchet"), "points": "9"}, FIELDS)
    assert changed == FILE.replace("points: 7         # 4 + 3", "points: 9         # 4 + 3")


def test_a_new_field_stands_where_the_game_declares_it() -> None:
    changed = edit(FILE, "hatchet", {**entry(FILE, "hatchet"), "rules": "It chops."}, FIELDS)
    assert changed == FILE.replace("[white, blue]\n", "[white, blue]\n  rules: It chops.\n")


def test_a_field_is_left_out_and_the_next_ones_comment_stays() -> None:
    new = entry(FILE, "hatchet")
    del new["name"]
    assert edit(FILE, "hatchet", new, FIELDS) == FILE.replace("  name: Hatchet\n", "")


def test_flow_style_stays_flow() -> None:
    changed = edit(FILE, "rope", {**entry(FILE, "rope"), "points": "2"}, FIELDS)
    assert "rope: {kind: equipment, name: Rope, points: 2}" in changed


def test_a_new_card_is_appended() -> None:
    changed = edit(FILE, "saw", {"kind": "equipment", "name": "Saw", "points": "07"}, FIELDS)
    assert changed.startswith(FILE)
    assert entry(changed, "saw") == {"kind": "equipment", "name": "Saw", "points": "07"}


def test_a_card_is_removed_with_its_lines_only() -> None:
    assert remove(FILE, "hatchet") == FILE[: FILE.index("hatchet:")] + FILE[FILE.index("\n# The crowbar") :]


def test_a_broken_file_is_never_written() -> None:
    with pytest.raises(FileProblem):
        edit("a: {b", "a", {"b": "c"}, FIELDS)


SAMPLES = sorted(ROOT.glob("cards/*/cards/*.yaml")) + sorted(ROOT.glob("cards/*/bands/*.yaml"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_shipped_files_change_in_place(path: Path) -> None:
    """A change of one field of the last entry touches no line above it."""
    text = path.read_text("utf-8")
    found = tree(text)
    key = list(found)[-1] if path.parent.name == "cards" else None
    old = entry(text, key) if key else found
    name = "name" if key else "title"
    changed = edit(text, key, {**old, name: "Something: else"}, {name: Field("text")})
    before, after = text.splitlines(), changed.splitlines()
    assert len(before) == len(after)
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff"), max_size=30
)
trees = st.recursive(
    texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(st.sampled_from(["name", "points", "dice", "rules", "x"]), trees, max_size=4))
def test_whatever_is_written_is_read_back(new: dict[str, Tree]) -> None:
    """Either the file says exactly what was wanted, or nothing is written."""
    try:
        changed = edit(FILE, "hatchet", {"kind": "equipment", **new}, FIELDS)
    except FileProblem:
        return
    assert tree(changed) == {**tree(FILE), "hatchet": {"kind": "equipment", **new}}


LINES = st.lists(
    st.sampled_from(["- {card: a}", "- card: b  # beside", "- card: c\n    more: [1, 2]", "- d"]),
    min_size=1,
    max_size=6,
)


@given(LINES, st.randoms(use_true_random=False))
def test_items_that_change_places_take_their_comments_along(items: list[str], random: Random) -> None:
    """Each item is told apart by a comment of its own above it, which must still be above it."""
    written = [f"  # about {number}\n  {text}\n" for number, text in enumerate(items)]
    file = f"title: x\nmembers:\n{''.join(written)}# the end\n"
    old = tree(file)["members"]
    assert isinstance(old, list)
    order = list(range(len(items)))
    random.shuffle(order)
    new = [old[number] for number in order]
    changed = edit(file, None, {"title": "x", "members": new}, {})
    assert tree(changed)["members"] == new
    if new == old:
        assert changed == file
    else:
        # Equal items cannot be told apart: the first of them is taken first.
        assert sorted(changed.splitlines()) == sorted(file.splitlines())
        for number, text in enumerate(items):
            if items.count(text) == 1:
                assert written[number] in changed


def test_items_of_a_list_inside_of_an_item_take_what_stands_beside_them() -> None:
    file = "m:\n  - card: a\n    hands:\n      - x  # one\n      - y  # two\n      - z\n    name: A\n"
    changed = edit(file, None, {"m": [{"card": "a", "hands": ["z", "x", "y"], "name": "B"}]}, {})
    assert "- x  # one" in changed and "- y  # two" in changed and "- z\n" in changed


@given(LINES, st.data())
def test_items_that_stay_keep_their_lines(items: list[str], data: st.DataObject) -> None:
    """One item is edited, taken out or put in: the lines of all others are as they were."""
    written = [f"  # about {number}\n  {text}\n" for number, text in enumerate(items)]
    old = tree(f"m:\n{''.join(written)}")["m"]
    assert isinstance(old, list)
    place = data.draw(st.integers(0, len(items) - 1))
    way = data.draw(st.sampled_from(["edit", "add", "remove"] if len(items) > 1 else ["edit", "add"]))
    new = list(old)
    item = old[place]
    if way == "edit":
        new[place] = {**item, "name": "Otto: the “last”"} if isinstance(item, dict) else "other"
    elif way == "add":
        new.append({"card": "new", "more": ["1"]})
    else:
        del new[place]
    changed = edit(f"m:\n{''.join(written)}", None, {"m": new}, {})
    assert tree(changed)["m"] == new
    for number, text in enumerate(written):
        if (number != place or way == "add") and items.count(items[place]) == 1:
            assert text in changed
    if way == "edit":
        assert f"# about {place}\n" in changed


def test_a_long_line_is_left_alone_when_its_neighbour_is_edited() -> None:
    long = "  - {card: a, name: " + "Long " * 30 + "}"
    file = f"m:\n{long}\n  - {{card: b, hands: [x]}}  # mine\n"
    changed = edit(file, None, {"m": [tree(file)["m"][0], {"card": "b", "hands": ["x", "y"]}]}, {})  # type: ignore[index]
    assert changed.startswith(f"m:\n{long}\n  - {{card: b, hands: [x, y]}}") and changed.endswith(" # mine\n")


def test_what_grows_too_long_for_a_line_gets_several() -> None:
    file = "m:\n  - {card: hollow-sergeant, train: {agility: 6}, actions: [disarm, finish]}\n"
    new = {
        "card": "hollow-sergeant",
        "train": {"agility": "6"},
        "actions": ["disarm", "finish"],
        "photo": "photos/mini-1.jpg",
    }
    assert edit(file, None, {"m": [new]}, {}) == (
        "m:\n  - card: hollow-sergeant\n    train: {agility: 6}\n    actions: [disarm, finish]\n    photo: photos/mini-1.jpg\n"
    )


def test_a_new_list_of_things_has_a_line_for_each() -> None:
    fields = {"title": Field("text"), "faction": Field("text"), "m": Field("list", of=Field("record"))}
    changed = edit(
        "title: T\nkind: k\n", None, {"title": "T", "kind": "k", "m": [{"card": "a"}], "faction": "f"}, fields
    )
    assert changed == "title: T\nkind: k\nfaction: f\nm:\n  - {card: a}\n"
