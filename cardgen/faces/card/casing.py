"""Texts in capitals or small letters, as languages have them."""

from __future__ import annotations

import unicodedata


def transformed(text: str, how: str, lang: str) -> str:
    """A text with other letters: upper case, lower case, or capitals at the begin of words, as a language has them."""
    language = lang.split("-")[0].lower()
    if how == "lowercase":
        if language in {"tr", "az"}:
            text = text.replace("I", "ı").replace("İ", "i")
        return text.lower()
    if how == "uppercase":
        return _upper(text, language)
    found, in_word = [], False
    for letter in text:
        category = unicodedata.category(letter)[0]
        if not in_word and category in "LN":
            in_word = True
            letter = _upper(letter, language)
        elif category == "Z":
            in_word = False
        found.append(letter)
    return "".join(found)


_GREEK_MARKS = dict.fromkeys(map(ord, "\u0313\u0314\u0301\u0300\u0306\u0342\u0304\u0345"))


def _upper(text: str, language: str) -> str:
    if language in {"tr", "az"}:
        text = text.replace("i", "İ")
    if language == "el":
        # Capitals have no accents.
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).translate(_GREEK_MARKS))
    return text.upper()
