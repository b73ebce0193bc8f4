"""Checks packs by running what they say of themselves: expressions compile, examples get their verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.model.band import Entry
from cardgen.model.game import Field, Game
from cardgen.model.rules import Example, Formula, Pack, Remedy, Rule
from cardgen.model.wording import field_at
from cardgen.rules.costs import priced, readings_of
from cardgen.rules.engine import judge, label
from cardgen.rules.language import compile_rule
from cardgen.rules.missing import MissingData
from cardgen.text.expressions import ExpressionError

_READ = re.compile(r"\brulings\.(\w+)")
# The names that expressions of each scope see.
_SEEN = {"card": {"card"}, "deck": {"deck"}, "band": {"band"}}
_ALWAYS = {"rulings", "tables", "game"}


def context_of(pack: Pack, game: Game) -> dict[str, Any]:
    """What every expression of a pack sees besides its subject."""
    return {"tables": pack.tables, "game": _view(game)}


# The views of the games that were asked for last, with the games, so that no other takes their identity.
_VIEWS: dict[int, tuple[Game, dict[str, Any]]] = {}


def _view(game: Game) -> dict[str, Any]:
    """A game as expressions see it. `titles` are what choices are called, by kind and field (a record's below it), `kinds`
    what kinds of cards are called, `names` what cards are."""
    known = _VIEWS.get(id(game))
    if known is None:
        titles = {id: _choices(kind.fields) for id, kind in game.bands.items()}
        titles |= {id: _choices(kind.fields) for id, kind in game.kinds.items()}
        kinds = {kind.id: kind.title for kind in game.kinds.values()}
        names = {id: str(card.values.get("name") or id) for id, card in game.cards.items()}
        view = {
            "id": game.id,
            "version": game.version,
            "dice": game.dice,
            "keywords": game.keywords,
            "tracks": game.tracks,
        }
        known = game, {**view, "titles": titles, "kinds": kinds, "names": names}
        while len(_VIEWS) >= 8:
            _VIEWS.pop(next(iter(_VIEWS)))
        _VIEWS[id(game)] = known
    return known[1]


def _choices(fields: Mapping[str, Field]) -> dict[str, Any]:
    """What the choices among fields are called, by field and value; those of a record below its own name."""
    of = {name: field.of or field for name, field in fields.items()}
    found = {name: field.values or _choices(field.fields) for name, field in of.items()}
    return {name: titles for name, titles in found.items() if titles}


def check_pack(pack: Pack, game: Game, report: Report) -> None:
    """Report expressions that cannot be compiled or read names that do not exist, and examples that come out wrong."""
    _check_names(pack, game, report)
    for rule in pack.rules.values():
        sound = True
        for part, source in _expressions(rule):
            seen = _SEEN[rule.scope] | _ALWAYS | ({"it"} if rule.each and part != "each" else set())
            fields = _fields(rule, game)
            sound = _compiles(rule.id, part, source, seen, fields, rule.span, report) and sound
        seen = _SEEN[rule.scope] | _ALWAYS | {"actual", "limit", *rule.values} | ({"it"} if rule.each else set())
        for remedy in rule.mend:
            for part in ("leave_out", "of", "to", "most"):
                if getattr(remedy, part):
                    _compiles(
                        rule.id, f"mend.{part}", getattr(remedy, part), seen, _fields(rule, game), rule.span, report
                    )
            _check_set(rule, remedy, game, report)
        for name in rule.rulings:
            if name not in pack.rulings:
                report.add("CG613", rule.span, did_you_mean(name, pack.rulings), name=name, pack=pack.id)
        for example in rule.examples if sound else ():
            _run(rule, example, pack, game, report)
    for formula in pack.formulas.values():
        seen = {*formula.arguments, *_ALWAYS}
        if _compiles(formula.id, "value", formula.value, seen, {}, formula.span, report):
            _run_formula(formula, pack, game, report)
    for line in pack.setup.values():
        sources = {"value": line.value} if line.value else dict(line.arguments)
        if line.formula and line.formula not in pack.formulas:
            report.add("CG104", line.span, did_you_mean(line.formula, pack.formulas), what="formula", name=line.formula)
        for part, source in sources.items():
            _compiles(line.id, part, source, {"band", *_ALWAYS}, {}, line.span, report)


def _check_set(rule: Rule, remedy: Remedy, game: Game, report: Report) -> None:
    """A mend that sets a field which no band has would never be offered."""
    kinds = [game.bands[id] for id in rule.kinds or game.bands if id in game.bands]
    of_entries = bool(rule.each or remedy.of)
    for kind in kinds if remedy.set else ():
        fields = kind.entry.fields if of_entries else kind.fields
        if field_at(fields, remedy.set.split(".")) is None:
            report.add("CG606", rule.span, rule=rule.id, part="mend.set", problem=f"`{kind.id}` has no `{remedy.set}`")


def _check_names(pack: Pack, game: Game, report: Report) -> None:
    """Report names outside of expressions that point to nothing, and rulings that are read and not listed."""

    def known(what: str, name: str, names: Iterable[str], id: str, span: Span) -> None:
        names = list(names)
        if name not in names:
            report.add("CG617", span, did_you_mean(name, names), id=id, what=what, name=name)

    for rule in pack.rules.values():
        for kind in rule.kinds:
            names = game.kinds if rule.scope == "card" else game.bands
            known(f"kind of {'card' if rule.scope == 'card' else 'band'}", kind, names, rule.id, rule.span)
        read = {name for _, source in _expressions(rule) for name in _READ.findall(source)}
        for name in sorted(read - set(rule.rulings)):
            report.add("CG618", rule.span, did_you_mean(name, pack.rulings), id=rule.id, name=name)
    for note in pack.notes.values():
        for name in note.touches:
            ids = {*pack.rules, *pack.notes, *pack.rulings, *pack.formulas, *pack.setup, *game.keywords, *game.kinds}
            known("keyword, rule or note", name, ids, note.id, note.span)
    for line in pack.setup.values():
        formula = pack.formulas.get(line.formula)
        if formula is not None:
            for name in line.arguments:
                known(f"argument of `{formula.id}`", name, formula.arguments, line.id, line.span)
            for name in formula.arguments:
                if name not in line.arguments:
                    report.add("CG025", line.span, key=name, what=f"`given` of set-up line `{line.id}`")


def _expressions(rule: Rule) -> Iterator[tuple[str, str]]:
    for part in ("each", "when", "unless", "actual", "limit", "offenders"):
        source = getattr(rule, part)
        if source:
            yield part, source
    yield from ((f"values.{name}", source) for name, source in rule.values.items())


def _fields(rule: Rule, game: Game) -> Mapping[str, set[str]]:
    """The attributes that each name of a rule's scope has."""
    if rule.scope == "card":
        kinds = [game.kinds[id] for id in rule.kinds if id in game.kinds] or list(game.kinds.values())
        return {"card": {"id", "kind", "copies"}.union(*({*kind.fields, *kind.derived} for kind in kinds))}
    if rule.scope == "deck":
        return {"deck": {"title", "cards"}}
    bands = [game.bands[id] for id in rule.kinds if id in game.bands] or list(game.bands.values())
    return {"band": {"title", "kind"}.union(*(band.fields for band in bands))}


def _compiles(
    id: str, part: str, source: str, seen: set[str], fields: Mapping[str, set[str]], span: Span, report: Report
) -> bool:
    try:
        expression = compile_rule(source)
    except ExpressionError as error:
        report.add("CG606", span, rule=id, part=part, problem=str(error))
        return False
    for name in sorted(expression.names - seen):
        report.add("CG606", span, did_you_mean(name, seen), rule=id, part=part, problem=f"there is no `{name}`")
        return False
    for name, attribute in sorted(expression.attributes):
        if name in fields and attribute not in fields[name]:
            hint = did_you_mean(attribute, fields[name])
            report.add("CG606", span, hint, rule=id, part=part, problem=f"`{name}` has no `{attribute}`")
            return False
    return True


def _run(rule: Rule, example: Example, pack: Pack, game: Game, report: Report) -> None:
    context = {**context_of(pack, game), **example.given}
    band = context.get("band")
    if isinstance(band, Entry):
        seen = {**context, "rulings": readings_of(pack, example.rulings)}
        context["band"] = priced(game.bands[str(band["kind"])], band, seen)
    findings = judge(pack, [rule], context, "example", example.span, example.rulings, {}, game)
    verdicts = {finding.verdict for finding in findings}
    found = next((verdict for verdict in ("illegal", "unknown") if verdict in verdicts), "legal")
    if found != example.verdict:
        said = next((finding.message for finding in findings if finding.verdict == found), "")
        report.add("CG607", example.span, said, rule=rule.id, found=found, expected=example.verdict)


def evaluate(formula: Formula, arguments: Mapping[str, Any], pack: Pack, game: Game, rulings: Mapping[str, str]) -> Any:
    """The value of a formula. Raises ExpressionError or MissingData."""
    readings = {id: rulings.get(id, ruling.default) for id, ruling in pack.rulings.items()}
    return compile_rule(formula.value).run({**context_of(pack, game), "rulings": readings, **arguments})


def _run_formula(formula: Formula, pack: Pack, game: Game, report: Report) -> None:
    for given, expected, rulings, span in formula.examples:
        try:
            found = evaluate(formula, given, pack, game, rulings)
        except (ExpressionError, MissingData) as error:
            report.add("CG606", span, rule=formula.id, part="value", problem=str(error))
            continue
        if _plain(found) != _plain(expected):
            report.add("CG608", span, formula=formula.id, found=label(found), expected=label(expected))


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
