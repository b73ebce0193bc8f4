"""What changed between two texts, with some words around it: in a message nobody looks for a letter in a paragraph."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What is shown of each text, in characters, and what at least of what stands on either side of the change.
ROOM, LEAST = 60, 12


def around(old: str, new: str) -> tuple[str, str]:
    """The two texts, cut to the change and the words beside it; whole where they are short."""
    one, two = (re.findall(r"\s+|\S+", text) for text in (old, new))
    most = min(len(one), len(two))
    start = next((at for at in range(most) if one[at] != two[at]), most)
    end = next((at for at in range(most - start) if one[-1 - at] != two[-1 - at]), most - start)
    return _cut(one, start, len(one) - end), _cut(two, start, len(two) - end)


def _cut(words: Sequence[str], start: int, end: int) -> str:
    text = "".join(words)
    if len(text) <= ROOM:
        return _on_one_line(text)
    before, changed, after = "".join(words[:start]), "".join(words[start:end]), "".join(words[end:])
    if len(changed) > ROOM:
        changed = f"{changed[: ROOM // 2]}…{changed[-ROOM // 2 :]}"
    side = max(LEAST, (ROOM - len(changed)) // 2)
    if len(before) > side:
        before = "…" + (before[-side:].partition(" ")[2] or before[-side:])
    if len(after) > side:
        after = (after[:side].rpartition(" ")[0] or after[:side]) + "…"
    return _on_one_line(before + changed + after)


def _on_one_line(text: str) -> str:
    return text.replace("\n", "\\n")
