"""A player's own cards in files that a pack replaces: they are moved to files of the player's own, never lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.files import MAX_YAML, Shelf, own_path, read_bounded
from cardgen.load import yamledit
from cardgen.load.catalogues import own_file
from cardgen.load.nodes import parse_yaml
from cardgen.load.trees import Tree, tree_of
from cardgen.model.catalogue import CataloguePack, Installed


class Own(Struct, frozen=True):
    """The cards that are moved, by id, to which files, and these files as they will be."""

    moved: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)

    def by_file(self) -> dict[str, list[str]]:
        """The ids that go to each file."""
        return {file: [id for id, to in self.moved.items() if to == file] for file in self.files}


def own_entries(shelf: Shelf, pack: CataloguePack, installed: Installed | None) -> Own:
    """What the player wrote into files that a pack replaces: cards that the catalogue they have did not hold.

    Which cards that held is noted when a pack is installed; before that it is what is shipped. Where neither is known
    nothing can be said (such a file is replaced only by somebody who insists). Raises FileProblem when the pack has
    another card of the same name, or when a card cannot be moved.
    """
    top = f"cards/{pack.game}/cards/"
    packed = {file: card_ids(file, data) for file, data in pack.files.items() if file.startswith(top)}
    known = _known(shelf, packed, installed)
    theirs = {id for ids in packed.values() for id in ids}
    # A card that a pack puts into another file is the catalogue's all the same.
    held = {id for ids in known.values() for id in ids}
    moved: dict[str, str] = {}
    texts: dict[str, str] = {}
    for file, base in known.items():
        now = _mapping(file, _read(shelf, file))
        for id, tree in now.items():
            if id in base or id in held or not isinstance(tree, dict):
                continue
            if id in theirs:
                if _mapping(file, pack.files[file]).get(id) == tree:
                    continue
                raise FileProblem(f"`{id}` in `{file}` is a card of your own, and the pack has another one `{id}`")
            target = own_file(pack.game, str(tree.get("kind", "")))
            if target not in texts:
                texts[target] = _read(shelf, target).decode("utf-8-sig")
            texts[target] = yamledit.edit(texts[target], id, tree, {})
            moved[id] = target
    return Own(moved, {file: text.encode() for file, text in texts.items()})


def card_ids(file: str, data: bytes) -> tuple[str, ...]:
    """The cards that a file holds, by id; none when it cannot be read (reading the game tells of that)."""
    return tuple(_mapping(file, data))


def _known(shelf: Shelf, files: Iterable[str], installed: Installed | None) -> dict[str, tuple[str, ...]]:
    """Of each file, as far as that is known, the cards that the catalogue which the project has put there."""
    found = {}
    shipped = Shelf(shelf.roots[1:])
    for file in files:
        noted = installed.entries.get(file) if installed is not None else None
        if noted is not None:
            found[file] = noted
        elif shipped.roots and shipped.find(file) is not None:
            found[file] = card_ids(file, shipped.read(file, MAX_YAML))
    return found


def _read(shelf: Shelf, file: str) -> bytes:
    path = own_path(shelf, file)
    return read_bounded(path, file, MAX_YAML) if path.exists() else b""


def _mapping(file: str, data: bytes) -> dict[str, Tree]:
    root = parse_yaml(data, file, Report()) if data.strip() else None
    tree = tree_of(root) if root is not None else None
    return tree if isinstance(tree, dict) else {}
