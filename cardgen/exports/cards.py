"""What of a product can be exported: its cards, that is pieces with one face, or one on either side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from cardgen.diagnostics import Report
from cardgen.model.face import Rendering
from cardgen.model.product import Product
from cardgen.model.trim import Trim
from cardgen.pipeline.build import left_out

Drawn = Mapping[str, Rendering]


class ExportCard(Struct, frozen=True):
    """One card: its id, its name, how often it is printed, the keys of its faces and its trim."""

    label: str
    title: str
    copies: int
    front: str
    back: str | None
    trim: Trim

    def faces(self) -> Iterator[tuple[str, str]]:
        """The sides that it has, `front` and `back`, with the keys of their faces."""
        yield "front", self.front
        if self.back is not None:
            yield "back", self.back


def cards_of(product: Product, drawn: Drawn, report: Report) -> tuple[list[ExportCard], list[str]]:
    """The cards of a product in printing order, and the labels of its pieces that are none; what could not be drawn is
    reported."""
    missing = left_out(product, drawn)
    if missing:
        cards = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
        report.add("CG405", product.print.span, print=product.name, cards=cards)
    found = []
    for piece in product.pieces:
        if product.trim is None or piece.front not in drawn or (piece.back is not None and piece.back not in drawn):
            continue
        card = product.game.cards.get(piece.label)
        title = str(card.values.get("name") or piece.label) if card is not None else piece.label
        found.append(ExportCard(piece.label, title, piece.copies, piece.front, piece.back, product.trim))
    others = []
    for cutout in product.cutouts:
        if not cutout.is_card:
            others.append(cutout.label)
        elif all(panel.key in drawn for panel in cutout.panels):
            front, *behind = sorted(cutout.panels, key=lambda panel: panel.side == "back")
            back = behind[0].key if behind and product.backs != "none" else None
            found.append(ExportCard(cutout.label, cutout.title, cutout.copies, front.key, back, front.trim))
    return [card for card in found if card.copies > 0], others


def tell_others(product: Product, profile: str, others: Sequence[str], report: Report) -> None:
    """Report the pieces of a product that are nothing for a profile (its title), if there are any."""
    if others:
        report.add("CG532", product.print.span, profile=profile, print=product.name, count=len(others), first=others[0])
