"""Pictures of Studio for the README, taken in Chromium: python docs/make_studio.py."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image

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
                page.wait_for_timeout(2500)
                take("band")
                page.emulate_media(color_scheme="dark")
                page.goto("/g/arena/cards?kind=avatar")
                for picture in page.locator("#cards img").all()[:16]:
                    picture.scroll_into_view_if_needed()
                page.wait_for_timeout(20_000)
                page.evaluate("() => scrollTo(0, 0)")
                page.wait_for_timeout(500)
                take("cards-dark")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
