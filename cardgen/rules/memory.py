"""What is known of entries from other judgements of the same band: a search changes one of them and judges all again."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from cardgen.diagnostics import Span
from cardgen.model.rules import Finding, Rule
from cardgen.rules.language import compile_rule


@dataclass(slots=True)
class Memory:
    """Priced entries and their lines of the bill, findings about cards by their ids and places, and findings of rules about one item that look at nothing else, by what they were made of.

    It holds for one band under one set of readings. What an entry is made of is kept beside it, so that its identity is
    not given to something else.
    """

    priced: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    lines: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    cards: dict[tuple[str, Span], list[Finding]] = field(default_factory=dict)
    findings: dict[tuple[str, int], tuple[Any, Finding | None]] = field(default_factory=dict)


@lru_cache(maxsize=4096)
def _reads(sources: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*(compile_rule(source).names for source in sources if source))


def about_item(rule: Rule, subject: str) -> bool:
    """Whether what a rule says of one of its items follows from that item alone; `subject` is what holds them all."""
    sources = (rule.when, rule.unless, rule.actual, rule.limit, rule.offenders, *rule.values.values())
    return bool(rule.each) and subject not in _reads(sources)
