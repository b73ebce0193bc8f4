"""The goals of speed, held against what was measured in the same run. Times of two machines are not compared: ratios are."""

from __future__ import annotations

from collections.abc import Iterator

from measuring import Run
from msgspec import Struct

# group -> rows -> what -> Run; a group without rows of its own has one, "".
Results = dict[str, dict[str, dict[str, Run]]]
# A set of 20,000 may take so much more for each card than one of 5,000 before that counts as growing faster.
LINEAR = 1.15


class Verdict(Struct, frozen=True):
    """One goal: what was measured, and whether it is reached; None when it was not measured."""

    goal: str
    measured: str
    reached: bool | None


def verdicts(results: Results) -> Iterator[Verdict]:
    """Every goal in order."""
    job = results.get("peers", {}).get("900 cards", {})
    own, typst = job.get("cardgen"), _named(job, "typst")
    yield _ratio("900 cards cold at or under Typst's wall time", own, typst, "wall", 1.0)
    smallest = min(
        (run for name, run in job.items() if not name.startswith("cardgen")), key=lambda run: run.size, default=None
    )
    yield _ratio("900 cards: the file at most 1.2 times the smallest peer's", own, smallest, "size", 1.2)
    yield _at_most("900 cards: summed memory under 150 MB", own, "memory", 150, "MB")
    bare, through = _named(job, "weasyprint"), job.get("cardgen with weasyprint")
    yield _ratio("with the weasyprint engine at most a tenth slower than bare", through, bare, "wall", 1.1)
    edited = results.get("edited", {}).get("", {})
    yield _at_most("one card of 900 edited, a new process: under 0.5 s", edited.get("a new process"), "wall", 0.5, "s")
    yield _at_most("one card of 900 edited, watched: under 0.15 s", edited.get("a running watch"), "wall", 0.15, "s")
    many = results.get("many", {})
    ten, five, twenty = (many.get(f"{count} cards", {}).get("cardgen") for count in (10000, 5000, 20000))
    yield _at_most("10,000 cards: summed memory under 300 MB", ten, "memory", 300, "MB")
    for what, unit in (("wall", "s"), ("memory", "MB")):
        yield _linear(f"{'time' if what == 'wall' else what} linear to 20,000 cards", five, twenty, what, unit)
    start = results.get("start", {}).get("", {}).get("cardgen --help")
    yield _at_most("cardgen --help under 0.15 s", start, "wall", 0.15, "s")
    checked = next(iter(results.get("checks", {}).get("", {}).values()), None)
    yield _at_most("5,000 cards in 3 languages checked in under 30 s", checked, "wall", 30, "s")
    slowest = max(results.get("fits", {}).get("", {}).values(), key=lambda run: run.wall, default=None)
    yield _at_most("a fit measurement of the engine under 1 ms, in every shipped game", slowest, "wall", 0.001, "s")


def _named(rows: dict[str, Run], start: str) -> Run | None:
    return next((run for name, run in rows.items() if name.startswith(f"{start} ")), None)


def _at_most(goal: str, run: Run | None, what: str, most: float, unit: str) -> Verdict:
    if run is None:
        return Verdict(goal, "not measured", None)
    value = getattr(run, what)
    return Verdict(goal, f"{value:.3g} {unit}", value <= most)


def _ratio(goal: str, run: Run | None, other: Run | None, what: str, most: float) -> Verdict:
    if run is None or other is None:
        return Verdict(goal, "not measured", None)
    value, base = getattr(run, what), getattr(other, what)
    shown = f"{value:,} of {base:,} bytes" if what == "size" else f"{value:.2f} of {base:.2f} s"
    return Verdict(goal, f"{shown}: {value / base:.2f}", value <= most * base)


def _linear(goal: str, few: Run | None, many: Run | None, what: str, unit: str) -> Verdict:
    """Four times as many cards may take four times as much: what both take at the start is on the safe side."""
    if few is None or many is None:
        return Verdict(goal, "not measured", None)
    a, b = getattr(few, what), getattr(many, what)
    return Verdict(goal, f"{a:.3g} {unit} at 5,000, {b:.3g} {unit} at 20,000", b <= 4 * a * LINEAR)
