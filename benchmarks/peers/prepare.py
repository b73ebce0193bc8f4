"""Installs the peers into an environment of their own, and writes the job's files for them.

    python benchmarks/peers/prepare.py [COUNT FOLDER]

The environment is benchmarks/.peers, which git ignores. A peer that cannot be installed is left out, and said so.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from msgspec.structs import asdict

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE.parent / ".peers"
sys.path.insert(0, str(HERE.parent / "survivor"))
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
PEERS = ("typst", "fpdf2", "plutoprint", "reportlab", "chromium", "weasyprint")
# What a peer needs besides Python; squib is a gem, and Ruby's packages are not everywhere to be had.
IMPORTS = {"typst": "typst", "fpdf2": "fpdf", "plutoprint": "plutoprint", "reportlab": "reportlab"}
IMPORTS |= {"weasyprint": "weasyprint", "chromium": "markupsafe"}
BROWSERS = ("/usr/lib/chromium/chromium", "chromium", "chromium-browser", "google-chrome")


def install() -> dict[str, str]:
    """The peers that can run, with their versions; what cannot be installed is left out."""
    if not PYTHON.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    for name in (HERE / "requirements.txt").read_text().split():
        done = _run("-m", "pip", "install", "--quiet", "--only-binary", ":all:", name)
        if done.returncode:
            print(f"{name} cannot be installed: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
    found = {}
    for peer in PEERS:
        if _run("-c", f"import {IMPORTS[peer]}").returncode:
            continue
        if peer == "chromium":
            browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
            if browser is None:
                continue
            said = subprocess.run([browser, "--version", "--no-sandbox"], capture_output=True, text=True).stdout
            found[peer] = said.replace("Chromium", "").strip().split(" ")[0]
        else:
            code = f"from importlib.metadata import version; print(version({peer!r}))"
            found[peer] = _run("-c", code).stdout.strip()
    return found


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(PYTHON), *arguments], capture_output=True, text=True)


def write_job(count: int, folder: Path) -> None:
    """The files of the job: cards.json, art/*.jpg, icons/*.svg, and the icons as pictures for those without SVG."""
    from data import ICONS, survivors, write_pictures

    (folder / "icons").mkdir(parents=True, exist_ok=True)
    write_pictures(folder / "art")
    (folder / "cards.json").write_text(json.dumps([asdict(card) for card in survivors(count)], ensure_ascii=False))
    for name, shape in ICONS.items():
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{shape}</svg>'
        (folder / "icons" / f"{name}.svg").write_text(svg, "utf-8")
        _as_png(svg, folder / "icons" / f"{name}.png")


def _as_png(svg: str, path: Path) -> None:
    import pypdfium2
    from weasyprint import HTML

    size = 'style="position:absolute;left:0;top:0;width:96px;height:96px"'
    page = f"<style>@page{{size:96px 96px;margin:0}}</style>{svg.replace('<svg', f'<svg {size}', 1)}"
    pdf = pypdfium2.PdfDocument(HTML(string=page).write_pdf())
    pdf[0].render(scale=96 / 72, fill_color=(255, 255, 255, 0)).to_pil().save(path)


def command(peer: str, count: int, folder: Path, out: Path) -> list[str]:
    """How a peer is run."""
    return [str(PYTHON), str(HERE / f"draw_{peer}.py"), str(count), str(folder), str(out)]


if __name__ == "__main__":
    print(install())
    if len(sys.argv) > 2:
        write_job(int(sys.argv[1]), Path(sys.argv[2]))
