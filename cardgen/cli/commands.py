"""Which commands there are, and what each is about: so that `cardgen --help` and one command load nothing of the others.

A test holds the words to what the commands say of themselves.
"""

from __future__ import annotations

from importlib import import_module

import click

# name -> (module and attribute, the first line of its help)
COMMANDS: dict[str, tuple[str, str]] = {
    "band": ("band:band_command", "Say whether the band in FILE is legal, what it costs, which rule says so and what"),
    "build": ("build:build_command", "Write everything to print."),
    "calibrate": (
        "calibrate:calibrate_command",
        "Write a two-sided sheet to measure a printer with; with --measured, keep what",
    ),
    "catalogue": (
        "catalogue:catalogue_group",
        "What the bands of a game may choose from, and newer catalogues.",
    ),
    "changed": (
        "ledger:changed_command",
        "List what is not as it was printed: new, changed, gone, more or fewer copies;",
    ),
    "check": ("build:check_command", "Find what is wrong before paper is wasted: data, texts, translations, layouts,"),
    "diff": ("diff:diff_command", "What differs between two states of a set, A and B: revisions of git, or folders."),
    "explain": (
        "explain:explain_command",
        "Explain a rule, note, ruling, formula, keyword, card, die, situation or source, or a code of a diagnostic",
    ),
    "export": (
        "export:export_group",
        "Write faces and cuts in other formats: a command for each profile of layouts/_exports,",
    ),
    "i18n": ("i18n:i18n_group", "Translate a set: files for translators, what is missing or stale, review, fit."),
    "identify": (
        "ledger:identify_command",
        "Say which card a printed CODE is, when it was printed, and whether it is still the",
    ),
    "import": (
        "import_:import_command",
        "Take cards and translations from JSON into the project; MAP says which files,",
    ),
    "kit": ("kit:kit_command", "Write what tonight's bands need, one, two or as many as the game takes: cards, pawns,"),
    "new": ("new:new_command", "Make a small project in DIR to start from: two cards, a layout, a back, a"),
    "odds": ("odds:odds_command", "Compute EXPR exactly: dice such as `2white+1blue`, or a situation of a game such"),
    "printed": ("ledger:printed_command", "Note that everything was printed as it is now."),
    "release": (
        "release:release_command",
        "Write a set as it is handed on, below output/release: versioned PDFs, what",
    ),
    "rules": ("explain:rules_command", "List the rules, notes and formulas of all games, or of one."),
    "schema": (
        "schema:schema_command",
        "Write JSON Schemas of all file kinds to DIR (default: docs/schema of the project).",
    ),
    "studio": ("studio:studio_command", "Edit cards and bands in the browser, see them as they print, and print them."),
    "watch": ("watch:watch_command", "Build, then build what changed whenever a file is saved, until Ctrl-C."),
}


class LazyGroup(click.Group):
    """A group whose commands are loaded when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f"cardgen.cli.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the group's help."""
        limit = formatter.width - 6 - max(map(len, COMMANDS))
        rows = [(name, click.Command(name, help=COMMANDS[name][1]).get_short_help_str(limit)) for name in COMMANDS]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
