"""What a change to a band does, in words that can be said in another language."""

from __future__ import annotations

from msgspec import Struct

from cardgen.rules.engine import label

PHRASES = {
    "leave_out": "leave out {what}",
    "leave_out_of": "leave out {what} ({whose})",
    "swap": "{after} instead of {before}",
    "swap_of": "{after} instead of {before} ({whose})",
    "lower": "lower {field} from {before} to {after}",
    "lower_of": "lower {field} of {whose} from {before} to {after}",
    "yes_of": "{field} of {whose}: yes",
    "no_of": "{field} of {whose}: no",
    "set": "set {field} to {after}",
    "set_of": "set {field} of {whose} to {after}",
    "reset": "set {field} back to {after}, as printed",
    "reset_of": "set {field} of {whose} back to {after}, as printed",
    "choose": "{field}: {after} instead of {before}",
    "choose_of": "{field} of {whose}: {after} instead of {before}",
    "clear_of": "{field} of {whose}: not stated",
    "clear": "{field}: not stated",
    "yes": "{field}: yes",
    "no": "{field}: no",
}


class Phrase(Struct, frozen=True):
    """What a change does, as one of PHRASES with what is filled in: whoever shows it may say it in another language."""

    id: str
    values: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return PHRASES[self.id].format(**dict(self.values))


def phrase(id: str, whose: str = "", **values: object) -> Phrase:
    """A phrase about what `whose` is, or about nobody's."""
    told = {name: label(value) for name, value in values.items()}
    return Phrase(f"{id}_of" if whose else id, tuple({**told, **({"whose": whose} if whose else {})}.items()))
