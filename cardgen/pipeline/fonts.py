"""The fonts of what cardgen itself writes on sheets."""

from __future__ import annotations

from cardgen.files import MAX_FONT
from cardgen.model.font import can_draw
from cardgen.model.project import Project


def label_fonts(project: Project) -> tuple[bytes, ...]:
    """The files that sheets' labels are set in: the first text face and those of its fallbacks."""
    if not can_draw(project.fonts):
        return ()
    role = project.fonts.get("text") or next(iter(project.fonts.values()))
    names = [role.faces[0].file]
    names += [project.fonts[name].faces[0].file for name in role.fallback]
    names += [tweak.faces[0].file for tweak in role.languages.values() if tweak.faces]
    return tuple(project.shelf.read(f"fonts/{name}", MAX_FONT) for name in names)
