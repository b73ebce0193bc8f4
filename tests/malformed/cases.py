"""The fixtures of this folder: one text file a case, changes of a sound project and what the command then says.

    What the case is about, in a line or two.

    --- cards/g/cards/items.yaml            a whole file
    --- cards/g/game.yaml :: change         lines of a diff: ` ` stays, `-` goes, `+` comes; a blank line between hunks
    --- cards/g/cards/x.yaml :: bytes       with escapes: \\xff, \\0, \\t; no line break at the end
    --- cards/g/cards/x.yaml :: times 900   the text so many times over
    --- layouts/g/icons :: folder           a folder
    --- cards :: empty                      a folder, emptied
    --- cards/g/art :: link ../..           a symbolic link
    --- cards/g/i18n/es.po :: gone          the file is taken away
    --- _rules.txt :: with                  the changes of another file first
    === check --strict                      the command; then its messages, as they are printed

In names of files, escapes work as well.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from msgspec import Struct

HERE = Path(__file__).resolve().parent


class Change(Struct, frozen=True):
    """What one section does to a file."""

    name: str
    how: str
    text: str


class Case(Struct, frozen=True):
    """One fixture."""

    changes: tuple[Change, ...]
    command: tuple[str, ...]
    expected: str


def read_case(path: Path) -> Case:
    head, *sections = re.split(r"^(---|===) ", path.read_text("utf-8"), flags=re.MULTILINE)
    assert head.strip(), f"{path.name} does not say what it is about"
    changes: list[Change] = []
    command, expected = "", ""
    for mark, section in zip(sections[::2], sections[1::2], strict=True):
        first, _, text = section.partition("\n")
        if mark == "===":
            command, expected = first, text
        else:
            name, _, how = first.partition(" :: ")
            if how.strip() == "with":
                changes += read_case(path.with_name(name.strip())).changes
            else:
                changes.append(Change(name.strip(), how.strip(), text))
    return Case(tuple(changes), tuple(command.split()), expected.strip("\n"))


def unescape(text: str) -> bytes:
    return text.encode("latin-1", "backslashreplace").decode("unicode_escape").encode("latin-1")


def apply(change: Change, root: Path) -> None:
    """Make one change to the project in `root`."""
    path = Path(root, unescape(change.name).decode("utf-8", "surrogateescape"))
    path.parent.mkdir(parents=True, exist_ok=True)
    how, _, argument = change.how.partition(" ")
    if how != "change" and path.is_file():
        path.unlink()
    match how:
        case "":
            path.write_text(change.text, "utf-8")
        case "change":
            path.write_text(patched(path.read_text("utf-8"), change.text), "utf-8")
        case "bytes":
            path.write_bytes(unescape(change.text.rstrip("\n")))
        case "times":
            path.write_text(change.text.removesuffix("\n") * int(argument), "utf-8")
        case "folder":
            path.mkdir(exist_ok=True)
        case "empty":
            shutil.rmtree(path)
            path.mkdir()
        case "link":
            if path.is_dir():
                shutil.rmtree(path)
            path.symlink_to(argument)
        case "gone":
            pass
        case _:
            raise ValueError(f"unknown kind of section: {how}")


def patched(text: str, diff: str) -> str:
    for hunk in re.split(r"\n\n+", diff.strip("\n")):
        lines = hunk.split("\n")
        assert all(line[:1] in {" ", "-", "+"} for line in lines), f"not a diff: {hunk}"
        old = "\n".join(line[1:] for line in lines if line[0] != "+")
        new = "\n".join(line[1:] for line in lines if line[0] != "-")
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def cases() -> list[Path]:
    return [path for path in sorted(HERE.glob("*.txt")) if not path.name.startswith("_")]
