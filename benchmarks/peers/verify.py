"""Holds a peer's file to be the same job: pages and their size, embedded fonts, texts with accents, numbers, portraits.

Needs Poppler's tools, which judge all files alike.
"""

from __future__ import annotations

import re
import subprocess
from math import ceil
from pathlib import Path

PORTRAITS = 10


def faults(file: Path, count: int) -> list[str]:
    """What is missing of the job in a file; nothing when it is all there."""
    found = []
    info = _said("pdfinfo", str(file))
    pages = int(re.search(r"^Pages:\s+(\d+)", info, re.MULTILINE)[1])  # type: ignore[index]
    if pages != ceil(count / 9):
        found.append(f"{pages} pages instead of {ceil(count / 9)}")
    size = re.search(r"^Page size:\s+([\d.]+) x ([\d.]+)", info, re.MULTILINE)
    if size is None or abs(float(size[1]) - 595.28) > 1 or abs(float(size[2]) - 841.89) > 1:
        found.append("pages that are not A4")
    fonts = _said("pdffonts", str(file)).splitlines()[2:]
    loose = [line.split()[0] for line in fonts if not re.search(r"\byes\s+(?:yes|no)\s+(?:yes|no)\s+\d+\s+\d+$", line)]
    if not fonts or loose:
        found.append(f"fonts that are not embedded: {', '.join(loose) or 'there are none'}")
    other = sorted({line.split()[0] for line in fonts if not re.search("Fira|text", line.split()[0])})
    if other:
        found.append(f"other fonts than the job's: {', '.join(other)}")
    text = _said("pdftotext", "-layout", str(file), "-")
    numbers = set(map(int, re.findall(r"n\.º\s*(\d+)", text)))
    if numbers != set(range(1, count + 1)):
        found.append(f"{len(numbers)} numbers of cards instead of {count}")
    if len(re.findall(r"\d+ pts", text)) != count:
        found.append("points that are missing")
    found += [f"no `{word}`" for word in ("Íñigo", "Begoña", "misión", "búsqueda") if word not in text]
    rows = [line.split() for line in _said("pdfimages", "-list", str(file)).splitlines()[2:]]
    jpegs = {row[10] for row in rows if row[2] == "image" and row[8] == "jpeg" and row[3:5] == ["600", "400"]}
    if len(jpegs) != min(PORTRAITS, count):
        found.append(f"{len(jpegs)} portraits as they were instead of {min(PORTRAITS, count)}")
    return found


def _said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
