"""Reads packs of catalogues (zip files) and the record of what a project has installed of them.

A pack may have been made by anybody: names, kinds, numbers and sizes of its files are checked before anything is used,
and nothing is unpacked to the disk here.
"""

from __future__ import annotations

import io
import re
import stat
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from cardgen.diagnostics import Report, Span, printable
from cardgen.errors import FileProblem
from cardgen.files import MAX_IMAGE, MAX_PO, MAX_YAML, MB, Shelf, checked_name, read_bounded
from cardgen.load.nodes import parse_yaml
from cardgen.load.reader import BAD, Reader
from cardgen.load.shapes import IDENT, Key, Record, Sequence, Text
from cardgen.load.shared import read_node
from cardgen.model.catalogue import CataloguePack, Installed

if TYPE_CHECKING:  # few projects have a pack to be opened
    import zipfile

# Stated in docs/limits.md.
MAX_PACK = 200 * MB
MAX_PACK_FILES = 5000
MAX_UNPACKED = 500 * MB
# The largest manifest.
_MAX_MANIFEST = MB
MANIFEST = "catalogue.yaml"
# The folder below `cards/<game>/cards` for cards of a player's own: no pack touches it.
OWN = "own"

_VERSION = Key(Text(max_length=20), about="of the catalogue, as entries of bands state it")
CATALOGUE = Record("catalogue", {"game": Key(IDENT, about="whose catalogue it is"), "version": _VERSION})
_FILE = Record(
    "installed file",
    {
        "file": Key(Text(max_length=500)),
        "sha256": Key(Text(64, "[0-9a-f]{64}", "a SHA-256 in hexadecimal")),
        "cards": Key(Sequence(IDENT), None, about="the cards that it held; a card besides is the player's own"),
    },
)
INSTALLED = Record("installed catalogue", {"version": _VERSION, "files": Key(Sequence(_FILE), ())})
_HEAD = "# The catalogue that `cardgen catalogue update` installed last, and its files as they were then.\n"

# What a pack may hold below `cards/<game>/`, and how large each may be.
_ALLOWED: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"cards/(?:[^/]+/)*[^/]+\.yaml"), MAX_YAML),
    (re.compile(r"rules/[^/]+\.yaml"), MAX_YAML),
    (re.compile(r"i18n/[^/]+\.po"), MAX_PO),
    (re.compile(r"art/(?:[^/]+/)*[^/]+\.(?:svg|png|jpg|jpeg|webp|gif)"), MAX_IMAGE),
)


def read_catalogue_pack(path: Path, report: Report) -> CataloguePack | None:
    """The pack in a zip file, or None after reporting why it cannot be used."""
    try:
        data = read_bounded(path, path.name, MAX_PACK)
    except FileProblem as error:
        _refuse(path.name, str(error), report)
        return None
    return catalogue_pack(data, path.name, report)


def catalogue_pack(data: bytes, name: str, report: Report) -> CataloguePack | None:
    """The pack in the bytes of a zip file called `name`, or None after reporting why it cannot be used."""
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _pack(archive, name, report)
    except FileProblem as error:
        problem = str(error)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        problem = f"it cannot be unpacked: {error}"
    _refuse(name, problem, report)
    return None


def _refuse(name: str, problem: str, report: Report) -> None:
    report.add("CG633", Span(name), "docs/format.md says what a pack of a catalogue holds", problem=problem)


def read_installed(shelf: Shelf, game: str, report: Report) -> Installed | None:
    """What the project's own folder says is installed; None for nothing, or after reporting what is wrong with it."""
    own, name = Shelf(shelf.roots[:1]), record_name(game)
    try:
        if own.find(name) is None:
            return None
    except FileProblem as error:
        report.add("CG001", Span(name), problem=str(error))
        return None
    node = read_node(own, name, report)
    reader = Reader(report)
    raw = BAD if node is None else reader.read(node, INSTALLED)
    if raw is BAD or reader.bad:
        return None
    entries = {item["file"]: tuple(item["cards"]) for item in raw["files"] if item["cards"] is not None}
    return Installed(raw["version"], {item["file"]: item["sha256"] for item in raw["files"]}, entries)


def installed_text(installed: Installed) -> str:
    """The record as it is written to the disk."""
    files: list[dict[str, Any]] = [
        {"file": name, "sha256": digest}
        | ({"cards": list(installed.entries[name])} if name in installed.entries else {})
        for name, digest in sorted(installed.files.items())
    ]
    said = {"version": installed.version, "files": files}
    return _HEAD + yaml.safe_dump(said, allow_unicode=True, sort_keys=False, width=200)


def record_name(game: str) -> str:
    """The file that says what of a game's catalogue is installed."""
    return f"cards/{game}/{MANIFEST}"


def own_file(game: str, kind: str) -> str:
    """Where the cards of a kind stand that a player makes: apart from the catalogue's, and in no pack."""
    return f"cards/{game}/cards/{OWN}/{kind}.yaml"


def _pack(archive: zipfile.ZipFile, name: str, report: Report) -> CataloguePack | None:
    infos = [info for info in archive.infolist() if not _is_folder(info)]
    if len(infos) > MAX_PACK_FILES:
        raise FileProblem(f"it holds {len(infos)} files; a pack has {MAX_PACK_FILES} at most")
    seen: set[str] = set()
    for info in infos:
        checked_name(info.filename)
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            raise FileProblem(f"`{info.filename}` is a link or a device; a pack holds files only")
        # Two names that differ in case alone are one file on some systems.
        if info.filename.casefold() in seen:
            raise FileProblem(f"`{info.filename}` is in it twice")
        seen.add(info.filename.casefold())
    names = sorted(info.filename for info in infos)
    if MANIFEST not in names:
        raise FileProblem(f"there is no `{MANIFEST}` in it, which names the game and the version")
    manifest = parse_yaml(_read(archive, MANIFEST, _MAX_MANIFEST), f"{name}/{MANIFEST}", report)
    raw: Any = BAD if manifest is None else Reader(report).read(manifest, CATALOGUE)
    if raw is BAD or report.has_errors():
        return None
    files: dict[str, bytes] = {}
    left = MAX_UNPACKED
    for file in names:
        if file == MANIFEST:
            continue
        files[file] = _read(archive, file, min(_limit(file, raw["game"]), left))
        left -= len(files[file])
    if not files:
        raise FileProblem("it holds nothing but its manifest")
    return CataloguePack(name, raw["game"], raw["version"], files)


def _is_folder(info: zipfile.ZipInfo) -> bool:
    # Not `is_dir()`, which fails for an entry without a name.
    return info.filename.endswith("/") and stat.S_IFMT(info.external_attr >> 16) in (0, stat.S_IFDIR)


def _limit(file: str, game: str) -> int:
    """How large a file of that name may be. Raises FileProblem for one that has no place in a pack."""
    top = f"cards/{game}/"
    inner = file.removeprefix(top)
    if inner.casefold().startswith(f"cards/{OWN}/"):
        raise FileProblem(f"`{printable(file)}` has no place in a pack; that folder is for cards of a player's own")
    if file.startswith(top) and not any(part.startswith(".") for part in file.split("/")):
        for pattern, limit in _ALLOWED:
            if pattern.fullmatch(inner):
                return limit
    held = f"`{top}cards/*.yaml`, `rules/*.yaml`, `i18n/*.po` and pictures in `art/`"
    raise FileProblem(f"`{printable(file)}` has no place in a pack; besides `{MANIFEST}` it holds {held}")


def _read(archive: zipfile.ZipFile, file: str, limit: int) -> bytes:
    """A file's bytes, however large it says it is."""
    with archive.open(file) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise FileProblem(f"`{file}` is too large, or all of it together is more than {MAX_UNPACKED // MB} MB")
    return data
