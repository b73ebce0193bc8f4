"""The engines that can draw faces, by name. Imports are lazy: an engine costs nothing until a layout names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets
from cardgen.model.face import Face, Rendering
from cardgen.model.font import FontRole, can_draw


@dataclass(frozen=True, slots=True)
class Job:
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


def render(job: Job) -> Rendering:
    """Draw and measure the faces of a job.

    Raises EngineMissing when the engine is not installed, FileProblem when a role of fonts has no face.
    """
    if not can_draw(job.fonts):
        raise FileProblem("fonts/fonts.yaml holds no font that can be used for each of its roles")
    module = import_module(ENGINES[job.faces[0].engine])
    draw: Callable[[Job], Rendering] = module.render
    return draw(job)
