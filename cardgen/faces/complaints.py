"""What WeasyPrint logs while it draws, each message once, and sorted by what it is about."""

from __future__ import annotations

import logging
import re

from cardgen.faces.assets import BASE

_UNDRAWN = re.compile(rf"Failed to (?:load image at|render SVG image) '?({re.escape(BASE)}[^\s']+)'?(?:: (.*))?")
_REFUSED = re.compile(r"`([^`]+)` is not part of the project")


class Complaints(logging.Handler):
    """Keeps what WeasyPrint logs, each message once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        self.messages[record.getMessage()] = None


def sort_complaints(complaints: Complaints) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[str, ...]]:
    """What the engine complains about: at large, pictures (address, reason) not drawn, addresses not followed."""
    said, undrawn, refused = [], {}, []
    for message in complaints.messages:
        if match := _UNDRAWN.match(message):
            undrawn[match[1]] = match[2] or "the engine stopped in the middle of drawing it"
        elif match := _REFUSED.search(message):
            refused.append(match[1])
        else:
            said.append(message)
    return tuple(said), tuple(undrawn.items()), tuple(refused)
