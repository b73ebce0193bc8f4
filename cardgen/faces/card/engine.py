"""The engine of the card profile: the faces of a job become display lists, measured and fitted, which paint takes."""

from __future__ import annotations

from cardgen.errors import FileProblem
from cardgen.faces.calm import calm_collector
from cardgen.faces.card.keeping import put_back, taken
from cardgen.faces.card.layouter import Laid
from cardgen.faces.card.paint import paint
from cardgen.faces.engines import Job
from cardgen.model.face import Rendering


def render(job: Job) -> Rendering:
    """Draw and measure the faces of a job (all of one layout, trim and language)."""
    with calm_collector():
        return _render(job)


def _render(job: Job) -> Rendering:
    first = job.faces[0]
    try:
        layouter = taken(job)
    except (RecursionError, ValueError, FileProblem) as error:
        problem = f"a style sheet of its layout cannot be read ({type(error).__name__}: {error})"
        return Rendering(b"", (), first.trim, first.trim.bleed, (), failures=((first.key, problem[:300]),))
    laid: dict[str, Laid] = {}
    failures: dict[str, str] = {}
    for face in job.faces:
        try:
            laid[face.key] = layouter.lay(face)
        except Exception as error:  # one face must not take the others with it
            failures[face.key] = _reason(error)
    said = list(layouter.cascade.problems)
    made = paint(((key, each.items) for key, each in laid.items()), job.assets, first.trim, layouter.fonts)
    put_back(job, layouter)
    failures |= dict(made.failures)
    keys = tuple(key for key in laid if key not in failures)
    for character in sorted({character for each in laid.values() for character in each.missing}):
        # Said as the reference engine does, so that it is told to people alike.
        said.append(
            f'.notdef glyph rendered for Unicode string unsupported by fonts: "{character}" (U+{ord(character):04X})'
        )
    return Rendering(
        b"",
        keys,
        first.trim,
        first.trim.bleed,
        (),
        tuple(fit for key in keys for fit in laid[key].fits),
        tuple(failures.items()),
        tuple(said),
        made.pictures,
        made.undrawn,
        made.refused,
        tuple(stray for key in keys for stray in laid[key].strays),
        painted=made.painted,
    )


def _reason(error: Exception) -> str:
    text = str(error) if isinstance(error, (ValueError, FileProblem)) else f"{type(error).__name__}: {error}"
    return (text.splitlines() or [type(error).__name__])[0][:300]
