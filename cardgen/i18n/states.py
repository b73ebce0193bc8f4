"""What can be said of each text of a game in one language: done, missing, stale, unreviewed, same as the source."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from cardgen.i18n.catalog import Catalog, Entry
from cardgen.model.game import Field, Game, Source
from cardgen.model.translation import State, Term
from cardgen.text.markup import plain

# Shorter words are units, abbreviations and signs, which many languages share.
_WORD = re.compile(r"[^\W\d_]{3,}")
CREDITS = "game/credits"


class TextState(Struct, frozen=True):
    """One text of a game in one language. `group` is the kind of a card, else the section of game.yaml."""

    context: str
    group: str
    field: str
    state: State
    source: Source
    entry: Entry | None

    @property
    def target(self) -> str:
        """The translation, whatever may be said of it; empty when there is none."""
        return self.entry.target if self.entry is not None else ""


def normal(text: str) -> str:
    """The text as a catalog holds it: composed characters (NFC)."""
    return unicodedata.normalize("NFC", text)


def state_of(source: Source, entry: Entry | None, terms: Sequence[Term] = ()) -> State:
    """What can be said of one translation."""
    if entry is None or not entry.target.strip():
        return "missing"
    if entry.source != normal(source.text) or (entry.fuzzy and entry.previous):
        return "stale"
    if entry.fuzzy:
        return "unreviewed"
    if entry.target == entry.source and not may_stay(source.text, terms):
        return "same"
    return "done"


def state_in(game: Game, context: str, entry: Entry | None, lang: str) -> State:
    """What can be said of one text of a game in a language.

    Credits are names, which stay as they are unless somebody translates them.
    """
    state = state_of(game.strings[context], entry, game.glossaries.get(lang, ()))
    return "done" if context == CREDITS and state in ("missing", "same") else state


def may_stay(text: str, terms: Sequence[Term]) -> bool:
    """Whether a text may be the same in another language: no words, or none but what the glossary keeps."""
    rest = plain(text)
    for term in terms:
        if term.keep:
            rest = re.sub(rf"(?<!\w){re.escape(term.source)}(?!\w)", " ", rest)
    return _WORD.search(rest) is None


def states_of(game: Game, catalog: Catalog | None, lang: str) -> Iterator[TextState]:
    """The state of every text of a game, in the game's order."""
    for context, source in game.strings.items():
        entry = catalog.entries.get(context) if catalog is not None else None
        group, field = place_of(game, context)
        yield TextState(context, group, field, state_in(game, context, entry, lang), source, entry)


def place_of(game: Game, context: str) -> tuple[str, str]:
    """The group that a msgctxt belongs to (the kind of its card, else its section) and its field there."""
    first, _, rest = context.partition("/")
    card = game.cards.get(first)
    if card is not None:
        return card.kind, re.sub(r"\.\d+(?=\.|$)", "", rest)
    return first, rest.rpartition(".")[2] if "." in rest else ""


def limit_of(game: Game, context: str) -> int | None:
    """How many characters a text of a card may have by its kind; None where nothing is stated, and elsewhere."""
    first, _, rest = context.partition("/")
    card = game.cards.get(first)
    if card is None:
        return None
    fields: Mapping[str, Field] = game.kinds[card.kind].fields
    found: Field | None = None
    for part in rest.split("."):
        inner = found.of if found is not None and found.type in ("list", "bands") else None
        found = inner if inner is not None else fields.get(part)
        if found is None:
            return None
        fields = found.fields
    stated = found is not None and found.type in ("text", "rich") and found.max_length != Field("text").max_length
    return found.max_length if found is not None and stated else None
