"""WeasyPrint, one document with all sheets: python draw_weasyprint.py N FOLDER OUT.pdf"""

import sys
from pathlib import Path

from page import html
from weasyprint import HTML

HTML(string=html(int(sys.argv[1]), Path(sys.argv[2]))).write_pdf(sys.argv[3])
