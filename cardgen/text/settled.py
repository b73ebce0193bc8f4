"""What was looked at before, and there was nothing to say of it: by hashes, so that another process can have them.

What is asked must be answered by the subject and the question alone. Somebody who keeps the answers of a process gives
them to the next one; nobody else need know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardgen.text.hashes import begun

# How many are remembered: of texts on ten thousand cards.
MOST = 50_000

_known: set[bytes] = set()
_used: set[bytes] = set()
# Whether anybody keeps the answers: nothing is noted for nobody.
_wanted: list[bool] = []


class Question:
    """Something that is asked of many subjects, such as whether a text's characters are all in some fonts."""

    def __init__(self, *about: object) -> None:
        """`about` is all that the answer depends on besides the subject."""
        self._begun: Any = begun(repr(about))

    def is_settled(self, subject: bytes) -> bool:
        """Whether it is known that there is nothing to say of the subject."""
        if not _wanted:
            return False
        digest = self._digest(subject)
        if digest not in _known:
            return False
        _used.add(digest)
        return True

    def settle(self, subject: bytes) -> None:
        """Note that there is nothing to say of it."""
        if _wanted and len(_known) < MOST:
            digest = self._digest(subject)
            _known.add(digest)
            _used.add(digest)

    def _digest(self, subject: bytes) -> bytes:
        hashed = self._begun.copy()
        hashed.update(subject)
        return bytes(hashed.digest())


def remember(known: Iterable[bytes]) -> None:
    """Take over what another process has settled, and note from now on what the next one may want."""
    _wanted[:] = [True]
    _known.update(known)


def remembered() -> list[bytes]:
    """What another process may want, sorted: what was not used is left out when it is more than what was."""
    return sorted(_known if len(_known) <= 2 * len(_used) else _used)
