"""What the form of a band's entry offers, as it is seen and clicked in a real Chromium."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.studio.test_pictures import picture
from tests.studio.test_training import BAND, URL

pytest.importorskip("playwright")

from playwright.sync_api import Page, expect

from tests.studio.browser import MARKS, drawn, opened, saved, wait_drawn, wrote

pytestmark = MARKS


@pytest.fixture(scope="module")
def game() -> str:
    return "arena"


@pytest.fixture
def band(root: Path) -> Path:
    path = root / "cards/arena/bands/trained.yaml"
    path.write_text(BAND, "utf-8")
    return path


def test_a_quick_list_tells_costs_and_greys_what_does_not_go_with_its_reason(page: Page, band: Path) -> None:
    opened(page, URL)
    quick = page.locator("select[name='a.avatars.0.traits']")
    unfit, fit = quick.locator("option[value='long-memory']"), quick.locator("option[value='hearth-luck']")
    expect(unfit).to_have_text(re.compile(r"· \d+$"))
    quick.focus()
    expect(quick).to_have_attribute("data-judged", "1")
    expect(unfit).to_be_disabled()
    expect(unfit).to_have_text(re.compile(r"· \d+ — ADM-022: \S"))
    expect(fit).to_be_enabled()
    expect(fit).to_have_text(re.compile(r"· -?\d+$"))
    expect(page.locator("select[name='a.avatars.0.actions'] option[value='walk']")).to_have_count(0)
    quick.select_option("hearth-luck")
    expect(page.locator("#f-avatars-0-traits ol > li")).to_have_count(1)
    wrote(page, band, "traits: [hearth-luck]")


def test_training_tells_how_far_it_goes_and_follows_the_type(page: Page, band: Path) -> None:
    opened(page, URL)
    agility, soul = page.locator("#f-avatars-0-train-agility"), page.locator("#f-avatars-0-train-soul")
    hint = page.locator("[data-span-for='f-avatars-0-train-agility']")
    expect(hint).to_have_text("printed 5; from 3 to 7")
    expect(agility).to_have_attribute("placeholder", "5")
    expect(soul).to_be_disabled()
    expect(page.locator("[data-span-for='f-avatars-0-train-soul']")).to_contain_text("The soul cannot be trained.")
    page.locator("#f-avatars-0-card").select_option("glasswood-archer")
    expect(hint).to_have_text("printed 7; from 3 to 9")
    expect(agility).to_have_attribute("max", "9")


def test_a_picture_is_first_cropped_to_the_frame_that_the_card_has(page: Page, band: Path) -> None:
    opened(page, URL)
    title = page.locator("#crop-title")
    page.locator("[data-upload='f-avatars-0-portrait']").click()
    expect(title).to_have_text(re.compile(r"^A picture of your own: Ash\b.* · Portrait$"))
    page.locator("#crop [data-close]").click()
    page.locator("[data-upload='f-avatars-0-photo']").click()
    expect(title).to_have_text(re.compile(r"^A picture of your own: Ash\b.* · Photograph$"))
    photo = {"name": "mini.jpg", "mimeType": "image/jpeg", "buffer": picture(300, 400)}
    page.locator("#crop input[type=file]").set_input_files(files=[photo])  # type: ignore[list-item]
    expect(page.locator("#crop .stage")).to_be_visible()
    expect(page.locator("[data-shape] option:checked")).to_have_text("as on the card, 27.8 × 35.4 mm")
    frame = json.loads(str(page.locator("#crop .stage").get_attribute("data-frame")))
    assert frame["w"] * 300 / (frame["h"] * 400) == pytest.approx(27.8 / 35.4, abs=0.001)
    # As large as the picture lets it be, in its middle.
    assert max(frame["w"], frame["h"]) == pytest.approx(1)
    assert frame["y"] + frame["h"] / 2 == pytest.approx(0.5)
    page.locator("[data-shape]").select_option(label="1 : 1")
    frame = json.loads(str(page.locator("#crop .stage").get_attribute("data-frame")))
    assert frame["w"] * 300 == pytest.approx(frame["h"] * 400)
    page.locator("#crop [data-close]").click()


def test_all_that_goes_together_is_applied_by_one_click_and_undone_by_one(page: Page, root: Path) -> None:
    path = root / "cards/arena/bands/landslide.yaml"
    untouched = [line for line in path.read_text("utf-8").splitlines() if "Grath" in line or "Quiet" in line]
    assert len(untouched) == 2
    page.goto("/g/arena/bands/landslide")
    wait_drawn(page)
    verdict = page.locator("#panel .verdict")
    expect(verdict).to_contain_text("illegal")
    page.get_by_role("button", name="Show what would mend it").click()
    every = page.locator("#fix-all")
    expect(every).to_contain_text("Apply all 3")
    expect(page.locator(".whole li")).to_have_text(
        ["set Agility of Old Mub to 5", "leave out Snub", "leave out Shield Turn (Yorrik)"]
    )
    every.click()
    expect(verdict).to_have_text(re.compile(r"^\s*legal"))
    saved(page)
    wrote(page, path, "train: {strength: 9, agility: 5, movement: 7}")
    # Only what was mended is written anew, and nothing that nobody stated is stated then.
    lines = path.read_text("utf-8").splitlines()
    assert [line for line in lines if "Grath" in line or "Quiet" in line] == untouched
    assert "name: Snub" not in "".join(lines) and "impostor" not in "".join(lines)
    # What was done is told, where the keyboard is then, with the way back and the way on.
    done = page.locator("#applied")
    expect(done).to_be_focused()
    expect(done).to_contain_text("Changes made: 3")
    expect(done.locator("li")).to_have_text(
        ["set Agility of Old Mub to 5", "leave out Snub", "leave out Shield Turn (Yorrik)"]
    )
    expect(done).to_contain_text("Nothing is wrong any more.")
    expect(done.get_by_role("button", name="Print it now")).to_be_visible()
    done.get_by_role("button", name="Undo").click()
    expect(verdict).to_contain_text("illegal")
    expect(done).to_have_count(0)
    expect(page.locator("#panel")).to_be_focused()
    wrote(page, path, "train: {strength: 9, agility: 6, movement: 7}")
    wrote(page, path, "name: Snub")


def test_after_one_of_several_fixes_what_is_still_wrong_is_told_until_something_else_is_changed(
    page: Page, root: Path
) -> None:
    path = root / "cards/arena/bands/landslide.yaml"
    before = path.read_text("utf-8")
    page.goto("/g/arena/bands/landslide?mend=1")
    wait_drawn(page)
    page.get_by_role("button", name="leave out Snub").first.click()
    done = page.locator("#applied")
    expect(done).to_be_focused()
    expect(done.locator("li")).to_have_text(["leave out Snub"])
    expect(done).to_contain_text("Still wrong: 2")
    done.get_by_role("button", name="Show what would mend it").click()
    expect(page.locator("#fix-all")).to_contain_text("Apply all 2")
    page.locator("#f-title").fill("Landslides")
    expect(done).to_have_count(0)
    saved(page)
    path.write_text(before, "utf-8")


def test_who_is_previewed_is_whoever_is_left_once_an_undo_takes_the_copy_away(page: Page, band: Path) -> None:
    opened(page, URL)
    picture, count = page.locator("#preview"), drawn(page)
    twin = page.get_by_role("button", name="Duplicate: Ash", exact=False).first
    twin.click()
    wrote(page, band, "Ash 2")
    wait_drawn(page, count)
    expect(picture).to_have_attribute("alt", re.compile("Ash 2"))
    page.locator("[data-undo]").click()
    wrote(page, band, "Ash 2", absent=True)
    expect(page.locator("#editor .entries > li")).to_have_count(1)
    expect(picture).to_have_attribute("alt", re.compile(r"Ash\b(?! 2)"))
    expect(picture).to_be_visible()
    expect(page.locator("#no-picture")).to_be_hidden()


def test_quick_copies_stand_in_the_order_of_their_numbers(page: Page, band: Path) -> None:
    band.write_text(BAND + "  - {card: quarry-thane, name: Bo}\n", "utf-8")
    opened(page, URL)
    twin = "#f-avatars-0 + .item-tools button[value='twin:avatars.0']"
    for _ in range(4):
        page.locator(twin).click(no_wait_after=True)
    wrote(page, band, "Ash 5")
    names = page.locator("#editor .entries > li > details > summary")
    expect(names).to_have_count(6)
    assert [re.split(r", ", text.strip())[0] for text in names.all_inner_texts()] == [
        "Ash", "Ash 2", "Ash 3", "Ash 4", "Ash 5", "Bo",
    ]  # fmt: skip
    saved(page)
    expect(page.locator("#preview")).to_have_attribute("alt", re.compile("Ash 5"))


def test_what_was_open_stays_open_wherever_it_goes(page: Page, band: Path) -> None:
    band.write_text(BAND + "  - {card: quarry-thane, name: Bo}\n  - {card: quarry-thane, name: Cy}\n", "utf-8")
    opened(page, URL)
    rows = page.locator("#editor .entries > li > details")
    expect(rows).to_have_count(3)
    page.locator("#f-avatars-1 > summary").click()

    def unfolded() -> list[str]:
        names = page.locator("#editor .entries > li > details[open] > summary").all_inner_texts()
        return [re.split(r", ", text.strip())[0] for text in names]

    assert unfolded() == ["Bo"]
    page.locator("#f-avatars-0 + .item-tools button[value='twin:avatars.0']").click()
    expect(rows).to_have_count(4)
    # Who was made is open as well.
    assert unfolded() == ["Ash 2", "Bo"]
    page.locator("button[value='remove:avatars.0']").click()
    expect(rows).to_have_count(3)
    assert unfolded() == ["Ash 2", "Bo"]
    page.locator("button[value='down:avatars.1']").click()
    # Lists of options hold names that begin like his: it is the heading that says who stands there.
    expect(rows.nth(2).locator("> summary")).to_have_text(re.compile(r"^\s*Bo\b"))
    assert unfolded() == ["Ash 2", "Bo"]
    page.locator("button[value='remove:avatars.2']").click()
    expect(rows).to_have_count(2)
    assert unfolded() == ["Ash 2"]


def test_hints_and_the_lock_stay_while_a_value_is_wrong(page: Page, band: Path) -> None:
    opened(page, URL)
    strength, soul = page.locator("#f-avatars-0-train-strength"), page.locator("#f-avatars-0-train-soul")
    hint = page.locator("[data-span-for='f-avatars-0-train-agility']")
    expect(hint).to_have_text("printed 5; from 3 to 7")
    strength.fill("99")
    error = page.locator("#f-avatars-0-train-strength-error")
    expect(error).to_have_text(re.compile(r"^99 is out of range; allowed for this type: \d to \d+$"))
    page.locator("select[name='a.avatars.0.traits']").select_option("hearth-luck")
    expect(page.locator("#f-avatars-0-traits ol > li")).to_have_count(1)
    expect(hint).to_have_text("printed 5; from 3 to 7")
    expect(soul).to_be_disabled()
    expect(error).to_have_text(re.compile(r"^99 is out of range; allowed for this type: "))
    strength.fill("")
    expect(error).to_be_empty()
    saved(page)
    expect(hint).to_have_text("printed 5; from 3 to 7")
    # Who has no type yet has no hint; once there is one it is there, without anything drawn anew.
    page.locator("#f-avatars-0-card").select_option("")
    expect(hint).to_be_hidden()
    expect(soul).to_be_disabled()
    page.locator("#f-avatars-0-card").select_option("glasswood-archer")
    expect(hint).to_have_text("printed 7; from 3 to 9")
    expect(hint).to_be_visible()
