"""How pictures are used, for whoever keeps faces and loads no engine."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.model.painted import PictureUse


def coarsest(uses: Iterable[PictureUse]) -> tuple[PictureUse, ...]:
    """Of each picture the use with the fewest pixels to the inch."""
    found: dict[str, PictureUse] = {}
    for use in uses:
        if use.url not in found or use.dpi < found[use.url].dpi:
            found[use.url] = use
    return tuple(found[url] for url in sorted(found))
