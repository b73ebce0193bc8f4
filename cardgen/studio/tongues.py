"""What languages are called: by themselves, and on a page in another one."""

from __future__ import annotations

# A language that is not here is called by its code. Names are those of CLDR, as they stand within a sentence.
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
NAMES = {
    "en": {
        "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German",
        "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque",
        "fa": "Persian", "fi": "Finnish", "fr": "French", "gl": "Galician", "he": "Hebrew", "hi": "Hindi",
        "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
        "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nb": "Norwegian Bokmål",
        "nl": "Dutch", "nn": "Norwegian Nynorsk", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
        "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
        "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
    },
    "es": {
        "ar": "árabe", "bg": "búlgaro", "ca": "catalán", "cs": "checo", "da": "danés", "de": "alemán",
        "el": "griego", "en": "inglés", "eo": "esperanto", "es": "español", "et": "estonio", "eu": "euskera",
        "fa": "persa", "fi": "finés", "fr": "francés", "gl": "gallego", "he": "hebreo", "hi": "hindi",
        "hr": "croata", "hu": "húngaro", "id": "indonesio", "is": "islandés", "it": "italiano",
        "ja": "japonés", "ko": "coreano", "lt": "lituano", "lv": "letón", "nb": "noruego bokmal",
        "nl": "neerlandés", "nn": "noruego nynorsk", "no": "noruego", "pl": "polaco", "pt": "portugués",
        "ro": "rumano", "ru": "ruso", "sk": "eslovaco", "sl": "esloveno", "sr": "serbio", "sv": "sueco",
        "th": "tailandés", "tr": "turco", "uk": "ucraniano", "vi": "vietnamita", "zh": "chino",
    },
}  # fmt: skip


def language_name(code: str, lang: str = "") -> str:
    """What a language calls itself, for whoever chooses it; with `lang`, what a page in that language calls it.

    `es` is español, `pt-BR` português (BR); `en` on a Spanish page is inglés.
    """
    base, _, rest = code.replace("_", "-").partition("-")
    name = NAMES.get(lang, AUTONYMS).get(base)
    return code if name is None else f"{name} ({rest})" if rest else name
