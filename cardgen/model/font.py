"""Fonts by role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace


class FontFace(Struct, frozen=True):
    """One file of a role; `file` is relative to `fonts/`. `size` and `offset` are what a language changes (FontTweak)."""

    file: str
    weight: int
    style: Literal["normal", "italic"]
    size: float = 100.0
    offset: float = 0.0


class FontTweak(Struct, frozen=True):
    """What a language changes about a role: its size in percent, how far its letters are moved down (in percent of
    their size; less than 0 is up), its files and its fallbacks. No files, or fallbacks of None: those of the role."""

    size: float = 100.0
    offset: float = 0.0
    faces: tuple[FontFace, ...] = ()
    fallback: tuple[str, ...] | None = None


class FontRole(Struct, frozen=True):
    """What layouts call a font family: its files, the roles that stand in for missing glyphs, and tweaks by language.

    A role none of whose files can be used has no faces.
    """

    id: str
    faces: tuple[FontFace, ...]
    fallback: tuple[str, ...]
    languages: Mapping[str, FontTweak]


def in_language(roles: Mapping[str, FontRole], lang: str) -> dict[str, FontRole]:
    """The roles as a language has them: with its own files, sizes and fallbacks."""
    found = {}
    for id, role in roles.items():
        tweak = role.languages.get(lang) or role.languages.get(lang.partition("-")[0])
        if tweak is not None:
            fallback = role.fallback if tweak.fallback is None else tweak.fallback
            faces = (replace(face, size=tweak.size, offset=tweak.offset) for face in tweak.faces or role.faces)
            role = replace(role, faces=tuple(faces), fallback=fallback, languages={lang: tweak})
        found[id] = role
    return found


def can_draw(roles: Mapping[str, FontRole]) -> bool:
    """Whether every role has a face; without one, an engine has nothing to set its texts in."""
    return bool(roles) and all(role.faces for role in roles.values())
