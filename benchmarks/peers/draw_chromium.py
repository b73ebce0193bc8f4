"""Chromium without a window, one document with all sheets: python draw_chromium.py N FOLDER OUT.pdf [CHROMIUM]"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from page import html

BROWSERS = ("/usr/lib/chromium/chromium", "chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--allow-file-access-from-files",
    "--no-pdf-header-footer", "--virtual-time-budget=20000",
)  # fmt: skip

browser = next(found for name in BROWSERS if (found := shutil.which(name)))
with tempfile.TemporaryDirectory() as folder:
    page = Path(folder, "page.html")
    page.write_text(html(int(sys.argv[1]), Path(sys.argv[2])), "utf-8")
    command = [browser, *OPTIONS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={sys.argv[3]}", page.as_uri()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
