"""Studio's words: each in each language, with the same values, and each used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.rules.phrases import PHRASES
from cardgen.studio.words import LANGUAGES, chosen, say, words

STUDIO = Path(__file__).resolve().parents[2] / "cardgen" / "studio"


@pytest.mark.parametrize("id", words())
def test_every_word_is_there_in_every_language(id: str) -> None:
    entry = words()[id]
    assert set(entry) == set(LANGUAGES)
    assert len({frozenset(re.findall(r"\{(\w+)\}", text)) for text in entry.values()}) == 1


def test_pages_use_words_that_exist_and_nothing_else() -> None:
    used = set()
    for path in [*STUDIO.glob("pages/*.html"), *STUDIO.glob("*.py")]:
        text = path.read_text("utf-8")
        used |= set(re.findall(r"\bt\(\s*['\"](\w+)['\"]", text)) | set(re.findall(r"say\([^\n]*?, \"(\w+)\"", text))
    used = {id for id in used if not id.endswith("_")}
    assert used <= words().keys()
    made = {id for id in words() if re.match(r"(ink|backs|marks|job|review|mend)_", id)} | {
        "legal",
        "illegal",
        "unknown",
    }
    assert words().keys() - used - made == set()


def test_the_language_is_chosen() -> None:
    assert chosen("es", "en") == "es"
    assert chosen(None, "fr-FR, es-AR;q=0.8, en") == "es"
    assert chosen("xx", "ja") == "en"
    assert say("es", "pages", count=3) == "páginas: 3"


def test_every_change_that_mends_can_be_said_and_no_other() -> None:
    assert {id for id in words() if id.startswith("mend_")} == {f"mend_{id}" for id in PHRASES}


# What Studio would say to somebody whom it calls `usted`: verbs that its texts use, with what may hang on them.
USTED = re.compile(
    r"\b(usted(es)?|su idioma|sus (cambios|propias)|(lo que|si|cuando) ha (escrito|elegido|cambiado)"
    r"|(suelt|arrastr|arrástr|puls|seleccion|recuper|confirm|guard|mir|mír|búsqu|busqu|quit|indiqu|recort|pruéb|prueb|dej"
    r"|déj|cambi|cámbi|compruéb|comprueb|us|borr|mont)e(l[oae]s?|se)?"
    r"|(elij|elíj|vuelv|hag|añad|añád|corrij|corríj|imprim|imprím|escrib|muev|muév|redúzc|reduzc|pong|abr|ábr|teng|pid)"
    r"a(l[oae]s?|se)?)\b",
    re.IGNORECASE,
)


def polite(text: str) -> list[str]:
    """The words of a Spanish text that call its reader `usted`."""
    return [found[0] for found in USTED.finditer(text)]


@pytest.mark.parametrize("id", words())
def test_spanish_calls_everybody_tu(id: str) -> None:
    """As verdicts and games do; nobody is called two ways on one page."""
    assert polite(words()[id]["es"]) == []


@pytest.mark.parametrize(
    "text",
    ["Lo que ha escrito sigue aquí", "vuelva a arrancarlo", "Arrástrelo o muévalo", "Suelte aquí una imagen o elija una",
     "Elija antes qué imprimir", "Sus propias cartas", "búsquelos", "Añada uno y haga cartas"],
)  # fmt: skip
def test_the_polite_form_is_found(text: str) -> None:
    assert polite(text)
