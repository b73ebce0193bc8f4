"""How far a translation is: the texts of a game by state, kind and field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from cardgen.i18n.states import TextState
from cardgen.model.translation import STATES, State


class Row(Struct, frozen=True):
    """How many texts of a kind, or of one of its fields, are in which state. An empty field is all of them."""

    group: str
    field: str
    counts: dict[State, int]

    @property
    def total(self) -> int:
        """All texts of the row."""
        return sum(self.counts.values())


def rows_of(items: Iterable[TextState], by_field: bool = False) -> tuple[Row, ...]:
    """One row a group, or one a field, in the order of the game."""
    found: dict[tuple[str, str], Counter[State]] = {}
    for item in items:
        found.setdefault((item.group, item.field if by_field else ""), Counter())[item.state] += 1
    return tuple(
        Row(group, field, {state: counts[state] for state in STATES}) for (group, field), counts in found.items()
    )
