"""What is said about faces that were drawn: once for each cause, at the place where it can be mended."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cardgen.diagnostics import Report
from cardgen.faces.assets import Assets, die_url, picture_name
from cardgen.faces.engines import Job, render
from cardgen.files import shipped_root
from cardgen.model.face import Rendering
from cardgen.pipeline import draw as drawing
from cardgen.pipeline.build import build, check
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers, open_workers
from tests.support import BASE, edit, load, write_project

LAYOUT, CSS, CARDS = "layouts/g/item.html.j2", "layouts/g/item.css", "cards/g/cards/items.yaml"
GAME = "cards/g/game.yaml"


def problems(tmp_path: Path, changes: Mapping[str, str | None]) -> list[str]:
    """What a check says: place, code and message, hints in brackets."""
    report = Report()
    project = load(write_project(tmp_path, changes), report)
    check(project, choose(project, [], [], report), Workers(), report)
    return [f"{item.span}: {item.code}: {item.message}" + (f" ({item.hint})" if item.hint else "") for item in report]


def with_layout(more: str) -> dict[str, str]:
    return {LAYOUT: BASE[LAYOUT] + more}


def with_css(old: str, new: str) -> dict[str, str]:
    return edit(CSS, old, new)


def test_the_base_is_sound(tmp_path: Path) -> None:
    assert problems(tmp_path, {}) == []


def test_a_layout_under_a_smaller_trim_is_told_box_by_box(tmp_path: Path) -> None:
    changes = {**edit(GAME, "trim: poker-eu", "trim: mini-american")}
    changes[CARDS] = BASE[CARDS].replace(
        "**Chop** it.", "Chop it, and then chop it again until there is nothing left of it."
    )
    first, second = problems(tmp_path, changes)
    assert first.startswith(
        "cards/g/cards/items.yaml:2:3: CG318: axe/front (en): layout `g/item` puts text of `.points` "
    )
    assert "mm beyond the trim, where it is cut off: `1` (and 1 more)" in first
    assert "(the trim `mini-american` is 41 x 63 mm; " in first and first.endswith("see layouts/g/item.css:7:1)")
    assert second.startswith(
        "cards/g/cards/items.yaml:4:10: CG318: axe/front (en): layout `g/item` puts text of `rules` "
    )
    assert second.endswith("see layouts/g/item.css:5:1)")


def test_text_that_is_lost_names_the_card_and_the_rule_of_the_style_sheet(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, with_css("left: 50mm; top: 80mm", "left: 50mm; top: 86mm"))
    assert found.startswith("cards/g/cards/items.yaml:2:3: CG318: ")
    assert "`.points` 0." in found or "`.points` 1." in found
    assert found.endswith("see layouts/g/item.css:7:1)")


def test_text_near_the_cut_is_a_warning(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, with_css("left: 50mm; top: 80mm", "left: 61mm; top: 80mm"))
    assert found.startswith(
        "cards/g/cards/items.yaml:2:3: CG321: axe/front (en): layout `g/item` puts text of `.points` "
    )
    assert "mm from the cut, 3 mm are safe: `1` (and 1 more) (the trim `poker-eu` is 63 x 88 mm;" in found


def test_text_that_leaves_its_box(tmp_path: Path) -> None:
    layout = with_layout('<div class="cost">Cost {{ card.points }} each</div>')
    css = BASE[CSS] + ".cost { position: absolute; left: 40mm; top: 12mm; width: 3mm; height: 4mm }"
    (found,) = problems(tmp_path, {**layout, CSS: css})
    assert "CG320: axe/front (en): text of `.cost` in layout `g/item` leaves its box by " in found
    assert found.endswith(
        "(give it more room or smaller type, or put the text into a `fit` box; see layouts/g/item.css:8:1)"
    )


def test_text_that_is_hidden(tmp_path: Path) -> None:
    css = with_css("left: 50mm; top: 80mm", "left: 50mm; top: 80mm; width: 9mm; height: 1mm; overflow: hidden")
    (found,) = problems(tmp_path, css)
    assert "CG319: axe/front (en): layout `g/item` hides " in found


def test_a_renamed_class_is_found(tmp_path: Path) -> None:
    assert problems(tmp_path, with_css(".fit.name", ".fit.nam")) == [
        "layouts/g/item.html.j2:4:9: CG322: layout `g/item`: the box of `name` has no height of its own "
        "(no style sheet has a rule for `.name`; did you mean that for `.nam`?)"
    ]


@pytest.mark.parametrize(
    ("old", "new", "lack"),
    [
        ("width: 55mm; height: 6mm;", "width: 55mm;", "height"),
        ("{ left: 4mm; top: 4mm; width: 55mm;", "{ width: 55mm;", "place"),
        (".fit { position: absolute }", "", "place"),
    ],
)
def test_a_box_that_is_not_whole(tmp_path: Path, old: str, new: str, lack: str) -> None:
    found = [line for line in problems(tmp_path, with_css(old, new)) if "`name`" in line]
    assert found == [
        f"layouts/g/item.css:4:1: CG322: layout `g/item`: the box of `name` has no {lack} of its own "
        "(write `.name { position: absolute; left: …; top: …; width: …; height: … }`)"
    ]


def many(text: str, count: int = 4) -> dict[str, str]:
    return {CARDS: "".join(f"c{n}: {{kind: item, name: Card {n}, rules: '{text} {n}'}}\n" for n in range(count))}


def test_a_box_that_is_too_small_for_all_is_blamed_itself(tmp_path: Path) -> None:
    css = with_css("width: 55mm; height: 20mm", "width: 55mm; height: 2mm")
    (found,) = problems(tmp_path, {**css, **many("Chop it.")})
    assert found.startswith(
        "layouts/g/item.css:5:1: CG323: `rules` overflows its box on all 4 cards of layout `g/item`, by "
    )
    assert found.endswith("(it is not their texts: give the box more room or its text a smaller size)")


def test_texts_that_are_too_long_are_blamed_themselves(tmp_path: Path) -> None:
    cards = many("Chop it.", 3)
    cards[CARDS] += "long: {kind: item, name: Long, rules: '" + "Chop it. " * 200 + "'}\n"
    (found,) = problems(tmp_path, cards)
    assert found.startswith("cards/g/cards/items.yaml:4:39: CG309: long/front (en): `rules` overflows its box by ")


def test_a_glyph_is_told_with_its_text_alone(tmp_path: Path) -> None:
    letters = "猫狗一二三四五六七八九十"
    (found,) = problems(tmp_path, edit(CARDS, "name: Rope", f"name: {letters} Rope"))
    assert ": CG308: text and display font: no glyph for " in found
    assert "and 4 more in `rope/name` (en)" in found
    assert found.endswith("name that role in `fallback` of `text` and `display`)")


def test_a_glyph_that_only_a_layout_asks_for(tmp_path: Path) -> None:
    more = '\n<div class="points" style="left: 10mm">漢</div>'
    (found,) = problems(tmp_path, with_layout(more))
    assert found.startswith(
        "layouts/g/item.html.j2:8:40: CG324: layout `g/item` (en): no font has a glyph for `漢` (U+6F22)"
    )


@pytest.mark.parametrize(
    ("more", "column", "address"),
    [
        ('<img src="http://example.org/a.png">', 11, "http://example.org/a.png"),
        ('<img src="file:///etc/hostname">', 11, "file:///etc/hostname"),
        ('<img src="//example.org/a.png">', 11, "http://example.org/a.png"),
        ("<div style=\"background-image: url('https://example.org/b.png')\"></div>", 36, "https://example.org/b.png"),
        ('<img src="data:image/png;base64,AAAA">', 11, "data:image/png;base64,AAAA"),
    ],
)
def test_addresses_that_lead_out_of_the_project(tmp_path: Path, more: str, column: int, address: str) -> None:
    assert problems(tmp_path, with_layout(f"\n{more}\n")) == [
        f"layouts/g/item.html.j2:8:{column}: CG325: `{address}` is not part of the project and is never looked at "
        "(put the picture into the project and name its file)"
    ]


@pytest.mark.parametrize("profile", [True, False])
@pytest.mark.parametrize("selector", [".points", ".nobody"])
def test_such_addresses_in_a_style_sheet_are_told_once(tmp_path: Path, profile: bool, selector: str) -> None:
    css = BASE[CSS] + f"\n{selector} {{ background-image: url(http://example.org/a.png) }}\n"
    layout = ('{% set profile = "card" %}' if profile else "") + BASE[LAYOUT]
    found = problems(tmp_path, {CSS: css, LAYOUT: layout})
    told = [line for line in found if "example.org" in line]
    assert len(told) == 1 and len(found) == 1
    assert told[0].startswith("layouts/g/item.css:9:") and ("CG305" if profile else "CG325") in told[0]


def test_an_unknown_icon_is_told_where_the_layout_asks_for_it(tmp_path: Path) -> None:
    layout = BASE[LAYOUT].replace("import fit, rich", "import fit, icon, rich")
    layout += '\n\n<div class="points" style="left: 10mm">{{ icon("heath") }}</div>'
    assert problems(tmp_path, {LAYOUT: layout}) == [
        "layouts/g/item.html.j2:9:1: CG306: layout `g/item` (en): there is no icon `heath` (did you mean `health`?)"
    ]


@pytest.mark.parametrize("how", ['{{ die("white") }}', '<img class="die" src="{{ icon_url("white") }}">', "rules"])
def test_a_die_without_a_drawing_has_a_badge_of_its_own(tmp_path: Path, how: str) -> None:
    layout = BASE[LAYOUT].replace("import fit, rich", "import fit, die, rich")
    changes = {LAYOUT: layout + (f'\n<div class="points" style="left: 10mm">{how}</div>' if how != "rules" else "")}
    if how == "rules":
        changes |= edit(CARDS, '"**Chop** it."', '"Roll [white]."')
    changes[CSS] = BASE[CSS] + ".die, .icon { width: 4mm; height: 4mm }"
    assert problems(tmp_path, changes) == []


def test_the_drawing_of_a_die_takes_its_colours(tmp_path: Path) -> None:
    drawing = (
        '<svg viewBox="0 0 2 2"><path fill="var(--colour, #123456)"/><g fill="var( --ink )" stroke="currentColor"/>'
    )
    project = load(write_project(tmp_path, {"layouts/g/icons/die-white.svg": drawing + "</svg>"}))
    assets = Assets(project.shelf)
    drawn, _ = assets.read(die_url("g", "die-white", "W", "#aabbcc", "#010203"))
    assert drawn == b'<svg viewBox="0 0 2 2"><path fill="#aabbcc"/><g fill="#010203" stroke="#010203"/></svg>'


@pytest.mark.parametrize("letter", ["W", "10", "&", "</>", "Ж", "%", ""])
def test_the_badge_of_a_die_bears_its_letter(tmp_path: Path, letter: str) -> None:
    assets = Assets(load(write_project(tmp_path)).shelf)
    url = die_url("g", "none", letter, "#aabbcc", "#010203")
    drawn, mime = assets.read(url)
    (text,) = ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")
    assert (text.text or "", text.get("fill"), mime) == (letter, "#010203", "image/svg+xml")
    assert picture_name(url) == "none"


@pytest.mark.parametrize(
    ("attributes", "told"),
    [
        ("", True),
        ('width="100%" height="100%"', True),
        ('width="50"', True),
        ('viewBox="0 0 50 50"', False),
        ('width="50" height="50"', False),
        ('width="50mm" height="50.5px"', False),
    ],
)
def test_a_drawing_that_does_not_say_how_large_it_is(tmp_path: Path, attributes: str, told: bool) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}><path d="M0 0h50v50z"/></svg>'
    changes = {**with_layout('<img src="{{ art_url("dot.svg") }}">'), "cards/g/art/dot.svg": svg}
    expected = [
        "cards/g/art/dot.svg: CG326: `dot.svg` does not say how large it is, so that it is not scaled to the room it has "
        '(write `viewBox="0 0 WIDTH HEIGHT"` into its `svg` element, with the size that it was drawn at)'
    ]
    assert problems(tmp_path, changes) == (expected if told else [])


# --- fonts ----------------------------------------------------------------------------------------------------------

OSWALD = (shipped_root() / "fonts/oswald/Oswald-Bold.ttf").read_bytes()


def damaged() -> bytes:
    """A font whose outlines cannot be read; its other tables can."""
    data = bytearray(OSWALD)
    records = {bytes(data[at : at + 4]): at for at in range(12, 12 + 16 * data[5], 16)}
    at = records[b"glyf"]
    data[at + 12 : at + 16] = (100).to_bytes(4, "big")
    return bytes(data)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "CG104: there is no font file `a.ttf`"),
        (b"", "CG313"),
        (b"This is no font.", "not a TrueType or OpenType font"),
        (b"wOFF" + OSWALD, "not a TrueType or OpenType font"),
        (OSWALD[:60000], "a broken font: its end is missing"),
        (OSWALD[:40], "a broken font: its end is missing"),
        (OSWALD[:4] + b"\0\0" + OSWALD[6:], "a broken font: it has no table `cmap`"),
        (damaged(), "a broken font: the engine cannot load it"),
    ],
)
@pytest.mark.parametrize("others", [True, False])
def test_a_font_that_cannot_be_used_is_told_and_nothing_is_drawn(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], content: bytes | None, words: str, others: bool
) -> None:
    roles = "roles:\n  text: {faces: [{file: a.ttf}]}\n"
    roles += "  display: {faces: [{file: oswald/Oswald-Bold.ttf}]}\n" if others else ""
    folder = write_project(tmp_path, {"fonts/fonts.yaml": roles})
    if content is not None:
        (folder / "fonts/a.ttf").write_bytes(content)
    report = Report()
    project = load(folder, report)
    with open_workers(2) as workers:
        built = build(project, choose(project, [], [], report), folder / "out", Options(), workers, report)
    assert built.files == ()
    (item,) = report.sorted()
    assert str(item.span) == "fonts/fonts.yaml:2:25"
    assert words in f"{item.code}: {item.message}"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("roles", ["roles: {}\n", "roles:\n  text: {faces: []}\n", "roles: [\n", ""])
def test_roles_without_a_font(tmp_path: Path, capfd: pytest.CaptureFixture[str], roles: str) -> None:
    (found,) = problems(tmp_path, {"fonts/fonts.yaml": roles})
    assert found.startswith("fonts/fonts.yaml:")
    assert capfd.readouterr().err == ""


# --- workers --------------------------------------------------------------------------------------------------------


def dies_at_rope(job: Job) -> Rendering:
    if any(face.label == "rope/front" for face in job.faces):
        os._exit(9)
    return render(job)


def dies_once(job: Job) -> Rendering:
    mark = Path(os.environ["CARDGEN_TEST_MARK"])
    if not mark.exists():
        mark.touch()
        os._exit(9)
    return render(job)


def test_a_face_that_ends_its_worker_is_found_and_the_others_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "render", dies_at_rope)
    cards = "".join(f"c{n}: {{kind: item, name: Card {n}}}\n" for n in range(5)) + "rope: {kind: item, name: Rope}\n"
    report = Report()
    project = load(write_project(tmp_path, {CARDS: cards}))
    with open_workers(2) as workers:
        built = build(project, choose(project, [], [], report), tmp_path / "out", Options(), workers, report)
    assert [made.pieces for made in built.files] == [5]
    messages = [item.message for item in report]
    assert "rope/front: the process that draws it is ended, by a picture, a font or want of memory" in messages


def test_a_worker_that_dies_once_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "render", dies_once)
    monkeypatch.setenv("CARDGEN_TEST_MARK", str(tmp_path / "mark"))
    report = Report()
    project = load(write_project(tmp_path / "project"))
    with open_workers(2) as workers:
        built = build(project, choose(project, [], [], report), tmp_path / "out", Options(), workers, report)
    assert [made.pieces for made in built.files] == [2]
    assert not report.items


LABELLED = {
    GAME: BASE[GAME].replace("languages: [en]", "languages: [en, es]"),
    LAYOUT: BASE[LAYOUT]
    + '<div class="row"><span class="what">{{ labels.points }}</span><span class="much">12</span></div>\n',
    CSS: BASE[CSS]
    + ".row { position: absolute; left: 4mm; top: 75mm; width: 30mm; height: 4mm; display: flex }\n"
    + ".row span { white-space: nowrap; flex: none }\n.much { width: 8mm }\n",
}


def translated(label: str, name: str = "Hacha") -> str:
    head = 'msgid ""\nmsgstr ""\n"Language: es\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    texts = {"labels/points": ("Points", label), "axe/name": ("Axe", name)}
    return head + "\n".join(
        f'msgctxt "{context}"\nmsgid "{source}"\nmsgstr "{target}"\n' for context, (source, target) in texts.items()
    )


def told_of(tmp_path: Path, changes: Mapping[str, str], label: str) -> list[str]:
    found = problems(tmp_path, {**changes, "cards/g/i18n/es.po": translated(label)})
    return [item for item in found if ": CG3" in item]


def test_a_label_that_fits_blames_nobody(tmp_path: Path) -> None:
    assert told_of(tmp_path, LABELLED, "Puntos") == []


@pytest.mark.parametrize("engine", ["weasyprint", "card"])
def test_a_label_that_pushes_something_else_out_is_named_with_its_place(tmp_path: Path, engine: str) -> None:
    stated = {**LABELLED, LAYOUT: f'{{% set engine = "{engine}" %}}\n' + LABELLED[LAYOUT]}
    told = told_of(tmp_path, stated, "Puntos que vale esta carta en la mesa, y mas que eso todavia, sin fin")
    (found,) = (item for item in told if "puts text of `.much` " in item)
    assert ": CG318: axe/front (es): layout `g/item` " in found and ": `12` (and 1 more) (" in found
    assert found.endswith("what may push it out is `labels/points` (cards/g/i18n/es.po:8:1))")


def test_a_label_that_overflows_its_own_box_on_every_card_is_one_problem_at_its_place(tmp_path: Path) -> None:
    boxed = {
        **LABELLED,
        **many("Chop it.", 4),
        LAYOUT: BASE[LAYOUT] + '{% call fit("what", min=0.5) %}{{ labels.points }}{% endcall %}\n',
        CSS: BASE[CSS] + ".fit.what { left: 4mm; top: 75mm; width: 12mm; height: 4mm; white-space: nowrap }\n",
    }
    (found,) = told_of(tmp_path, boxed, "Puntos que vale esta carta")
    assert found.startswith("cards/g/i18n/es.po:8:1: CG309: c0/front (es): `what` overflows its box by ")
    assert "(and 3 more) (shorten the text `labels/points`; " in found


def test_a_name_that_is_too_long_is_named_where_it_was_translated(tmp_path: Path) -> None:
    changes = {**LABELLED, "cards/g/i18n/es.po": translated("Puntos", "Hacha " * 30 + "fin")}
    (found,) = (item for item in problems(tmp_path, changes) if ": CG309" in item)
    assert found.startswith("cards/g/i18n/es.po:12:1: CG309: axe/front (es): `name` overflows")


@pytest.mark.parametrize("engine", ["weasyprint", "card"])
def test_a_label_that_makes_a_face_run_over_is_named(tmp_path: Path, engine: str) -> None:
    flowing = {
        **LABELLED,
        LAYOUT: f'{{% set engine = "{engine}" %}}\n'
        + BASE[LAYOUT]
        + '<p class="free">{{ labels.points }}</p><p class="free">Rope</p>',
    }
    found = told_of(tmp_path, flowing, "Puntos y puntos. " * 150)
    assert any(
        ": CG304: axe/front: its content runs over the face" in item
        and item.endswith("(the text that may push it out is `labels/points` (cards/g/i18n/es.po:8:1))")
        for item in found
    )
