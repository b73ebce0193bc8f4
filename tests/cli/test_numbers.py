"""Options that are numbers take numbers: what is none, or has no end, is wrong usage and never a traceback."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cardgen.cli import cli
from cardgen.cli.common import PERCENT
from cardgen.errors import CardgenError, UsageError
from cardgen.pipeline.printers import VARIABLE
from tests.support import write_project

NO_NUMBERS = ("nan", "inf", "-inf", "NaN", "1e999", "")


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, arguments)
    if isinstance(done.exception, CardgenError):
        return (2 if isinstance(done.exception, UsageError) else 1), str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def numbers() -> list[tuple[str, str]]:
    """Every command and option that takes a number, a length or a percentage."""
    found = []
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        subs = list(command.commands.items()) if isinstance(command, click.Group) else []
        for path, one in [(name, command), *((f"{name} {sub}", item) for sub, item in subs)]:
            for option in one.params:
                number = isinstance(option.type, click.types.IntParamType | click.types.FloatParamType)
                if number or option.type.name in {"length", "percent"}:
                    found.append((path, option.opts[0]))
    return found


def test_there_are_such_options() -> None:
    assert {("export png", "--dpi"), ("build", "--size"), ("build", "--scale"), ("build", "--jobs")} <= set(numbers())


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_none_takes_what_is_no_number(text: str) -> None:
    for path, option in numbers():
        code, said = run(*path.split(), f"{option}={text}")
        assert code == 2, (path, option, text, said)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_readings_are_numbers(text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "config"))
    project = str(write_project(tmp_path / "p"))
    code, said = run("calibrate", "--printer", "home", "--measured", f"width={text}", "--project", project)
    assert code == 2 and "expected millimetres" in said
    assert not (tmp_path / "config").exists()


def test_numbers_within_are_taken() -> None:
    assert PERCENT.convert("75%", None, None) == 0.75
    with pytest.raises(click.BadParameter, match="percentage"):
        PERCENT.convert("nan%", None, None)
