"""What an expression asked for and nobody stated, told in whichever language its reader speaks."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cardgen.model.sheet import SheetWords

_ENGLISH = SheetWords()


class Lack(Struct, frozen=True):
    """What was not found, as one of the words of sheets with a name filled in; as text it is English."""

    word: Literal["not_stated", "not_in_table", "no_row"]
    name: str

    def said(self, says: SheetWords, called: str = "") -> str:
        """The lack in a language; `called` is what its readers know the name as, where that is something else."""
        shown = f"{called} (`{self.name}`)" if called and called != self.name else f"`{self.name}`"
        text: str = getattr(says, self.word)
        return text.replace("{name}", shown)

    def __str__(self) -> str:
        return self.said(_ENGLISH)
