"""Data that a rule needs and nobody stated: it makes the rule's verdict unknown, not wrong."""

from __future__ import annotations

from cardgen.errors import CardgenError
from cardgen.model.lack import Lack


class MissingData(CardgenError):
    """A declared field without a value, or a table without a row; the message names it."""

    def __init__(self, lack: Lack) -> None:
        super().__init__(str(lack))
        self.lack = lack
