"""Whether a translation keeps to the glossary of its language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from cardgen.model.translation import Term
from cardgen.text.markup import plain


class Slip(Struct, frozen=True):
    """A term of the source that a translation does not say as the glossary has it; `word` is the forbidden one."""

    kind: Literal["unused", "forbidden", "kept"]
    term: Term
    word: str = ""


def slips_of(source: str, target: str, terms: Sequence[Term]) -> Iterator[Slip]:
    """Where a translation leaves the glossary. The longest term at a place counts: `eligible walker` is no `walker`."""
    source, target = plain(source), plain(target)
    taken: list[tuple[int, int]] = []
    found: list[Term] = []
    for term, pattern in _patterns(tuple(terms)):
        spans = [match.span() for match in pattern.finditer(source)]
        if spans and term.unless:
            others = [match.span() for text in term.unless for match in re.finditer(re.escape(text), source)]
            spans = [(a, b) for a, b in spans if not any(start <= a and b <= end for start, end in others)]
        free = [(a, b) for a, b in spans if not any(a < end and start < b for start, end in taken)]
        if free:
            taken += free
            found.append(term)
    allowed = [stem for term in found for stem in term.stems]
    for term in found:
        if term.keep:
            if term.source not in target:
                yield Slip("kept", term)
            continue
        if not any(_holds(target, stem) for stem in term.stems):
            yield Slip("unused", term)
        for word in term.forbidden:
            # What another term of the same text asks for is no slip here.
            at = re.search(rf"(?<!\w){re.escape(word)}", target)
            if at and not any(word in stem or target.startswith(stem, at.start()) for stem in allowed):
                yield Slip("forbidden", term, word)


def _holds(text: str, stem: str) -> bool:
    # What begins a sentence begins with a capital.
    return stem in text or stem[:1].upper() + stem[1:] in text


@lru_cache(maxsize=64)
def _patterns(terms: tuple[Term, ...]) -> tuple[tuple[Term, re.Pattern[str]], ...]:
    """What finds each term in a source, the longest first. A note in brackets behind a term is no part of it."""
    found = []
    for term in terms:
        words = re.sub(r"\s*\([^)]*\)", "", term.source).strip()
        if not words:
            continue
        body = r"\s+".join(map(re.escape, words.split()))
        # An English plural is the same term. A term in capitals is a name of the game: only so it counts.
        ending = "" if term.keep else "(?:s|es)?"
        flags = re.IGNORECASE if words.islower() else 0
        found.append((len(words), term, re.compile(rf"(?<![\w’'-]){body}{ending}(?![\w-])", flags)))
    found.sort(key=lambda item: -item[0])
    return tuple((term, pattern) for _, term, pattern in found)
