"""Pictures of Studio for the README, taken in Chromium: python docs/make_studio.py."""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.studio.browser import Server, open_browser, wait_drawn  # noqa: E402

GALLERY = ROOT / "docs" / "gallery"
COLOURS = 128


def main() -> None:
    """Take every picture."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("cards", "layouts", "fonts"):
            shutil.copytree(ROOT / name, root / name)
        shutil.copy(ROOT / "cardgen.yaml", root / "cardgen.yaml")
        server = Server(root)
        try:
            with open_browser() as browser:
                page = browser.new_page(base_url=server.url, viewport={"width": 1280, "height": 800}, locale="en")
                page.set_default_timeout(60_000)

                def take(name: str) -> None:
                    picture = Image.open(io.BytesIO(page.screenshot()))
                    picture.convert("RGB").quantize(COLOURS).save(GALLERY / f"studio-{name}.png", optimize=True)

                page.goto("/g/twd/cards/hatchet")
                wait_drawn(page)
                take("card")
                page.goto("/g/twd/bands")
                page.wait_for_timeout(800)
                take("bands")
                page.goto("/g/arena/bands/ash-and-office")
                wait_drawn(page)
                page.locator("#editor summary", has_text="First Vent").click()
                page.locator("#f-avatars-0-train-agility").fill("9")
                page.locator("#panel .verdict.illegal").wait_for()
                page.get_by_role("button", name="Show what would mend it").click()
                page.locator("#mends button").first.wait_for()
                page.locator("#mends [role=status]").wait_for(state="detached")
                # Tall enough for the card that is trained, below what would mend it.
                page.set_viewport_size({"width": 1280, "height": 1120})
                take("band")
                page.set_viewport_size({"width": 1280, "height": 800})
                _look_at_a_pack(page, root)
                take("catalogue")
                page.emulate_media(color_scheme="dark")
                page.goto("/g/arena/cards?kind=avatar")
                for picture in page.locator("#cards img").all()[:16]:
                    picture.scroll_into_view_if_needed()
                    expect(picture).not_to_have_js_property("naturalWidth", 0, timeout=60_000)
                page.evaluate("() => scrollTo(0, 0)")
                page.wait_for_timeout(500)
                take("cards-dark")
        finally:
            server.stop()


def _look_at_a_pack(page: Page, root: Path) -> None:
    """A newer catalogue of the arena, in which long axes cost more than they do."""
    gear = "cards/arena/cards/gear.yaml"
    dearer = re.sub(r"(name: Long Axe\n  cost: )\d+", r"\g<1>30", (root / gear).read_text("utf-8"))
    pack = io.BytesIO()
    with zipfile.ZipFile(pack, "w") as archive:
        archive.writestr("catalogue.yaml", 'game: arena\nversion: "0.3"\n')
        archive.writestr(gear, dearer)
    page.goto("/g/arena/catalogue", wait_until="load")
    sent = FilePayload(name="autumn.zip", mimeType="application/zip", buffer=pack.getvalue())
    page.locator("input[name=pack]").set_input_files(files=[sent])
    page.get_by_role("button", name="See what it changes").click()
    page.locator("form.update").wait_for()
    for picture in page.locator(".pictures img").all()[:4]:
        picture.scroll_into_view_if_needed()
        expect(picture).not_to_have_js_property("naturalWidth", 0, timeout=60_000)
    page.evaluate("() => scrollTo(0, 0)")
    page.wait_for_timeout(500)


if __name__ == "__main__":
    main()
