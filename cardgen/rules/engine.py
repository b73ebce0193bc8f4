"""Judges: runs the rules of a pack over a subject. All of them, whatever the others found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from cardgen.diagnostics import Span
from cardgen.model.band import Entry
from cardgen.model.game import Field, Game
from cardgen.model.lack import Lack
from cardgen.model.rules import Finding, Operator, Pack, Rule, Verdict
from cardgen.model.sheet import SheetWords
from cardgen.rules.language import compile_rule
from cardgen.rules.memory import Memory, about_item
from cardgen.rules.missing import MissingData
from cardgen.text.bounds import kind_of
from cardgen.text.expressions import ExpressionError

_COMPARE: Mapping[Operator, Callable[[Any, Any], bool]] = {
    "==": lambda actual, limit: bool(actual == limit),
    "!=": lambda actual, limit: bool(actual != limit),
    "<": lambda actual, limit: bool(actual < limit),
    "<=": lambda actual, limit: bool(actual <= limit),
    ">": lambda actual, limit: bool(actual > limit),
    ">=": lambda actual, limit: bool(actual >= limit),
    "in": lambda actual, limit: actual in limit,
    "not in": lambda actual, limit: actual not in limit,
    "within": lambda actual, limit: bool(limit[0] <= actual <= limit[1]),
    "true": lambda actual, limit: bool(actual),
    "empty": lambda actual, limit: len(actual) == 0,
}
_ORDERED: frozenset[Operator] = frozenset({"==", "<", "<=", ">", ">="})
_PLACE = re.compile(r"\{(\w+)\}")
MAX_SHOWN = 12
_ENGLISH = SheetWords()


def judge(
    pack: Pack,
    rules: Iterable[Rule],
    context: Mapping[str, Any],
    subject: str,
    span: Span | None,
    rulings: Mapping[str, str],
    waivers: Mapping[str, str],
    game: Game,
    memory: Memory | None = None,
) -> list[Finding]:
    """Every finding of `rules` on one subject, legal ones too, in the order of rules and of what they look at.

    `context` is what expressions see besides `rulings`; `rulings` replaces the readings that hold by default; `game`
    is in the language that findings speak. What `memory` knows of an item is not looked at again.
    """
    readings = {id: rulings.get(id, ruling.default) for id, ruling in pack.rulings.items()}
    seen = {**context, "rulings": readings}
    findings: list[Finding] = []
    for rule in rules:
        said = {id: readings[id] for id in rule.rulings if id in readings}
        found = _Judging(rule, said, game, waivers.get(rule.id, ""), memory if about_item(rule, rule.scope) else None)
        findings += found.run(seen, subject, span)
    return findings


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """The verdict over all findings: illegal outweighs unknown, unknown outweighs legal."""
    verdicts = {finding.verdict for finding in findings if finding.counts}
    return "illegal" if "illegal" in verdicts else "unknown" if "unknown" in verdicts else "legal"


class _Judging:
    """One rule on one subject."""

    def __init__(self, rule: Rule, rulings: Mapping[str, str], game: Game, waiver: str, memory: Memory | None) -> None:
        self.game = game
        self.says = game.says
        self.memory = memory
        self.rule = rule
        self.rulings = rulings
        self.waiver = waiver
        self.message = game.words.get(f"rules/{rule.id}.message", rule.message)
        self.fix = game.words.get(f"rules/{rule.id}.fix", rule.fix)

    def run(self, context: Mapping[str, Any], subject: str, span: Span | None) -> list[Finding]:
        if not self.rule.each:
            found = self._one(context, subject, span)
            return [] if found is None else [found]
        try:
            items = compile_rule(self.rule.each).run(context)
            if not isinstance(items, (list, tuple)):
                raise ExpressionError(f"`each` is {kind_of(items)}, not a list")
        except (ExpressionError, MissingData) as error:
            return [self._unknown(error, subject, span)]
        findings = []
        for item in items:
            found = self._item(item, context, span)
            if found is not None:
                findings.append(found)
        return findings

    def _item(self, item: Any, context: Mapping[str, Any], span: Span | None) -> Finding | None:
        if not isinstance(item, Entry) or self.memory is None:
            return self._one({**context, "it": item}, label(item), item.span if isinstance(item, Entry) else span)
        key = self.rule.id, id(item)
        if key not in self.memory.findings:
            self.memory.findings[key] = item, self._one({**context, "it": item}, label(item), item.span)
        return self.memory.findings[key][1]

    def _one(self, context: Mapping[str, Any], subject: str, span: Span | None) -> Finding | None:
        rule = self.rule
        try:
            found = measured(rule, context)
            if found is None:
                return None
            actual, limit, legal = found
            offenders: Sequence[Any] = ()
            if not legal:
                offenders = self._offenders(actual, context)
            # What only messages name is worked out when there is something to say.
            named = {} if legal else rule.values
            values = {name: label(compile_rule(source).run(context), self.says) for name, source in named.items()}
        except (ExpressionError, MissingData, TypeError, ValueError, KeyError) as error:
            return self._unknown(error, subject, span)
        shown = {"subject": subject, "actual": label(actual, self.says)}
        shown |= {"limit": _limit(rule.op, limit, self.says), **values}
        shown |= _difference(actual, limit, self.says)
        blamed = tuple(sorted({label(item) for item in offenders}))
        shown["offenders"] = ", ".join(blamed)
        if not legal and offenders and isinstance(offenders[0], Entry) and (rule.op == "empty" or len(offenders) == 1):
            # Where to look first: the first of those that should not be there.
            span = min((item.span for item in offenders if isinstance(item, Entry)), default=span)
        return Finding(
            rule=rule.id,
            verdict="legal" if legal else "illegal",
            severity=rule.severity,
            subject=subject,
            span=span,
            actual=shown["actual"],
            op=rule.op,
            limit=shown["limit"],
            offenders=blamed,
            message="" if legal else fill(self.message, shown),
            source=rule.source,
            rulings=self.rulings,
            fix="" if legal else fill(self.fix, shown),
            waiver="" if legal else self.waiver,
            amiss=0 if legal else _amiss(rule.op, actual, limit),
        )

    def _offenders(self, actual: Any, context: Mapping[str, Any]) -> Sequence[Any]:
        if self.rule.offenders:
            found = compile_rule(self.rule.offenders).run(context)
            return found if isinstance(found, (list, tuple)) else [found]
        if isinstance(actual, (list, tuple)):
            return actual
        return [context["it"]] if "it" in context else ()

    def _unknown(self, error: Exception, subject: str, span: Span | None) -> Finding:
        lack = error.lack if isinstance(error, MissingData) else None
        problem = str(error) if lack is None else said_lack(lack, self.game)
        return Finding(
            rule=self.rule.id,
            verdict="unknown",
            severity=self.rule.severity,
            subject=subject,
            span=span,
            actual="?",
            op=self.rule.op,
            limit="?",
            offenders=(subject,),
            message=fill(self.says.not_judged, {"subject": subject, "problem": problem}),
            source=self.rule.source,
            rulings=self.rulings,
            fix="",
            waiver=self.waiver,
            lack=lack,
            amiss=1,
        )


def said_lack(lack: Lack, game: Game) -> str:
    """What nobody stated, in the language of `game`, by the title that its forms have for it."""
    return lack.said(game.says, _called(lack.name, game))


def measured(rule: Rule, context: Mapping[str, Any]) -> tuple[Any, Any, bool] | None:
    """What a rule finds, what it allows, and whether that is kept; None when the rule does not apply.

    Raises ExpressionError, or MissingData when what it asks for was not stated.
    """
    if rule.when and not compile_rule(rule.when).run(context):
        return None
    if rule.unless and compile_rule(rule.unless).run(context):
        return None
    actual = compile_rule(rule.actual).run(context)
    limit = compile_rule(rule.limit).run(context) if rule.limit else None
    return actual, limit, _compare(rule.op, actual, limit)


def _compare(op: Operator, actual: Any, limit: Any) -> bool:
    try:
        return _COMPARE[op](actual, limit)
    except (TypeError, ValueError, IndexError, KeyError):
        what = "is not [lowest, highest]" if op == "within" else f"does not go with {kind_of(actual)}"
        raise ExpressionError(f"`{op}`: the limit is {kind_of(limit)}, which {what}") from None


def fill(template: str, values: Mapping[str, str]) -> str:
    """A message with its `{names}` filled in; names that mean nothing stay as they are."""
    return _PLACE.sub(lambda match: values.get(match[1], match[0]), template)


def label(value: Any, says: SheetWords = _ENGLISH) -> str:
    """What a value is called in a message; yes, no and none as `says` has them."""
    if isinstance(value, Entry) and value.called:
        return value.called
    if isinstance(value, Mapping):
        for key in ("title", "name", "id"):
            named = value.get(key)
            # A record may be named by something that has a title of its own, a keyword or a die.
            if isinstance(named, str) or isinstance(getattr(named, "title", None), str):
                return label(named, says)
        # A record is called what the first card in it is called: a member, an item and what it is attached to.
        card = next((inner for inner in value.values() if isinstance(inner, Mapping)), None)
        return "?" if card is None else label(card, says)
    if isinstance(value, bool):
        return says.yes if value else says.no
    if isinstance(value, float):
        return f"{value:g}".replace(".", says.decimal)
    if isinstance(value, (list, tuple)):
        names = [label(item, says) for item in value]
        if value and isinstance(value[0], Mapping):
            # Entries have no order that matters: what is said of them must not depend on it.
            names.sort()
        names = names[:MAX_SHOWN]
        return ", ".join(names) + (", …" if len(value) > MAX_SHOWN else "") if names else says.none
    title = getattr(value, "title", None)
    return title if isinstance(title, str) else says.none if value is None else str(value)


def _limit(op: Operator, limit: Any, says: SheetWords) -> str:
    if op == "within":
        return fill(says.range, {"low": label(limit[0], says), "high": label(limit[1], says)})
    if op == "empty":
        return says.none
    return says.yes if op == "true" else label(limit, says)


def _called(name: str, game: Game) -> str:
    """What forms call the fields of a name; nothing where they have several titles for it, or none."""
    fields = [kind.fields for kind in game.bands.values()] + [kind.fields for kind in game.kinds.values()]
    titles = {title for declared in fields for title in _titles(name, declared)}
    return titles.pop() if len(titles) == 1 else ""


def _titles(name: str, fields: Mapping[str, Field]) -> Iterator[str]:
    for key, item in fields.items():
        if key == name and item.title:
            yield item.title
        yield from _titles(name, (item.of or item).fields)


def _amiss(op: Operator, actual: Any, limit: Any) -> float:
    """By how much a rule is broken, as `Finding.amiss` says."""
    if op == "empty":
        return len(actual)
    if op == "within":
        low, high = limit
        return _apart(actual, low if actual < low else high)
    # A strict bound is broken by what lies on it.
    return _apart(actual, limit) + (op in ("<", ">")) if op in _ORDERED else 1


def _apart(one: Any, other: Any) -> float:
    """How far two numbers are from each other; 1 for what has no distance."""
    known = isinstance(one, (int, float)) and isinstance(other, (int, float))
    return abs(one - other) if known else 1


def _difference(actual: Any, limit: Any, says: SheetWords) -> dict[str, str]:
    numbers = (int, float)
    if isinstance(actual, numbers) and isinstance(limit, numbers) and not isinstance(actual, bool):
        return {"over": label(actual - limit, says), "under": label(limit - actual, says)}
    return {}
