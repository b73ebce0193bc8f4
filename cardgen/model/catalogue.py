"""Catalogues as they are handed on: a pack with a newer one, and what of one a project has installed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from cardgen.model.game import Game


class CataloguePack(Struct, frozen=True):
    """The files of a pack by their names in a project, and which game's catalogue they are, in which version."""

    name: str
    game: str
    version: str
    files: Mapping[str, bytes]


class Installed(Struct, frozen=True):
    """The version that a project installed last, and of each file as it was installed the SHA-256 and the cards."""

    version: str
    files: Mapping[str, str] = field(default_factory=dict)
    entries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def current_version(installed: Installed | None, game: Game) -> str:
    """The version of the catalogue that a project has: what it installed last, else what its game says of itself."""
    return installed.version if installed is not None else game.version
