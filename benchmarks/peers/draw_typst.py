"""Typst, by its wheel: python draw_typst.py N FOLDER OUT.pdf"""

import shutil
import sys
from pathlib import Path

import job
import typst

folder = Path(sys.argv[2])
source = folder / "card.typ"
if not source.exists():
    shutil.copy(Path(__file__).with_name("card.typ"), source)
typst.compile(
    str(source), output=sys.argv[3], root=str(folder), font_paths=[str(job.FONTS)], ignore_system_fonts=True,
    sys_inputs={"data": "/cards.json", "count": sys.argv[1]},
)  # fmt: skip
