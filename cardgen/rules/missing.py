"""Data that a rule needs and nobody stated: it makes the rule's verdict unknown, not wrong."""

from __future__ import annotations

from cardgen.errors import CardgenError


class MissingData(CardgenError):
    """A declared field without a value, or a table without a row; the message names it."""
