"""Holds style sheets and `style` attributes to the card profile. `cardgen.faces.profile` is the table.

Names of properties, kinds of values and words are checked, not the order in which a shorthand takes them: the engine
itself says (CG314) when it cannot read a value.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from math import isfinite
from typing import Any

import tinycss2
from msgspec import Struct
from tinycss2.color4 import parse_color

from cardgen.diagnostics import did_you_mean, nearest
from cardgen.faces import profile
from cardgen.faces.profile import Property
from cardgen.units import format_mm

# What stands for a Jinja expression in a masked template: any value may come of it.
HOLE = "\ue000"
_NUMERIC = {"length", "percentage", "number", "integer"}
_HEX = re.compile(r"(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_SCHEME = re.compile(r"\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)")
Token = Any  # tinycss2 carries no types


class Offence(Struct, frozen=True):
    """Something outside the profile, where it stands, and what to use instead.

    `broken` marks what cannot be read at all.
    """

    line: int
    column: int
    problem: str
    hint: str = ""
    broken: bool = False


def lint_sheet(text: str, roles: Collection[str]) -> Iterator[Offence]:
    """What a style sheet has outside the profile; `roles` are the font families there are (none: nobody knows)."""
    for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule":
            selectors = _split(rule.prelude)
            for selector in selectors:
                yield from _selector(selector)
            yield from _declarations(rule.content, roles, all(map(_selects_generated, selectors)))
        elif rule.type == "at-rule":
            yield _at_rule(rule)
        else:
            yield _broken(rule)


def lint_style(text: str, roles: Collection[str]) -> Iterator[Offence]:
    """The same for the text of a `style` attribute; places count from its first character."""
    yield from _declarations(text, roles, False)


def _offence(token: Token, problem: str, hint: str = "") -> Offence:
    return Offence(token.source_line, token.source_column, problem.replace(HOLE, "…"), hint)


def _broken(error: Token) -> Offence:
    return Offence(error.source_line, error.source_column, str(error.message).rstrip("."), broken=True)


def _at_rule(rule: Token) -> Offence:
    name = rule.lower_at_keyword
    return _offence(rule, f"`@{name}`", profile.INSTEAD_AT_RULES.get(name, "the profile has no at-rules"))


# --- selectors ------------------------------------------------------------------------------------------------------


def _split(prelude: list[Token]) -> list[list[Token]]:
    selectors: list[list[Token]] = [[]]
    for token in prelude:
        if token == ",":
            selectors.append([])
        elif token.type != "comment":
            selectors[-1].append(token)
    return selectors


def _selects_generated(selector: list[Token]) -> bool:
    return any(
        before == ":" and token.type == "ident" and token.lower_value in profile.PSEUDO_ELEMENTS
        for before, token in pairwise(selector)
    )


def _selector(tokens: list[Token]) -> Iterator[Offence]:
    previous: Token = None
    colons = 0
    for token in tokens:
        if token == ":":
            colons += 1
            continue
        problem, hint = "", ""
        if colons:
            problem, hint = _pseudo(token, ":" * colons)
        elif token.type == "ident" and previous != ".":
            problem, hint = _element(token.value)
        elif token.type == "hash":
            problem, hint = f"the selector `#{token.value}`", f"give the element a class: `.{token.value}`"
        elif token.type == "[] block":
            problem, hint = f"the selector `{tinycss2.serialize([token])}`", "give the element a class"
        elif token == "*":
            problem, hint = "the selector `*`", "name the elements"
        elif token in ("+", "~", "|", "&"):
            problem, hint = f"`{token.value}` in a selector", "give the element a class"
        elif token.type not in {"whitespace", "ident"} and token not in (".", ">"):
            problem = f"`{tinycss2.serialize([token])}` in a selector"
        if problem:
            yield _offence(token, problem, hint)
        previous, colons = token, 0


def _pseudo(token: Token, colons: str) -> tuple[str, str]:
    text = f"{colons}{tinycss2.serialize([token])}"
    if token.type == "ident":
        name = token.lower_value
        if name in profile.PSEUDO_ELEMENTS and len(colons) <= 2:
            return "", ""
        if name in profile.PSEUDO_CLASSES and len(colons) == 1:
            return "", ""
        guess = nearest(name, (*profile.PSEUDO_CLASSES, *profile.PSEUDO_ELEMENTS))
        return f"the selector `{text}`", f"did you mean `{colons}{guess}`?" if guess else "give the element a class"
    return f"the selector `{text}`", "give the element a class"


def _element(name: str) -> tuple[str, str]:
    if name.lower() in profile.ELEMENTS:
        return "", ""
    hint = profile.INSTEAD_ELEMENTS.get(name.lower(), "") or did_you_mean(name, profile.ELEMENTS)
    if name in profile.SVG_ELEMENTS:
        hint = profile.INSTEAD_SVG
    return f"the element `{name}` in a selector", hint


# --- declarations ---------------------------------------------------------------------------------------------------


def _declarations(content: Any, roles: Collection[str], generated: bool) -> Iterator[Offence]:
    for node in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if node.type == "declaration":
            yield from _declaration(node, roles, generated)
        elif node.type == "at-rule":
            yield _at_rule(node)
        elif node.type == "qualified-rule":
            yield _offence(node, "a rule inside a rule", "write the whole selector: `.outer .inner { … }`")
        else:
            yield _broken(node)


def _declaration(node: Token, roles: Collection[str], generated: bool) -> Iterator[Offence]:
    name = node.lower_name
    if HOLE in name:
        yield _offence(node, "a computed property name", "write the name; the value may be computed")
        return
    if node.important:
        yield _offence(node, f"`!important` of `{name}`", "a selector with one class more wins, or the later rule")
    if name.startswith("--"):
        # What it stands for is checked as if any property might take it.
        anything = Property("", tuple(profile.KINDS), ("none", "auto", "normal"), 99, ",/")
        yield from _value(node, node.name, anything, roles, words=False)
        return
    known = profile.PROPERTIES.get(name)
    if known is None:
        yield _offence(node, f"the property `{name}`", _instead(name))
    elif name == "content" and not generated:
        yield _offence(node, "`content` of an element", "only `::before` and `::after` have it")
    else:
        yield from _value(node, name, known, roles)


def _instead(name: str) -> str:
    plain = name[1:].partition("-")[2] if name.startswith("-") else name
    for candidate in (plain, plain.partition("-")[0]):
        if candidate in profile.INSTEAD:
            return profile.INSTEAD[candidate]
    if plain != name and plain in profile.PROPERTIES:
        return f"write `{plain}`"
    guess = nearest(name, profile.PROPERTIES)
    return f"did you mean `{guess}`?" if guess else ""


def _value(node: Token, name: str, known: Property, roles: Collection[str], words: bool = True) -> Iterator[Offence]:
    count = 0
    fresh = True  # at the beginning of a component: `…%` with a computed number is two tokens
    for token in node.value:
        if token.type in {"whitespace", "comment"} or (token.type == "literal" and token.value in known.signs):
            fresh = True
            continue
        count += fresh
        if not fresh and token == "%":
            continue
        fresh = False
        found = _component(token, name, known, roles, words)
        if found is not None:
            yield _offence(token, *found)
    if count > known.most:
        yield _offence(node, f"`{name}` with {count} values", f"at most {known.most}")


def _component(token: Token, name: str, known: Property, roles: Collection[str], words: bool) -> tuple[str, str] | None:
    """What is wrong with one component of a value (problem, hint); None when it is of the profile."""
    kinds = known.kinds
    shown = f"`{tinycss2.serialize([token])}` in `{name}`"
    match token.type:
        case "ident":
            return None if HOLE in token.value else _word(token, shown, known, roles, words)
        case "number":
            return None if _is_number(token, kinds) else (shown, _unit_hint(token, kinds))
        case "percentage":
            return None if "percentage" in kinds else (shown, _wanted(known))
        case "dimension":
            return None if HOLE in token.unit else _dimension(token, shown, known)
        case "hash":
            if "colour" in kinds and (HOLE in token.value or _HEX.fullmatch(token.value)):
                return None
            return shown, _wanted(known)
        case "string":
            if "string" in kinds:
                return None
            if "family" in kinds:
                return _family(token.value, shown, roles)
            return shown, _wanted(known)
        case "url":
            return _url(token.value, shown, known)
        case "function":
            return _function(token, shown, known)
    return shown, _wanted(known)


def _word(token: Token, shown: str, known: Property, roles: Collection[str], words: bool) -> tuple[str, str] | None:
    word = token.lower_value
    if not words or word in known.words or word in profile.EVERYWHERE:
        return None
    if "colour" in known.kinds and parse_color(token) is not None:
        return None
    if "family" in known.kinds:
        return _family(token.value, shown, roles)
    instead = profile.INSTEAD_VALUES.get(word)
    if instead is not None:
        return shown, instead
    guess = nearest(word, known.words) if known.words else None
    return shown, f"did you mean `{guess}`?" if guess else _wanted(known)


def _family(name: str, shown: str, roles: Collection[str]) -> tuple[str, str] | None:
    if name in roles or not roles:
        return None
    return shown, profile.INSTEAD_VALUES.get(name.lower()) or f"the roles of fonts.yaml are {', '.join(sorted(roles))}"


def _is_number(token: Token, kinds: Collection[str]) -> bool:
    if "number" in kinds or ("integer" in kinds and token.is_integer):
        return True
    return token.value == 0 and "length" in kinds


def _unit_hint(token: Token, kinds: Collection[str]) -> str:
    if "length" in kinds:
        return f"a length needs a unit; did you mean `{token.representation}mm`?"
    return "a whole number" if "integer" in kinds else ""


def _dimension(token: Token, shown: str, known: Property) -> tuple[str, str] | None:
    unit = token.lower_unit
    if "length" not in known.kinds:
        return shown, _wanted(known)
    if unit in profile.UNITS:
        return None
    if unit in profile.OTHER_UNITS and isfinite(token.value):
        return shown, f"the units are mm, pt, em and %; it is `{format_mm(token.value * profile.OTHER_UNITS[unit])}mm`"
    if unit in {"rem", "ex", "ch"}:
        return shown, "the units are mm, pt, em and %; use `em`"
    return shown, "the units are mm, pt, em and %"


def _url(address: str, shown: str, known: Property) -> tuple[str, str] | None:
    if "url" not in known.kinds:
        return shown, _wanted(known)
    if _SCHEME.match(address):
        return shown, "name a file of the project, from the style sheet's folder"
    return None


def _function(token: Token, shown: str, known: Property) -> tuple[str, str] | None:
    name, kinds = token.lower_name, known.kinds
    if name == "var":
        return None
    if name == "url":
        inside = [part for part in token.arguments if part.type == "string"]
        return _url(inside[0].value if inside else "", shown, known)
    if name == "rotate" and "turn" in kinds:
        return None if _is_quarter_turn(token.arguments) else (shown, "turn by 90deg, 180deg or 270deg")
    if name == "calc" and _NUMERIC.intersection(kinds):
        return _sum(token.arguments, shown)
    if name in {"rgb", "rgba"} and "colour" in kinds:
        return None
    instead = profile.INSTEAD_FUNCTIONS.get(name)
    if instead is None and name not in profile.FUNCTIONS:
        instead = f"the functions are {', '.join(profile.FUNCTIONS)}"
    return f"`{token.name}(…)` in {shown.rpartition(' in ')[2]}", instead or _wanted(known)


def _is_quarter_turn(arguments: list[Token]) -> bool:
    parts = [part for part in arguments if part.type not in {"whitespace", "comment"}]
    if len(parts) != 1:
        return False
    angle = parts[0]
    if angle.type == "ident":
        return HOLE in angle.value
    if angle.type == "dimension":
        return HOLE in angle.unit or bool(angle.lower_unit == "deg" and angle.value % 90 == 0)
    return bool(angle.type == "number" and angle.value == 0)


def _sum(tokens: list[Token], shown: str) -> tuple[str, str] | None:
    """What a calc(…) holds: values of the profile, operators, brackets, variables."""
    for token in tokens:
        inside = token.type == "() block" or (token.type == "function" and token.lower_name == "calc")
        if inside:
            found = _sum(token.content if token.type == "() block" else token.arguments, shown)
        elif token.type == "dimension":
            number = Property("", ("length",))
            found = None if HOLE in token.unit else _dimension(token, shown, number)
        else:
            fine = token.type in {"whitespace", "comment", "number", "percentage"} or token in ("+", "-", "*", "/", "%")
            fine = fine or (token.type == "function" and token.lower_name == "var")
            fine = fine or (token.type == "ident" and HOLE in token.value)
            found = None if fine else (shown, f"`{tinycss2.serialize([token])}` has no place in a sum")
        if found is not None:
            return found
    return None


def _wanted(known: Property) -> str:
    parts = [f"a {kind}" if kind != "integer" else "a whole number" for kind in known.kinds]
    parts += [f"`{word}`" for word in known.words]
    return f"it takes {', '.join(parts)}" if parts else ""
