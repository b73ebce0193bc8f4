"""Which engine workers load while the project is still being read."""

from __future__ import annotations

import pytest

from cardgen.faces.engines import BY_PROFILE, COSTS, DEFAULT_ENGINE, ENGINES, engine_to_load

CARD, PAGE = b'{% set engine = "card" %}\n<p>', b"{%- set engine='weasyprint' %}"


def test_every_engine_has_its_costs() -> None:
    assert COSTS.keys() == ENGINES.keys()


@pytest.mark.parametrize(
    ("layouts", "name"),
    [
        ([CARD], "card"),
        ([PAGE], "weasyprint"),
        ([CARD, PAGE, CARD], "weasyprint"),
        ([b"<p>"], DEFAULT_ENGINE),
        ([], DEFAULT_ENGINE),
        ([b'{% set engine = "another" %}'], DEFAULT_ENGINE),
        ([b'{% set engine = "another" %}', CARD], "card"),
        ([b'{% set profile = "card" %}'], BY_PROFILE["card"]),
        ([b'{% set profile = "card" %}{% set engine = "weasyprint" %}'], "weasyprint"),
    ],
)
def test_the_slowest_that_is_asked_for(layouts: list[bytes], name: str) -> None:
    assert engine_to_load(layouts) == ENGINES[name]
