"""The way of somebody who makes an avatar: from nothing to paper, in a real Chromium."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from tests.studio.finding import find_picture
from tests.studio.test_pictures import picture

pytest.importorskip("playwright")

from playwright.sync_api import Page, expect

from tests.studio.browser import MARKS, WORK, drawn, saved, wait_drawn, wrote

pytestmark = MARKS
DPI = 110
TYPES = "cards/arena/cards/own/avatar.yaml"
BAND = "cards/arena/bands/Marta/the-sergeants-own.yaml"


@pytest.fixture(scope="module")
def game() -> str:
    return "arena"


def preview(page: Page) -> Image.Image:
    """The picture of the card that the page shows."""
    source = str(page.locator("#preview").get_attribute("src"))
    return Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))).convert("RGB")


def make_the_type(page: Page, root: Path) -> None:
    """The avatar of the rules' example, made from nothing: 47 gold, agility 5, combat 5, three combat dice."""
    page.goto("/g/arena/cards?kind=avatar")
    page.get_by_role("button", name="New card").click()
    page.get_by_role("textbox", name="Name").fill("Hollow Sergeant")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/cards/hollow-sergeant")
    wait_drawn(page)
    for field, choice in {"race": "human", "profession": "warrior", "god": "drakojia", "base": "medium"}.items():
        page.locator(f"#f-{field}").select_option(choice)
    attributes = {"agility": 5, "strength": 4, "mind": 4, "movement": 5, "popularity": 7, "combat": 5}
    numbers = {"action_dice": 4, "combat_dice": 3, "availability": 3, "cost": 47}
    numbers |= {
        f"attributes-{name}": value for name, value in {**attributes, "shooting": 3, "armour": 3, "soul": 3}.items()
    }
    numbers |= {f"maxima-{name}": value for name, value in {"agility": 7, "strength": 6, "combat": 8}.items()}
    for field, value in numbers.items():
        page.locator(f"#f-{field}").fill(str(value))
    page.keyboard.press("Tab")
    # What it costs stands beside its fields, and the rules have nothing against it.
    expect(page.locator("#panel .figure")).to_have_text("47")
    expect(page.locator("#panel .verdict")).to_have_text("legal")
    wrote(page, root / TYPES, "hollow-sergeant:")
    wrote(page, root / TYPES, "cost: 47")


def test_an_avatar_from_nothing_to_paper(page: Page, root: Path) -> None:
    make_the_type(page, root)
    # Recruited into a band of one's own.
    page.goto("/g/arena/bands")
    page.get_by_role("option", name=re.compile("^Hollow Sergeant")).click(button="right")
    page.get_by_role("menuitem", name="New band with these").click()
    page.get_by_label("Title").fill("The Sergeants Own")
    page.get_by_label("Whose it is").fill("Marta")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/bands/Marta/the-sergeants-own")
    wait_drawn(page)
    panel = page.locator("#panel")
    # Made with the catalogue as it is.
    expect(page.locator("#f-avatars-0-version")).to_have_value("0.2")
    page.locator("#f-gold").fill("700")
    # The faction is that of who was recruited first.
    expect(page.locator("#f-faction")).to_have_value("drakojia")
    # Training costs what the rules say: agility 5 to 6 twelve, combat 5 to 7 six and seven.
    expect(panel.locator(".figure")).to_have_text("47")
    page.locator("#f-avatars-0-train-agility").fill("6")
    expect(panel.locator(".figure")).to_have_text("59")
    page.locator("#f-avatars-0-train-combat").fill("7")
    expect(panel.locator(".figure")).to_have_text("72")
    # Trained too far: beyond the X, and in more combat actions than the dice allow.
    page.locator("#f-avatars-0-train-agility").fill("9")
    expect(panel.locator("#findings")).to_contain_text("ADM-007")
    page.locator("#f-avatars-0-train-agility").fill("6")
    expect(panel.locator("#findings")).not_to_contain_text("ADM-007")
    page.keyboard.press("Tab")
    for number, action in enumerate(("back-to-wall", "disarm", "finish"), 1):
        page.locator("select[name='a.avatars.0.actions']").select_option(action)
        expect(page.locator("#f-avatars-0-actions ol > li")).to_have_count(number)
    expect(panel.locator(".verdict")).to_contain_text("illegal")
    expect(panel.locator("#findings")).to_contain_text("has combat actions: 3; its combat dice allow 2")
    # Mended by what is offered: what the rule itself states comes first, which leaves out what was chosen last.
    panel.get_by_role("button", name="Show what would mend it").click()
    fix = page.locator("#mends button").first
    expect(fix).to_have_text(re.compile("^leave out Finish"))
    fix.click()
    expect(panel.locator(".verdict")).to_have_text(re.compile(r"^\s*legal"))
    saved(page)
    wrote(page, root / BAND, "actions: [back-to-wall, disarm]")
    # A photograph of one's own miniature.
    count = drawn(page)
    before = page.locator("#preview").get_attribute("src")
    page.locator("[data-upload='f-avatars-0-photo']").click()
    photo = {"name": "mini.jpg", "mimeType": "image/jpeg", "buffer": picture(300, 400)}
    page.locator("#crop input[type=file]").set_input_files(files=[photo])  # type: ignore[list-item]
    page.get_by_role("button", name="Use it").click()
    wait_drawn(page, count)
    assert page.locator("#preview").get_attribute("src") != before
    found = preview(page).getcolors(1_000_000) or []
    red = sum(count for count, (r, g, b) in found if r > 230 and g < 40 and b < 40)  # type: ignore[misc]
    assert red > 200, "the photograph is on the card"
    wrote(page, root / BAND, "photo: photos/mini-")
    # Another is recruited beside it, and all of it printed.
    page.locator("select[name='a.avatars']").select_option("bone-advocate")
    expect(page.locator("#editor .entries > li")).to_have_count(2)
    page.locator("#f-avatars-0-name").focus()
    expect(page.locator("#preview")).to_have_attribute("alt", re.compile("Hollow Sergeant"))
    shown = preview(page)
    page.get_by_role("button", name="Print my band").click()
    page.get_by_role("button", name="Print", exact=True).click()
    expect(page.locator("#band-job")).to_contain_text("Done", timeout=WORK * 1000)
    links = page.locator("#band-job .files a[data-view]").all()
    files = {str(link.inner_text()): page.request.get(str(link.get_attribute("href"))).body() for link in links}
    assert all(data.startswith(b"%PDF") for data in files.values())
    # What was printed is what was shown, pixel by pixel.
    cards = next(data for name, data in files.items() if "on card" in name)
    with pikepdf.open(io.BytesIO(cards)) as pdf:
        pages = min(4, len(pdf.pages))
    best = find_picture(cards, pages, shown, DPI)
    assert best.apart < 2.5, f"nothing on the sheets looks like the preview: {best.apart}"
