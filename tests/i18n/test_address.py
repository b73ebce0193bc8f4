"""How shipped texts speak to who reads them: one form of address a language."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).resolve().parents[2]
# Spanish speaks to one person (tú); these end as the imperative of vosotros does and are nouns, names or adjectives.
_NOUNS = {
    "red",
    "pared",
    "sed",
    "césped",
    "huésped",
    "mitad",
    "libertad",
    "voluntad",
    "dificultad",
    "amistad",
    "dead",
}
_MANY = re.compile(r"\b(?:vosotr[oa]s|vuestr[oa]s?|os|sois|\w+[áé]is|\w+(?:ad|ed|id))\b", re.IGNORECASE)
# Russian speaks to one or to many politely (вы).
_ONE = re.compile(r"\b(?:ты|тебя|тебе|тобой|твой|твоя|твоё|твои|твоих|твоего|твоей)\b", re.IGNORECASE)


def many(text: str) -> list[str]:
    """The words that speak to several people in Spanish."""
    text = re.sub(r"\{[^}]*\}|`[^`]*`", "", text)
    words = [word for word in _MANY.findall(text) if word.lower() not in _NOUNS]
    return [word for word in words if word.lower() in _SAID or not word.lower().endswith("dad")]


# Imperatives that end as nouns do.
_SAID = {"acordad", "quedad", "guardad", "mandad", "andad", "ayudad"}


@pytest.mark.parametrize("text", ["Barajad.", "Acordad un nivel.", "Tirad, poned y desplegad.", "Venid.", "Vuestra banda", "Os toca.", "Tenéis dos."])  # fmt: skip
def test_what_speaks_to_several_is_found(text: str) -> None:
    assert many(text)


@pytest.mark.parametrize(
    "text", ["La Popularidad sube.", "La edad, la mitad, la red.", "{carried} de Salud", "Dificultad"]
)
def test_what_only_looks_like_it_is_not(text: str) -> None:
    assert many(text) == []


@pytest.mark.parametrize("file", sorted(ROOT.glob("cards/*/i18n/es.po")), ids=lambda path: path.parts[-3])
def test_spanish_speaks_to_one(file: Path) -> None:
    found = {entry.msgctxt: many(entry.msgstr) for entry in polib.pofile(str(file)) if entry.msgstr != entry.msgid}
    assert {context: words for context, words in found.items() if words} == {}


@pytest.mark.parametrize("file", sorted(ROOT.glob("cards/*/i18n/ru.po")), ids=lambda path: path.parts[-3])
def test_russian_speaks_politely_in_rules(file: Path) -> None:
    found = {
        entry.msgctxt: _ONE.findall(entry.msgstr)
        for entry in polib.pofile(str(file))
        if not entry.msgctxt.endswith(("/flavour", "/line", "/quote"))
    }
    assert {context: words for context, words in found.items() if words} == {}
