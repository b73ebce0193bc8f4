"""The codes about translations (CG200 to CG249): severity, message and explanation, as `cardgen.codes` has them."""

from __future__ import annotations

from typing import Literal

TRANSLATION_CODES: dict[str, tuple[Literal["error", "warning", "info"], str, str]] = {
    "CG201": ("error", "not a PO file: {problem}", "gettext's PO format; `msgfmt -c` says more."),
    "CG202": (
        "warning",
        "{count} of {total} texts have no `{lang}` translation: {first}",
        "The source is printed.",
    ),
    "CG203": ("warning", "the {lang} translation of `{context}` is of an older text", "The source is printed."),
    "CG204": ("warning", "`{context}` is not a text of this game", "The card or field was renamed or removed."),
    "CG205": ("error", "`{context}` is translated twice", "One msgctxt, one translation."),
    "CG206": (
        "error",
        "`{context}`: the tokens are not the source's: expected {expected}, found {found}",
        "Icons (`[name]`), emphasis (`*`, `**`) and what is filled in (`{name}`) are kept; a bracket alone is `\\[`.",
    ),
    "CG207": ("error", "the file says it is `{found}`; {stated} says `{expected}`", "The PO header's Language."),
    "CG208": ("error", "`{context}`: the translation spans lines where the source is one line", "Names stay one line."),
    "CG209": ("warning", "there is no {lang} translation of this game", "The source is printed."),
    "CG210": (
        "warning",
        "`{source}` has no msgctxt, by which translations are found",
        "Entries are matched by msgctxt.",
    ),
    "CG211": ("warning", "`{lang}` is no language that this game is translated to", "The file is not used."),
    "CG212": (
        "warning",
        "not reviewed in {lang}, marked as fuzzy: {count} of {total} texts: {first}",
        "The source is printed, unless the project says otherwise.",
    ),
    "CG220": (
        "warning",
        "the same in {lang} as in the source: {count} of {total} texts: {first}",
        "A name that stays is kept by the glossary.",
    ),
    "CG221": (
        "error",
        "not built in {lang}: {count:text is|texts are} {state}, which the project refuses to print: {first}",
        "`translations` in cardgen.yaml says what is done with them.",
    ),
    "CG223": (
        "warning",
        "`{context}` ({lang}): expected the numbers {expected}, found {found}",
        "A number of the source is missing, or there is one that it does not have.",
    ),
    "CG224": (
        "warning",
        "`{context}` ({lang}): `{found}` is opened and not closed, or closed and not opened",
        "Brackets and quotation marks stand in pairs.",
    ),
    "CG225": (
        "warning",
        "`{context}` ({lang}): found the quotation marks {found}, expected {expected}",
        "Each language has its own; a straight mark stands for inches, behind a number.",
    ),
    "CG226": ("warning", "`{context}` ({lang}): the word stands twice: `{word}`", "A word was typed twice."),
    "CG227": (
        "warning",
        "`{context}` ({lang}): a space too many near `{near}`",
        "Two spaces, one at an end, or one before a full stop or comma.",
    ),
    "CG228": (
        "warning",
        "`{context}` ({lang}): expected {expected} at the end, found {found}",
        "A translation ends with the mark that its source ends with.",
    ),
    "CG229": (
        "warning",
        "`{context}` ({lang}): `{word}` has letters of another script that only look right",
        "Letters that look alike; search and hyphenation find them out.",
    ),
    "CG230": ("warning", "`{context}` ({lang}): found a soft hyphen", "It switches automatic hyphenation off."),
    "CG231": (
        "warning",
        "`{context}` ({lang}): `{source}` is `{target}` here and `{other}` in `{where}`",
        "One sentence, one translation.",
    ),
    "CG232": (
        "warning",
        "`{context}` ({lang}): `{term}` is `{expected}` in the glossary",
        "The translation holds none of the term's stems.",
    ),
    "CG233": (
        "warning",
        "`{context}` ({lang}): found `{word}` for `{term}`, expected `{expected}`",
        "The glossary forbids the word.",
    ),
    "CG234": ("warning", "`{context}` ({lang}): `{term}` is to be kept as it is", "The glossary says so."),
    "CG235": ("warning", "`{lang}` is no language that this game is translated to", "The glossary is not used."),
    "CG236": (
        "warning",
        "`{context}` is unchanged although its source changed; it stays stale",
        "Programs lose the mark; say `--confirmed` if the translator read it and it is still right.",
    ),
    "CG237": ("error", "{problem}", "The file does not say which game and language it is for, or says one not there."),
    "CG238": (
        "error",
        "the {lang} translation lacks {what}",
        "A translated set says on its sheets whose it is and where to tell of mistakes; asked for by `--strict`.",
    ),
    "CG239": (
        "warning",
        "`{context}` was not taken: the project has a sound translation already",
        "The one in the file cannot be printed.",
    ),
    "CG240": (
        "warning",
        "`{context}` ({lang}): found {found} characters, expected at most {most}",
        "A translation keeps to the `max_length` of its field, as its source does.",
    ),
    "CG241": (
        "info",
        "print `{print}` ({lang}): no room for the QR code of `report_url`",
        "A sheet is full to its margins; an address that can be typed stands there in words.",
    ),
    "CG243": (
        "warning",
        "`{key}` still says `{found}`",
        "A set that is handed on says who made it; asked for by `--strict`.",
    ),
    "CG244": (
        "warning",
        "`report_url` is `{found}`, which is no address that a message reaches",
        "`mailto:` is followed by an address; asked for by `--strict`.",
    ),
    "CG245": (
        "info",
        "not in the file: {count} of the {total} texts of the game: {first}",
        "A file that was exported before they were written, or of which a part was lost; nothing is taken away.",
    ),
    "CG246": (
        "info",
        "the header says `{found}`; the game has `{taken}`, which is taken",
        "It is the only language of the game that it can mean; `--lang` names another.",
    ),
    "CG247": ("error", "plural forms are not used here", "Cards have none: one `msgid` and one `msgstr` an entry."),
    "CG242": (
        "error",
        "{role} font: no glyph for {count:character|characters} in {texts:text|texts} ({lang}): {chars}",
        "A font does not have the letters of a language; single ones that are missing are told text by text (CG308).",
    ),
}
