"""What is measured: each group gives rows of (what, Run), by name."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import commands
import measuring
from measuring import Run, interleaved, median, once

sys.path.insert(0, str(commands.HERE / "peers"))
import prepare
import verify

Rows = dict[str, Run]
SHEETS = 9


def peers(work: Path, counts: list[int], runs: int, without: list[str]) -> dict[str, Rows]:
    """The survivor job: cardgen cold, beside the peers, in turns. Each file is held to be the whole job."""
    versions = prepare.install()
    prepare.write_job(max(counts), work / "job")
    found = {}
    for count in counts:
        folder = commands.project(count, work / f"project{count}")
        table = {"cardgen": commands.build(folder, work / "out", "--no-cache")}
        table["cardgen, one process"] = commands.build(folder, work / "out1", "--no-cache", "--jobs", "1")
        if "weasyprint" not in without:
            paged = commands.project(count, work / f"weasyprint{count}", "weasyprint")
            table["cardgen with weasyprint"] = commands.build(paged, work / "outw", "--no-cache", "--jobs", "1")
        for peer, version in versions.items():
            if peer in without:
                continue
            out = work / f"{peer}.pdf"
            table[f"{peer} {version}"] = (prepare.command(peer, count, work / "job", out), out)
        found[f"{count} cards"] = interleaved(table, runs)
        for name, (_, file) in table.items():
            if faults := verify.faults(file, count):
                raise SystemExit(f"{name} did another job: {'; '.join(faults)}")
    return found


def start(runs: int) -> Rows:
    """Starting: the help, and Python itself."""
    table = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "cardgen --help": [sys.executable, "-m", "cardgen", "-h"],
    }
    return {name: median(once(command) for _ in range(2 * runs + 1)) for name, command in table.items()}


def edited(work: Path, count: int, runs: int) -> Rows:
    """After one card was edited: a new process, one that keeps nothing, and a process that watches."""
    folder = commands.project(count, work / f"edited{count}")
    command, file = commands.build(folder, work / "edited")
    once(command, file)
    new, cold = [], []
    for turn in range(runs):
        commands.edit(folder, 17 + turn, turn)
        new.append(once(command, file))
        commands.edit(folder, 17 + turn, runs + turn)
        cold.append(once([*command, "--no-cache"], file))
    rows = {"a new process": median(new), "one that keeps nothing": median(cold)}
    return rows | {"a running watch": watched(folder, work / "watched", max(3, runs))}


def watched(folder: Path, out: Path, turns: int) -> Run:
    """From saving a file until the new PDF lies there, in a process that watches."""
    command, file = commands.build(folder, out)
    command[command.index("build")] = "watch"
    with _running(command) as process:
        _wait(process, file, 0)
        time.sleep(2)
        waits = []
        for turn in range(turns + 1):
            before = file.stat().st_mtime_ns
            started = time.monotonic()
            commands.edit(folder, 101 + turn, 5000 + turn)
            saved = time.monotonic() - started
            _wait(process, file, before)
            waits.append(Run(time.monotonic() - started - saved, 0.0, size=file.stat().st_size))
            time.sleep(0.5)
        memory = sum(map(measuring.pss, measuring.tree(process.pid)))
    return median(waits[1:], memory)  # the first edit finds nothing warm yet


@contextlib.contextmanager
def _running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command,
        env=measuring.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait()


def _wait(process: subprocess.Popen[bytes], file: Path, before: int) -> None:
    while process.poll() is None:
        with contextlib.suppress(FileNotFoundError):
            if file.stat().st_mtime_ns != before:
                return
        time.sleep(0.002)
    raise SystemExit("watching has ended")


def many(work: Path, counts: list[int], runs: int) -> dict[str, Rows]:
    """Large sets: time and memory should grow with the number of cards, and no faster."""
    rows = {}
    for count in counts:
        folder = commands.project(count, work / f"many{count}")
        command, file = commands.build(folder, work / "many", "--no-cache")
        timed = [once(command, file) for _ in range(runs)]
        rows[f"{count} cards"] = {"cardgen": median(timed, once(command, file, memory=True).memory)}
    return rows


def games(work: Path, runs: int) -> dict[str, Rows]:
    """Every shipped game in all its languages: drawn for the first time, and again with what was kept."""
    rows: dict[str, Rows] = {}
    for game in commands.games():
        project = work / f"own-{game}"
        for name in ("cards", "layouts", "fonts"):
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                (project / name).symlink_to(commands.ROOT / name)
        (project / "cardgen.yaml").write_text(f"name: {game}\ngames: [{game}]\n")
        command = [sys.executable, "-m", "cardgen", "build", "--project", str(project), "--output", str(work / "games")]
        cold = []
        for _ in range(runs):
            commands.forget(project)
            cold.append(once(command))
        rows[game] = {"cold": median(cold), "again": median(once(command) for _ in range(runs))}
    return rows


def preview(work: Path, runs: int) -> Rows:
    """The first preview of a face: a new process reads the project, draws one face and makes its picture."""
    folder = commands.project(900, work / "preview")
    code = (
        "import sys; from pathlib import Path; from cardgen.diagnostics import Report\n"
        "from cardgen.load.project import load_project; from cardgen.faces.make import FaceMaker\n"
        "from cardgen.faces.assets import Assets; from cardgen.faces.engines import Job, render\n"
        "from cardgen.pdf.painted import rendering_pdf; import pypdfium2\n"
        "report = Report(); project = load_project(Path(sys.argv[1]), report); game = project.games['survivors']\n"
        "face = FaceMaker(project, report).make(game.cards['s5'], game, 'front')\n"
        "rendering = render(Job((face,), Assets(project.shelf), project.fonts))\n"
        "pypdfium2.PdfDocument(rendering_pdf(rendering))[0].render(scale=150 / 72).to_pil().save(sys.argv[2])"
    )
    out = work / "face.png"
    return {"of 900 cards": median(once([sys.executable, "-c", code, str(folder), str(out)], out) for _ in range(runs))}


def checks(cards: int) -> Rows:
    """A set of 5,000 cards in three languages, every check but fit (check5000.py)."""
    command = [sys.executable, str(commands.HERE / "check5000.py"), "--cards", str(cards)]
    said = subprocess.run(command, check=True, capture_output=True, text=True, env=measuring.environment()).stdout
    seconds, memory = re.search(r"together ([\d.]+) s, (\d+) MB", said).groups()  # type: ignore[union-attr]
    return {f"{cards} cards, 3 languages": Run(float(seconds), 0.0, float(memory))}


def fits(runs: int) -> Rows:
    """Trials of texts that were too long, on the shipped games (fitting.py): seconds of one."""
    rows = {}
    for game in commands.games():
        command = [sys.executable, str(commands.HERE / "fitting.py"), "--game", game, "--runs", str(runs)]
        said = subprocess.run(command, check=True, capture_output=True, text=True, env=measuring.environment()).stdout
        found = json.loads(said)
        if found["trials"]:
            rows[f"{game}: {found['trials']} trials"] = Run(found["seconds"], found["seconds"])
    return rows
