"""`cardgen watch` as people use it: a process that sees files being saved."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support import BASE, write_project

CARDS = "cards/g/cards/items.yaml"
PATIENCE = 60.0


class Watching:
    """A watching process; what it says is read from files."""

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        self.out, self.err = root.parent / "out.txt", root.parent / "err.txt"
        command = [sys.executable, "-m", "cardgen", "watch", "--project", str(root), "--jobs", "2", *options]
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(command, stdout=out, stderr=err, start_new_session=True)

    def wait(self, text: str, count: int = 1) -> str:
        """Until the process has said `text` so many times on stdout; what it said."""
        end = time.monotonic() + PATIENCE
        while self.said().count(text) < count:
            assert self.process.poll() is None, self.said() + self.complained()
            assert time.monotonic() < end, self.said() + self.complained()
            time.sleep(0.02)
        return self.said()

    def said(self) -> str:
        return self.out.read_text("utf-8")

    def complained(self) -> str:
        return self.err.read_text("utf-8")

    def save(self, name: str, text: str) -> None:
        """Save as many an editor does: beside it, then renamed."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}~tmp")
        beside.write_text(text, "utf-8")
        beside.replace(path)

    def end(self, by: signal.Signals) -> int:
        os.killpg(self.process.pid, by)
        return self.process.wait(PATIENCE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "p")


@pytest.fixture
def started() -> Iterator[list[Watching]]:
    watching: list[Watching] = []
    yield watching
    for one in watching:
        if one.process.poll() is None:
            os.killpg(one.process.pid, signal.SIGKILL)
            one.process.wait()


def test_saved_broken_mended_gone_and_back(root: Path, started: list[Watching]) -> None:
    started.append(watching := Watching(root))
    watching.wait("1 file in ")
    made = root / "output/g/en/items.pdf"
    first = made.read_bytes()
    watching.save(CARDS, BASE[CARDS].replace("name: Axe", "name: Big axe"))
    watching.wait(f"{CARDS}: 1 file in ")
    second = made.read_bytes()
    assert second != first
    watching.save(CARDS, BASE[CARDS] + "broken\n")
    said = watching.wait("1 error")
    assert "0 files in " in said and "CG003" in watching.complained()
    assert made.read_bytes() == second
    watching.save(CARDS, BASE[CARDS])
    watching.wait("no problems", 3)
    assert made.read_bytes() == first
    (root / CARDS).unlink()
    watching.wait("1 warning")  # a print that holds no cards
    shutil.rmtree(root / "layouts")
    watching.wait("layouts")
    write_project(root)
    watching.wait("no problems", 4)
    assert made.read_bytes() == first
    assert "Traceback" not in watching.complained()
    assert watching.end(signal.SIGINT) == 0
    assert "every file that was written is whole" in watching.complained()


def test_the_settings_of_the_project_are_watched_too(root: Path, started: list[Watching]) -> None:
    started.append(watching := Watching(root, "--format", "json"))
    watching.wait("\n")
    watching.save("cardgen.yaml", "name: test\npaper: letter\n")
    watching.wait("\n", 2)
    watching.save("cardgen.yaml", "name: [\n")
    watching.wait("\n", 3)
    first, second, third = map(json.loads, watching.said().splitlines())
    assert [made["paper_mm"] for made in first["written"]] == [[210.0, 297.0]]
    assert second["changed"] == "cardgen.yaml" and [made["paper_mm"][0] for made in second["written"]] == [215.9]
    assert third["files"] == 0 and [item["code"] for item in third["problems"]] == ["CG003"]
    assert watching.end(signal.SIGTERM) == 1


def test_a_target_that_does_not_exist_ends_it(root: Path, started: list[Watching]) -> None:
    started.append(watching := Watching(root, "g/itams"))
    assert watching.process.wait(PATIENCE) == 2
    assert "did you mean `items`?" in watching.complained()


def test_a_worker_that_is_ended_is_replaced(root: Path, started: list[Watching]) -> None:
    started.append(watching := Watching(root))
    watching.wait("1 file in ")
    own = Path(f"/proc/{watching.process.pid}")
    children = (own / f"task/{watching.process.pid}/children").read_text().split()
    # Those that are forks of it: what a library starts for a moment is another program, and may be gone already.
    workers = []
    for child in children:
        with suppress(FileNotFoundError, ProcessLookupError):
            if Path(f"/proc/{child}/cmdline").read_bytes() == (own / "cmdline").read_bytes():
                os.kill(int(child), signal.SIGKILL)
                workers.append(child)
    assert workers
    for turn in range(2):
        watching.save(CARDS, BASE[CARDS].replace("name: Axe", f"name: Axe {turn}"))
        watching.wait("no problems", turn + 2)
    assert watching.end(signal.SIGINT) == 0
