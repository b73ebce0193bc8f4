"""What Studio's pages say, in the languages that it speaks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from cardgen.files import MAX_YAML, read_bounded

LANGUAGES = {"en": "English", "es": "Español"}


@cache
def words() -> dict[str, dict[str, str]]:
    """Every word by its id, then by language."""
    data = read_bounded(Path(__file__).parent / "words.yaml", "words.yaml", MAX_YAML)
    found: dict[str, dict[str, str]] = yaml.safe_load(data)
    return found


def say(lang: str, id: str, **values: object) -> str:
    """The word `id` in `lang`, with its values put in."""
    entry = words()[id]
    return entry.get(lang, entry["en"]).format(**values)


def chosen(cookie: str | None, accepted: str) -> str:
    """The language of a page: what was chosen, else the first that the browser accepts and Studio speaks."""
    if cookie in LANGUAGES:
        return cookie
    for part in accepted.split(","):
        lang = part.split(";")[0].strip().split("-")[0].lower()
        if lang in LANGUAGES:
            return lang
    return "en"
