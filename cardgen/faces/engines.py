"""The engines that can draw faces, by name. Imports are lazy: an engine costs nothing until a layout names it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path

from msgspec import Struct

from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets
from cardgen.files import read_start
from cardgen.model.face import Face, Rendering
from cardgen.model.font import FontRole, can_draw


class Job(Struct, frozen=True):
    """Faces of one layout, trim and language to draw in one go, with all that the engine may read. Picklable.

    `screen` says that the drawing is looked at and never joined with others: it looks the same, but its fonts may be
    cut down to what it shows, which saves a fifth of the time, and are not told in the rendering.
    """

    faces: tuple[Face, ...]
    assets: Assets
    fonts: Mapping[str, FontRole]
    screen: bool = False


# name -> module with `render(job: Job) -> Rendering`
ENGINES = {"weasyprint": "cardgen.faces.weasyprint", "card": "cardgen.faces.card.engine"}
DEFAULT_ENGINE = "weasyprint"
# What draws a layout that states a profile and no engine.
BY_PROFILE = {"card": "card"}


# Seconds that a face takes, roughly, and what its engine takes to load: where processes do not pay, none are started.
COSTS = {"weasyprint": (0.02, 0.3), "card": (0.001, 0.04)}
# An engine is stated at the top of a layout.
_STATED_WITHIN = 2000
_STATED = re.compile(rb"""\{%-?\s*set\s+(engine|profile)\s*=\s*["']([\w-]+)["']""")


def engine_to_load(layouts: Iterable[bytes]) -> str:
    """The module of the slowest engine to load among those that layouts ask for, given by how they begin."""
    asked = set()
    for start in layouts:
        stated = {found[1]: found[2].decode() for found in _STATED.finditer(start)}
        asked.add(stated.get(b"engine") or BY_PROFILE.get(stated.get(b"profile", ""), DEFAULT_ENGINE))
    return ENGINES[max(asked & ENGINES.keys() or {DEFAULT_ENGINE}, key=lambda name: COSTS[name][1])]


def engine_of(project: Path) -> str:
    """The module of the slowest engine to load among those that the layouts of a project's folder ask for."""
    own = (project / "layouts").glob("[!_]*/*.html.j2")
    return engine_to_load(read_start(path, _STATED_WITHIN) for path in own)


def render(job: Job) -> Rendering:
    """Draw and measure the faces of a job.

    Raises EngineMissing when the engine is not installed, FileProblem when a role of fonts has no face.
    """
    if not can_draw(job.fonts):
        raise FileProblem("fonts/fonts.yaml holds no font that can be used for each of its roles")
    module = import_module(ENGINES[job.faces[0].engine])
    draw: Callable[[Job], Rendering] = module.render
    return draw(job)
