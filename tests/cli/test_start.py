"""Starting: one command loads nothing of the others, and the list of commands says what they say of themselves."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from cardgen.cli import cli
from cardgen.cli.commands import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None and command.name == name and command.help is not None
    assert command.help.replace("\n", " ").startswith(COMMANDS[name][1])
    for width in (40, 60, 72):
        stub = click.Command(name, help=COMMANDS[name][1])
        assert stub.get_short_help_str(width) == command.get_short_help_str(width)


def test_commands_stand_in_the_order_of_the_alphabet() -> None:
    assert list(COMMANDS) == sorted(COMMANDS) == cli.list_commands(click.Context(cli))


def loaded(*arguments: str) -> set[str]:
    """The modules that a run of the command line has loaded in the end."""
    code = (
        "import sys, click.testing; from cardgen.cli import cli; "
        f"click.testing.CliRunner().invoke(cli, {list(arguments)!r}); print(*sys.modules)"
    )
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_help_loads_no_command_and_no_library_of_theirs() -> None:
    modules = loaded("--help")
    assert "cardgen.cli.commands" in modules
    for name in (
        "cardgen.cli.build",
        "cardgen.faces.make",
        "cardgen.load.nodes",
        "cardgen.model.game",
        "yaml",
        "jinja2",
        "rapidfuzz",
    ):
        assert name not in modules, name


def test_building_cards_loads_nothing_that_they_do_not_need() -> None:
    modules = loaded("build", "--help")
    for name in ("cardgen.cli.ledger", "cardgen.rules", "cardgen.components", "rich", "icepool", "urllib.request"):
        assert name not in modules, name
