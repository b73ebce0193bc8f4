"""Measures how fast cardgen is: beside its peers on the survivor job, after an edit, on large sets, on the shipped games.

    benchmarks/run [GROUP...] [--runs N] [--counts 90,900] [--without weasyprint] [--check] [--write]

Groups: peers start edited many games preview checks fits; all when none is named. `--check` prints each goal with what was
measured and whether it is reached, and ends with 1 when one is missed. `--write` stores what was measured in
benchmarks/results.json (figures of groups that were not run stay) and benchmarks/results.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import goals
import jobs
import measuring
from measuring import Run
from msgspec.structs import asdict

HERE = Path(__file__).resolve().parent
STORE = HERE / "results.json"
TITLES = {
    "peers": "The survivor job, beside other tools",
    "start": "Starting",
    "edited": "One card of 900 edited",
    "many": "Large sets",
    "games": "Every shipped game, in all its languages",
    "preview": "The first preview of a face",
    "checks": "Checks of a large set",
    "fits": "One measurement of a fit",
}


def measure(group: str, work: Path, given: argparse.Namespace) -> dict[str, dict[str, Run]]:
    """One group's rows; a group of one table has it under an empty name."""
    runs = given.runs
    table: dict[str, Callable[[], dict[str, dict[str, Run]]]] = {
        "peers": lambda: jobs.peers(work, given.counts, runs, given.without.split(",")),
        "start": lambda: {"": jobs.start(runs)},
        "edited": lambda: {"": jobs.edited(work, 900, runs)},
        "many": lambda: jobs.many(work, [5000, 10000, 20000], max(1, runs // 2)),
        "games": lambda: jobs.games(work, max(1, runs // 2)),
        "preview": lambda: {"": jobs.preview(work, runs)},
        "checks": lambda: {"": jobs.checks(5000)},
        "fits": lambda: {"": jobs.fits(runs)},
    }
    return table[group]()


def page(results: goals.Results, about: dict[str, str]) -> str:
    """The results as Markdown."""
    lines = ["# How fast it is", "", "Medians; memory is summed over all processes, what they share counted once."]
    lines += ["What is not said was not looked at. `benchmarks/run` makes this page.", ""]
    for group, title in TITLES.items():
        if group not in results:
            continue
        lines += [f"## {title}", "", about.get(group, ""), ""]
        for name, rows in results[group].items():
            ratio = group == "peers"
            base = rows.get("cardgen") or next(iter(rows.values()))
            lines += [f"{name}:", ""] if name else []
            lines.append("| what | wall s |" + (" ratio |" if ratio else "") + " CPU s | memory MB | bytes |")
            lines.append("|---|--:|" + ("--:|" if ratio else "") + "--:|--:|--:|")
            for what, run in rows.items():
                cells = [
                    what,
                    f"{run.wall:.2f}" if run.wall >= 0.1 else f"{run.wall:.5f}",
                    f"{run.wall / base.wall:.2f}" if ratio else "",
                ]
                cells = [cell for cell in cells if cell]
                cells += [f"{run.cpu:.2f}" if run.cpu else "", f"{run.memory:.0f}" if run.memory else ""]
                lines.append(f"| {' | '.join([*cells, f'{run.size:,}' if run.size else ''])} |")
            lines.append("")
    lines += ["## Goals", "", "| goal | measured | |", "|---|---|---|"]
    words = {True: "reached", False: "**missed**", None: "open"}
    lines += [f"| {one.goal} | {one.measured} | {words[one.reached]} |" for one in goals.verdicts(results)]
    return "\n".join(lines) + "\n"


def stored() -> tuple[goals.Results, dict[str, str]]:
    """What was measured before, and on what."""
    if not STORE.exists():
        return {}, {}
    data = json.loads(STORE.read_text("utf-8"))
    results = {
        group: {name: {what: Run(**run) for what, run in rows.items()} for name, rows in tables.items()}
        for group, tables in data["results"].items()
    }
    return results, data["about"]


def store(results: goals.Results, about: dict[str, str]) -> None:
    """Keep what was measured."""
    plain = {
        group: {name: {what: asdict(run) for what, run in rows.items()} for name, rows in tables.items()}
        for group, tables in results.items()
    }
    STORE.write_text(json.dumps({"about": about, "results": plain}, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (HERE / "results.md").write_text(page(results, about), "utf-8")


def main() -> None:
    """Measure, print, and with --write store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP", choices=[[], *TITLES])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--counts", type=lambda text: [int(part) for part in text.split(",")], default=[90, 900])
    parser.add_argument("--without", default="", metavar="PEER,...", help="peers to leave out, such as weasyprint")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    measuring.adopt()
    results: goals.Results = {}
    about: dict[str, str] = {}
    kept, kept_about = stored()
    with tempfile.TemporaryDirectory(prefix="cardgen-benchmarks-") as folder:
        for group in given.groups or TITLES:
            about[group] = f"{measuring.machine()}, {given.runs} runs."
            results[group] = measure(group, Path(folder), given)
            if given.write:
                store(kept | results, kept_about | about)
    print(page(results, about))
    if given.check:
        found = list(goals.verdicts(results))
        for one in found:
            word = {True: "reached", False: "MISSED", None: "not measured"}[one.reached]
            print(f"{word:12}  {one.goal}: {one.measured}")
        sys.exit(1 if any(one.reached is False for one in found) else 0)


if __name__ == "__main__":
    main()
