"""Reviewing a translation in Studio: what is shown, what is written, and that nobody's work is lost."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cardgen.studio.app import create_app
from tests.studio.conftest import HOST, Browser
from tests.support import edit, write_project

PO = "cards/g/i18n/es.po"
HEAD = 'msgid ""\nmsgstr ""\n"Language: es\\n"\n'


def text(context: str, source: str, target: str, *above: str) -> str:
    lines = [*above, f'msgctxt "{context}"', f'msgid "{source}"', f'msgstr "{target}"']
    return "\n" + "\n".join(lines) + "\n"


TRANSLATED = (
    HEAD
    + text("axe/name", "Ax", "Hachuela", "# By Ana.")
    + text("axe/rules", "**Chop** it.", "**Corta**.")
    + text("rope/name", "Rope", "Cuerda", "#, fuzzy")
    + text("labels/points", "Points", "Points")
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    game = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]")
    root = write_project(tmp_path / "project", game)
    (root / "cards/g/i18n").mkdir()
    (root / PO).write_text(TRANSLATED, "utf-8")
    return root


@pytest.fixture
def studio(root: Path) -> Iterator[Browser]:
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token)


def page(studio: Browser, unit: str = "", state: str = "all") -> str:
    answer = studio.get(f"/g/g/review/es{unit and '/' + unit}?state={state}")
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def row(html: str, context: str) -> str:
    found = re.search(rf'<article [^>]*data-context="{re.escape(context)}".*?</article>', html, re.DOTALL)
    assert found, context
    return found[0]


def seen(html: str, context: str) -> str:
    found = re.search(r'data-seen="(\w+)"', row(html, context))
    assert found
    return found[1]


def save(studio: Browser, context: str, typed: str, verdict: str, seen: str, shown: str) -> Any:
    fields = {"context": context, "text": typed, "verdict": verdict, "seen": seen, "shown": shown}
    answer = studio.post("/g/g/review/es/save", fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


def changes(root: Path) -> list[str]:
    lines = difflib.ndiff(TRANSLATED.splitlines(), (root / PO).read_text("utf-8").splitlines())
    return sorted(line for line in lines if line[0] in "+-")


def test_texts_are_shown_with_their_states(studio: Browser) -> None:
    html = page(studio, "axe")
    assert "source changed" in row(html, "axe/name") and "# By Ana." in row(html, "axe/name")
    assert "done" in row(html, "axe/rules")
    counts = dict(re.findall(r'data-count="(\w+)">(\d+)', html))
    assert (counts["stale"], counts["unreviewed"], counts["same"], counts["done"]) == ("1", "1", "1", "1")
    assert int(counts["all"]) == sum(int(counts[name]) for name in ("missing", "stale", "unreviewed", "same", "done"))


def test_what_changed_in_the_source_is_marked(studio: Browser) -> None:
    html = row(page(studio, "axe"), "axe/name")
    assert "<del>Ax</del>" in html and "<ins>Axe</ins>" in html


@pytest.mark.parametrize(
    ("state", "units"), [("stale", ["axe"]), ("unreviewed", ["rope"]), ("same", ["labels"]), ("done", ["axe"])]
)
def test_the_list_is_filtered(studio: Browser, state: str, units: list[str]) -> None:
    html = page(studio, state=state)
    assert re.findall(r'<li><a href="/g/g/review/es/([\w-]+)', html) == units
    # In a section only what the filter shows stands, of a card all its texts.
    assert len(re.findall("<article", html)) == (2 if units == ["axe"] else 1)


def test_a_search_looks_into_both_languages(studio: Browser) -> None:
    for words, units in (("cuerda", ["rope"]), ("chop", ["axe"]), ("hachuela corta", ["axe"]), ("nothing", [])):
        html = studio.get(f"/g/g/review/es?state=all&q={words}").text
        assert re.findall(r'<li><a href="/g/g/review/es/([\w-]+)', html) == units


def test_what_is_typed_is_a_draft_until_it_is_accepted(studio: Browser, root: Path) -> None:
    html = page(studio, "axe")
    said = save(studio, "axe/name", "Hacha", "draft", seen(html, "axe/name"), "Hachuela")
    assert said["state"] == "stale" and not said["conflict"]
    assert changes(root) == [
        '+ #, fuzzy', '+ #| msgid "Ax"', '+ msgid "Axe"', '+ msgstr "Hacha"', '- msgid "Ax"', '- msgstr "Hachuela"',
    ]  # fmt: skip
    said = save(studio, "axe/name", "Hacha", "accepted", said["revision"], "Hacha")
    assert said["state"] == "done" and said["counts"]["stale"] == 0
    assert changes(root) == ['+ msgid "Axe"', '+ msgstr "Hacha"', '- msgid "Ax"', '- msgstr "Hachuela"']


def test_a_right_translation_can_be_doubted_and_accepted_again(studio: Browser, root: Path) -> None:
    html = page(studio, "axe")
    said = save(studio, "axe/rules", "**Corta**.", "doubted", seen(html, "axe/rules"), "**Corta**.")
    assert said["state"] == "unreviewed" and changes(root) == ["+ #, fuzzy"]
    save(studio, "axe/rules", "**Corta**.", "accepted", said["revision"], "**Corta**.")
    assert changes(root) == []


def test_a_new_text_stands_in_its_place(studio: Browser, root: Path) -> None:
    html = page(studio, "keywords")
    said = save(studio, "keywords/sharp.title", "Afilado", "accepted", seen(html, "keywords/sharp.title"), "")
    assert said["state"] == "done"
    assert '\nmsgctxt "keywords/sharp.title"\nmsgid "Sharp"\nmsgstr "Afilado"\n' in (root / PO).read_text("utf-8")


def test_two_tabs_keep_each_others_texts(studio: Browser, root: Path) -> None:
    first, second = page(studio, "axe"), page(studio, "rope")
    save(studio, "axe/name", "Hacha", "accepted", seen(first, "axe/name"), "Hachuela")
    save(studio, "rope/name", "Soga", "accepted", seen(second, "rope/name"), "Cuerda")
    written = (root / PO).read_text("utf-8")
    assert 'msgstr "Hacha"' in written and 'msgstr "Soga"' in written


def test_two_who_change_one_text_are_asked(studio: Browser, root: Path) -> None:
    html = page(studio, "rope")
    save(studio, "rope/name", "Soga", "accepted", seen(html, "rope/name"), "Cuerda")
    said = save(studio, "rope/name", "Cabo", "accepted", seen(html, "rope/name"), "Cuerda")
    assert said["conflict"] and said["target"] == "Soga" and "Soga" in said["row"]
    assert 'msgstr "Cabo"' not in (root / PO).read_text("utf-8"), "nothing is written before the answer"
    again = save(studio, "rope/name", "Cabo", "draft", said["revision"], said["target"])
    assert not again["conflict"] and 'msgstr "Cabo"' in (root / PO).read_text("utf-8")


def test_who_typed_nothing_sees_what_another_wrote(studio: Browser) -> None:
    html = page(studio, "rope")
    save(studio, "rope/name", "Soga", "accepted", seen(html, "rope/name"), "Cuerda")
    said = save(studio, "rope/name", "Cuerda", "accepted", seen(html, "rope/name"), "Cuerda")
    assert said["taken"] and not said["conflict"] and said["target"] == "Soga" and said["state"] == "done"


def test_an_external_change_is_asked_about(studio: Browser, root: Path) -> None:
    html = page(studio, "rope")
    (root / PO).write_text(TRANSLATED.replace("Cuerda", "Maroma"), "utf-8")
    said = save(studio, "rope/name", "Cabo", "draft", seen(html, "rope/name"), "Cuerda")
    assert said["conflict"] and said["target"] == "Maroma"


def test_a_translation_is_accepted_for_the_source_that_was_read(studio: Browser, root: Path) -> None:
    html = page(studio, "axe")
    cards = root / "cards/g/cards/items.yaml"
    cards.write_text(cards.read_text("utf-8").replace("**Chop** it.", "**Chop** it twice."), "utf-8")
    studio.refresh()
    said = save(studio, "axe/rules", "**Corta**.", "accepted", seen(html, "axe/rules"), "**Corta**.")
    assert said["taken"] and said["state"] == "stale" and "twice" in said["row"]
    assert changes(root) == []


def test_what_cannot_be_printed_is_kept_and_not_accepted(studio: Browser, root: Path) -> None:
    html = page(studio, "axe")
    said = save(studio, "axe/rules", "Corta.", "accepted", seen(html, "axe/rules"), "**Corta**.")
    assert said["state"] == "unreviewed" and "**" in said["problem"]
    assert changes(root) == ["+ #, fuzzy", '+ msgstr "Corta."', '- msgstr "**Corta**."']


def test_a_set_that_is_not_translated_yet_gets_its_file(studio: Browser, root: Path) -> None:
    (root / PO).unlink()
    said = save(studio, "axe/name", "Hacha", "accepted", seen(page(studio, "axe"), "axe/name"), "")
    assert said["state"] == "done"
    written = (root / PO).read_text("utf-8")
    assert 'msgstr "Hacha"' in written and 'msgctxt "rope/name"' in written, "every text is there to be translated"


def test_a_broken_file_is_told_and_left_alone(studio: Browser, root: Path) -> None:
    html = page(studio, "axe")
    broken = TRANSLATED.replace('msgstr "Cuerda"', "msgstr Cuerda")
    (root / PO).write_text(broken, "utf-8")
    answer = studio.get("/g/g/review/es")
    assert answer.status_code == 422 and f"{PO}:17:" in answer.text
    fields = {"context": "axe/name", "text": "Hacha", "seen": seen(html, "axe/name"), "shown": "Hachuela"}
    assert studio.post("/g/g/review/es/save", fields).status_code == 422
    assert (root / PO).read_text("utf-8") == broken


def test_a_shipped_translation_is_copied_and_never_changed(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "cardgen.yaml").write_text("name: mine\ngames: [twd]\n", "utf-8")
    shipped = Path(__file__).resolve().parents[2] / "cards/twd/i18n/es.po"
    before = shipped.read_bytes()
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        studio = Browser(client, app.state.studio.token)
        html = studio.get("/g/twd/review/es/hatchet?state=all").text
        fields = {
            "context": "hatchet/name", "text": "Machado", "seen": seen(html, "hatchet/name"), "verdict": "accepted",
            "shown": re.findall(r"<textarea[^>]*>\n([^<]*)", row(html, "hatchet/name"))[0],
        }  # fmt: skip
        assert studio.post("/g/twd/review/es/save", fields).status_code == 200
    assert shipped.read_bytes() == before
    own = (root / "cards/twd/i18n/es.po").read_text("utf-8")
    lines = difflib.ndiff(before.decode().splitlines(), own.splitlines())
    assert [line for line in lines if line[0] == "+"] == ['+ msgstr "Machado"']


def preview(studio: Browser, unit: str, **typed: str) -> Any:
    fields = {f"t.{unit}/{name}": text for name, text in typed.items()}
    answer = studio.post(f"/g/g/review/es/{unit}/preview", {"page": "p", **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_what_is_typed_is_drawn_and_measured(studio: Browser) -> None:
    short = preview(studio, "axe", name="Hacha", rules="**Corta**.")
    assert set(short["pictures"]) == {"source", "target"} and short["over"] == []
    assert short["pictures"]["source"]["png"] != short["pictures"]["target"]["png"]
    assert short["fits"]["axe/rules"] == "fits at full size"
    long = preview(studio, "axe", name="Hacha", rules="**Corta** " + "y corta otra vez todo lo que encuentres " * 20)
    assert long["over"] == ["axe/rules"] and re.match(r"\d+\.\d mm too long", long["fits"]["axe/rules"])
    assert long["pictures"]["target"]["png"] != short["pictures"]["target"]["png"]
    assert long["pictures"]["source"]["png"] == short["pictures"]["source"]["png"]


def test_what_is_typed_is_checked(studio: Browser) -> None:
    said = preview(studio, "axe", name='Hacha "x"', rules="Corta 300 [axe]\u4e00.")["remarks"]
    assert "quotation marks" in said["axe/name"][0]
    assert any("**" in remark for remark in said["axe/rules"])
    said = preview(studio, "axe", name="Hacha \u4e00", rules="**Corta**.")["remarks"]
    assert any("U+4E00" in remark for remark in said["axe/name"]) and "axe/rules" not in said


def test_what_does_not_fit_is_found(studio: Browser, root: Path) -> None:
    long = "**Corta** " + "y corta otra vez todo lo que encuentres " * 20
    (root / PO).write_text(TRANSLATED.replace("**Corta**.", long), "utf-8")
    for _ in range(20):
        html = page(studio, state="unfit")
        if "being measured" not in html:
            break
    assert re.findall(r'<li><a href="/g/g/review/es/([\w-]+)', html) == ["axe"]


def test_remarks_are_found(studio: Browser, root: Path) -> None:
    (root / PO).write_text(TRANSLATED.replace('"**Corta**."', '"**Corta** corta corta."'), "utf-8")
    assert re.findall(r'<li><a href="/g/g/review/es/([\w-]+)', page(studio, state="remarks")) == ["axe"]


def test_remarks_on_drafts_are_found(studio: Browser, root: Path) -> None:
    assert re.findall(r'<li><a href="/g/g/review/es/([\w-]+)', page(studio, state="remarks")) == []
    (root / PO).write_text(TRANSLATED.replace("Cuerda", "Cuerda cuerda"), "utf-8")
    assert 'data-state="unreviewed"' in row(page(studio, "rope"), "rope/name")
    assert re.findall(r'<li><a href="/g/g/review/es/([\w-]+)', page(studio, state="remarks")) == ["rope"]
    # A stale text whose translation was typed anew, and not accepted, is a draft as well.
    (root / PO).write_text(TRANSLATED, "utf-8")
    html = page(studio, "axe")
    save(studio, "axe/name", "Hacha hacha", "draft", seen(html, "axe/name"), "Hachuela")
    assert re.findall(r'<li><a href="/g/g/review/es/([\w-]+)', page(studio, state="remarks")) == ["axe"]


@pytest.mark.parametrize(
    "url", ["/g/g/review/fr", "/g/g/review/en", "/g/h/review/es", "/g/g/review/es/nobody", "/g/g/review/es?state=odd"]
)
def test_what_is_not_there_is_not_found(studio: Browser, url: str) -> None:
    assert studio.get(url).status_code == 404


def test_the_first_language_is_shown_first(studio: Browser) -> None:
    assert studio.get("/g/g/review", follow_redirects=False).headers["location"] == "/g/g/review/es"
    assert studio.post("/g/g/review/es/save", {"context": "no/such"}).status_code == 404
    assert studio.post("/g/g/review/es/save", {"context": "axe/name", "verdict": "sure"}).status_code == 422
