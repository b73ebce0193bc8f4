"""Computes situations exactly: each roll as a distribution of what is read of it, results over what they read.

icepool adds the dice up; it is imported when the first odds are asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from msgspec import Struct

from cardgen.diagnostics import Span, did_you_mean
from cardgen.errors import EngineMissing
from cardgen.model.game import Die
from cardgen.model.odds import Chance, Outcome, Result, RollSpec, Situation
from cardgen.odds.pools import Call, OddsProblem, read_pool
from cardgen.text.expressions import Expression, ExpressionError, Language

# A die that is rolled again and again (a 6 that is added and rolled on) is followed this far: what is cut off there is
# less probable than 1 in 60 millions for a die of six.
MOST_AGAIN = 10
# Of one result: how many different things the rolls that it reads may show.
MOST_OUTCOMES = 60_000

# Computes a formula of the game's rules from its name and arguments.
Formulas = Callable[[str, Mapping[str, Any]], Any]
_NUMBER = re.compile(r"-?\d+")
_LANGUAGE = Language({"ceil": math.ceil, "floor": math.floor})
_State = tuple[int, ...]


class _Reading(Struct, frozen=True):
    """One thing that is read of a roll: an expression over `face`, added up or the greatest kept."""

    name: str
    source: str
    greatest: bool


def face_view(word: str, die: str = "", again: int = 0) -> dict[str, object]:
    """What expressions see of a face: its `word`, the `number` it begins with (0 when there is none), the `sign` behind
    that, the id of its `die`, and how often that was rolled `again` before."""
    match = _NUMBER.match(word)
    sign = word[match.end() :] if match else word
    return {"word": word, "number": int(match[0]) if match else 0, "sign": sign, "die": die, "again": again}


def pool_situation(text: str, dice: Mapping[str, Die]) -> Situation:
    """A situation for bare dice: their total, and how many show each sign that stands beside or in place of a number.

    Raises OddsProblem.
    """
    held = read_pool(text, dice)
    if not held:
        raise OddsProblem("there are no dice in it")
    faces = [face_view(word) for name in held for word in dice[name].faces]
    count: dict[str, str] = {}
    results: dict[str, Result] = {}
    if any(_NUMBER.match(str(face["word"])) for face in faces):
        count["total"] = "face.number"
        results["total"] = Result("total", "total", "roll.total")
    for number, sign in enumerate(dict.fromkeys(str(face["sign"]) for face in faces if face["sign"]), 1):
        quoted = sign.replace("\\", "\\\\").replace('"', '\\"')
        count[f"sign_{number}"] = f'1 if face.sign == "{quoted}" else 0'
        results[sign] = Result(sign, f"dice showing {sign}", f"roll.sign_{number}")
    return Situation("", text, "", "", {}, {}, {"roll": RollSpec("roll", text, count)}, results, Span(""))


def given_of(situation: Situation, call: Call) -> dict[str, str]:
    """What a call gives the situation, by name, as written; what it leaves out is left to the defaults.

    Raises OddsProblem for what the situation does not take.
    """
    names = list(situation.given)
    if len(call.placed) > len(names):
        raise OddsProblem(
            f"`{situation.id}` takes {', '.join(names) or 'nothing'}; {len(call.placed)} things are given"
        )
    given = dict(zip(names, call.placed, strict=False))
    for name, text in call.named.items():
        if name not in situation.given:
            hint = did_you_mean(name, names)
            raise OddsProblem(
                f"`{situation.id}` takes no `{name}`; {hint or 'it takes ' + (', '.join(names) or 'nothing')}"
            )
        if name in given:
            raise OddsProblem(f"`{name}` is given twice")
        given[name] = text
    return given


def chances(
    situation: Situation,
    given: Mapping[str, object],
    dice: Mapping[str, Die],
    formulas: Formulas | None = None,
    only: Iterable[str] = (),
) -> tuple[Chance, ...]:
    """The exact chances of every result of a situation, or of `only` some.

    `given` are pools as text or as a mapping of die to count, and numbers. Raises OddsProblem.
    """
    pools, numbers = _told(situation, given, dice)
    try:
        for name, made in situation.derived.items():
            if made.formula:
                if formulas is None:
                    raise OddsProblem(f"there are no rules to take the formula `{made.formula}` from")
                arguments = {key: _run(source, numbers) for key, source in made.arguments.items()}
                numbers[name] = formulas(made.formula, arguments)
            else:
                numbers[name] = _run(made.value, numbers)
        wanted = set(only)
        return tuple(
            _chance(situation, result, pools, numbers, dice)
            for result in situation.results.values()
            if not wanted or result.id in wanted
        )
    except ExpressionError as error:
        raise OddsProblem(f"`{situation.id}`: {error}") from None


def _run(source: str, context: Mapping[str, Any]) -> Any:
    expression = _compile(source)
    unknown = expression.names - context.keys()
    if unknown:
        name = min(unknown)
        hint = did_you_mean(name, context)
        raise OddsProblem(f"`{source}`: there is no `{name}`" + (f"; {hint}" if hint else ""))
    return expression.run(context)


@lru_cache(maxsize=4096)
def _compile(source: str) -> Expression:
    return _LANGUAGE.compile(source)


def _told(
    situation: Situation, given: Mapping[str, object], dice: Mapping[str, Die]
) -> tuple[dict[str, Mapping[str, int]], dict[str, Any]]:
    """The pools and the numbers that a situation is told, defaults where nothing is."""
    pools: dict[str, Mapping[str, int]] = {}
    numbers: dict[str, Any] = {}
    for name, item in situation.given.items():
        value = given.get(name)
        if item.number is None:
            if isinstance(value, Mapping):
                value = "+".join(f"{count}{die}" for die, count in value.items())
            pools[name] = read_pool(str(item.dice if value is None else value), dice)
            continue
        text = str(item.number if value is None else value).strip()
        if not re.fullmatch(r"-?\d{1,6}", text):
            raise OddsProblem(f"`{name}` is a whole number, not `{text}`")
        if not item.min <= int(text) <= item.max:
            raise OddsProblem(f"`{name}` is {text}; it is from {item.min} to {item.max}")
        numbers[name] = int(text)
    return pools, numbers


def _chance(
    situation: Situation,
    result: Result,
    pools: Mapping[str, Mapping[str, int]],
    numbers: Mapping[str, Any],
    dice: Mapping[str, Die],
) -> Chance:
    """One result over the rolls that it reads, of which nothing is kept but what it reads."""
    expression = _compile(result.value)
    known = {*situation.rolls, *numbers}
    for name in sorted(expression.names - known):
        hint = did_you_mean(name, known)
        raise OddsProblem(f"`{result.value}`: there is no `{name}`" + (f"; {hint}" if hint else ""))
    names: list[str] = []
    read: list[list[_Reading]] = []
    spread: list[Mapping[_State, int]] = []
    for roll in situation.rolls.values():
        if roll.id not in expression.names:
            continue
        wanted = {attribute for name, attribute in expression.attributes if name == roll.id}
        readings = [item for item in _readings(roll) if item.name in wanted]
        for name in sorted(wanted - {item.name for item in readings}):
            hint = did_you_mean(name, (item.name for item in _readings(roll)))
            raise OddsProblem(f"`{roll.id}` has no `{name}`" + (f"; {hint}" if hint else ""))
        names.append(roll.id)
        read.append(readings)
        spread.append(_rolled(roll, readings, pools, numbers, dice))
    if math.prod(map(len, spread)) > MOST_OUTCOMES:
        raise OddsProblem(f"`{situation.id}` has more than {MOST_OUTCOMES} ways to come out; roll fewer dice")
    weights: dict[Outcome, int] = {}
    for ways in product(*(items.items() for items in spread)):
        context = dict(numbers)
        for name, readings, (state, _) in zip(names, read, ways, strict=True):
            context[name] = dict(zip((item.name for item in readings), state, strict=True))
        outcome = _outcome(expression.run(context), result)
        weights[outcome] = weights.get(outcome, 0) + math.prod(weight for _, weight in ways)
    whole = sum(weights.values())
    order = list(result.values)
    ordered = sorted(weights, key=lambda value: order.index(value) if isinstance(value, str) else value)
    outcomes = tuple((value, Fraction(weights[value], whole)) for value in ordered)
    return Chance(result.id, result.title, outcomes, result.values)


def _outcome(value: object, result: Result) -> Outcome:
    if isinstance(value, str):
        if value not in result.values:
            hint = did_you_mean(value, result.values)
            raise OddsProblem(
                f"`{result.id}` may come out as `{value}`, of which `values` says nothing; {hint or ''}".strip("; ")
            )
        return value
    if result.values:
        raise OddsProblem(f"`{result.id}` has `values` and comes out as {value}, which is none of them")
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)) and value == int(value):
        return int(value)
    raise OddsProblem(
        f"`{result.id}` comes out as {value}; whole numbers, yes and no, and the ids of `values` can be counted"
    )


def _readings(roll: RollSpec) -> list[_Reading]:
    added = [_Reading(name, source, greatest=False) for name, source in roll.count.items()]
    return added + [_Reading(name, source, greatest=True) for name, source in roll.highest.items()]


def _rolled(
    roll: RollSpec,
    readings: list[_Reading],
    pools: Mapping[str, Mapping[str, int]],
    numbers: Mapping[str, Any],
    dice: Mapping[str, Die],
) -> Mapping[_State, int]:
    """What a roll may show, as numbers in the order of the readings, and how many of all ways lead to each."""
    pool = read_pool(roll.dice, dice, lambda source: _whole(source, numbers), pools)
    sources = [item.source for item in readings] + ([roll.again] if roll.again else [])
    read = {name for source in sources for name in _compile(source).names}
    told = tuple((name, value) for name, value in numbers.items() if name in read)
    held = tuple((name, dice[name].faces, count) for name, count in pool.items())
    return _spread(held, tuple(readings), roll.again, told)


# The same dice are asked about again and again: by the cells of a table, by every language.
@lru_cache(maxsize=2048)
def _spread(
    pool: tuple[tuple[str, tuple[str, ...], int], ...],
    readings: tuple[_Reading, ...],
    again: str,
    numbers: tuple[tuple[str, Any], ...],
) -> Mapping[_State, int]:
    """As `_rolled`, of dice (id, faces, how many) and of the numbers that the expressions read."""
    try:
        import icepool
    except ImportError:
        raise EngineMissing("odds need icepool: install cardgen with what its requirements.lock names") from None
    if not pool or not readings:
        return {tuple(0 for _ in readings): 1}
    seen = dict(numbers)
    made = [(_die(id, faces, readings, again, seen), count) for id, faces, count in pool]
    if any(item.greatest for item in readings):
        every = [die for die, count in made for _ in range(count)]
        whole: Any = icepool.reduce(lambda one, other: _merged(readings, one, other), every)
        return dict(whole.items())
    # What is only added up icepool adds up by itself, and much faster.
    parts = [count @ die.map(icepool.Vector, star=False) for die, count in made]
    return {tuple(state): weight for state, weight in sum(parts[1:], parts[0]).items()}


def _merged(readings: tuple[_Reading, ...], one: _State, other: _State) -> _State:
    return tuple(
        max(left, right) if item.greatest else left + right
        for item, left, right in zip(readings, one, other, strict=True)
    )


def _die(
    id: str,
    faces: tuple[str, ...],
    readings: tuple[_Reading, ...],
    again: str,
    numbers: Mapping[str, Any],
    times: int = 0,
) -> Any:
    """One die as a distribution of what is read of it, rolled again as often as the roll says."""
    import icepool

    outcomes: list[Any] = []
    for word in faces:
        context = {**numbers, "face": face_view(word, id, times)}
        state = tuple(_whole(item.source, context) for item in readings)
        if again and times < MOST_AGAIN and _run(again, context):
            more = _die(id, faces, readings, again, numbers, times + 1)
            outcomes.append(more.map(lambda other, state=state: _merged(readings, state, other), star=False))
        else:
            outcomes.append(icepool.Die([state]))
    return icepool.Die(outcomes)


def _whole(source: str, context: Mapping[str, Any]) -> int:
    value = _run(source, context)
    if isinstance(value, bool) or (isinstance(value, (int, float)) and value == int(value)):
        return int(value)
    raise OddsProblem(f"`{source}` is {value}, and only whole numbers are counted")
