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
