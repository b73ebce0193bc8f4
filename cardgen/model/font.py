"""Fonts by role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class FontFace:
    """One file of a role; `file` is relative to `fonts/`."""

    file: str
    weight: int
    style: Literal["normal", "italic"]


@dataclass(frozen=True, slots=True)
class FontTweak:
    """What a language changes about a role: its size in percent."""

    size: float = 100.0


@dataclass(frozen=True, slots=True)
class FontRole:
    """What layouts call a font family: its files, the roles that stand in for missing glyphs, and tweaks by language.

    A role none of whose files can be used has no faces.
    """

    id: str
    faces: tuple[FontFace, ...]
    fallback: tuple[str, ...]
    languages: Mapping[str, FontTweak]


def can_draw(roles: Mapping[str, FontRole]) -> bool:
    """Whether every role has a face; without one, an engine has nothing to set its texts in."""
    return bool(roles) and all(role.faces for role in roles.values())
