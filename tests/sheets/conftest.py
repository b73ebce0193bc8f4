"""Trims and templates for the tests of sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cardgen.geometry import Size
from cardgen.model.sheet import PAPERS, Imprint, SheetTemplate
from cardgen.model.trim import Trim

A4 = PAPERS["a4"].size
LETTER = PAPERS["letter"].size
IMPRINT = Imprint("Equipment", "1.2", "en", "Somebody, CC BY 4.0")


def make_trim(width: float, height: float, bleed: float = 3.0, corner: float = 3.0) -> Trim:
    return Trim("test", "Test", Size(width, height), bleed, 3.0, corner)


def make_template(**options: Any) -> SheetTemplate:
    return SheetTemplate(**{"id": "test", "version": 1, "title": "Test", "paper": "a4"} | options)


@pytest.fixture(scope="session")
def trim() -> Callable[..., Trim]:
    return make_trim


@pytest.fixture(scope="session")
def template() -> Callable[..., SheetTemplate]:
    return make_template
