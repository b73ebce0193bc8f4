"""Loads a whole project: cardgen.yaml, trims, sheets, fonts and games. Reports everything, keeps what is sound."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import FileProblem
from cardgen.files import MAX_YAML, Shelf, open_shelf
from cardgen.geometry import Size
from cardgen.load import definitions, shapes
from cardgen.load.cards import KindRules, check_references, read_cards, read_deck
from cardgen.load.game import compile_derived, lost_fields, read_game
from cardgen.load.nodes import Node, parse_yaml
from cardgen.load.reader import BAD, Reader
from cardgen.load.strings import game_strings
from cardgen.model.card import Card, Deck
from cardgen.model.font import FontFace, FontRole, FontTweak
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.model.sheet import SheetTemplate, SheetWords
from cardgen.model.trim import Trim


def load_project(root: Path, report: Report) -> Project | None:
    """Load the project whose cardgen.yaml lies in `root`; None only when that file itself is unusable."""
    shelf = open_shelf(root)
    raw = _read(shelf, "cardgen.yaml", definitions.PROJECT, report)
    if raw is BAD:
        return None
    trims = _trims(shelf, report)
    games: dict[str, Game] = {}
    for id in raw["games"] or shelf.folders("cards"):
        game = load_game(shelf, id, trims, report)
        if game is not None:
            games[id] = game
    sheets = _sheets(shelf, report)
    _check_prints(games, sheets, report)
    if not games and not report.items:
        report.add("CG116", Span("cardgen.yaml"))
    fonts = _fonts(shelf, report)
    words = _read(shelf, "layouts/_words.yaml", definitions.WORDS, report)
    return Project(
        raw["name"],
        shelf,
        raw["languages"] or (),
        raw["paper"],
        games,
        trims,
        sheets,
        fonts,
        {} if words is BAD else {lang: SheetWords(**item) for lang, item in words.items()},
    )


def read_node(shelf: Shelf, name: str, report: Report) -> Node | None:
    """The root node of a YAML file of the shelf, or None after reporting why not."""
    try:
        data = shelf.read(name, MAX_YAML)
    except FileProblem as error:
        report.add("CG001", Span(name), problem=str(error))
        return None
    return parse_yaml(data, name, report)


def _read(shelf: Shelf, name: str, shape: shapes.Shape, report: Report) -> Any:
    node = read_node(shelf, name, report)
    return BAD if node is None else Reader(report).read(node, shape)


def _trims(shelf: Shelf, report: Report) -> dict[str, Trim]:
    raw = _read(shelf, "layouts/_trims.yaml", definitions.TRIMS, report)
    if raw is BAD:
        return {}
    return {
        id: Trim(id, item["title"], Size(item["width"], item["height"]), item["bleed"], item["safe"], item["corner"])
        for id, item in raw.items()
    }


def _sheets(shelf: Shelf, report: Report) -> dict[str, SheetTemplate]:
    sheets: dict[str, SheetTemplate] = {}
    known = {field.name for field in dataclasses.fields(SheetTemplate)}
    for name in _listed(shelf, "layouts/_sheets", ".yaml", report):
        raw = _read(shelf, name, definitions.SHEET, report)
        if raw is BAD:
            continue
        id = Path(name).stem
        options = {key: value for key, value in raw.items() if key in known}
        options["paper"] = None if raw["paper"] == "none" else raw["paper"]
        sheets[id] = SheetTemplate(id=id, **options)
    return sheets


def _fonts(shelf: Shelf, report: Report) -> dict[str, FontRole]:
    file = "fonts/fonts.yaml"
    node = read_node(shelf, file, report)
    if node is None:
        return {}
    reader = Reader(report)
    raw = reader.read(node, definitions.FONTS)
    if raw is BAD:
        return {}
    roles: dict[str, FontRole] = {}
    for id, item in raw["roles"].items():
        faces = tuple(FontFace(face["file"], face["weight"], face["style"]) for face in item["faces"])
        for index, face in enumerate(faces):
            _check_font(shelf, face.file, reader.span(file, f"roles.{id}.faces.{index}.file"), report)
        for index, other in enumerate(item["fallback"]):
            if other not in raw["roles"]:
                place = reader.span(file, f"roles.{id}.fallback.{index}")
                report.add("CG104", place, did_you_mean(other, raw["roles"]), what="font role", name=other)
        tweaks = {lang: FontTweak(float(tweak["size"].rstrip("%"))) for lang, tweak in item["languages"].items()}
        roles[id] = FontRole(id, faces, tuple(name for name in item["fallback"] if name in raw["roles"]), tweaks)
    return roles


def _check_font(shelf: Shelf, name: str, place: Span, report: Report) -> None:
    try:
        found = shelf.find(f"fonts/{name}")
    except FileProblem as error:
        report.add("CG001", place, problem=str(error))
        return
    if found is None:
        known = [path.removeprefix("fonts/") for path in shelf.names("fonts", "tf")]
        report.add("CG104", place, did_you_mean(name, known), what="font file", name=name)


def _listed(shelf: Shelf, folder: str, suffix: str, report: Report) -> list[str]:
    try:
        return shelf.names(folder, suffix)
    except FileProblem as error:
        report.add("CG001", Span(folder), problem=str(error))
        return []


def icon_names(shelf: Shelf, game: str) -> tuple[str, ...]:
    """The icons a game may use: the shared ones and its own."""
    folders = ("layouts/_base/icons", f"layouts/{game}/icons")
    return tuple(sorted({Path(name).stem for folder in folders for name in shelf.names(folder, ".svg")}))


def load_game(shelf: Shelf, id: str, trims: dict[str, Trim], report: Report) -> Game | None:
    """One game with its cards and decks, in its source language; None when its game.yaml is unusable."""
    file = f"cards/{id}/game.yaml"
    node = read_node(shelf, file, report)
    if node is None:
        return None
    read = read_game(node, id, file, icon_names(shelf, id), report)
    if read is None:
        return None
    game, known, places = read
    _check_kinds(game, shelf, trims, places, file, report)
    rules = {
        kind.id: KindRules(kind, lost_fields(kind, places), tuple(compile_derived(kind, file, places, report)))
        for kind in game.kinds.values()
    }
    cards: dict[str, Card] = {}
    declared: dict[str, Span] = {}
    whole = True
    for name in _listed(shelf, f"cards/{id}/cards", ".yaml", report):
        root = read_node(shelf, name, report)
        whole = whole and root is not None
        if root is not None:
            read_cards(root, name, rules, known, cards, declared, report)
    if whole:
        check_references(cards, declared, game.kinds, report)
    decks: dict[str, Deck] = {}
    names: dict[str, str] = {}
    for name in _listed(shelf, f"cards/{id}/decks", ".yaml", report):
        deck_id = Path(name).stem
        if deck_id in names:
            other = f"; the first one is `{names[deck_id]}`"
            report.add("CG105", Span(name, 1, 1), what="deck", name=deck_id, other=other)
            continue
        names[deck_id] = name
        root = read_node(shelf, name, report)
        deck = read_deck(root, deck_id, name, cards, declared if whole else None, report) if root else None
        if deck is not None:
            decks[deck.id] = deck
    for item in game.prints.values():
        if item.deck and item.deck not in names:
            place = places.span(file, f"prints.{item.id}.deck")
            report.add("CG104", place, did_you_mean(item.deck, names), what="deck", name=item.deck)
    game = dataclasses.replace(game, cards=cards, decks=decks)
    return dataclasses.replace(game, strings=game_strings(game, file, places))


def _check_kinds(game: Game, shelf: Shelf, trims: dict[str, Trim], places: Reader, file: str, report: Report) -> None:
    layouts = [name.removeprefix("layouts/").removesuffix(".html.j2") for name in shelf.names("layouts", ".html.j2")]
    for kind in game.kinds.values():
        if kind.trim not in trims:
            place = places.span(file, f"kinds.{kind.id}.trim")
            report.add("CG104", place, did_you_mean(kind.trim, trims), what="trim", name=kind.trim)
        for side in ("front", "back"):
            layout = getattr(kind, side)
            if layout is not None and layout not in layouts:
                place = places.span(file, f"kinds.{kind.id}.{side}")
                report.add("CG104", place, did_you_mean(layout, layouts), what="layout", name=layout)


def _check_prints(games: dict[str, Game], sheets: dict[str, SheetTemplate], report: Report) -> None:
    for game in games.values():
        for item in game.prints.values():
            if item.sheet is not None and item.sheet not in sheets:
                report.add("CG104", item.span, did_you_mean(item.sheet, sheets), what="sheet", name=item.sheet)
