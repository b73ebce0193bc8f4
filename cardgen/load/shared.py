"""What all games of a project share: trims, sheets, fonts and the words on sheets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import FileProblem
from cardgen.files import MAX_FONT, MAX_YAML, Shelf
from cardgen.geometry import Size
from cardgen.load import definitions, shared_shapes
from cardgen.load.nodes import Map, Node, parse_yaml
from cardgen.load.reader import BAD, Reader
from cardgen.load.recall import Blocks, RecallingShelf
from cardgen.model.font import FontFace, FontRole, FontTweak
from cardgen.model.sheet import PAPERS, SheetTemplate, SheetWords
from cardgen.model.trim import Trim
from cardgen.text.cmaps import characters_of

WORDS_FILE = "layouts/_words.yaml"


class Named(Struct, frozen=True):
    """Values by name, and the names of those that exist but were reported as unusable (None: nobody knows which)."""

    sound: Mapping[str, Any]
    lost: frozenset[str] | None = frozenset()

    def check(self, name: str, what: str, place: Span, report: Report) -> None:
        """Report a name that neither exists nor is known to be lost."""
        if name not in self.sound and self.lost is not None and name not in self.lost:
            report.add("CG104", place, did_you_mean(name, self.sound), what=what, name=name)


def read_node(shelf: Shelf, name: str, report: Report) -> Node | None:
    """The root node of a YAML file of the shelf, or None after reporting why not."""
    try:
        data = shelf.read(name, MAX_YAML)
    except FileProblem as error:
        report.add("CG001", Span(name), problem=str(error))
        return None
    return (
        shelf.recall.node(data, name, report) if isinstance(shelf, RecallingShelf) else parse_yaml(data, name, report)
    )


def read_blocks(shelf: Shelf, name: str, report: Report) -> Node | Blocks | None:
    """As `read_node` of a file of cards, which a shelf that remembers need not parse again."""
    if not isinstance(shelf, RecallingShelf):
        return read_node(shelf, name, report)
    try:
        data = shelf.read(name, MAX_YAML)
    except FileProblem as error:
        report.add("CG001", Span(name), problem=str(error))
        return None
    return shelf.recall.blocks(data, name, report)


def names_in(shelf: Shelf, folder: str, suffix: str, report: Report) -> list[str]:
    """The files below a folder; none after reporting why it cannot be looked into."""
    try:
        shelf.find(folder)
        return shelf.names(folder, suffix)
    except FileProblem as error:
        report.add("CG001", Span(folder), problem=str(error))
        return []


def read_trims(shelf: Shelf, report: Report) -> Named:
    """The trims of layouts/_trims.yaml."""
    node = read_node(shelf, "layouts/_trims.yaml", report)
    reader = Reader(report)
    raw = BAD if node is None else reader.read(node, definitions.TRIMS)
    if raw is BAD:
        return Named({}, None)
    trims = {
        id: Trim(id, item["title"], Size(item["width"], item["height"]), item["bleed"], item["safe"], item["corner"])
        for id, item in raw.items()
    }
    return Named(trims, reader.lost(""))


def read_sheets(shelf: Shelf, report: Report) -> Named:
    """The sheets of layouts/_sheets, by the names of their files."""
    files = {name: read_node(shelf, name, report) for name in names_in(shelf, "layouts/_sheets", ".yaml", report)}
    if not isinstance(shelf, RecallingShelf):
        return _sheets(files, report)
    return shelf.recall.made(" ".join(files), tuple(files.values()), lambda own: _sheets(files, own), report)


def _sheets(files: Mapping[str, Node | None], report: Report) -> Named:
    sheets: dict[str, SheetTemplate] = {}
    lost = set()
    known = set(SheetTemplate.__struct_fields__)
    for name, node in files.items():
        id = Path(name).stem
        raw = BAD if node is None else Reader(report).read(node, definitions.SHEET)
        if raw is BAD:
            lost.add(id)
            continue
        if raw["arrange"] == "packed" and raw["paper"] == "none":
            report.add("CG121", Span(name, 1, 1), f"known: {', '.join(PAPERS)}")
            lost.add(id)
            continue
        options = {key: value for key, value in raw.items() if key in known}
        options["paper"] = None if raw["paper"] == "none" else raw["paper"]
        sheets[id] = SheetTemplate(id=id, **options)
    return Named(sheets, frozenset(lost))


def read_words(shelf: Shelf, report: Report) -> dict[str, SheetWords]:
    """What sheets say in their margins, by language: a project's own file adds languages to the shipped ones."""
    name = WORDS_FILE
    found: dict[str, SheetWords] = {}
    for root in reversed(shelf.roots):
        # of a name in both roots one is remembered, which is enough: few projects have words of their own
        own = RecallingShelf((root,), shelf.recall) if isinstance(shelf, RecallingShelf) else Shelf((root,))
        try:
            if own.find(name) is None:
                continue
        except FileProblem:
            pass  # reading tells what is wrong
        node = read_node(own, name, report)
        raw = BAD if node is None else Reader(report).read(node, shared_shapes.WORDS)
        if raw is not BAD:
            found |= {lang: SheetWords(**item) for lang, item in raw.items()}
    return found


def lacking_words(shelf: Shelf, lang: str) -> tuple[str, ...]:
    """The words of sheets that no file states in a language, in their order; they are printed in English."""
    stated: set[str] = set()
    for root in reversed(shelf.roots):
        own, quiet = Shelf((root,)), Report()
        try:
            found = own.find(WORDS_FILE) is not None
        except FileProblem:
            continue
        node = read_node(own, WORDS_FILE, quiet) if found else None
        entry = node.entries.get(lang) if isinstance(node, Map) else None
        if entry is not None and isinstance(entry.value, Map):
            # A project's own words of a language take the place of the shipped ones.
            stated = set(entry.value.entries)
    return tuple(name for name in SheetWords.__struct_fields__ if name not in stated)


def read_fonts(shelf: Shelf, report: Report) -> dict[str, FontRole]:
    """The font roles of fonts/fonts.yaml; the faces whose files cannot be used are left out of them."""
    file = "fonts/fonts.yaml"
    node = read_node(shelf, file, report)
    reader = Reader(report)
    raw = BAD if node is None else reader.read(node, shared_shapes.FONTS)
    if raw is BAD:
        return {}
    roles: dict[str, FontRole] = {}
    named = Named(raw["roles"], reader.lost("roles"))
    for id, item in raw["roles"].items():
        faces = [FontFace(face["file"], face["weight"], face["style"]) for face in item["faces"]]
        places = [reader.span(file, f"roles.{id}.faces.{index}.file") for index in range(len(faces))]
        usable = [face for face, place in zip(faces, places, strict=True) if _usable(shelf, face.file, place, report)]
        for index, other in enumerate(item["fallback"]):
            named.check(other, "font role", reader.span(file, f"roles.{id}.fallback.{index}"), report)
        tweaks = {
            lang: _tweak(tweak, f"roles.{id}.languages.{lang}", shelf, named, reader, report)
            for lang, tweak in item["languages"].items()
        }
        roles[id] = FontRole(id, tuple(usable), item["fallback"], tweaks)
    for family, licence in raw["licences"].items():
        _found(shelf, licence, "licence file", reader.span(file, f"licences.{family}"), report)
    return {
        id: structs.replace(role, fallback=tuple(name for name in role.fallback if name in roles and roles[name].faces))
        for id, role in roles.items()
    }


def _tweak(raw: Mapping[str, Any], path: str, shelf: Shelf, named: Named, reader: Reader, report: Report) -> FontTweak:
    """What a language changes about a role; files and fallbacks that cannot be used are reported and left out."""
    file = "fonts/fonts.yaml"
    faces = []
    for index, face in enumerate(raw["faces"]):
        if _usable(shelf, face["file"], reader.span(file, f"{path}.faces.{index}.file"), report):
            faces.append(FontFace(face["file"], face["weight"], face["style"]))
    fallback = raw["fallback"]
    for index, other in enumerate(fallback or ()):
        named.check(other, "font role", reader.span(file, f"{path}.fallback.{index}"), report)
    if fallback is not None:
        fallback = tuple(name for name in fallback if name in named.sound)
    size, offset = (float(raw[name].rstrip("%")) for name in ("size", "offset"))
    return FontTweak(size, offset, tuple(faces), fallback)


def _usable(shelf: Shelf, name: str, place: Span, report: Report) -> bool:
    if not _found(shelf, name, "font file", place, report):
        return False
    try:
        characters_of(shelf.read(f"fonts/{name}", MAX_FONT))
    except FileProblem as error:
        report.add("CG313", place, name=name, problem=str(error))
        return False
    return True


def _found(shelf: Shelf, name: str, what: str, place: Span, report: Report) -> bool:
    try:
        found = shelf.find(f"fonts/{name}") is not None
    except FileProblem as error:
        report.add("CG001", place, problem=str(error))
        return False
    if not found:
        suffixes = (".ttf", ".otf") if what == "font file" else ("",)
        known = [path[6:] for suffix in suffixes for path in names_in(shelf, "fonts", suffix, Report())]
        report.add("CG104", place, did_you_mean(name, known), what=what, name=name)
    return found
