"""Put the shipped games, layouts and fonts into a wheel.

A wheel carries them as `cardgen/_shipped/`. An editable install must not: there the program reads them from the clone,
and a copy in site-packages would only go stale. hatchling's static `force-include` cannot tell the two apart, hence
this hook.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = ("cards", "layouts", "fonts", "cardgen.yaml")


class ShippedData(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the shipped trees to a standard wheel; a missing one is an error of hatchling's that names it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling with "standard" or "editable" as `version`."""
        if version == "standard":
            build_data["force_include"].update({name: f"cardgen/_shipped/{name}" for name in SHIPPED})
