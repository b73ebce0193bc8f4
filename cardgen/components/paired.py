"""Cards of two faces each from a row of faces: what stands on the back of one is the next face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from cardgen.components.trims import derived_trim
from cardgen.geometry import Size
from cardgen.model.component import Component
from cardgen.model.cutout import Cutout, Panel

# Cards of 63 x 88 mm, as the reference cards are.
CARD = Size(63.0, 88.0)
BLEED, CORNER = 3.0, 3.0
_BACK = "_base/table-card-back"


def paired_cards(component: Component, layout: str, faces: Sequence[Mapping[str, object]], copies: int) -> list[Cutout]:
    """Cards whose faces show `faces`, drawn by the component's layout or by `layout`; the back of the last says whose it
    is, as does every back when the component states one."""
    trim = derived_trim(CARD.width, CARD.height, BLEED, CORNER)
    panels = [
        Panel(
            f"{component.id}-{number}",
            component.layout or layout,
            trim,
            {"title": component.title, "number": number, "total": len(faces), **values},
        )
        for number, values in enumerate(faces, 1)
    ]
    own = Panel(f"{component.id}-back", component.back or _BACK, trim, {"title": component.title}, side="back")
    if component.back:
        pairs = [(panel, own) for panel in panels]
    else:
        behind = [structs.replace(panel, side="back") for panel in panels[1::2]]
        pairs = list(zip(panels[::2], [*behind, own], strict=False))
    return [
        Cutout(
            f"{component.id}-{at}" if len(pairs) > 1 else component.id,
            component.title,
            CARD,
            pair,
            copies=copies,
            bleed=BLEED,
        )
        for at, pair in enumerate(pairs, 1)
    ]
