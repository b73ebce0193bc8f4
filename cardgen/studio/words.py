"""What Studio's pages say, in the languages that it speaks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from cardgen.files import MAX_YAML, read_bounded

LANGUAGES = {"en": "English", "es": "Español"}

# What languages call themselves; of one that is not here, its code is shown.
AUTONYMS = {
    "ar": "العربية", "bg": "български", "ca": "català", "cs": "čeština", "da": "dansk", "de": "Deutsch",
    "el": "Ελληνικά", "en": "English", "eo": "Esperanto", "es": "español", "et": "eesti", "eu": "euskara",
    "fa": "فارسی", "fi": "suomi", "fr": "français", "gl": "galego", "he": "עברית", "hi": "हिन्दी", "hr": "hrvatski",
    "hu": "magyar", "id": "Indonesia", "is": "íslenska", "it": "italiano", "ja": "日本語", "ko": "한국어",
    "lt": "lietuvių", "lv": "latviešu", "nb": "norsk bokmål", "nl": "Nederlands", "nn": "norsk nynorsk",
    "no": "norsk", "pl": "polski", "pt": "português", "ro": "română", "ru": "русский", "sk": "slovenčina",
    "sl": "slovenščina", "sr": "српски", "sv": "svenska", "th": "ไทย", "tr": "Türkçe", "uk": "українська",
    "vi": "Tiếng Việt", "zh": "中文",
}  # fmt: skip


def language_name(code: str) -> str:
    """What a language calls itself: `es` is español, `pt-BR` português (BR)."""
    base, _, rest = code.replace("_", "-").partition("-")
    name = AUTONYMS.get(base)
    return code if name is None else f"{name} ({rest})" if rest else name


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
