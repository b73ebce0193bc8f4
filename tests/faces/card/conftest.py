"""What the tests of the card engine share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgen.faces.assets import Assets
from cardgen.faces.card.fonts import FontSet
from tests.support import load


@pytest.fixture(scope="session")
def project(root: Path) -> Any:
    """The shipped project."""
    return load(root)


@pytest.fixture(scope="session")
def assets(project: Any) -> Assets:
    """What its layouts may read."""
    return Assets(project.shelf)


@pytest.fixture(scope="session")
def fontset(project: Any) -> FontSet:
    """Its fonts."""
    return FontSet(Assets(project.shelf), project.fonts)
