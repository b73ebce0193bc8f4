"""The launcher on systems that are not this one: made of a PATH with stand-ins, so that nothing is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["sh", "basename", "cat", "cksum", "dirname", "env", "grep", "head", "mktemp", "rm", "sed", "tail", "uname"]
# New enough, but with neither the modules for environments nor Pango, as Debian's python3 comes.
BARE_PYTHON = 'case "$*" in *version_info*) exit 0 ;; *) exit 1 ;; esac'


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A folder with a clone's launcher in it (a blank and a quote in its name) and an empty system's tools."""
    clone = tmp_path / "a maker's clone"
    clone.mkdir()
    for name in ("run", "pyproject.toml", "hatch_build.py", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, clone / name)
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found, name
        (tools / name).symlink_to(found)
    stand_in(tmp_path, "id", "echo 1000")
    return tmp_path


def stand_in(system: Path, name: str, script: str) -> None:
    path = system / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def launch(system: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(system / "a maker's clone" / "run"), *arguments]
    return subprocess.run(
        command,
        cwd=system,
        env={"PATH": str(system / "bin"), "HOME": str(system), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("manager", "typed"),
    [
        (
            "apt-get",
            "sudo apt-get update && sudo apt-get install python3-venv libpango-1.0-0 libpangoft2-1.0-0"
            " libharfbuzz-subset0 poppler-utils qpdf gettext",
        ),
        ("dnf", "sudo dnf install python3 pango harfbuzz poppler-utils qpdf gettext"),
        ("pacman", "sudo pacman -S python3 pango poppler qpdf gettext"),
        ("brew", "brew install python3 pango poppler qpdf gettext"),
    ],
)
def test_what_is_missing_is_said_at_once_and_can_be_typed(system: Path, manager: str, typed: str) -> None:
    stand_in(system, "python3", BARE_PYTHON)
    stand_in(system, manager, "exit 9")
    done = launch(system, "test")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"run:     {typed}"
    assert not (system / "a maker's clone" / ".venv").exists()


def test_a_build_needs_no_tools_of_the_tests(system: Path) -> None:
    stand_in(system, "python3", BARE_PYTHON)
    stand_in(system, "apt-get", "exit 9")
    done = launch(system, "build")
    assert "libpango-1.0-0" in done.stderr
    assert "poppler" not in done.stderr


def test_an_unknown_package_manager_gets_a_plain_list(system: Path) -> None:
    stand_in(system, "python3", BARE_PYTHON)
    done = launch(system, "build")
    assert done.returncode == 1
    assert "this system lacks: python3 pango. Install them" in done.stderr


def test_root_installs_and_is_told_what_to_type_when_that_fails(system: Path) -> None:
    stand_in(system, "python3", BARE_PYTHON)
    stand_in(system, "id", "echo 0")
    stand_in(system, "apt-get", 'echo "no network for $*"; exit 100')
    done = launch(system, "build")
    assert done.returncode == 1
    assert "no network for" in done.stderr
    assert "sudo apt-get update && sudo apt-get install python3-venv" in done.stderr.splitlines()[-1]


def test_an_old_python_is_not_used(system: Path) -> None:
    stand_in(system, "python3", "exit 1")
    done = launch(system, "build")
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr


def test_a_python_that_is_named_must_be_one(system: Path) -> None:
    stand_in(system, "python3", BARE_PYTHON)
    done = launch(system, "build", CARDGEN_PYTHON="/nowhere/python")
    assert done.returncode == 1
    assert "/nowhere/python is none" in done.stderr


def test_an_unknown_command_is_wrong_usage(system: Path) -> None:
    done = launch(system, "biuld")
    assert done.returncode == 2
    assert "unknown command: biuld" in done.stderr


def test_help_needs_nothing(system: Path) -> None:
    done = launch(system)
    assert done.returncode == 0
    assert "./run COMMAND" in done.stdout


@pytest.mark.parametrize("script", ["run", "tests/fresh/run.sh", ".ci/run"])
def test_scripts_can_be_started(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    shell = "sh" if script == "run" else "bash"
    assert subprocess.run([shell, "-n", str(ROOT / script)], check=False).returncode == 0
