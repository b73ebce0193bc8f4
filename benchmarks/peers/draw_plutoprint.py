"""PlutoPrint, one document with all sheets: python draw_plutoprint.py N FOLDER OUT.pdf"""

import sys
from pathlib import Path

import plutoprint
from page import html

book = plutoprint.Book(plutoprint.PAGE_SIZE_A4, plutoprint.PAGE_MARGINS_NONE)
book.load_html(html(int(sys.argv[1]), Path(sys.argv[2])), base_url=Path(sys.argv[2]).as_uri() + "/")
book.write_to_pdf(sys.argv[3])
