"""What may be said of a translation, what a build does about it, and the terms a translation keeps to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from cardgen.diagnostics import Span

# missing: there is none. stale: it was made from an older source. unreviewed: somebody marked it as needing work
# (`fuzzy`). same: it is the source, word for word, and the glossary does not say that this is right. done: the rest.
State = Literal["done", "missing", "stale", "unreviewed", "same"]
STATES: tuple[State, ...] = ("done", "missing", "stale", "unreviewed", "same")

# print: the translation as it is. source: the source in its place. mark: as `print` (for what is missing, as `source`)
# with a mark that nobody overlooks. refuse: the game is not built in that language.
Action = Literal["print", "source", "mark", "refuse"]


class Policy(Struct, frozen=True):
    """What a build does with the texts that are not done, by their state."""

    missing: Action = "source"
    stale: Action = "source"
    unreviewed: Action = "source"
    same: Action = "print"

    def action(self, state: State) -> Action:
        """What is done with a text in that state."""
        if state == "done":
            return "print"
        action: Action = getattr(self, state)
        return action


POLICY_STATES: tuple[str, ...] = Policy.__struct_fields__


class Term(Struct, frozen=True):
    """One entry of a glossary: how a word of the source is said in one language.

    A translation uses it when it holds one of `stems` (the beginnings or forms of its words; case counts), and must
    hold none of `forbidden` where the source holds the term. A term that is `keep` is said as in the source.
    `unless` are phrases of the source in which the word is not the term.
    """

    id: str
    source: str
    target: str
    stems: tuple[str, ...]
    forbidden: tuple[str, ...]
    keep: bool
    span: Span
    unless: tuple[str, ...] = ()


# The terms of a game by language.
Glossaries = Mapping[str, tuple[Term, ...]]
