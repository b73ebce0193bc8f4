"""What a build may ask of components in place of what they state."""

from __future__ import annotations

from msgspec import Struct


class Wish(Struct, frozen=True):
    """What a build may ask of components in place of what they state: mm, how many sets, a factor for all lengths."""

    size: float | None = None
    sets: int | None = None
    scale: float | None = None


NO_WISH = Wish()
