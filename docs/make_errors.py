"""Writes docs/errors.md from the table of codes: `python docs/make_errors.py`; with --check it only compares."""

from __future__ import annotations

import string
import sys
from pathlib import Path

from cardgen.codes import CODES, SECTIONS

PAGE = Path(__file__).with_name("errors.md")
HEAD = """\
# Messages

<!-- Written by docs/make_errors.py from cardgen/codes.py; change it there. -->

Every problem is printed as `file:line:column: severity[code]: what is wrong`, with a hint where one may help. An error
makes the command end with exit code 1, a warning only under `--strict`. What is sound is built all the same.
Problems that have one cause and befall many cards or languages are told once: `(and 53 more)`.
A code keeps its meaning for ever.
"""


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    for prefix, title in SECTIONS.items():
        parts.append(f"\n## {title}\n\n| code | severity | message | about |\n|---|---|---|---|")
        for number in sorted(number for number in CODES if number.startswith(prefix)):
            code = CODES[number]
            message = "".join(
                text.replace("|", "\\|")
                + (f"‹{name}›" if name else "")
                # of a number and what there is one or more of, the words for more
                + (f" {spec.partition('|')[2]}" if spec and "|" in spec else "")
                for text, name, spec, _ in string.Formatter().parse(code.message)
            )
            parts.append(f"| {number} | {code.severity} | {message} | {code.about} |")
    return "\n".join(parts) + "\n"


def main() -> None:
    """Write the page, or compare it."""
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(), "utf-8")
    elif not PAGE.exists() or PAGE.read_text("utf-8") != page():
        sys.exit("docs/errors.md is not what cardgen/codes.py says; run `python docs/make_errors.py`")


if __name__ == "__main__":
    main()
