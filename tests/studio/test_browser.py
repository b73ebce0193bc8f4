"""Studio in a real Chromium, as somebody uses it."""

from __future__ import annotations

import base64
import io
import os
import re
import signal
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from cardgen.pdf.raster import page_image
from tests.studio.conftest import copied
from tests.studio.test_pictures import picture

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Page, Route, expect

from tests.studio.browser import MARKS, WORK, Gate, Server, drawn, saved, wait_drawn, wrote

pytestmark = MARKS
EQUIPMENT = "cards/twd/cards/equipment.yaml"
BANDS = "cards/twd/bands"


def band(root: Path, name: str, text: str) -> str:
    """A band's file for one test, and its address."""
    (root / BANDS / f"{name}.yaml").write_text(text, "utf-8")
    return f"/g/twd/bands/{name}"


def test_what_is_typed_is_drawn_and_saved(page: Page, root: Path) -> None:
    page.goto("/g/twd/cards/crowbar")
    wait_drawn(page)
    before, count = page.locator("#preview").get_attribute("src"), drawn(page)
    page.get_by_label("Name", exact=False).first.fill("Bent Iron")
    wait_drawn(page, count)
    assert page.locator("#preview").get_attribute("src") != before
    expect(page.get_by_role("heading", level=1)).to_have_text("Bent Iron")
    expect(page.locator("#preview")).to_have_attribute("alt", re.compile("Bent Iron"))
    page.keyboard.press("Tab")
    saved(page)
    wrote(page, root / EQUIPMENT, "name: Bent Iron")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#f-name")).to_have_value("Crowbar")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#f-name")).to_have_value("Bent Iron")


def test_an_error_stands_beside_its_field_and_the_last_good_card_stays(page: Page, root: Path) -> None:
    page.goto("/g/twd/cards/bandages")
    wait_drawn(page)
    before = page.locator("#preview").get_attribute("src")
    text = (root / EQUIPMENT).read_text("utf-8")
    page.locator("#f-points").fill("999")
    expect(page.locator("#f-points-error")).not_to_be_empty()
    expect(page.locator("#f-points")).to_have_attribute("aria-invalid", "true")
    assert page.locator("#preview").get_attribute("src") == before
    page.keyboard.press("Tab")
    expect(page.locator(".status")).to_have_text(re.compile("Not saved"))
    assert (root / EQUIPMENT).read_text("utf-8") == text
    page.locator("#f-points").fill("5")
    expect(page.locator("#f-points-error")).to_be_empty()


def test_typing_goes_on_while_a_save_is_under_way(page: Page, root: Path) -> None:
    page.goto("/g/twd/cards/climbing-rope")
    wait_drawn(page)
    page.locator("#f-flavour").fill("")
    page.locator("#f-name").fill("Rope")
    page.locator("#f-flavour").focus()
    page.keyboard.type("Ten metres of it, and each of them counts.", delay=30)
    page.keyboard.press("Tab")
    saved(page)
    page.wait_for_timeout(500)
    expect(page.locator("#f-flavour")).to_have_value("Ten metres of it, and each of them counts.")
    wrote(page, root / EQUIPMENT, "flavour: Ten metres of it, and each of them counts.")


def test_a_change_on_the_disk_appears_without_loading_again(page: Page, root: Path) -> None:
    page.goto("/g/twd/cards/fire-axe")
    wait_drawn(page)
    count = drawn(page)
    text = (root / EQUIPMENT).read_text("utf-8")
    (root / EQUIPMENT).write_text(text.replace("name: Fire Axe", "name: Brass Axe"), "utf-8")
    expect(page.locator("#f-name")).to_have_value("Brass Axe")
    wait_drawn(page, count)


def test_two_tabs(page: Page, root: Path) -> None:
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto("/g/twd/cards/hard-hat")
        wait_drawn(tab)
    page.locator("#f-name").fill("Yellow Hat")
    page.keyboard.press("Tab")
    saved(page)
    expect(other.locator("#f-name")).to_have_value("Yellow Hat")
    # The other tab is called by its new name as well.
    for tab in (page, other):
        expect(tab.locator("h1")).to_have_text("Yellow Hat")
        expect(tab).to_have_title(re.compile("^Yellow Hat · .* · cardgen Studio$"))
    other.locator("#f-flavour").fill("It was on offer.")
    other.keyboard.press("Tab")
    saved(other)
    expect(page.locator("#f-flavour")).to_have_value("It was on offer.")
    wrote(page, root / EQUIPMENT, "Yellow Hat")


def test_both_sides_changed_the_same_field(page: Page, root: Path) -> None:
    page.goto("/g/twd/cards/hockey-pads") if "hockey-pads:" in (root / EQUIPMENT).read_text() else page.goto(
        "/g/twd/cards/leather-jacket"
    )
    wait_drawn(page)
    old = page.locator("#f-name").input_value()
    # What is typed is saved by itself soon, but not before somebody else has written.
    gate = Gate(page, "**/save")
    page.locator("#f-name").fill("What I typed")
    text = (root / EQUIPMENT).read_text("utf-8")
    (root / EQUIPMENT).write_text(text.replace(f"name: {old}\n", "name: What the disk says\n"), "utf-8")
    gate.open()
    expect(page.get_by_role("group", name="Somebody else changed")).to_be_visible()
    wrote(page, root / EQUIPMENT, "What the disk says")
    # Another save is answered between the press and its end: what is replaced then would hear no click.
    held: list[Route] = []
    page.route("**/save", lambda route: held.append(route))
    page.keyboard.press("Control+s")
    place = page.get_by_label("On the disk").bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()
    while not held:
        page.wait_for_timeout(20)
    with page.expect_response("**/save"):
        held[0].continue_()
    page.wait_for_timeout(200)
    page.unroute("**/save")
    page.mouse.up()
    expect(page.locator("#f-name")).to_have_value("What the disk says")


@pytest.mark.parametrize("way", ["drag", "shift-click", "keyboard"])
def test_recruiting(page: Page, root: Path, way: str) -> None:
    url = band(
        root, f"recruits-{way}", f"title: Recruits by {way}\nlimit: 100\nmembers:\n  - {{card: skip, leader: yes}}\n"
    )
    page.goto("/g/twd/bands")
    tile = page.locator(f'.tile[data-band="{url}"]')
    peck = page.get_by_role("option", name=re.compile("^Peck"))
    if way == "drag":
        tile.scroll_into_view_if_needed()
        peck.drag_to(tile)
    elif way == "shift-click":
        peck.click()
        tile.click(modifiers=["Shift"], position={"x": 10, "y": 10})
    else:
        page.get_by_role("option").first.focus()
        while page.locator("#pool li:focus").get_attribute("data-card") != "peck":
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
        tile.get_by_role("button", name="Recruit 1").press("Enter")
    expect(page.locator(f'.tile[data-band="{url}"] li')).to_have_count(2)
    wrote(page, root / f"{BANDS}/recruits-{way}.yaml", "  - {card: peck}\n")


def test_a_new_band_from_the_context_menu(page: Page, root: Path) -> None:
    page.goto("/g/twd/bands")
    page.get_by_role("option", name=re.compile("^Rook")).click(button="right")
    page.get_by_role("menuitem", name="New band with these").click()
    page.get_by_label("Title").fill("The Long Way")
    page.get_by_label("Whose it is").fill("Zoë")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/bands/Zo%C3%AB/the-long-way")
    wrote(page, root / BANDS / "Zoë/the-long-way.yaml", "card: rook")


def test_an_illegal_band_is_explained_mended_and_printed(page: Page, root: Path) -> None:
    url = band(
        root,
        "mended",
        "# kept\ntitle: To Be Mended\nlimit: 100\nmembers:\n"
        "  - card: odile-marsh  # she stays\n    leader: yes\n    hands: [hunting-rifle]\n",
    )
    page.goto(url)
    panel = page.locator("#panel")
    expect(panel.locator(".verdict")).to_contain_text("legal")
    page.locator("#f-limit").fill("43")
    expect(panel.locator(".verdict")).to_contain_text("illegal")
    expect(panel.locator("#findings")).to_contain_text("TWD-001")
    page.keyboard.press("Tab")
    panel.get_by_role("button", name="Show what would mend it").click()
    fix = page.locator("#mends").get_by_role("button", name=re.compile("Hunting Bow instead of Hunting Rifle")).first
    fix.click()
    expect(panel.locator(".verdict")).to_have_text(re.compile(r"^\s*legal"))
    saved(page)
    wrote(page, root / BANDS / "mended.yaml", "hunting-rifle", absent=True)
    wrote(page, root / BANDS / "mended.yaml", "# kept")
    page.get_by_role("button", name="Print my band").click()
    page.get_by_role("button", name="Print", exact=True).click()
    expect(page.locator("#band-job")).to_contain_text("Done", timeout=WORK * 1000)
    links = page.locator("#band-job .files a[data-view]")
    assert links.count() >= 2
    for link in links.all():
        answer = page.request.get(str(link.get_attribute("href")))
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.body().startswith(b"%PDF")


def test_options_that_do_not_go_are_grey_and_say_why(page: Page, root: Path) -> None:
    url = band(root, "choosing", "title: Choosing\nlimit: 60\nmembers:\n  - {card: skip, leader: yes}\n")
    page.goto(url)
    page.get_by_role("group", name="Hands").get_by_role("button", name="Browse").click()
    picker = page.get_by_role("dialog", name="Browse")
    expect(picker.locator(".unfit .reason").first).to_contain_text("TWD-")
    picker.get_by_placeholder("Search").fill("hatchet")
    expect(picker.locator("li:visible")).to_have_count(1)
    picker.get_by_role("button", name=re.compile("Hatchet")).click()
    saved(page)
    expect(picker).to_be_hidden()
    wrote(page, root / BANDS / "choosing.yaml", "hands: [hatchet]")


def test_the_print_is_the_preview(page: Page) -> None:
    """The PDF of the print dialog shows, where the first card lies, what the preview showed."""
    page.goto("/g/twd/cards/hatchet")
    wait_drawn(page)
    source = str(page.locator("#preview").get_attribute("src"))
    preview = Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))).convert("RGB")
    page.goto("/g/twd/print")
    page.get_by_role("button", name="Print", exact=True).click()
    # Jobs of other tests may stand there as well: the one that is meant has this card's sheets.
    link = page.locator(".job a[data-view]", has_text="equipment").first
    expect(link).to_be_visible(timeout=WORK * 1000)
    pdf = page.request.get(str(link.get_attribute("href"))).body()
    link.click()
    expect(page.locator("#viewer")).to_be_visible()
    best = 255.0
    for number in range(3):
        sheet = page_image(pdf, number, 110).filter(ImageFilter.GaussianBlur(1.2))
        for row in range(3):
            for column in range(3):
                left, top = (10.5 + column * 63) / 25.4 * 110, (16.5 + row * 88) / 25.4 * 110
                box = (round(left), round(top), round(left) + preview.width, round(top) + preview.height)
                apart = ImageChops.difference(sheet.crop(box), preview.filter(ImageFilter.GaussianBlur(1.2)))
                best = min(best, sum(ImageStat.Stat(apart).mean) / 3)
    assert best < 6


def test_a_picture_is_placed_with_the_keyboard_and_printed_on_the_card(page: Page, root: Path) -> None:
    page.goto("/g/twd/cards/field-radio")
    wait_drawn(page)
    count = drawn(page)
    page.get_by_role("button", name="Upload").first.click()
    photo = {"name": "radio.jpg", "mimeType": "image/jpeg", "buffer": picture(400, 300)}
    page.locator("#crop input[type=file]").set_input_files(files=[photo])  # type: ignore[list-item]
    stage = page.locator(".stage")
    expect(stage).to_be_focused()
    for _ in range(5):
        page.keyboard.press("+")
    before = stage.get_attribute("data-frame")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert stage.get_attribute("data-frame") != before
    page.get_by_role("button", name="Use it").click()
    wait_drawn(page, count)
    saved(page)
    name = page.locator("#f-art").input_value()
    assert name.startswith("photos/radio-")
    stored = Image.open(io.BytesIO((root / "cards/twd/art" / name).read_bytes()))
    assert stored.width < 400


def test_a_server_killed_while_it_saves_leaves_whole_files(browser: Browser, tmp_path: Path) -> None:
    root = copied(tmp_path)
    for wait in (5, 30, 60, 120):
        server = Server(root)
        tab = browser.new_page(base_url=server.url)
        tab.goto("/g/twd/cards/crowbar")
        wait_drawn(tab)
        tab.locator("#f-name").fill(f"Killed after {wait}")
        tab.keyboard.press("Tab")
        tab.wait_for_timeout(wait)
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        server.stop()
        tab.close()
        text = (root / EQUIPMENT).read_text("utf-8")
        assert text.endswith("\n")
        assert text.count("kind: equipment") == 27
    assert "Killed" in text or "Crowbar" in text


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("url", ["/", "/g/twd/cards", "/g/twd/cards/hatchet", "/g/twd/bands", "/g/twd/bands/line-nine-150", "/g/twd/catalogue",
                                 "/g/twd/print"])  # fmt: skip
def test_axe_finds_nothing(page: Page, url: str, theme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.goto(url)
    page.wait_for_timeout(1500)
    for item in page.locator("details").all():
        item.evaluate("item => item.open = true")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_studio_speaks_spanish(page: Page) -> None:
    page.goto("/g/twd/bands")
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("button", name="Banda nueva")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "es")
