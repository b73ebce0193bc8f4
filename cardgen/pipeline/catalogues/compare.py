"""What a newer catalogue changes for saved bands: costs, verdicts, options that are gone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct, structs

from cardgen.diagnostics import Report, Span
from cardgen.files import Shelf, write_atomic
from cardgen.load.bands import card_entries
from cardgen.load.project import load_bands, load_game
from cardgen.load.shared import read_trims
from cardgen.model.band import Band, Entry
from cardgen.model.catalogue import CataloguePack
from cardgen.model.game import BandKind, Game
from cardgen.model.lack import Lack
from cardgen.model.project import Project
from cardgen.model.rules import Verdict
from cardgen.pipeline.verdicts import check_rules, known_rules
from cardgen.rules.bands import Judgement, judge_band
from cardgen.scratch import scratch_folder


class EntryChange(Struct, frozen=True):
    """An entry of a band before and after; costs are None where they cannot be said.

    `rules` are those that it breaks in the new catalogue and did not break in the old one; `mended` the other way
    round; `gone` are the cards it names that there are no more, of which its new cost knows nothing. `unjudged` are rules
    that could be judged and cannot any more, because of what it `lacks`; none where its own card is gone (`lost`), which
    says it all.
    """

    number: int
    name: str
    version: str
    old_cost: Any
    new_cost: Any
    old: Verdict
    new: Verdict
    rules: tuple[str, ...]
    mended: tuple[str, ...]
    gone: tuple[str, ...]
    span: Span
    unjudged: tuple[str, ...] = ()
    lacks: tuple[Lack, ...] = ()
    lost: bool = False

    @property
    def changes(self) -> bool:
        """Whether the new catalogue makes any difference to it."""
        told = self.rules or self.mended or self.gone or self.unjudged
        return self.old_cost != self.new_cost or self.old != self.new or bool(told)


class BandChange(Struct, frozen=True):
    """A saved band before and after, with all of its entries."""

    band: Band
    unit: str
    old: Verdict
    new: Verdict
    rules: tuple[str, ...]
    mended: tuple[str, ...]
    entries: tuple[EntryChange, ...]
    unjudged: tuple[str, ...] = ()
    lacks: tuple[Lack, ...] = ()

    @property
    def name(self) -> str:
        """What its file is called below `bands`, without the ending: bands of several owners may share the rest."""
        return self.band.file.partition("/bands/")[2].removesuffix(".yaml")

    @property
    def changes(self) -> bool:
        """Whether the new catalogue makes any difference to the band or an entry of it."""
        told = self.rules or self.mended or self.unjudged
        return self.old != self.new or bool(told) or any(item.changes for item in self.entries)


@contextmanager
def unpacked(project: Project, pack: CataloguePack) -> Iterator[Project]:
    """The project as it is read with the files of a pack before its own, which lie in a temporary folder."""
    with scratch_folder() as scratch:
        top = Path(scratch).resolve()
        for name, data in pack.files.items():
            write_atomic(top / name, data)
        yield structs.replace(project, shelf=Shelf((top, *project.shelf.roots)))


def updated_game(project: Project, pack: CataloguePack, report: Report) -> Game | None:
    """The game as it is with the files of a pack; None after reporting what is wrong with it or with its rules."""
    with unpacked(project, pack) as other:
        game = load_game(other.shelf, pack.game, read_trims(other.shelf, Report()), report)
        game = None if game is None else structs.replace(game, speech=project.words)
        if game is not None and not game.partial:
            check_rules(other, game, report, bands=False)
    return None if game is None or report.has_errors() else structs.replace(game, version=pack.version)


def renewed_band(band: Band, new: Game) -> Band:
    """A band as it stands with the cards of another catalogue; what that does not have is left out."""
    return structs.replace(band, values=renewed_values(band.values, card_entries(new.cards.values())))


def compare_bands(shelf: Shelf, old: Game, new: Game, report: Report) -> list[BandChange]:
    """Every saved band of the project, judged with both as if nobody were kept; what makes that impossible is reported."""
    own = set(Shelf(shelf.roots[:1]).names(f"cards/{old.id}/bands", ".yaml"))
    bands = [band for band in load_bands(shelf, old, report) if band.file in own]
    bands = [band for band in bands if known_rules(old, band, report) and known_rules(new, band, report)]
    return [compare_band(band, old, new) for band in bands]


def gone_options(old: Game, new: Game) -> list[str]:
    """The cards that the new catalogue does not have any more."""
    return [id for id in old.cards if id not in new.cards]


def compare_band(band: Band, old: Game, new: Game, kept: Mapping[int, Entry] = MappingProxyType({})) -> BandChange:
    """A band, judged with both catalogues; `kept` are entries, by number, as they stay or become."""
    kind = old.bands[band.kind]
    cards = card_entries(new.cards.values())
    items: Any = band.values.get(kind.entries) or ()
    stamp = kind.choices.version if kind.choices is not None else ""
    lines = {
        number: kept.get(number) or stamped_entry(renewed_values(item, cards), stamp, new.version)
        for number, item in enumerate(items, 1)
    }
    coming = tuple(line for line in lines.values() if line is not None)
    renewed = Entry({**renewed_values(band.values, cards), kind.entries: coming}, band.values.span)
    before, after = judge_band(old, band, compare=False), judge_band(new, band, renewed, compare=False)
    entries = []
    for number, item in enumerate(items, 1):
        if not isinstance(item, Entry):
            continue  # a line of text costs nothing and has no card
        one = Entry({**band.values, kind.entries: (item,)}, band.values.span)
        there = judge_band(old, band, one, compare=False)
        line = lines[number]
        other = Entry({**renewed, kind.entries: () if line is None else (line,)}, band.values.span)
        fresh = judge_band(new, band, other, compare=False)
        was, now = _about_entry(there, old, kind.entries), _about_entry(fresh, new, kind.entries)
        left = set(cards_in(line))
        gone = tuple(dict.fromkeys(id for id in cards_in(item) if id not in left))
        lost = _own(item, kind) in gone
        unjudged = () if lost else _newly(now, was, "unknown")
        entries.append(
            EntryChange(
                number,
                there.entries[0].name,
                str(item.get(stamp) or "") if stamp else "",
                there.total,
                fresh.total if fresh.entries else None,
                _verdict(was),
                _verdict(now) if fresh.entries else "unknown",
                _newly(now, was, "illegal"),
                _mended(was, now),
                gone,
                item.span,
                unjudged,
                _lacks(fresh, unjudged),
                lost,
            )
        )
    was, now = _broken(before), _broken(after)
    rules, mended = _newly(now, was, "illegal"), _mended(was, now)
    # Of an entry without its card nothing can be judged: that is told once, with the entry.
    unjudged = () if any(entry.lost for entry in entries) else _newly(now, was, "unknown")
    lacks = _lacks(after, unjudged)
    return BandChange(band, kind.unit, before.verdict, after.verdict, rules, mended, tuple(entries), unjudged, lacks)


def stamped_entry(item: Any, stamp: str, version: str) -> Any:
    """An entry with the version that it is of, where its band states that."""
    return Entry({**item, stamp: version}, item.span, item.called) if stamp and isinstance(item, Entry) else item


def _own(item: Entry, kind: BandKind) -> str:
    """The id of the card that an entry is, in the old catalogue; empty when it is none."""
    name, _ = kind.own or ("", None)
    card = item.get(name) if name else item
    return str(card["id"]) if isinstance(card, Entry) and _is_card(card) else ""


def _lacks(judgement: Judgement, rules: Collection[str]) -> tuple[Lack, ...]:
    """What keeps some rules from being judged, each once."""
    return tuple(
        dict.fromkeys(item.lack for item in judgement.findings if item.rule in rules and item.lack is not None)
    )


def _broken(judgement: Judgement) -> dict[str, Verdict]:
    """The rules that a band breaks, advice left out, and whether they are broken or cannot be judged."""
    found: dict[str, Verdict] = {}
    for finding in judgement.findings:
        if finding.counts and found.get(finding.rule) != "illegal":
            found[finding.rule] = finding.verdict
    return found


def _about_entry(judgement: Judgement, game: Game, entries: str) -> dict[str, Verdict]:
    """Of what a band of one entry breaks, what is about that entry or its cards."""
    rules = game.packs[judgement.band.pack].rules
    about = {id for id, rule in rules.items() if rule.scope == "card" or rule.each == f"band.{entries}"}
    return {id: verdict for id, verdict in _broken(judgement).items() if id in about}


def _verdict(broken: Mapping[str, Verdict]) -> Verdict:
    return "illegal" if "illegal" in broken.values() else "unknown" if broken else "legal"


def _newly(some: Mapping[str, Verdict], others: Mapping[str, Verdict], wanted: Verdict) -> tuple[str, ...]:
    """The rules of which something says `wanted` and the others said anything else."""
    return tuple(sorted(id for id, verdict in some.items() if verdict == wanted != others.get(id)))


def _mended(was: Mapping[str, Verdict], now: Mapping[str, Verdict]) -> tuple[str, ...]:
    """The rules that were broken, or could not be judged, and are kept now."""
    return tuple(sorted(was.keys() - now.keys()))


def renewed_values(value: Any, cards: Mapping[str, Entry]) -> Any:
    """A band's values with the cards of another catalogue; what that does not have is left out."""
    if isinstance(value, Entry):
        if _is_card(value):
            card = cards.get(str(value["id"]))
            return None if card is None else Entry(card, value.span)
        return Entry({name: renewed_values(item, cards) for name, item in value.items()}, value.span, value.called)
    if isinstance(value, tuple):
        return tuple(new for new in (renewed_values(item, cards) for item in value) if new is not None)
    return value


def cards_in(value: Any) -> Iterator[str]:
    """The ids of the cards that a band's value names."""
    if isinstance(value, Entry) and _is_card(value):
        yield str(value["id"])
    elif isinstance(value, (Entry, tuple)):
        for item in value.values() if isinstance(value, Entry) else value:
            yield from cards_in(item)


def _is_card(value: Entry) -> bool:
    return "kind" in value and "id" in value
