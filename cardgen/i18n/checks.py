"""What can be seen to be wrong with a text, or with a translation beside its source, without knowing the language.

Each check is meant to be right when it speaks: what depends on taste or grammar is left alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from cardgen.diagnostics import Report
from cardgen.model.game import Game
from cardgen.text.markup import plain
from cardgen.text.settled import Question

SOFT_HYPHEN = "\u00ad"
# What stands for an icon while a text is looked at: no letter, no space.
ICON = "\ufffc"
_BRACKETS = ("()", "[]", "{}", "「」", "『』")


class Fault(Struct, frozen=True):
    """A code of `cardgen.codes` and the arguments of its message."""

    code: str
    arguments: dict[str, str]


# Quotation marks by language: what may stand, and the pair to write (CLDR 46, `delimiters`: quotations and alternates;
# Spanish and Russian besides by the RAE and by the Russian rules of 1956; guillemets that point inwards by the usage of
# printers where it is common). A language that is not here is not judged.
_QUOTES: dict[str, tuple[str, str]] = {
    "bg": ("„“‚‘’«»", "„…“"),
    "ca": ("«»“”‘’", "«…»"),
    "cs": ("„“‚‘»«›‹", "„…“"),
    "da": ("“”‘’»«›‹", "“…”"),
    "de": ("„“‚‘»«›‹", "„…“"),
    "el": ("«»“”‘’", "«…»"),
    "en": ("“”‘’", "“…”"),
    "es": ("«»“”‘’", "«…»"),
    "et": ("„“«»", "„…“"),
    "fi": ("”’»", "”…”"),
    "fr": ("«»‹›“”’", "« … »"),
    "hr": ("„”‘’»«", "„…”"),
    "hu": ("„”»«’", "„…”"),
    "it": ("«»“”‘’", "«…»"),
    "ja": ("「」『』", "「…」"),
    "ko": ("“”‘’「」『』", "“…”"),
    "lt": ("„“‚‘", "„…“"),
    "lv": ("“”„«»", "“…”"),
    "nb": ("«»‘’", "«…»"),
    "nl": ("“”‘’„", "“…”"),
    "nn": ("«»‘’", "«…»"),
    "no": ("«»‘’", "«…»"),
    "pl": ("„”«»’", "„…”"),
    "pt": ("“”‘’«»", "“…”"),
    "ro": ("„”«»’", "„…”"),
    "ru": ("«»„“’", "«…»"),
    "sk": ("„“‚‘»«", "„…“"),
    "sl": ("„“‚‘»«", "„…“"),
    "sr": ("„“”‘’»«", "„…“"),
    "sv": ("”’»", "”…”"),
    "tr": ("“”‘’", "“…”"),
    "uk": ("«»„“’", "«…»"),
    "zh": ("“”‘’「」『』", "“…”"),
}
_ALL_QUOTES = frozenset("«»“”„‟‹›‚「」『』")
# Pairs that a language may have besides the one that it prefers, where it has both marks.
_QUOTE_PAIRS = ("“”", "„“", "„”", "‚‘", "‘’")
# Straight marks: not those behind a number (or what one is filled in for), which are inches and feet.
_STRAIGHT = re.compile(r'(?<![\d}])"')
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_GROUPS = re.compile(r"(?<=\d)[\u00a0\u202f\u2009'’](?=\d{3}(?!\d))")
_DOUBLED = re.compile(r"(?<![\w’'-])([^\W\d_]{2,})[ \u00a0]+\1(?![\w’'-])", re.IGNORECASE)
# Two spaces, a space before a line's end, one before a mark; begun with one set of characters, which is searched fast.
_SPACES = re.compile(r"[ \t\u00a0](?:(?<= ) +|(?<=[ \u00a0])[ \u00a0]*\n|(?<=[ \t])[,.;!?](?!\.|\d))")
_WORDS = re.compile(r"[^\W\d_]+")
# Scripts whose letters look alike, and the letters of each that another may be taken for.
_SCRIPTS = {
    "Latin": re.compile(r"[A-Za-zÀ-ɏḀ-ỿ]"),
    "Cyrillic": re.compile(r"[\u0400-\u052f]"),
    "Greek": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"),
}
_LOOKALIKES = {
    "Latin": frozenset("aceopxyiABCEHIKMNOPTXYZ"),
    "Cyrillic": frozenset("асеорхуіАВСЕНІКМОРТХУ"),
    "Greek": frozenset("ονΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"),
}
# Languages that are not written in Latin letters; an empty script is not judged.
_WRITTEN_IN = {
    **dict.fromkeys(("be", "bg", "kk", "ky", "mk", "mn", "ru", "tg", "uk"), "Cyrillic"),
    **dict.fromkeys(("ja", "ko", "sr", "zh"), ""),
    "el": "Greek",
}
_ENDS = ".:;!?…"
# The same marks in other scripts: a full stop is one in any.
_SAME_ENDS = str.maketrans("。．｡।۔։！：；？؟", "......!:;??")


def check_source(game: Game, report: Report) -> None:
    """What is wrong with the texts of the source language by themselves."""
    for context, source in game.strings.items():
        for fault in faults_of_text(source.text, game.source, source.rich):
            report.add(fault.code, source.span, context=context, lang=game.source, **fault.arguments)


# Many texts stand on several cards, and a process that stays looks at all of them again.
@lru_cache(maxsize=20_000)
def faults_of_text(text: str, lang: str, rich: bool) -> tuple[Fault, ...]:
    """What is wrong with a text by itself."""
    question, subject = _question(lang, rich), text.encode("utf-8", "surrogatepass")
    if question.is_settled(subject):
        return ()
    found = tuple(_faults_of_text(text, lang, rich))
    if not found:
        question.settle(subject)
    return found


@lru_cache(maxsize=200)
def _question(lang: str, rich: bool) -> Question:
    return Question("faults", lang, rich)


def _faults_of_text(text: str, lang: str, rich: bool) -> Iterator[Fault]:
    shown = plain(text, ICON) if rich else text
    if SOFT_HYPHEN in shown:
        yield Fault("CG230", {})
    spaces = _SPACES.search(shown) if lang.partition("-")[0] != "fr" else re.search(r"  +", shown)
    if spaces or (not rich and text != text.strip()):
        around = shown[max(0, spaces.start() - 12) : spaces.end() + 8] if spaces else text
        yield Fault("CG227", {"near": around})
    letters = set(shown)
    if _has_scripts(letters):
        for word in dict.fromkeys(_mixed(shown)):
            yield Fault("CG229", {"word": word})
    allowed, pair = _QUOTES.get(lang.partition("-")[0], ("", ""))
    if pair and any(map(str.isalpha, letters)):
        foreign = (letters & _ALL_QUOTES).difference(allowed)
        wrong = [char for char in shown if char in foreign] if foreign else []
        wrong += _STRAIGHT.findall(shown) if '"' in letters else []
        if wrong:
            yield Fault("CG225", {"found": "".join(dict.fromkeys(wrong)), "expected": pair})


def faults_of_translation(source: str, target: str, lang: str, rich: bool, source_lang: str = "en") -> Iterator[Fault]:
    """What is wrong with a translation by itself, and beside its source."""
    alone = faults_of_text(target, lang, rich)
    yield from alone
    old, new = (plain(source, ICON), plain(target, ICON)) if rich else (source, target)
    wanted, found = _numbers(old), _numbers(new)
    # A small number may stand in letters on one side, and be said once or twice: a large one that comes from nowhere is
    # a mistake, and so is one that is gone, or that became another.
    gone = wanted - found
    extra = [number for number in found - wanted if not _is_small(number) or (gone and number not in wanted)]
    lost = [number for number in gone if not _is_small(number)]
    if extra or lost:
        yield Fault("CG223", {"expected": _list(wanted), "found": _list(found)})
    # Marks of another language pair as they do there; they are told already.
    unmatched = _unmatched(new, "" if any(fault.code == "CG225" for fault in alone) else lang)
    if unmatched and not _unmatched(old, source_lang):
        yield Fault("CG224", {"found": unmatched})
    doubled = _DOUBLED.search(new)
    if doubled and not _DOUBLED.search(old):
        yield Fault("CG226", {"word": doubled[0]})
    ends = _end(old), _end(new)
    if lang.partition("-")[0] == "el" and ends[1] == ";":
        # A Greek question ends so.
        ends = ends[0], "?" if ends[0] == "?" else ";"
    # A word alone may be an abbreviation, which ends as its language has it.
    if ends[0] != ends[1] and " " in old.strip() + new.strip():
        yield Fault("CG228", {"expected": ends[0] or "none", "found": ends[1] or "none"})
    if _has_scripts(set(new)):
        for word in dict.fromkeys(_strangers(new, lang, frozenset(_WORDS.findall(old)))):
            yield Fault("CG229", {"word": word})


def _has_scripts(letters: set[str]) -> bool:
    """Whether there may be letters of other scripts than Latin, the first of which are Greek."""
    return max(letters - {ICON}, default="") >= "\u0370"


def _mixed(text: str) -> Iterator[str]:
    """Words that mix letters of two scripts."""
    for word in _WORDS.findall(text):
        if sum(script.search(word) is not None for script in _SCRIPTS.values()) > 1:
            yield word


def _strangers(text: str, lang: str, source: frozenset[str]) -> Iterator[str]:
    """Words in another script than the language's, all of whose letters only look right; not those of the source.

    In a script of other letters a word of several may well be a name: there only single ones are told.
    """
    main = _WRITTEN_IN.get(lang.partition("-")[0], "Latin" if lang.partition("-")[0] in _QUOTES else "")
    for name, script in _SCRIPTS.items() if main else ():
        if name == main or not script.search(text):
            continue
        for word in _WORDS.findall(text):
            alike = word not in source and script.search(word) and _LOOKALIKES[name].issuperset(word)
            if alike and (len(word) == 1 or name != "Latin"):
                yield word


def _numbers(text: str) -> Counter[str]:
    """The numbers of a text, however the language writes decimals and thousands."""
    return Counter(re.sub(r"[.,]", ".", number) for number in _NUMBER.findall(_GROUPS.sub("", text)))


def _is_small(number: str) -> bool:
    """Whether people write the number in letters."""
    return number.isdigit() and int(number) <= 12


def _list(numbers: Counter[str]) -> str:
    return ", ".join(sorted(numbers.elements(), key=lambda text: (len(text), text))) or "none"


@lru_cache
def _pairs(lang: str) -> Mapping[str, str]:
    """What closes each mark that opens one, in a language: brackets, and the pairs of its quotation marks.

    A mark that closes one pair of a language opens none: `“` ends a German quotation and begins an English one.
    """
    allowed, pair = _QUOTES.get(lang.partition("-")[0], ("", ""))
    closing: dict[str, str] = {}
    wanted = (pair[0] + pair[-1], *_QUOTE_PAIRS) if pair else ()
    for opens, closes in (*_BRACKETS, *wanted):
        # Guillemets may point either way, and are counted instead.
        if opens in "«»" or opens == closes or not {opens, closes} <= {*allowed, *"".join(_BRACKETS)}:
            continue
        others = "".join(closing.values())
        if opens not in others and not set(closes) & closing.keys():
            closing[opens] = closing.get(opens, "") + closes
    return closing


def _unmatched(text: str, lang: str) -> str:
    """The brackets and paired quotation marks that are opened and not closed, or the other way about."""
    pairs = _pairs(lang)
    closing = frozenset("".join(pairs.values()))
    opened: list[str] = []
    lost: list[str] = []
    for char in text:
        if char in closing and opened and char in pairs[opened[-1]]:
            opened.pop()
        elif char in pairs:
            opened.append(char)
        # Single marks are apostrophes as well.
        elif char in closing and char not in "’‘":
            lost.append(char)
    # Guillemets point outwards or inwards, and in Swedish and Finnish both to the right.
    for marks in ("«»", "‹›"):
        left, right = text.count(marks[0]), text.count(marks[1])
        if left != right and (left or right % 2):
            lost.append(marks[0] if left > right else marks[1])
    if "”" not in closing and "”" in _QUOTES.get(lang.partition("-")[0], ("", ""))[0] and text.count("”") % 2:
        lost.append("”")
    return "".join(opened + lost)


def _end(text: str) -> str:
    """The mark that a text ends with, quotation marks and brackets aside; empty when there is none."""
    stripped = text.rstrip().rstrip("»”“’「」『』\"')）").translate(_SAME_ENDS)
    last = stripped[-1:] if stripped else ""
    if stripped.endswith("..."):
        return "…"
    return last if last in _ENDS else ""
