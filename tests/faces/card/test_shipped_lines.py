"""The engine `card` breaks lines, places boxes and fits texts as WeasyPrint does, on the shipped faces."""

from __future__ import annotations

import pytest

from cardgen.faces.engines import Job
from tests.faces.card.shipped import GAMES, LANGUAGES, Seen, jobs_of, seen_by_card, seen_by_reference

# A tenth of a millimetre is 0.38 px; texts are found within a quarter of that, boxes within 0.05 mm.
NEAR_PX = 0.1
NEAR_MM = 0.05

# Where WeasyPrint breaks otherwise. A text that ends in a space (or one that does not break) for which alone there is no
# room, before an icon or a word in another style, it breaks after its first word: `keeps` | `calm and rolls a ★, you`.
# The engine `card` breaks it where it has to: `keeps calm and rolls` | `a ★, you`.
OTHERWISE = {
    ("en", "twd", "dutch-obi/front"),
    ("en", "twd", "tobias-wren/front"),
    ("es", "arena", "common-actions/front"),
    ("es", "twd", "nail-bat/front"),
    ("es", "twd", "twin-machetes/front"),
    ("es", "twd", "walkie-talkie/front"),
}


def differences(one: Seen | None, other: Seen | None) -> list[str]:
    """What differs between what two engines have made of a face."""
    if one is None or other is None:
        return [] if one is other else ["only one engine draws it"]
    found = []
    for mine, theirs in zip(one.lines, other.lines, strict=False):
        far = max(abs(a - b) for a, b in zip(mine[1:], theirs[1:], strict=True))
        if mine.text != theirs.text or far > NEAR_PX:
            found.append(f"{mine} is {theirs}")
    if len(one.lines) != len(other.lines):
        found.append(f"{len(one.lines)} texts, not {len(other.lines)}")
    if set(one.fits) != set(other.fits):
        found.append(f"fitted {sorted(one.fits)}, not {sorted(other.fits)}")
    for field in set(one.fits) & set(other.fits):
        mine_fit, their_fit = one.fits[field], other.fits[field]
        for box in ("box", "content"):
            a, b = getattr(mine_fit, box), getattr(their_fit, box)
            if max(abs(a.x - b.x), abs(a.y - b.y), abs(a.right - b.right), abs(a.bottom - b.bottom)) > NEAR_MM:
                found.append(f"{field}: {box} {a} is {b}")
        if mine_fit.tight != their_fit.tight or abs(mine_fit.scale - their_fit.scale) > 0.002:
            found.append(f"{field}: {mine_fit} is {their_fit}")
    if one.strays != other.strays:
        found.append(f"out of place: {one.strays}, not {other.strays}")
    return found


def compare(jobs: list[Job]) -> None:
    assert jobs
    wrong = []
    for job in jobs:
        mine, theirs = seen_by_card(job), seen_by_reference(job)
        for face in job.faces:
            found = differences(mine[face.key], theirs[face.key])
            is_known = (face.lang, face.layout.partition("/")[0], face.label) in OTHERWISE
            if bool(found) != is_known:
                wrong.append(f"{face.lang} {face.layout} {face.label}: {found[:3] or 'the same, after all'}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_few_faces_of_every_layout(game: str, lang: str) -> None:
    compare(jobs_of(game, lang, most=2 if lang == "en" else 1))


@pytest.mark.parity
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_face(game: str, lang: str) -> None:
    compare(jobs_of(game, lang))


def test_differences_are_seen() -> None:
    (job,) = [job for job in jobs_of("zombies", "en", most=1) if job.faces[0].layout == "zombies/setup"]
    seen = seen_by_card(job)[job.faces[0].key]
    assert seen is not None and seen.lines
    first, *rest = seen.lines
    assert differences(seen, seen) == []
    assert differences(seen, seen._replace(lines=[first._replace(x=first.x + 0.2), *rest]))
    assert differences(seen, seen._replace(lines=[first._replace(text=first.text + "x"), *rest]))
    assert differences(seen, seen._replace(lines=rest))
    assert differences(seen, seen._replace(fits={})) and differences(seen, None)
    assert differences(seen, seen._replace(strays=[("trim", "name", "x")]))
