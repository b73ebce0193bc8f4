"""What the tests of files share."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from making import TEXT_FONT, Make, Pixels, draw_faces


@pytest.fixture(scope="session")
def make() -> Make:
    return draw_faces


@pytest.fixture(scope="session")
def label_font() -> bytes:
    return TEXT_FONT.read_bytes()


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Run a checker on a PDF: run(pdf, "pdftotext", "-layout", "{}", "-") gives its standard output."""

    def call(pdf: bytes, *command: str) -> str:
        file = tmp_path / "file.pdf"
        file.write_bytes(pdf)
        words = [word.replace("{}", str(file)) for word in command]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
        return done.stdout

    return call


@pytest.fixture
def pixels(tmp_path: Path) -> Callable[..., Pixels]:
    """Draw a part of a page with poppler: pixels(pdf, page, (left, top, width, height) in mm, dpi)."""

    def call(pdf: bytes, page: int, part: tuple[float, float, float, float], dpi: float = 600) -> Pixels:
        file = tmp_path / "drawn.pdf"
        file.write_bytes(pdf)
        x, y, width, height = (round(mm / 25.4 * dpi) for mm in part)
        crop = ["-x", str(x), "-y", str(y), "-W", str(width), "-H", str(height)]
        command = ["pdftoppm", "-r", str(dpi), "-f", str(page), "-l", str(page), *crop, str(file)]
        image = subprocess.run(command, capture_output=True, check=True, timeout=120).stdout
        kind, size, _, data = image.split(b"\n", 3)
        assert kind == b"P6"
        columns, rows = map(int, size.split())
        return Pixels(x / dpi * 25.4, y / dpi * 25.4, dpi, columns, rows, data)

    return call
