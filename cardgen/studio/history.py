"""Undo and redo: what documents said before, newest last."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from cardgen.load.trees import Tree

MOST = 200
State = Mapping[str, Tree] | None


class _Steps(Struct):
    done: list[tuple[State, State]] = field(default_factory=list)
    undone: list[tuple[State, State]] = field(default_factory=list)


class Histories:
    """The changes of each document since Studio was started, by the document's address."""

    def __init__(self) -> None:
        self._steps: dict[str, _Steps] = {}

    def add(self, url: str, before: State, after: State) -> None:
        """Note a change; what was undone cannot be redone after it."""
        steps = self._steps.setdefault(url, _Steps())
        steps.done.append((before, after))
        del steps.done[:-MOST]
        steps.undone.clear()

    def can(self, url: str) -> tuple[bool, bool]:
        """Whether there is something to undo, and something to redo."""
        steps = self._steps.get(url, _Steps())
        return bool(steps.done), bool(steps.undone)

    def step(self, url: str, back: bool) -> tuple[State, State] | None:
        """The next change to make: what should be there now, and what is to be there then; None when there is none."""
        steps = self._steps.setdefault(url, _Steps())
        stack = steps.done if back else steps.undone
        if not stack:
            return None
        before, after = stack[-1]
        return (after, before) if back else (before, after)

    def stepped(self, url: str, back: bool) -> None:
        """Note that the change of `step` was made."""
        steps = self._steps[url]
        source, target = (steps.done, steps.undone) if back else (steps.undone, steps.done)
        target.append(source.pop())
