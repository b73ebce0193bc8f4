"""`cardgen studio`: cards and bands in the browser."""

from __future__ import annotations

import socket

import click

from cardgen.cli.common import Common, common_options
from cardgen.errors import UsageError


@click.command("studio")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8321, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--open/--no-open", "open_page", default=True, help="Open the browser.  [default: open]")
@common_options
def studio_command(port: int, open_page: bool, common: Common) -> None:
    """Edit cards and bands in the browser, see them as they print, and print them. Only this machine can reach it."""
    if common.shipped:
        raise UsageError(
            "there is no cardgen.yaml here or above; go to a project, name one with `--project`, or make one with "
            "`cardgen new DIR`"
        )
    from cardgen.studio.serve import serve

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
        # Whoever is early waits until the project is read.
        listening.listen(128)
    except OSError as error:
        raise UsageError(f"port {port} cannot be had: {error.strerror}; name another with `--port`") from None
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    click.echo(f"Studio is at {url}  (Ctrl-C ends it)")
    serve(common.project, listening, common.jobs, url if open_page else None)
