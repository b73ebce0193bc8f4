"""Export profiles: what a print service or a tabletop program takes, as a file under `layouts/_exports` states it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cardgen.geometry import Size
from cardgen.model.trim import Trim

# One picture a face; pictures of many faces in rows, with an object that a tabletop program loads; one PDF a print.
ExportKind = Literal["images", "grid", "pdf"]
Picture = Literal["png", "jpg"]

# Trims nearer than this to a size are that size: services state inches, trims millimetres.
SAME_SIZE = 0.05


class ExportSize(Struct, frozen=True):
    """A size that a service sells, as it cuts it, in mm. `takes` are the sizes of other trims that are printed on it: each
    stands in its middle at its own size, and what is left around it is bleed."""

    id: str
    cut: Size
    takes: tuple[Size, ...] = ()

    def holds(self, trim: Trim) -> bool:
        """Whether pieces of a trim are printed on it."""
        return any(
            abs(trim.size.width - size.width) < SAME_SIZE and abs(trim.size.height - size.height) < SAME_SIZE
            for size in (self.cut, *self.takes)
        )


class ExportProfile(Struct, frozen=True):
    """A named, versioned way to hand faces to somebody else. Lengths in mm.

    `bleed` is what is wanted beyond the cut, `safe` how far inside of it nothing important may stand. Without `sizes`
    any trim will do. A picture has `dpi` dots to the inch, fewer where it would have more than `most_pixels` either way
    (0: no limit). `name` is the name of each file without its suffix, with `{print}`, `{card}`, `{side}`, `{number}`,
    `{copies}` filled in. A `grid` has at most `columns` x `rows` cells, the last of which is what others see of a hidden
    card. In a `pdf` each card's back comes before its front where `backs_first` says so. `note` is what the user must
    still do or know.
    """

    id: str
    version: int
    title: str
    kind: ExportKind
    dpi: float = 300.0
    bleed: float = 0.0
    safe: float = 0.0
    sizes: tuple[ExportSize, ...] = ()
    formats: tuple[Picture, ...] = ("png",)
    most_pixels: int = 0
    name: str = "{print}/{card}-{side}"
    columns: int = 10
    rows: int = 7
    backs_first: bool = False
    copies: Literal["once", "each"] = "once"
    note: str = ""

    def size_for(self, trim: Trim) -> ExportSize | None:
        """The size that pieces of a trim are printed on; None where the service has none."""
        if not self.sizes:
            return ExportSize(trim.id, trim.size)
        return next((size for size in self.sizes if size.holds(trim)), None)
