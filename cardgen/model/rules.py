"""Rules as data, and what they find. Expressions are kept as written; an empty one is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from cardgen.diagnostics import Severity, Span
from cardgen.model.lack import Lack

Scope = Literal["card", "deck", "band", "setup"]
Operator = Literal["==", "!=", "<", "<=", ">", ">=", "in", "not in", "within", "true", "empty"]
# Illegal outweighs unknown, unknown outweighs legal.
Verdict = Literal["legal", "unknown", "illegal"]


class Example(Struct, frozen=True):
    """A situation and the verdict a rule must give on it: what expressions see, by name, and the readings supposed."""

    given: Mapping[str, object]
    verdict: Verdict
    rulings: Mapping[str, str]
    span: Span


class Ruling(Struct, frozen=True):
    """A question that the source answers in two ways, the readings, and the one that holds unless a band says else."""

    id: str
    question: str
    readings: Mapping[str, str]
    default: str
    source: str
    span: Span


class Remedy(Struct, frozen=True):
    """What would mend a broken rule: cards or entries to leave out, or a value to set; expressions see what the message
    does, and `it`.

    `most` is how many of those that `leave_out` or `of` name, the last first; empty for all. `of` are the entries whose
    field `set` (a dotted path) becomes `to`: `it` unless stated, the band itself where the rule is about the band. Where
    `to` is none, the field is left to what is printed.
    """

    leave_out: str = ""
    most: str = ""
    set: str = ""
    of: str = ""
    to: str = ""


class Rule(Struct, frozen=True):
    """One rule of a pack. Expressions see `card`, `deck` or `band`, `it` when there is `each`, `rulings`, `game`."""

    id: str
    title: str
    about: str
    source: str
    scope: Scope
    kinds: tuple[str, ...]
    severity: Severity
    each: str
    when: str
    unless: str
    actual: str
    op: Operator
    limit: str
    offenders: str
    values: Mapping[str, str]
    message: str
    fix: str
    rulings: tuple[str, ...]
    examples: tuple[Example, ...]
    span: Span
    mend: tuple[Remedy, ...] = ()


class Note(Struct, frozen=True):
    """A ruling of play that no list can break: question, answer, what it touches."""

    id: str
    title: str
    question: str
    answer: str
    source: str
    touches: tuple[str, ...]
    span: Span


class Formula(Struct, frozen=True):
    """A named calculation with worked examples."""

    id: str
    title: str
    source: str
    arguments: tuple[str, ...]
    value: str
    # (arguments, result, readings, place)
    examples: tuple[tuple[Mapping[str, object], object, Mapping[str, str], Span], ...]
    rulings: tuple[str, ...]
    span: Span


class Setup(Struct, frozen=True):
    """One line of what a band or a pair of bands needs on the table."""

    id: str
    title: str
    source: str
    # a formula's id and the expressions of its arguments, or a value of its own
    formula: str
    arguments: Mapping[str, str]
    value: str
    span: Span


class Pack(Struct, frozen=True):
    """Rules, notes, formulas and set-up of one document or edition; what it extends is already in it."""

    id: str
    title: str
    about: str
    documents: Mapping[str, str]
    rulings: Mapping[str, Ruling]
    rules: Mapping[str, Rule]
    notes: Mapping[str, Note]
    formulas: Mapping[str, Formula]
    setup: Mapping[str, Setup]
    # plain data that expressions look things up in, as `tables.<id>`
    tables: Mapping[str, object]
    span: Span
    title_span: Span


class Finding(Struct, frozen=True):
    """What one rule says of one subject. `offenders` are labels, `actual` and `limit` as the message shows them.

    `amiss` is by how much the rule is broken: how many items should not be there, how far a number is beyond what is
    allowed, else 1; 0 where it is kept.
    """

    rule: str
    verdict: Verdict
    severity: Severity
    subject: str
    span: Span | None
    actual: str
    op: Operator
    limit: str
    offenders: tuple[str, ...]
    message: str
    source: str
    rulings: Mapping[str, str]
    fix: str
    waiver: str = ""
    # of what cannot be judged: what nobody stated
    lack: Lack | None = None
    amiss: float = 0

    @property
    def counts(self) -> bool:
        """Whether it makes its subject illegal or unknown: advice and what is waived do not."""
        return self.verdict != "legal" and self.severity == "error" and not self.waiver
