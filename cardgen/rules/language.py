"""The language of rules: the expressions of derived fields, with more filters, in which what is missing is unknown."""

from __future__ import annotations

from functools import lru_cache

from cardgen.rules.filters import FILTERS
from cardgen.rules.missing import MissingData
from cardgen.text.expressions import Expression, Language

LANGUAGE = Language(FILTERS, missing=MissingData)


@lru_cache(maxsize=16_384)
def compile_rule(source: str) -> Expression:
    """Compile an expression of a pack or a band, once. Raises ExpressionError."""
    return LANGUAGE.compile(source)
