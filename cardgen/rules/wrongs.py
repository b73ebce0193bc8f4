"""What is wrong with a band, so that it can be compared with what is wrong after a change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from cardgen.rules.bands import Judgement

# A finding that counts: its rule and subject.
Key = tuple[str, str]


class Fault(Struct, frozen=True, order=True):
    """One finding that counts: what was found, and by how much it is wrong (see `Finding.amiss`)."""

    rule: str
    subject: str
    unknown: bool
    actual: str
    amiss: float

    @property
    def key(self) -> Key:
        """Its rule and subject."""
        return self.rule, self.subject


# In order; subjects of one name each have their own.
Wrong = tuple[Fault, ...]


def wrong_in(judgement: Judgement) -> Wrong:
    """What is wrong with a band."""
    return tuple(
        sorted(
            Fault(item.rule, item.subject, item.verdict == "unknown", item.actual, item.amiss)
            for item in judgement.findings
            if item.counts
        )
    )


def worsened(before: Wrong, after: Wrong) -> frozenset[Key]:
    """What is wrong only afterwards, or by more than it was: too many is worse than it was when there are more yet.

    What is found as it was found before is no worse, even if less is allowed.
    """
    same = Counter(map(_found, before)) & Counter(map(_found, after))
    old, new = _weighed(_less(before, same)), _weighed(_less(after, same))
    nothing = (0, 0.0)
    return frozenset(
        (rule, subject)
        for (rule, subject, unknown), (count, amiss) in new.items()
        if count > old.get((rule, subject, unknown), nothing)[0]
        or amiss > old.get((rule, subject, unknown), nothing)[1]
    )


def ended(before: Wrong, after: Wrong) -> frozenset[Key]:
    """What is wrong less often afterwards: not any more, unless several subjects have one name."""
    return frozenset(Counter(item.key for item in before) - Counter(item.key for item in after))


def lessens(before: Wrong, after: Wrong) -> bool:
    """Whether something is wrong no more, and nothing else is worse than it was."""
    return len(after) < len(before) and not worsened(before, after)


def _found(item: Fault) -> tuple[str, str, bool, str]:
    return item.rule, item.subject, item.unknown, item.actual


def _less(wrong: Wrong, some: Counter[tuple[str, str, bool, str]]) -> Iterator[Fault]:
    left = Counter(some)
    for item in wrong:
        left[_found(item)] -= 1
        if left[_found(item)] < 0:
            yield item


def _weighed(wrong: Iterable[Fault]) -> dict[tuple[str, str, bool], tuple[int, float]]:
    found: dict[tuple[str, str, bool], tuple[int, float]] = {}
    for item in wrong:
        key = (*item.key, item.unknown)
        count, amiss = found.get(key, (0, 0.0))
        found[key] = count + 1, amiss + item.amiss
    return found
