"""Malformed projects and what is said about them: every message, to the letter, and never a traceback."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from cardgen.cli import main
from tests.malformed.cases import HERE, Case, apply, cases, read_case


def run(case: Case, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    for change in (*read_case(HERE / "_base.txt").changes, *case.changes):
        apply(change, root)
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "argv", ["cardgen", *case.command, "--jobs", "1"])
    capsys.readouterr()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        with pytest.raises(SystemExit) as stopped:
            main()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    code = stopped.value.code
    assert isinstance(code, int)
    return code, capsys.readouterr().err


@pytest.mark.parametrize("more", ["", "_rules.txt"])
def test_the_base_is_sound(
    more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = read_case(HERE / more).changes if more else ()
    assert run(Case(changes, ("check", "--strict"), ""), tmp_path, monkeypatch, capsys) == (0, "")


def test_there_are_enough() -> None:
    assert len(cases()) >= 60


@pytest.mark.parametrize("path", cases(), ids=lambda path: path.stem)
def test_malformed(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = read_case(path)
    code, printed = run(case, tmp_path, monkeypatch, capsys)
    assert printed.strip("\n") == case.expected
    assert code == 1
