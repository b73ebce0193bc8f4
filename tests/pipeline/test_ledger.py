"""The ledger's relations: what is printed has not changed, and one change is seen exactly where it shows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

import cardgen
from cardgen.diagnostics import Report, Span
from cardgen.errors import UsageError
from cardgen.files import Shelf
from cardgen.load.ledger import printing_text, read_ledger
from cardgen.model.ledger import (
    ALPHABET,
    CODE_LENGTH,
    PrintedItem,
    PrintedWith,
    Printing,
    Snapshot,
    code_of,
    face_id,
    read_code,
)
from cardgen.pipeline.ledger.compare import compare
from cardgen.pipeline.ledger.identify import identify
from cardgen.pipeline.ledger.values import LONGEST, shortened, texts_of
from cardgen.pipeline.products import Options
from cardgen.pipeline.wishes import Wish
from tests.pipeline.ledgers import bilingual, change, changed, printed, sound, told

CARDS = "cards/g/cards/items.yaml"
FRONT = ("front",)
# The base project's component: counters, whose layout is shipped.
COUNTERS = """\
tokens:
  make: counters
  title: Tokens
  size: 20mm
  items:
    life: {title: Life, copies: 3, front: {text: Life}}
"""


# --- codes -----------------------------------------------------------------------------------------------------------

KEYS = st.binary(min_size=32, max_size=32).map(bytes.hex)


@given(KEYS)
def test_a_code_begins_the_faces_id(key: str) -> None:
    id = face_id(key)
    assert id.startswith(code_of(key))
    assert len(id) == 16
    assert set(id) <= set(ALPHABET)
    # All 80 bits are in it.
    assert int("".join(f"{ALPHABET.index(letter):05b}" for letter in id), 2) == int(key, 16) >> (256 - 80)


@given(KEYS)
def test_a_code_is_read_however_it_is_typed(key: str) -> None:
    code = code_of(key)
    typed = f"{code[:3]}-{code[3:]}".lower().replace("0", "o").replace("1", "l")
    assert read_code(typed) == code


@pytest.mark.parametrize("text", ["", "-", "7K3F9U", "7K3F9!", "7" * 17, "хацкер"])
def test_what_is_no_code(text: str) -> None:
    assert read_code(text) is None


# --- files -----------------------------------------------------------------------------------------------------------

FACES = st.lists(KEYS.map(face_id), max_size=3).map(tuple)
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).map(shortened).filter(bool)
ITEMS = st.builds(
    PrintedItem,
    title=WORDS,
    copies=st.integers(1, 999),
    front=FACES,
    back=FACES,
    shape=st.one_of(st.just(""), KEYS.map(face_id)),
    values=st.dictionaries(WORDS, WORDS, max_size=3),
)
OPTIONS = st.builds(
    PrintedWith,
    no_backgrounds=st.booleans(),
    low_ink=st.booleans(),
    backs=st.sampled_from([None, "none"]),
    size=st.one_of(st.none(), st.floats(1, 2000).map(lambda mm: round(mm, 6))),
    scale=st.one_of(st.none(), st.sampled_from([0.5, 0.75, 1.2])),
    sets=st.one_of(st.none(), st.integers(1, 500)),
    codes=st.booleans(),
)
SNAPSHOTS = st.builds(
    Snapshot,
    game=st.just("g"),
    lang=st.just("en"),
    print=st.just("items"),
    version=st.just("1"),
    options=OPTIONS,
    fonts=KEYS.map(face_id),
    layouts=st.dictionaries(st.just("g/item"), KEYS.map(face_id)),
    items=st.dictionaries(st.sampled_from("abcdefgh"), ITEMS, max_size=6),
)


@given(snapshot=SNAPSHOTS, number=st.integers(1, 999))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read(tmp_path: Path, snapshot: Snapshot, number: int) -> None:
    printing = Printing("p", number, "2026-11-30 08:00:00", {snapshot.name: snapshot}, Span("printed/p.yaml"))
    (tmp_path / "printed").mkdir(exist_ok=True)
    (tmp_path / "printed/p.yaml").write_text(printing_text(printing), "utf-8")
    report = Report()
    ledger = read_ledger(Shelf((tmp_path,)), report)
    assert not report.items, [item.message for item in report]
    (found,) = ledger.printings
    assert structs.replace(found, span=printing.span) == printing


def test_printings_come_by_date_then_by_number(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    names = [printed(root, date) for date in ("2026-12-02", "2026-11-30", "2026-11-30")]
    assert names == ["2026-12-02-1", "2026-11-30-1", "2026-11-30-2"]
    _, ledger = sound(root)
    assert [printing.id for printing in ledger.printings] == ["2026-11-30-1", "2026-11-30-2", "2026-12-02-1"]
    assert [printing.number for printing in ledger.printings] == [2, 3, 1]


def test_what_a_killed_process_leaves_is_not_read(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root)
    (root / "printed/.2026-12-01-1.yaml.abcd.tmp").write_text("number: 2\ndate: 20")
    assert told(root) == set()


@pytest.mark.parametrize("name", ["last", "2026-11-30", "a/b", "", ".hidden", "x" * 70])
def test_names_that_a_printing_cannot_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        printed(bilingual(tmp_path), name=name)


def test_a_name_is_given_once(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root, name="First")
    with pytest.raises(UsageError, match="noted already"):
        printed(root, name="first")


# --- comparing -------------------------------------------------------------------------------------------------------


@given(SNAPSHOTS)
def test_nothing_has_changed_of_what_is_the_same(snapshot: Snapshot) -> None:
    changes = compare(snapshot, snapshot, "", "last")
    assert (changes.items, changes.same) == ((), len(snapshot.items))


@given(SNAPSHOTS, SNAPSHOTS)
def test_printing_what_is_missing_and_taking_out_the_old_gives_what_is_wanted(old: Snapshot, new: Snapshot) -> None:
    held = sum(item.copies for item in old.items.values())
    wanted = sum(item.copies for item in new.items.values())
    changes = compare(old, new, "", "last")
    assert held + sum(i.to_print for i in changes.items) - sum(i.to_take_out for i in changes.items) == wanted
    assert changes.same + sum(item.kind != "gone" for item in changes.items) == len(new.items)
    for item in changes.items:
        assert item.to_print or item.to_take_out


@given(SNAPSHOTS, st.data())
def test_one_change_is_one_change(snapshot: Snapshot, data: st.DataObject) -> None:
    if not snapshot.items:
        return
    label = data.draw(st.sampled_from(sorted(snapshot.items)))
    item = snapshot.items[label]
    other = structs.replace(item, front=(*item.front, "0" * 16))
    changes = compare(snapshot, structs.replace(snapshot, items={**snapshot.items, label: other}), "", "last")
    assert [(change.label, change.kind, change.parts) for change in changes.items] == [(label, "changed", FRONT)]


@given(SNAPSHOTS, st.data())
def test_another_id_makes_no_other_card(snapshot: Snapshot, data: st.DataObject) -> None:
    if not snapshot.items:
        return
    label = data.draw(st.sampled_from(sorted(snapshot.items)))
    renamed = {f"{name}2" if name == label else name: item for name, item in snapshot.items.items()}
    assert compare(snapshot, structs.replace(snapshot, items=renamed), "", "last").items == ()


@given(SNAPSHOTS, SNAPSHOTS)
def test_nothing_is_said_of_cards_with_errors(old: Snapshot, new: Snapshot) -> None:
    lost = [label for label in old.items if label not in new.items]
    changes = compare(old, new, "", "last", lost)
    assert not any(item.kind == "gone" for item in changes.items)
    assert changes.unknown == tuple(sorted(lost))


@given(st.text(max_size=1000))
def test_long_texts_are_cut_and_still_told_apart(text: str) -> None:
    kept = shortened(text)
    assert len(kept) <= LONGEST + 12
    assert shortened(kept) == kept or len(kept) > LONGEST
    if len(text) > LONGEST + 20:
        assert shortened(text.strip() + "a") != shortened(text.strip() + "b")


def test_values_are_told_by_their_paths() -> None:
    values = {"name": "Axe", "heavy": True, "reach": 2.5, "none": None, "empty": (), "dice": ("a", "b")}
    assert texts_of({**values, "results": {"low": "x"}, "parts": ({"n": 1}, {"n": 2})}) == {
        "name": "Axe",
        "heavy": "yes",
        "reach": "2.5",
        "dice": "a, b",
        "results.low": "x",
        "parts.0.n": "1",
        "parts.1.n": "2",
    }


# --- a project -------------------------------------------------------------------------------------------------------


def test_what_is_printed_has_not_changed(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root)
    assert [(changes.name, changes.same, changes.items) for changes in changed(root)] == [
        ("g/en/items", 2, ()),
        ("g/es/items", 2, ()),
    ]


def test_a_field_changes_its_card_in_all_languages(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root)
    change(root, CARDS, "  kind: item\n  name: Rope", "  kind: item\n  points: 3\n  name: Rope")
    assert told(root) == {("en", "rope", "changed", FRONT), ("es", "rope", "changed", FRONT)}
    (value,) = changed(root)[0].items[0].values
    assert (value.field, value.old, value.new) == ("points", "1", "3")


def test_a_translation_changes_its_language_alone(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root)
    change(root, "cards/g/i18n/es.po", "Cuerda", "Soga")
    assert told(root) == {("es", "rope", "changed", FRONT)}


def test_what_shows_nowhere_changes_nothing(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root)
    change(root, "cards/g/game.yaml", "labels: {points: Points}", "labels: {points: Points, other: Other}")
    change(root, "cards/g/game.yaml", "It cuts.", "It cuts well.")
    change(root, "cards/g/i18n/es.po", "It cuts.", "It cuts well.")
    assert told(root) == set()


@pytest.mark.parametrize(
    ("file", "old", "new", "cause"),
    [
        ("layouts/g/item.html.j2", "{{ card.points }}", "{{ card.points }} p", "layout"),
        ("layouts/g/item.css", "#336699", "#336698", "layout"),
    ],
)
def test_a_layout_changes_all_its_cards(tmp_path: Path, file: str, old: str, new: str, cause: str) -> None:
    root = bilingual(tmp_path)
    printed(root)
    change(root, file, old, new)
    assert told(root) == {(lang, card, "changed", FRONT) for lang in ("en", "es") for card in ("axe", "rope")}
    assert {item.causes for changes in changed(root) for item in changes.items} == {(cause,)}


def test_a_font_changes_everything(tmp_path: Path, root: Path) -> None:
    shutil.copytree(root / "fonts", tmp_path / "fonts")
    own = bilingual(tmp_path)
    printed(own)
    folder = own / "fonts/fira-sans-condensed"
    shutil.copy(folder / "FiraSansCondensed-Bold.ttf", folder / "FiraSansCondensed-Regular.ttf")
    assert {(lang, card) for lang, card, *_ in told(own)} == {(a, b) for a in ("en", "es") for b in ("axe", "rope")}
    assert {item.causes for changes in changed(own) for item in changes.items} == {("fonts",)}


def test_a_version_of_the_program_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = bilingual(tmp_path)
    printed(root)
    monkeypatch.setattr(cardgen, "__version__", "99.0")
    monkeypatch.setattr("weasyprint.__version__", "99.0")
    assert told(root) == set()


def test_new_gone_and_more(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root, languages=("en",))
    change(root, CARDS, "copies: 2", "copies: 5")
    change(root, CARDS, "axe:\n", "saw:\n")
    change(root, CARDS, "Axe", "Saw")
    (changes,) = changed(root)
    assert [(i.label, i.kind, i.old_copies, i.copies, i.to_print, i.to_take_out) for i in changes.items] == [
        ("saw", "new", 0, 1, 1, 0),
        ("rope", "copies", 2, 5, 3, 0),
        ("axe", "gone", 1, 0, 0, 1),
    ]


def test_a_print_that_is_no_more(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root, languages=("en",))
    change(root, "cards/g/game.yaml", "  items: {", "  things: {")
    (changes,) = changed(root)
    assert [(item.label, item.kind) for item in changes.items] == [("axe", "gone"), ("rope", "gone")]


def test_a_card_with_errors_is_not_gone(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root, languages=("en",))
    change(root, CARDS, "name: Axe", "name: Axe\n  points: many")
    report = Report()
    from cardgen.load.project import load_project
    from cardgen.pipeline.ledger.held import beside, changes_of
    from cardgen.pipeline.ledger.record import as_they_are

    project = load_project(root, report)
    assert project is not None
    ledger = read_ledger(project.shelf, report)
    (held,) = beside(project, ledger.latest().values(), Options(), report)
    changes = changes_of(held)
    assert (changes.items, changes.unknown) == ((), ("axe",))
    # What is noted of it now is what was noted before.
    (snapshot,) = as_they_are(project, ledger, (), (), Options(), report)
    assert snapshot.items["axe"] == held.snapshot.items["axe"]
    assert any(item.code == "CG405" for item in report)


def test_what_was_printed_without_backgrounds_is_compared_without(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root, options=Options(low_ink=True))
    _, ledger = sound(root)
    assert all(snapshot.options.low_ink for _, snapshot in ledger.latest().values())
    assert told(root) == set()
    # Asked for otherwise, every card is another.
    assert {kind for _, _, kind, _ in told(root, options=Options(no_backgrounds=True))} == {"changed"}
    # And noted again, it is noted as it was built.
    printed(root, "2026-12-01")
    assert told(root) == set()
    assert all(snapshot.options.low_ink for _, snapshot in sound(root)[1].latest().values())
    # Named, it is noted as the options say.
    printed(root, "2026-12-02", targets=("g",))
    assert not any(snapshot.options.low_ink for _, snapshot in sound(root)[1].latest().values())
    assert told(root) == set()


def test_since_a_printing_or_a_date(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root, "2026-11-01", "first")
    change(root, CARDS, "**Chop** it.", "**Chop** it twice.")
    printed(root, "2026-11-20", "second")
    assert told(root) == told(root, "second") == told(root, "2026-12-31") == set()
    before = told(root, "first")
    assert {card for _, card, *_ in before} == {"axe"}
    assert told(root, "2026-11-01") == told(root, "2026-11-19") == before
    for unknown in ("third", "2026-10-31", "2026-13-01"):
        with pytest.raises(UsageError):
            told(root, unknown)


def test_prints_are_held_each_since_their_own_printing(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    printed(root, "2026-11-01", languages=("en",))
    change(root, CARDS, "Rope\n", "Line\n")
    printed(root, "2026-11-20", targets=("g/items",), languages=("es",))
    assert told(root) == {("en", "rope", "changed", FRONT)}
    # Without a target what was noted before is noted again.
    printed(root, "2026-11-21")
    assert told(root) == set()


def test_components_are_noted_by_their_cutouts(tmp_path: Path) -> None:
    root = bilingual(tmp_path)
    (root / "cards/g/components").mkdir()
    (root / "cards/g/components/tokens.yaml").write_text(COUNTERS)
    change(
        root, "cards/g/game.yaml", "prints:\n", 'prints:\n  tokens: {title: T, version: "1", components: [tokens]}\n'
    )
    printed(root, targets=("g/tokens",), languages=("en",))
    assert told(root) == set()
    (changes,) = changed(root, options=Options(wish=Wish(size=25.0)))
    assert {item.kind for item in changes.items} == {"changed"}
    change(root, "cards/g/components/tokens.yaml", "copies: 3", "copies: 4")
    (item,) = changed(root)[0].items
    assert (item.kind, item.to_print) == ("copies", 1)


# --- codes on cards --------------------------------------------------------------------------------------------------


def with_codes(folder: Path) -> Path:
    root = bilingual(folder)
    (root / "cardgen.yaml").write_text("name: test\ncodes: yes\n")
    change(root, "layouts/g/item.html.j2", "import fit, rich %}", "import fit, rich, code %}")
    change(root, "layouts/g/item.html.j2", '<div class="ground"></div>', '<div class="ground"></div>{{ code(face) }}')
    return root


def fronts(root: Path) -> dict[str, tuple[str, str]]:
    """Code and HTML of every English card."""
    from cardgen.pipeline.products import make_products
    from cardgen.pipeline.targets import choose
    from tests.support import load

    project = load(root)
    (product,) = make_products(project, choose(project, (), ("en",)), Options(), Report())
    return {piece.label: (code_of(piece.front), product.faces[piece.front].html) for piece in product.pieces}


def test_a_code_is_the_hash_of_the_card_that_carries_it(tmp_path: Path) -> None:
    found = fronts(with_codes(tmp_path))
    assert len({code for code, _ in found.values()}) == 2
    for code, html in found.values():
        assert f'<div class="code">{code}</div>' in html
    change(tmp_path, CARDS, "Rope\n", "Line\n")
    again = fronts(tmp_path)
    assert again["axe"] == found["axe"]
    assert again["rope"][0] != found["rope"][0]


def test_there_are_no_codes_unless_asked_for(tmp_path: Path) -> None:
    root = with_codes(tmp_path)
    (root / "cardgen.yaml").write_text("name: test\n")
    assert not any("code" in html for _, html in fronts(root).values())


def test_a_code_is_identified(tmp_path: Path) -> None:
    root = with_codes(tmp_path)
    code = fronts(root)["rope"][0]
    printed(root, "2026-11-01", "first", languages=("en",))
    project, ledger = sound(root)
    (sighting,) = identify(project, ledger, code, Options(), Report())
    assert (sighting.label, sighting.title, sighting.print, sighting.lang) == ("rope", "Rope", "items", "en")
    assert (sighting.printings, sighting.current, sighting.side) == (("first",), True, "front")

    change(root, CARDS, "Rope\n", "Line\n")
    printed(root, "2026-11-02", "second")
    project, ledger = sound(root)
    (sighting,) = identify(project, ledger, code, Options(), Report())
    assert (sighting.printings, sighting.current, sighting.now) == (("first",), False, fronts(root)["rope"][0])

    change(root, CARDS, "rope:\n  kind: item\n  name: Line\n  copies: 2\n", "")
    change(root, "cards/g/i18n/es.po", 'msgctxt "rope/name"\nmsgid "Rope"\nmsgstr "Cuerda"\n', "")
    project, ledger = sound(root)
    (sighting,) = identify(project, ledger, code, Options(), Report())
    assert (sighting.current, sighting.gone) == (False, True)


def test_a_code_of_what_nobody_noted_is_found_as_well(tmp_path: Path) -> None:
    root = with_codes(tmp_path)
    project, ledger = sound(root)
    (sighting,) = identify(project, ledger, fronts(root)["axe"][0], Options(), Report())
    assert (sighting.label, sighting.printings, sighting.current) == ("axe", (), True)


def test_codes_that_cannot_be_told(tmp_path: Path) -> None:
    root = with_codes(tmp_path)
    printed(root)
    project, ledger = sound(root)
    code = fronts(root)["axe"][0]
    # One letter read wrong: the nearest is offered.
    wrong = code[:-1] + ("0" if code[-1] != "0" else "2")
    report = Report()
    assert identify(project, ledger, wrong, Options(), report) == []
    (problem,) = report
    assert problem.code == "CG422"
    assert code in problem.hint
    assert "Axe" in problem.hint
    # The beginning that all codes have in common.
    report = Report()
    assert identify(project, ledger, "", Options(), report) == []
    (problem,) = report
    assert problem.code == "CG423"
    assert problem.arguments["count"] == 4
    assert len(code) == CODE_LENGTH


def test_components_have_codes_as_well(tmp_path: Path) -> None:
    root = with_codes(tmp_path)
    (root / "cards/g/components").mkdir()
    (root / "cards/g/components/tokens.yaml").write_text(COUNTERS + "  layout: g/token\n")
    (root / "layouts/g/token.html.j2").write_text(
        '{% from "_base/macros.html.j2" import code %}{% set css = ["_base/base.css"] %}{{ code(face) }}'
    )
    change(
        root, "cards/g/game.yaml", "prints:\n", 'prints:\n  tokens: {title: T, version: "1", components: [tokens]}\n'
    )
    printed(root, name="first", targets=("g/tokens",), languages=("en",))
    project, ledger = sound(root)
    ((_, snapshot),) = ledger.latest().values()
    (item,) = snapshot.items.values()
    (sighting,) = identify(project, ledger, item.front[0][:CODE_LENGTH], Options(), Report())
    assert (sighting.print, sighting.printings, sighting.current) == ("tokens", ("first",), True)


@given(
    card=st.sampled_from(["axe", "rope"]),
    field=st.sampled_from(["name", "rules", "points"]),
    number=st.integers(2, 20),
)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_field_changes_its_card_alone(tmp_path: Path, card: str, field: str, number: int) -> None:
    shutil.rmtree(tmp_path / "printed", ignore_errors=True)
    root = bilingual(tmp_path)
    printed(root)
    text = (root / CARDS).read_text("utf-8")
    value = number if field == "points" else f"Value {number}"
    start = text.index(f"{card}:\n")
    lines = [line for line in text[start:].splitlines() if not line.startswith(f"  {field}:")]
    lines.insert(1, f"  {field}: {value}")
    whole = text[:start] + "\n".join(lines) + "\n"
    if card == "axe":
        # Only the first card loses its old value.
        rest = text[text.index("rope:\n") :]
        whole = whole[: whole.index("rope:\n")] + rest
    (root / CARDS).write_text(whole, "utf-8")
    # A text whose source has changed is printed as the source in every language.
    assert told(root) == {("en", card, "changed", FRONT), ("es", card, "changed", FRONT)}
