"""What is asked twice by accident (a double click, a request sent again) is done once."""

from __future__ import annotations

import threading
from collections import OrderedDict

# A page asks for as little as one thing a second; what is older than this many requests is not a double click.
KEPT = 1000


class Once:
    """Remembers by their marks which requests were begun. Threads may call it."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def first(self, mark: str | None) -> bool:
        """Whether a request with this mark is the first one; one without a mark always is."""
        if not mark:
            return True
        with self._lock:
            mark = mark[:80]
            if mark in self._seen:
                return False
            self._seen[mark] = None
            while len(self._seen) > KEPT:
                self._seen.popitem(last=False)
        return True
