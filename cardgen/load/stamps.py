"""Writes one short text into each of a list's mappings and leaves every other character of the file alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def stamp(text: str, entries: str, field: str, stamps: Mapping[int, str]) -> str | None:
    """The file's text with `field` of the items of its root's list `entries`, counted from 0, as `stamps` says.

    None where the file is not written in a way that allows it. Whoever asks compares what comes out.
    """
    root: Any = yaml.compose(text, Loader=_Loader)
    listed = next((value for key, value in root.value if key.value == entries), None)
    if not isinstance(listed, yaml.SequenceNode):
        return None
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    changes = []
    for index, value in stamps.items():
        item = listed.value[index]
        if not isinstance(item, yaml.MappingNode) or not item.value:
            return None
        change = _change(item, field, json.dumps(value, ensure_ascii=False), starts, text)
        if change is None:
            return None
        changes.append(change)
    # From the end, so that places before stay what they are.
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _change(item: Any, field: str, value: str, starts: list[int], text: str) -> tuple[int, int, str] | None:
    """From where to where in the text what is written."""
    for key, old in item.value:
        if key.value == field:
            if not isinstance(old, yaml.ScalarNode) or old.style in ("|", ">"):
                return None
            return _at(old.start_mark, starts), _at(old.end_mark, starts), value
    if item.flow_style:
        end = _at(item.end_mark, starts) - 1
        while text[end - 1] in " \n":
            end -= 1
        return end, end, f", {field}: {value}"
    # Behind the line of the last field that ends on a line of its own.
    ended = [old for _, old in item.value if getattr(old, "flow_style", False) or _is_short(old)]
    if not ended:
        return None
    indent = " " * item.value[0][0].start_mark.column
    after = starts[ended[-1].end_mark.line + 1] if ended[-1].end_mark.line + 1 < len(starts) else len(text)
    gap = "" if text[:after].endswith("\n") else "\n"
    return after, after, f"{gap}{indent}{field}: {value}\n"


def _is_short(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style not in ("|", ">") and node.value != ""


def _at(mark: Any, starts: list[int]) -> int:
    return int(starts[mark.line]) + int(mark.column)
