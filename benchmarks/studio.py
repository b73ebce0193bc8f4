"""How long Studio takes from typed text to the new picture, in a real Chromium: `.venv/bin/python benchmarks/studio.py`.

For a card of every kind that is drawn: a letter is typed, and the time runs until the picture that shows it is decoded.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.studio.browser import Server, drawn, open_browser, wait_drawn  # noqa: E402

KEYS = 30
CARDS = ("hatchet", "rifle-scope", "ines-calder", "alarm-clock")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(ROOT / "cards" / "twd", root / "cards" / "twd")
        (root / "cardgen.yaml").write_text("name: Measured\ngames: [twd]\n")
        server = Server(root)
        try:
            every: list[float] = []
            with open_browser() as browser:
                page = browser.new_page(base_url=server.url, viewport={"width": 1360, "height": 900})
                for card in CARDS:
                    page.goto(f"/g/twd/cards/{card}")
                    wait_drawn(page)
                    page.wait_for_timeout(500)
                    took = []
                    page.locator("#f-flavour").focus()
                    for number in range(KEYS):
                        count, started = drawn(page), time.perf_counter()
                        page.keyboard.type("abcdefghij"[number % 10])
                        wait_drawn(page, count)
                        took.append((time.perf_counter() - started) * 1000)
                        page.wait_for_timeout(60)
                    every += took
                    print(f"{card}: median {statistics.median(took):.0f} ms, worst {max(took):.0f} ms")
            print(f"all {len(every)}: median {statistics.median(every):.0f} ms")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
