"""The printers that a user has measured: one file each, in the user's configuration folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

import platformdirs

from cardgen.diagnostics import Report, nearest
from cardgen.errors import FileProblem, UsageError
from cardgen.files import write_atomic
from cardgen.load.printer import printer_text, read_printer
from cardgen.load.shapes import IDENT
from cardgen.model.printer import Printer

# Names the configuration folder, in place of the system's own.
VARIABLE = "CARDGEN_CONFIG"
_HOW = "print the sheet of `cardgen calibrate` and give it what you measure with `--measured`"


def printers_folder() -> Path:
    """Where profiles are kept; it need not exist."""
    named = os.environ.get(VARIABLE)
    base = Path(named) if named else platformdirs.user_config_path("cardgen", appauthor=False)
    return base / "printers"


def known_printers() -> list[str]:
    """The names of all profiles, sorted. Raises FileProblem when the folder cannot be looked into."""
    folder = printers_folder()
    try:
        return sorted(path.stem for path in folder.glob("*.yaml") if re.fullmatch(IDENT.pattern, path.stem))
    except OSError as error:
        raise FileProblem(f"`{folder}` cannot be looked into: {error.strerror or error}") from None


def check_name(name: str) -> None:
    """Raises UsageError for a name that no file of a profile can have."""
    if len(name) > IDENT.max_length or re.fullmatch(IDENT.pattern, name) is None:
        raise UsageError(f"`{name}` cannot name a printer: use lower-case letters, digits and hyphens, such as `home`")


def path_of(name: str) -> Path:
    """The file of a profile."""
    return printers_folder() / f"{name}.yaml"


def the_printer(name: str, report: Report) -> Printer | None:
    """The profile of that name, or None after reporting what is wrong with its file.

    Raises UsageError when there is none, with the names that there are or with how to make one.
    """
    check_name(name)
    known = known_printers()
    if name not in known:
        if not known:
            raise UsageError(f"there is no printer `{name}`, and none was measured yet: {_HOW}")
        guess = nearest(name, known)
        hint = f"did you mean `{guess}`?" if guess else f"known: {', '.join(known)}."
        raise UsageError(f"there is no printer `{name}`; {hint} To measure another: {_HOW}")
    return read_printer(path_of(name), name, report)


def write_printer(printer: Printer) -> Path:
    """Write a profile, whole or not at all, and say where. Raises FileProblem when the disk refuses."""
    path = path_of(printer.id)
    write_atomic(path, printer_text(printer).encode("utf-8"))
    return path
