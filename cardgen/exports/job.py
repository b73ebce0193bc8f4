"""One print on its way to somebody else: what the makers of files are given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from cardgen.exports.cards import Drawn, ExportCard
from cardgen.exports.pages import Frame
from cardgen.model.export import ExportProfile, Picture
from cardgen.model.product import Product

# A card and how it stands on its page.
Framed = tuple[ExportCard, Frame]
# A file's name below the profile's folder, and its bytes.
File = tuple[str, bytes]


class Job(Struct, frozen=True):
    """One print to export: its profile, its cards in their frames, what `picture` to make, the `folder` that the files
    are written to and the address that they will have there (empty: the folder's own)."""

    profile: ExportProfile
    product: Product
    cards: Sequence[Framed]
    drawn: Drawn
    picture: Picture
    folder: Path
    base_url: str = ""

    def name(self, card: str = "", side: str = "", number: int = 0, copies: int = 1) -> str:
        """The name of a file without its suffix, as the profile wants it; numbers are of one length."""
        width = len(str(len(self.cards)))
        parts = {
            "{print}": self.product.print.id,
            "{card}": card,
            "{side}": side,
            "{number}": f"{number:0{width}}",
            "{copies}": str(copies),
        }
        name = self.profile.name
        for key, value in parts.items():
            name = name.replace(key, value)
        return name
