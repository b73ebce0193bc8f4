"""Problems in the words of a page's language: by their codes, with the phrases that are put into them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from cardgen.codes import CODES
from cardgen.diagnostics import Diagnostic, Report, printable
from cardgen.files import MAX_YAML, read_bounded
from cardgen.load.trees import Planting
from cardgen.model.game import Game

# The problems of a form by the path of the field that each is about; empty: of none in particular.
Problems = Mapping[str, tuple[Diagnostic, ...]]
# Arguments that are phrases of the program; the others are what users wrote, and stay as they are.
PHRASED = frozenset({"allowed", "entry", "expected", "found", "lack", "owner", "problem", "wanted", "what"})


@cache
def messages() -> dict[str, Any]:
    """What `messages.yaml` holds."""
    data = read_bounded(Path(__file__).parent / "messages.yaml", "messages.yaml", MAX_YAML)
    found: dict[str, Any] = yaml.safe_load(data)
    return found


def template(lang: str, code: str) -> str:
    """The message of a code in a language, in English where it has none."""
    told: dict[str, str] = messages()["codes"].get(code, {})
    return told.get(lang) or told.get("en") or CODES[code].message


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Phrases with something put in, as what finds it; those that say most of themselves first."""
    made = []
    for phrase, told in messages()["phrases"].items():
        names = [name for name in re.findall(r"\{(\w+)\}", told) if f"{{{name}}}" in phrase]
        if names:
            parts = re.split(r"\{(\w+)\}", phrase)
            pattern = "".join(f"(?P<{part}>.+?)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
            made.append((len(re.sub(r"\{\w+\}", "", phrase)), re.compile(pattern, re.DOTALL), told))
    return tuple((pattern, told) for _, pattern, told in sorted(made, key=lambda item: -item[0]))


def phrase(lang: str, text: str, game: Game | None = None) -> str:
    """A phrase of the program in a language; one that it does not have there stays English.

    What kinds of cards are called is said as the game says it.
    """
    if lang == "en":
        return text
    if game is not None and (titles := _kinds(text, game)):
        return titles
    whole: str | None = messages()["phrases"].get(text)
    if whole is not None:
        return whole
    for pattern, told in _patterns():
        found = pattern.fullmatch(text)
        if found is not None:
            said = {
                name: phrase(lang, value, game) if name == "what" else value
                for name, value in found.groupdict().items()
            }
            return told.format(**said)
    return text


def _kinds(text: str, game: Game) -> str:
    """The titles of the kinds of cards in `a or b`, or of `kind `id``; empty where it names none."""
    kind, _, rest = text.partition(" `")
    if rest and kind in game.kinds:
        return f"{game.kinds[kind].title} `{rest}"
    names = text.split(" or ")
    return " / ".join(game.kinds[name].title for name in names) if all(name in game.kinds for name in names) else ""


def message(lang: str, item: Diagnostic, game: Game | None = None) -> str:
    """What was found and what was expected, in a language."""
    if lang == "en" and item.code not in messages()["codes"]:
        return item.message
    text = template(lang, item.code)
    if text == CODES[item.code].message:
        return item.message
    values = {
        name: printable(phrase(lang, str(value), game) if name in PHRASED else value)
        for name, value in item.arguments.items()
    }
    told = text.format(**values)
    return told if item.count == 1 else phrase(lang, f"{told} (and {item.count - 1} more)")


def sentence(lang: str, item: Diagnostic, game: Game | None = None) -> str:
    """A message with its hint."""
    return message(lang, item, game) + (f" ({phrase(lang, item.hint, game)})" if item.hint else "")


def worded(lang: str, problems: Problems, game: Game | None = None) -> dict[str, str]:
    """The problems of a form as sentences, by path."""
    return {path: "; ".join(sentence(lang, item, game) for item in items) for path, items in problems.items()}


def by_path(report: Report, planting: Planting) -> dict[str, tuple[Diagnostic, ...]]:
    """The errors of a report by the path that they are about."""
    found: dict[str, tuple[Diagnostic, ...]] = {}
    for item in report.sorted():
        if item.severity != "error":
            continue
        path = planting.path(item.span) or ""
        # What is missing is told where it would stand.
        if item.code == "CG025":
            path = f"{path}.{item.arguments['key']}" if path else str(item.arguments["key"])
        found[path] = (*found.get(path, ()), item)
    return found
