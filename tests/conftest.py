"""What every test shares."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# A slow or busy machine is no failure: time is measured by the benchmarks, never by a deadline in a property test.
settings.register_profile("cardgen", deadline=None, print_blob=True)
settings.load_profile("cardgen")


@pytest.fixture(scope="session")
def root() -> Path:
    """The clone that the tests are run in."""
    return Path(__file__).resolve().parent.parent
