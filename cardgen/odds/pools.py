"""Pools and calls as people write them: `2white+1blue`, `(n)d10`, `attack(2white, defence=1red)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from cardgen.diagnostics import did_you_mean
from cardgen.errors import CardgenError

MOST_DICE = 100
_TERM = re.compile(
    r"\s*(?:(?P<count>\d{1,4})\s*\*?|\((?P<sum>[^()]*(?:\([^()]*\)[^()]*)*)\))?\s*(?P<name>[a-z][\w-]*)\s*"
)
_CALL = re.compile(r"\s*(?P<name>[a-z][\w-]*)\s*(?:\((?P<given>.*)\)\s*)?", re.DOTALL)
_NAMED = re.compile(r"\s*(?P<name>[a-z]\w*)\s*=(?!=)(?P<value>.*)", re.DOTALL)


class OddsProblem(CardgenError):
    """Odds that cannot be computed; the message says why."""


class Call(Struct, frozen=True):
    """What somebody asks: the name of a situation and what it is told, by place and by name."""

    name: str
    placed: tuple[str, ...]
    named: Mapping[str, str]


def read_call(text: str) -> Call | None:
    """A call such as `attack(2white, defence=1red)`; None when the text is not written as one."""
    _check_brackets(text.strip())
    match = _CALL.fullmatch(text)
    if match is None:
        return None
    placed: list[str] = []
    named: dict[str, str] = {}
    for part in _parts(match["given"] or "", ","):
        if not part.strip():
            continue
        given = _NAMED.fullmatch(part)
        if given:
            if given["name"] in named:
                raise OddsProblem(f"`{given['name']}` is given twice")
            named[given["name"]] = given["value"].strip()
        elif named:
            raise OddsProblem(f"`{part.strip()}` stands behind what is given by name; write its name as well")
        else:
            placed.append(part.strip())
    return Call(match["name"], tuple(placed), named)


def _check_brackets(text: str) -> None:
    """Raise OddsProblem for a bracket without its other half, saying which one and what may have been meant."""
    opened: list[int] = []
    for at, char in enumerate(text):
        if char == "(":
            opened.append(at)
        elif char == ")" and opened:
            opened.pop()
        elif char == ")":
            hint = f"; did you mean `{text[:at] + text[at + 1 :]}`?" if text[:at].strip() else ""
            raise OddsProblem(f"`{text}`: the `)` at character {at + 1} closes nothing{hint}")
    if opened:
        is_whole = text[: opened[0]].strip() and not text.endswith("=")
        hint = f"; did you mean `{text.rstrip(', ')}{')' * len(opened)}`?" if is_whole else ""
        raise OddsProblem(f"`{text}`: the `(` at character {opened[-1] + 1} is not closed{hint}")


def read_pool(
    text: str,
    dice: Collection[str],
    number: Callable[[str], int] | None = None,
    pools: Mapping[str, Mapping[str, int]] | None = None,
) -> dict[str, int]:
    """How many of each die, by id in the order written. `number` computes counts in brackets, `pools` are named pools.

    A text without dice, or `0`, is an empty pool. Raises OddsProblem.
    """
    found: dict[str, int] = {}
    pools = pools or {}
    if text.strip() in ("", "0"):
        return found
    for part in _parts(text, "+"):
        match = _TERM.fullmatch(part)
        if not part.strip():
            raise OddsProblem(f"`{text.strip()}`: there are no dice before or behind a `+`; take it out, or name them")
        if match is None:
            raise OddsProblem(
                f"`{part.strip()}` is no dice; write how many and which, as in `2{next(iter(dice), 'd6')}`"
            )
        name = match["name"]
        if name in pools:
            if match["count"] or match["sum"]:
                raise OddsProblem(f"`{name}` is a pool, and pools are not multiplied")
            for die, held in pools[name].items():
                found[die] = found.get(die, 0) + held
            continue
        if name not in dice:
            hint = did_you_mean(name, [*dice, *pools])
            raise OddsProblem(f"there is no die `{name}`" + (f"; {hint}" if hint else f"; known: {', '.join(dice)}"))
        if match["sum"] is not None:
            if number is None:
                raise OddsProblem(f"`({match['sum']})` cannot be computed here; write a number")
            count = number(match["sum"])
        else:
            count = int(match["count"] or 1)
        if count < 0:
            raise OddsProblem(f"`{part.strip()}` would be {count} dice")
        if count:
            found[name] = found.get(name, 0) + count
    if sum(found.values()) > MOST_DICE:
        raise OddsProblem(
            f"`{text.strip()}` is {sum(found.values())} dice; more than {MOST_DICE} at once are not computed"
        )
    return found


def _parts(text: str, mark: str) -> list[str]:
    """The text between marks that stand outside of brackets."""
    parts, depth = [""], 0
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts
