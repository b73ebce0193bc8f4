"""Reads and writes the ledger: one YAML file a printing, `printed/<name>.yaml` of the project, to be kept and merged.

A file is written once and never touched again, so that no run can lose what an earlier one noted.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.files import Shelf, write_atomic
from cardgen.load.reader import BAD, Reader
from cardgen.load.shapes import (
    IDENT,
    LANGUAGE,
    Boolean,
    Choice,
    Either,
    Integer,
    Key,
    Mapped,
    Measure,
    Number,
    Record,
    Sequence,
    Text,
)
from cardgen.load.shared import names_in, read_node
from cardgen.model.ledger import ALPHABET, ID_LENGTH, Ledger, PrintedItem, PrintedWith, Printing, Snapshot

FOLDER = "printed"
_HEAD = "# What was printed, noted by `cardgen printed` and read by `cardgen changed`: see docs/reprinting.md.\n"
_FACE = Text(ID_LENGTH, f"[{ALPHABET}]{{{ID_LENGTH}}}", f"a face's id ({ID_LENGTH} digits and capitals)")
_FACES = Either(scalar=_FACE, sequence=Sequence(_FACE), what="the ids of faces")
_LABEL = Text(max_length=300, what="the name of a card or component")
_WORDS = Text(max_length=2000, multiline=True)

_ITEM = Record(
    "printed piece",
    {
        "title": Key(_WORDS),
        "copies": Key(Integer(1, 1_000_000)),
        "front": Key(_FACES, ()),
        "back": Key(_FACES, ()),
        "shape": Key(_FACE, "", "the outline of a component"),
        "values": Key(Mapped(_LABEL, _WORDS), {}, "what it said, long texts cut"),
    },
)
_OPTIONS = Record(
    "options of a printing",
    {
        "no_backgrounds": Key(Boolean(), False),
        "low_ink": Key(Boolean(), False),
        "backs": Key(Choice(("none",)), None),
        "size": Key(Measure(0, 10_000), None),
        "scale": Key(Number(0, 1000), None),
        "sets": Key(Integer(1, 10_000), None),
        "codes": Key(Boolean(), False, "whether faces carried codes"),
    },
)
_SNAPSHOT = Record(
    "printed print",
    {
        "version": Key(Text(max_length=30)),
        "options": Key(_OPTIONS, None),
        "fonts": Key(_FACE),
        "layouts": Key(Mapped(_LABEL, _FACE), {}),
        "pieces": Key(Mapped(_LABEL, _ITEM, what="a mapping of card to what was printed")),
    },
)
_NAME = Text(
    200,
    f"{IDENT.pattern}/{LANGUAGE.pattern}/{IDENT.pattern}",
    "a game, a language and a print, as in `my-game/en/cards`",
)
PRINTING = Record(
    "printing",
    {
        "number": Key(Integer(1, 1_000_000), about="in the order of recording"),
        "date": Key(
            Text(19, r"\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?", "a date such as `2026-11-30`, with or without a time")
        ),
        "prints": Key(Mapped(_NAME, _SNAPSHOT)),
    },
)
PRINTING_ID = Text(60, r"[A-Za-z0-9][A-Za-z0-9._-]*", "a name of letters, digits, dots, hyphens and underscores")


def read_ledger(shelf: Shelf, report: Report) -> Ledger:
    """All printings that the project's own folder holds; what is wrong with a file is reported, and it is left out."""
    own = Shelf(shelf.roots[:1])
    found = (_printing(own, name, report) for name in names_in(own, FOLDER, ".yaml", report))
    return Ledger(tuple(sorted((item for item in found if item is not None), key=lambda item: item.order)))


def _printing(shelf: Shelf, file: str, report: Report) -> Printing | None:
    node = read_node(shelf, file, report)
    reader = Reader(report)
    raw = BAD if node is None else reader.read(node, PRINTING)
    # Of a file that is wrong anywhere nothing is believed: half a snapshot would call the other half new.
    if raw is BAD or reader.bad:
        return None
    snapshots = {name: _snapshot(name, value) for name, value in raw["prints"].items()}
    return Printing(PurePosixPath(file).stem, raw["number"], raw["date"], snapshots, reader.span(file, ""))


def _snapshot(name: str, raw: Mapping[str, Any]) -> Snapshot:
    game, lang, printed = name.split("/")
    items = {
        label: PrintedItem(
            item["title"], item["copies"], _faces(item["front"]), _faces(item["back"]), item["shape"], item["values"]
        )
        for label, item in raw["pieces"].items()
    }
    options = PrintedWith(**(raw["options"] or {}))
    return Snapshot(game, lang, printed, raw["version"], options, raw["fonts"], raw["layouts"], items)


def _faces(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def write_printing(root: Path, printing: Printing) -> Path:
    """Write a printing into the project's folder, and say where. Raises FileProblem when the disk refuses."""
    path = root / FOLDER / f"{printing.id}.yaml"
    write_atomic(path, printing_text(printing).encode())
    return path


def printing_text(printing: Printing) -> str:
    """The file of a printing."""
    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    document = {
        "number": printing.number,
        "date": printing.date,
        "prints": {name: _as_yaml(snapshot) for name, snapshot in printing.snapshots.items()},
    }
    text: str = yaml.dump(document, Dumper=dumper, allow_unicode=True, sort_keys=False, width=100_000)
    return _HEAD + text


def _as_yaml(snapshot: Snapshot) -> dict[str, Any]:
    options = {
        name: f"{value:.6f}".rstrip("0").rstrip(".") + "mm" if name == "size" else value
        for name, value in structs.asdict(snapshot.options).items()
        if value
    }
    return {
        "version": snapshot.version,
        **({"options": options} if options else {}),
        "fonts": snapshot.fonts,
        "layouts": dict(snapshot.layouts),
        "pieces": {label: _item(item) for label, item in snapshot.items.items()},
    }


def _item(item: PrintedItem) -> dict[str, Any]:
    return {
        "title": item.title,
        "copies": item.copies,
        **{
            side: faces[0] if len(faces) == 1 else list(faces)
            for side, faces in (("front", item.front), ("back", item.back))
            if faces
        },
        **({"shape": item.shape} if item.shape else {}),
        **({"values": dict(item.values)} if item.values else {}),
    }
