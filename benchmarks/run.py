"""The survivor job, cardgen beside bare WeasyPrint, in interleaved runs of whole processes.

    python benchmarks/run.py [--cards 90,900] [--runs 3] [--write]

Prints a Markdown table of medians; `--write` stores it in benchmarks/results.md and results.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
JOB = HERE / "survivor"


@dataclass(frozen=True)
class Run:
    """One process from start to end."""

    wall: float
    cpu: float
    size: int


def commands(cards: int, project: Path, out: Path) -> dict[str, tuple[list[str], Path]]:
    """What is compared: name -> (command, the file it writes)."""
    bare = out / "bare.pdf"
    mine = out / "survivors" / "es" / "cards.pdf"
    build = [sys.executable, "-m", "cardgen", "build", "--project", str(project), "--output", str(out)]
    one_core = ["taskset", "-c", "0"]
    plain = [sys.executable, str(JOB / "bare.py"), str(cards), str(project), str(bare)]
    return {
        "weasyprint": (plain, bare),
        "weasyprint, one core": (one_core + plain, bare),
        "cardgen, one core": ([*one_core, *build, "--jobs", "1"], mine),
        "cardgen, two cores": ([*build, "--jobs", "2"], mine),
    }


def once(command: list[str], file: Path) -> Run:
    """Run a command and measure its whole process tree. Raises CalledProcessError when it fails."""
    file.unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(wall, cpu, file.stat().st_size)


def measure(cards: int, runs: int) -> dict[str, Run]:
    """Medians of interleaved runs, so that a slow minute of the machine falls on all."""
    with tempfile.TemporaryDirectory() as folder:
        project, out = Path(folder, "project"), Path(folder, "out")
        out.mkdir()
        subprocess.run([sys.executable, str(JOB / "project.py"), str(cards), str(project)], check=True)
        found: dict[str, list[Run]] = {}
        for _ in range(runs):
            for name, (command, file) in commands(cards, project, out).items():
                found.setdefault(name, []).append(once(command, file))
    return {
        name: Run(
            statistics.median(run.wall for run in all_runs),
            statistics.median(run.cpu for run in all_runs),
            all_runs[0].size,
        )
        for name, all_runs in found.items()
    }


def table(results: dict[int, dict[str, Run]]) -> str:
    """The results as Markdown, with ratios to bare WeasyPrint on as many cores as it uses."""
    lines = ["| cards | what | wall s | ratio | CPU s | bytes | ratio |", "|--:|---|--:|--:|--:|--:|--:|"]
    for cards, by_name in results.items():
        base = by_name["weasyprint"]
        for name, run in by_name.items():
            reference = by_name["weasyprint, one core"] if name.endswith("one core") else base
            lines.append(
                f"| {cards} | {name} | {run.wall:.2f} | {run.wall / reference.wall:.2f} | {run.cpu:.2f} "
                f"| {run.size:,} | {run.size / base.size:.2f} |"
            )
    return "\n".join(lines)


def main() -> None:
    """Measure and print; with --write, store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", default="90,900")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    results = {cards: measure(cards, given.runs) for cards in map(int, given.cards.split(","))}
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.machine()}, {given.runs} runs"
    page = f"# The survivor job\n\nMedians of interleaved runs; {machine}.\n\n{table(results)}\n"
    print(page)
    if given.write:
        (HERE / "results.md").write_text(page, "utf-8")
        data = {str(cards): {name: asdict(run) for name, run in rows.items()} for cards, rows in results.items()}
        (HERE / "results.json").write_text(json.dumps(data, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
