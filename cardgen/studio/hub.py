"""Tells every open page what happened, as server-sent events."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import AsyncIterator, Mapping

BEAT = 15.0
MOST_LISTENERS = 100


class Hub:
    """Anybody may tell, from any thread; each listener hears everything that is told while it listens."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.id = secrets.token_urlsafe(9)
        self._listeners: dict[asyncio.Queue[str | None], asyncio.AbstractEventLoop] = {}

    def tell(self, event: str, data: Mapping[str, object]) -> None:
        """Tell all listeners."""
        self._send(f"event: {event}\ndata: {json.dumps(data)}\n\n")

    def _send(self, text: str | None) -> None:
        with self._lock:
            for queue, loop in self._listeners.items():
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_put, queue, text)

    def close(self) -> None:
        """End every stream."""
        self._send(None)

    async def listen(self) -> AsyncIterator[str]:
        """Events as they are told, with a beat between them so that ends of connections are noticed."""
        queue: asyncio.Queue[str | None] = asyncio.Queue(maxsize=200)
        with self._lock:
            if len(self._listeners) >= MOST_LISTENERS:
                return
            self._listeners[queue] = asyncio.get_running_loop()
        try:
            # By its name a page knows that it was connected to another Studio before: one that was started since.
            yield f"retry: 1000\nevent: studio-here\ndata: {json.dumps({'id': self.id})}\n\n"
            while True:
                try:
                    text = await asyncio.wait_for(queue.get(), BEAT)
                except TimeoutError:
                    text = ": beat\n\n"
                if text is None:
                    return
                yield text
        finally:
            with self._lock:
                self._listeners.pop(queue, None)


def _put(queue: asyncio.Queue[str | None], text: str | None) -> None:
    # Somebody who does not read is not waited for.
    if not queue.full():
        queue.put_nowait(text)
