"""Runs Studio until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import webbrowser
from pathlib import Path

import uvicorn

from cardgen.studio.app import create_app, hosts_of


def serve(root: Path, listening: socket.socket, jobs: int, page: str | None) -> None:
    """Serve the project on a socket that is bound to the loopback; `page` is opened in the browser."""
    port = listening.getsockname()[1]
    app = create_app(root, hosts_of(port), jobs)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=2, server_header=False
    )
    if page is not None:
        opener = threading.Timer(0.8, webbrowser.open, [page])
        opener.daemon = True
        opener.start()
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    uvicorn.Server(config).run(sockets=[listening])


def _is_news(record: logging.LogRecord) -> bool:
    """That pages still waited for an answer when Studio was ended is no error."""
    ended = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not ended and "timeout graceful shutdown" not in record.getMessage()
