"""The command line: options in, messages and exit codes out. Only here is click known."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import signal
import sys

import click

from cardgen import __version__
from cardgen.cli.commands import LazyGroup
from cardgen.errors import CardgenError, FileProblem, UsageError
from cardgen.scratch import scratch_folder, sweep_scratch, temporary_refused, use_scratch


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="cardgen")
def cli() -> None:
    """Print-ready cards and components from YAML data and Jinja layouts.

    Exit codes: 0 clean, 1 problems found, 2 wrong usage.
    """


def main() -> None:
    """Run the command line; a user's mistake never shows a traceback."""
    for name in ("SIGTERM", "SIGHUP"):
        # An end that is asked for goes the way of Ctrl-C: workers stop, nothing is half written.
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _stop)
    try:
        cli.main(standalone_mode=False, prog_name=os.environ.get("CARDGEN_PROGRAM"))
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped; every file that was written is whole", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except UsageError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    except CardgenError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            # The reader of a pipe went away (`| head`): nothing to tell anyone.
            sys.exit(0)
        click.echo(f"error: {_refused(error)}", err=True)
        sys.exit(1)


def _refused(error: OSError) -> str:
    """What the system refused, and where."""
    if error.filename:
        return f"`{error.filename}`: {error.strerror or error}"
    # What cardgen writes itself names its file: this came of a library, which writes temporary files.
    return temporary_refused(error) if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EROFS} else str(error)


def entry() -> None:
    """`main` for a process of its own: it ends without freeing, piece by piece, what no one needs any more.

    After ninety cards in one process that alone took 0.3 s.
    """
    code = 0
    # Hundreds of thousands of values are made and stay until the end: nothing is won by looking through them for
    # circles again and again.
    gc.set_threshold(300_000, 50, 1000)
    # What engines leave in temporary files is not freed either: it lies in a folder that goes with the process.
    sweep_scratch()
    try:
        with scratch_folder() as folder:
            use_scratch(folder)
            try:
                main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except FileProblem as error:
        click.echo(f"error: {error}", err=True)
        code = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):  # a full disk was told about, a closed pipe is nobody's loss
            stream.flush()
    os._exit(code)


def _stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt
