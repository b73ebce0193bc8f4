"""Export profiles: the files of layouts/_exports."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardgen.diagnostics import Report, did_you_mean
from cardgen.files import Shelf
from cardgen.geometry import Size
from cardgen.load.reader import BAD, Reader
from cardgen.load.shapes import IDENT, Boolean, Choice, Integer, Key, Mapped, Measure, Record, Sequence, Text
from cardgen.load.shared import Named, names_in, read_node
from cardgen.model.export import ExportProfile, ExportSize
from cardgen.model.trim import Trim

_TITLE = Text(max_length=200)
# A path below the output folder: letters, digits and `-._/`, no dot at the start of a name, and what is filled in.
_NAME = r"(?:[A-Za-z0-9_-]|\{(?:print|card|side|number|copies)\}|[./](?=[A-Za-z0-9_{-]))+"

SIZE = Record(
    "size",
    {
        "width": Key(Measure(1, 2000), about="as it is cut"),
        "height": Key(Measure(1, 2000), about="as it is cut"),
        "takes": Key(Sequence(IDENT), (), "other trims that are printed on it, at their own size in its middle"),
    },
)

EXPORT = Record(
    "export profile",
    {
        "version": Key(Integer(1, 10_000)),
        "title": Key(_TITLE),
        "about": Key(Text(), ""),
        "kind": Key(
            Choice(("images", "grid", "pdf")),
            about="`images`: one picture a face; `grid`: pictures of many faces, with a saved object; `pdf`: one file a print",
        ),
        "dpi": Key(Integer(10, 1200), 300, "dots to the inch"),
        "bleed": Key(Measure(0, 20), 0.0, "wanted beyond the cut"),
        "safe": Key(Measure(0, 20), 0.0, "how far inside of the cut nothing important may stand"),
        "sizes": Key(Mapped(IDENT, SIZE), {}, "what is sold; none: any trim"),
        "formats": Key(Sequence(Choice(("png", "jpg")), 1, 2), ("png",), "of pictures, the usual one first"),
        "most_pixels": Key(Integer(0, 16_384), 0, "of a picture, either way; 0: no limit"),
        "name": Key(
            Text(200, _NAME, "a file name without a suffix"),
            "{print}/{card}-{side}",
            "`{print}`, `{card}`, `{side}`, `{number}` and `{copies}` are filled in",
        ),
        "columns": Key(Integer(2, 10), 10, "of a grid, at most"),
        "rows": Key(Integer(2, 7), 7, "of a grid, at most"),
        "backs_first": Key(Boolean(), False, "in a PDF, the back of a card before its front"),
        "copies": Key(Choice(("once", "each")), "once", "in a PDF, whether a card is there as often as it is printed"),
        "note": Key(Text(1000, multiline=True), "", "told after each export: what is left to do"),
    },
)


def read_exports(shelf: Shelf, trims: Mapping[str, Trim], report: Report) -> Named:
    """The export profiles of layouts/_exports, by the names of their files; they name trims."""
    profiles: dict[str, ExportProfile] = {}
    lost = set()
    known = set(ExportProfile.__struct_fields__)
    for name in names_in(shelf, "layouts/_exports", ".yaml", report):
        id = Path(name).stem
        node = read_node(shelf, name, report)
        reader = Reader(report)
        raw: Any = BAD if node is None else reader.read(node, EXPORT)
        if raw is BAD or reader.bad:
            # Pictures with a default in place of what was meant would be ordered and paid for.
            lost.add(id)
            continue
        missing = _missing(raw["kind"], raw["name"])
        if missing:
            # Two files would have one name.
            reader.report.add(
                "CG020", reader.span(name, "name"), expected=f"a name with {missing}", found=f"`{raw['name']}`"
            )
            lost.add(id)
            continue
        sizes = _sizes(raw["sizes"], trims, reader, name)
        if sizes is None:
            lost.add(id)
            continue
        options = {key: value for key, value in raw.items() if key in known}
        options["sizes"] = sizes
        options["note"] = " ".join(raw["note"].split())
        profiles[id] = ExportProfile(id=id, **options)
    return Named(profiles, frozenset(lost))


def _sizes(
    raw: Mapping[str, Any], trims: Mapping[str, Trim], reader: Reader, file: str
) -> tuple[ExportSize, ...] | None:
    """The sizes with those of the trims that they take; None after reporting trims that are not there."""
    unknown = [
        (f"sizes.{id}.takes.{index}", trim)
        for id, size in raw.items()
        for index, trim in enumerate(size["takes"])
        if trim not in trims
    ]
    for path, trim in unknown:
        reader.report.add("CG104", reader.span(file, path), did_you_mean(trim, trims), what="trim", name=trim)
    if unknown:
        return None
    return tuple(
        ExportSize(id, Size(size["width"], size["height"]), tuple(trims[trim].size for trim in size["takes"]))
        for id, size in raw.items()
    )


def _missing(kind: str, name: str) -> str:
    """What a name of files lacks to tell them apart, in words."""
    if "{print}" not in name:
        return "`{print}`"
    if kind == "images" and "{side}" not in name:
        return "`{side}`"
    if kind == "images" and "{card}" not in name and "{number}" not in name:
        return "`{card}` or `{number}`"
    return ""
