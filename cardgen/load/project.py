"""Loads a whole project: cardgen.yaml, what games share, and the games. Reports everything, keeps what is sound."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.files import Shelf, open_shelf, shipped_root
from cardgen.load import definitions, shapes
from cardgen.load.cards import KindRules, check_references, read_cards, read_deck, with_hash
from cardgen.load.catalogues import read_installed
from cardgen.load.fields import Known
from cardgen.load.game import compile_derived, lost_fields, read_game
from cardgen.load.kept import read_kept
from cardgen.load.languages import adding_language
from cardgen.load.reader import BAD, Reader
from cardgen.load.recall import RecallingShelf
from cardgen.load.shared import Named, names_in, read_blocks, read_fonts, read_node, read_sheets, read_trims, read_words
from cardgen.load.strings import game_strings
from cardgen.model.card import Card, Deck
from cardgen.model.catalogue import current_version
from cardgen.model.game import Game, Keyword
from cardgen.model.project import Project
from cardgen.model.translation import Policy

if TYPE_CHECKING:  # here and below: what a game has none of is not loaded for it
    from cardgen.load.bands import BandReader
    from cardgen.load.rules import RawPack
    from cardgen.model.band import Band
    from cardgen.model.booklet import Booklet
    from cardgen.model.component import Component
    from cardgen.model.rules import Pack

_FILE = "cardgen.yaml"


def load_project(root: Path, report: Report, shelf: Shelf | None = None) -> Project | None:
    """Load the project whose cardgen.yaml lies in `root`; None only when that file itself is unusable.

    `shelf` is what it is read from, where that is not the folder and what is shipped.
    """
    shelf = shelf or open_shelf(root)
    node = read_node(shelf, _FILE, report)
    reader = Reader(report)
    raw = BAD if node is None else reader.read(node, definitions.PROJECT)
    if raw is BAD:
        return None
    trims = read_trims(shelf, report)
    names = _game_names(shelf, raw["games"], reader, report)
    loaded = {id: load_game(shelf, id, trims, report) for id in names}
    words = read_words(shelf, report)
    games = {id: structs.replace(game, speech=words) for id, game in loaded.items() if game is not None}
    sheets = read_sheets(shelf, report)
    for game in games.values():
        for item in game.prints.values():
            if item.sheet is not None:
                sheets.check(item.sheet, "sheet", item.span, report)
    if not games and not report.items:
        report.add("CG116", Span(_FILE, 1, 1), "make a folder `cards/<game>` with a game.yaml")
    if len(games) == len(loaded):
        _check_languages(raw["languages"] or (), games, shelf, reader, report)
    return Project(
        raw["name"],
        shelf,
        raw["languages"] or (),
        raw["paper"],
        games,
        dict(trims.sound),
        dict(sheets.sound),
        read_fonts(shelf, report),
        words,
        Policy(**raw["translations"]),
        raw["codes"],
    )


def shipped_games() -> list[str]:
    """The games that come with the program, which any project can have by naming them."""
    shelf = Shelf((shipped_root(),))
    return [name for name in shelf.folders("cards") if shelf.find(f"cards/{name}/game.yaml") is not None]


def _game_names(shelf: Shelf, stated: tuple[str, ...] | None, reader: Reader, report: Report) -> list[str]:
    """The games to load: those that cardgen.yaml names, else every folder of cards/."""
    found = []
    if stated is None:
        for name in shelf.folders("cards"):
            if re.fullmatch(shapes.ID_PATTERN, name):
                file = f"cards/{name}/game.yaml"
                if file in names_in(shelf, f"cards/{name}", "game.yaml", report):
                    found.append(name)
                else:
                    hint = "every folder of cards/ is a game, unless cardgen.yaml lists `games`"
                    report.add("CG001", Span(file), hint, problem=f"there is no file `{file}`")
            else:
                expected = "a folder named with lower-case letters, digits and hyphens"
                report.add("CG020", Span(f"cards/{name}"), expected=expected, found=f"`{name}`")
        return found
    paths = [name.split("/") for name in names_in(shelf, "cards", "game.yaml", report)]
    known = [parts[1] for parts in paths if len(parts) == 3]
    for index, name in enumerate(stated):
        if name in known:
            found.append(name)
        else:
            report.add("CG104", reader.span(_FILE, f"games.{index}"), did_you_mean(name, known), what="game", name=name)
    return found


def _check_languages(
    stated: tuple[str, ...], games: dict[str, Game], shelf: Shelf, reader: Reader, report: Report
) -> None:
    known = {lang for game in games.values() for lang in game.languages}
    for index, lang in enumerate(stated):
        if lang not in known:
            place = reader.span(_FILE, f"languages.{index}")
            report.add("CG119", place, adding_language(shelf, games), lang=lang)


def icon_names(shelf: Shelf, game: str) -> tuple[str, ...]:
    """The icons a game may use: the shared ones and its own."""
    folders = ("layouts/_base/icons", f"layouts/{game}/icons")
    return tuple(sorted({Path(name).stem for folder in folders for name in shelf.names(folder, ".svg")}))


def load_game(shelf: Shelf, id: str, trims: Named, report: Report) -> Game | None:
    """One game with its cards and decks, in its source language; None when its game.yaml is unusable."""
    file = f"cards/{id}/game.yaml"
    told = len(report.items)
    node = read_node(shelf, file, report)
    if node is None:
        return None
    read = read_game(node, id, file, icon_names(shelf, id), report)
    if read is None:
        return None
    game, known, places = read
    layouts = _layouts(shelf)
    _check_kinds(game, layouts, trims, places, file, report)
    rules = {
        kind.id: KindRules(kind, lost_fields(kind, places), tuple(compile_derived(kind, file, places, report)))
        for kind in game.kinds.values()
    }
    recall = shelf.recall if isinstance(shelf, RecallingShelf) else None
    if recall is not None:
        rules = {name: with_hash(item, known) for name, item in rules.items()}
    cards: dict[str, Card] = {}
    declared: dict[str, Span] = {}
    unread: list[str] = []
    for name in names_in(shelf, f"cards/{id}/cards", ".yaml", report):
        blocks = read_blocks(shelf, name, report)
        held, new = (False, False) if blocks is None else read_cards(blocks, rules, known, cards, declared, report)
        if not held:
            unread.append(name)
        if recall is not None:
            recall.is_new |= new
    if not unread:
        check_references(cards, declared, game.kinds, report)
    for card in cards.values():
        _check_layout(card.back, card.place("back"), game.id, layouts, report)
    decks: dict[str, Deck] = {}
    names: dict[str, str] = {}
    before = len(report.items)
    deck_files = names_in(shelf, f"cards/{id}/decks", ".yaml", report)
    listed = len(report.items) == before
    for name in deck_files:
        deck_id = Path(name).stem
        if deck_id in names:
            other = f"; the first one is `{names[deck_id]}`"
            report.add("CG105", Span(name, 1, 1), what="deck", name=deck_id, other=other)
            continue
        names[deck_id] = name
        root = read_node(shelf, name, report)
        deck = read_deck(root, deck_id, name, cards, None if unread else declared, report) if root else None
        if deck is not None:
            decks[deck.id] = deck
            _check_layout(deck.back, deck.back_span, game.id, layouts, report)
    for item in game.prints.values():
        if item.deck and item.deck not in names and listed:
            place = places.span(file, f"prints.{item.id}.deck")
            report.add("CG104", place, did_you_mean(item.deck, names), what="deck", name=item.deck)
    for name in names_in(shelf, f"cards/{id}/i18n", ".po", report):
        lang = Path(name).stem
        if lang not in game.languages or lang == game.source:
            hint = "it is the source language" if lang == game.source else adding_language(shelf, [id])
            report.add("CG211", Span(name, 1, 1), hint, lang=lang)
    packs = _packs(shelf, id, game, known, rules, cards, report)
    # A pack whose file is there was told about if it is not among them.
    there = Named(packs, frozenset(Path(name).stem for name in shelf.names(f"cards/{id}/rules", ".yaml")))
    if game.rules:
        there.check(game.rules, "rule pack", places.span(file, "rules"), report)
    for kind in game.bands.values():
        there.check(kind.pack, "rule pack", places.span(file, f"bands.{kind.id}.pack"), report)
        from cardgen.load.bands import check_band_kind

        check_band_kind(kind, game.kinds, file, places)
    game = structs.replace(
        game, cards=cards, decks=decks, packs=packs, keywords=_ruled(game.keywords, packs), unread=tuple(unread)
    )
    # A catalogue that was installed is what its cards are of; what is wrong with its record, its update tells.
    game = structs.replace(
        game,
        version=current_version(read_installed(shelf, id, Report()), game),
        kept=read_kept(shelf, id, rules, known, report) if game.bands else {},
    )
    components = _components(game, shelf, trims, places, names, report)
    game = structs.replace(game, components=components)
    if names_in(shelf, f"cards/{id}/glossary", ".yaml", report):
        from cardgen.load.glossaries import read_glossaries

        game = structs.replace(game, glossaries=read_glossaries(shelf, game, report))
    game = structs.replace(game, booklets=_booklets(game, shelf, places, report))
    partial = any(item.severity == "error" for item in report.items[told:])
    return structs.replace(game, strings=game_strings(game, file, places), partial=partial)


def _ruled(keywords: Mapping[str, Keyword], packs: Mapping[str, Pack]) -> dict[str, Keyword]:
    """The keywords with the rulings of play that touch them, whichever pack holds these."""
    touched: dict[str, dict[str, None]] = {}
    for pack in packs.values():
        for note in pack.notes.values():
            for name in note.touches:
                touched.setdefault(name, {})[note.id] = None
    return {id: structs.replace(word, rulings=tuple(touched.get(id, ()))) for id, word in keywords.items()}


def _booklets(game: Game, shelf: Shelf, places: Reader, report: Report) -> dict[str, Booklet]:
    """The booklets of a game, and whether its prints name such as exist."""
    notes = {*game.packs, *(id for pack in game.packs.values() for id in pack.notes)}
    known: dict[str, Collection[str]] = {"table": game.tables, "track": game.tracks, "notes": notes}
    there = [name.rpartition("/")[2].removesuffix(".md") for name in shelf.names(f"cards/{game.id}/booklets", ".md")]
    found: dict[str, Booklet] = {}
    if there:
        from cardgen.load.booklets import read_booklets

        found = read_booklets(shelf, game.id, known, report)
    for item in game.prints.values():
        if item.booklet and item.booklet not in there:
            place = places.span(f"cards/{game.id}/game.yaml", f"prints.{item.id}.booklet")
            report.add("CG104", place, did_you_mean(item.booklet, there), what="booklet", name=item.booklet)
    return found


def _components(
    game: Game, shelf: Shelf, trims: Named, places: Reader, decks: Collection[str], report: Report
) -> dict[str, Component]:
    """The components of a game, and whether its prints name such as exist."""
    declared: dict[str, Span] = {}
    found: dict[str, Component] = {}
    whole = True
    for name in names_in(shelf, f"cards/{game.id}/components", ".yaml", report):
        from cardgen.load.components import read_components

        root = read_node(shelf, name, report)
        whole = whole and root is not None
        if root is not None:
            found |= read_components(root, name, declared, report)
    sections = ("dice", "tracks", "tables", "kinds")
    known: dict[str, Collection[str]] = {section: getattr(game, section) for section in sections}
    known |= {
        "decks": decks,
        "icons": icon_names(shelf, game.id),
        "trims": trims.sound,
        "layouts": _layouts(shelf),
        "components": declared,
    }
    lost = {section: places.names.get(section, ()) for section in sections} | {"trims": trims.lost or ()}
    if found:
        from cardgen.load.components import check_components

        found = check_components(found, known, lost, report)
    for item in game.prints.values():
        for index, id in enumerate(item.components):
            if id not in declared and whole:
                place = places.span(f"cards/{game.id}/game.yaml", f"prints.{item.id}.components.{index}")
                report.add("CG104", place, did_you_mean(id, declared), what="component", name=id)
    return found


def _layouts(shelf: Shelf) -> list[str]:
    return [name.removeprefix("layouts/").removesuffix(".html.j2") for name in shelf.names("layouts", ".html.j2")]


def _packs(
    shelf: Shelf,
    id: str,
    game: Game,
    known: Known,
    rules: dict[str, KindRules],
    cards: dict[str, Card],
    report: Report,
) -> dict[str, Pack]:
    """The rule packs of a game, each with what it extends inside it."""
    files = names_in(shelf, f"cards/{id}/rules", ".yaml", report)
    if not files:
        return {}
    from cardgen.load.bands import BandReader, card_entries
    from cardgen.load.rules import extend_packs, make_pack, read_pack

    raw: dict[str, RawPack] = {}
    for name in files:
        root = read_node(shelf, name, report)
        pack = read_pack(root, name, report) if root is not None else None
        if pack is not None:
            raw[pack.id] = pack
    cast: dict[str, Card] = {}
    for pack in raw.values():
        if pack.cast is not None:
            read_cards(pack.cast, rules, known, cast, {}, report)
    reader = BandReader(game.bands, known, card_entries([*cards.values(), *cast.values()]), report)
    packs = {name: make_pack(pack, reader) for name, pack in raw.items()}
    return extend_packs(packs, {name: pack.extends for name, pack in raw.items()}, report)


def load_bands(shelf: Shelf, game: Game, report: Report) -> list[Band]:
    """Every band of a game under `cards/<game>/bands`; what is wrong is reported and left out.

    None of a game of which something cannot be used: what a band or its verdict lacks may be just that.
    """
    if game.partial:
        return []
    return [
        band
        for name in names_in(shelf, f"cards/{game.id}/bands", ".yaml", report)
        if (band := read_band(shelf, game, name, report)) is not None
    ]


def read_band(shelf: Shelf, game: Game, name: str, report: Report) -> Band | None:
    """The band of a file; None after reporting what is wrong in it: a verdict would be about another band."""
    own = Report()
    node = read_node(shelf, name, own)
    band = band_reader(shelf, game, own).read(node, name) if node is not None else None
    report.extend(own.items)
    return None if own.has_errors() else band


def band_reader(shelf: Shelf, game: Game, report: Report) -> BandReader:
    """What reads bands of a game that is loaded."""
    from cardgen.load.bands import BandReader, card_entries

    known = Known(game.dice, game.keywords, game.tracks, icon_names(shelf, game.id), tuple(game.kinds))
    kept = {version: card_entries(cards.values()) for version, cards in game.kept.items() if version != game.version}
    return BandReader(game.bands, known, card_entries(game.cards.values()), report, kept)


def _check_kinds(game: Game, layouts: Sequence[str], trims: Named, places: Reader, file: str, report: Report) -> None:
    for kind in game.kinds.values():
        trims.check(kind.trim, "trim", places.span(file, f"kinds.{kind.id}.trim"), report)
        for side, layout in (("front", kind.front), ("back", kind.back)):
            _check_layout(layout, places.span(file, f"kinds.{kind.id}.{side}"), game.id, layouts, report)


def _check_layout(name: str | None, place: Span, game: str, layouts: Sequence[str], report: Report) -> None:
    """Report a layout that does not exist."""
    if name is None or name in layouts:
        return
    # What starts with `_` is there to be included; what belongs to another game is seldom meant.
    offered = [other for other in layouts if not other.startswith("_") and "/_" not in other]
    offered = [other for other in offered if other.startswith(f"{game}/")] or offered
    report.add("CG104", place, did_you_mean(name, offered), what="layout", name=name)
