"""From components to cutouts whose faces are filled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import structs

from cardgen.components.makers import MAKERS
from cardgen.diagnostics import Report
from cardgen.errors import CannotMake
from cardgen.faces.make import FaceMaker
from cardgen.load.component_shapes import MAKES
from cardgen.load.shapes import Integer, Measure
from cardgen.model.component import Component, OddsCards, scaled
from cardgen.model.cutout import Cutout
from cardgen.model.face import Face, LeaveOut
from cardgen.model.game import Game
from cardgen.pipeline.odds import with_answers
from cardgen.pipeline.wishes import Wish
from cardgen.units import format_mm


def adapted(component: Component, wish: Wish, report: Report) -> Component | None:
    """The component as it is wished for; None after reporting that it cannot be had so."""
    options = component.options
    for name in ("size", "sets"):
        value = getattr(wish, name)
        if value is None:
            continue
        if not hasattr(options, name):
            problem = f"a component made by `{component.make}` has no `{name}`"
            report.add("CG406", component.span, component=component.id, problem=problem)
            return None
        problem = _beyond(component.make, name, value)
        if problem:
            report.add("CG406", component.span, component=component.id, problem=problem)
            return None
        options = structs.replace(options, **{name: value})
    if wish.scale is not None:
        options = scaled(options, wish.scale)
        if options is None:
            problem = f"it keeps its size: what `{component.make}` makes is measured with, or told at the table"
            report.add("CG406", component.span, component=component.id, problem=problem)
            return None
        # What a length grew or shrank to has the bounds that it has where it is written.
        for name in MAKES[component.make][1]:
            value = getattr(options, name)
            if value != getattr(component.options, name) and (problem := _beyond(component.make, name, value)):
                report.add("CG406", component.place(name), component=component.id, problem=problem)
                return None
    return structs.replace(component, options=options)


def _beyond(make: str, name: str, value: float) -> str:
    """What is wrong with an option that was wished for, in mm or a number; empty when a file may state it too."""
    shape = MAKES[make][1][name].shape
    if not isinstance(shape, Measure | Integer):
        return ""
    unit = " mm" if isinstance(shape, Measure) else ""
    if shape.min is not None and value < shape.min - 1e-9:
        return f"a `{name}` of {format_mm(value)}{unit} is too small; at least {format_mm(shape.min)}{unit} is wanted"
    if shape.max is not None and value > shape.max + 1e-9:
        return f"a `{name}` of {format_mm(value)}{unit} is too large; at most {format_mm(shape.max)}{unit} is possible"
    return ""


def remark_of(components: Iterable[Component], wish: Wish) -> str:
    """What the sheets say of the sizes wished for, such as `12 mm (75 % of 16 mm)`; empty when nothing was."""
    if wish.scale is None and wish.size is None:
        return ""
    sizes = []
    for component in components:
        size = getattr(component.options, "size", None) or getattr(component.options, "height", None)
        if isinstance(size, float) and size:
            base = f" ({wish.scale:.4g} x {format_mm(size / wish.scale)} mm)" if wish.scale else ""
            sizes.append(f"{format_mm(size)} mm{base}")
    return ", ".join(dict.fromkeys(sizes)).replace("x", "×")


def make_cutouts(component: Component, game: Game, report: Report) -> list[Cutout]:
    """What a component is cut from, its faces not made yet; nothing after reporting why."""
    if isinstance(component.options, OddsCards):
        before = len(report.items)
        game = with_answers(game, component, report)
        if len(report.items) > before:
            return []
    try:
        return MAKERS[component.make](component, game)
    except CannotMake as error:
        report.add("CG406", component.place(error.path), component=component.id, problem=str(error))
        return []


def with_faces(
    cutout: Cutout, component: Component, game: Game, maker: FaceMaker, leave_out: tuple[LeaveOut, ...]
) -> tuple[Cutout, Mapping[str, Face]] | None:
    """The cutout with the keys of its faces, and these; None after reporting what cannot be filled."""
    faces: dict[str, Face] = {}
    panels = []
    for panel in cutout.panels:
        face = maker.make_panel(panel, component, game, leave_out)
        if face is None:
            return None
        faces[face.key] = face
        panels.append(structs.replace(panel, key=face.key))
    return structs.replace(cutout, panels=tuple(panels)), faces
