"""Checks of wording: what each says, and above all when it keeps silent."""

from __future__ import annotations

import pytest

from cardgen.diagnostics import Span
from cardgen.i18n.checks import _QUOTES, faults_of_text, faults_of_translation
from cardgen.i18n.glossary import slips_of
from cardgen.i18n.states import may_stay, normal
from cardgen.i18n.wording import waived_by
from cardgen.model.translation import Term

NOWHERE = Span("es.yaml", 1, 1)


def term(source: str, target: str = "", **more: object) -> Term:
    stems = more.get("stems", (target,))
    forbidden, keep, unless = more.get("forbidden", ()), more.get("keep", False), more.get("unless", ())
    return Term(source, source, target, stems, forbidden, keep, NOWHERE, unless)  # type: ignore[arg-type]


def codes(source: str, target: str, lang: str = "es", rich: bool = False) -> list[str]:
    return sorted(fault.code for fault in faults_of_translation(source, target, lang, rich))


@pytest.mark.parametrize(
    ("source", "target", "lang", "found"),
    [
        ("Lose 2 health.", "Pierde 3 de Salud.", "es", ["CG223"]),
        ("Lose 20 health.", "Pierde Salud.", "es", ["CG223"]),
        ("Roll [white] (twice).", "Tira [white] (dos veces.", "es", ["CG224"]),
        ("He says “no”.", "Dice \"no\".", "es", ["CG225"]),
        ("He says “no”.", "Dice „no“.", "es", ["CG225"]),
        ("He says “no”.", "Он говорит “нет”.", "ru", ["CG225"]),
        ("Take it.", "Toma la la carta.", "es", ["CG226"]),
        ("Take it.", "Toma  la carta.", "es", ["CG227"]),
        ("Take it.", "Toma la carta .", "es", ["CG227"]),
        ("Take it.", "Toma la carta", "es", ["CG228"]),
        ("Take the card", "Toma la carta!", "es", ["CG228"]),
        ("The ruin falls.", "Pуины падают.", "ru", ["CG229"]),
        ("Go to it.", "Идите c ним.", "ru", ["CG229"]),
        ("Go to it.", "Ve \u0430 por ello.", "es", ["CG229"]),
        ("Two for each.", "Dos p\u043er cada uno.", "es", ["CG229"]),
        ("The axe.", "Το τσεκoύρι.", "el", ["CG229"]),
        ("The hill.", "Sube a la \u0421\u041e\u041c\u0410.", "es", ["CG229"]),
        ("He says “no”.", "Er sagt »nein.", "de", ["CG224"]),
        ("He says “no”.", "彼は「いや。", "ja", ["CG224"]),
        ("He says “no”.", "Hij zegt «nee».", "nl", ["CG225"]),
        ("He says “no”.", "Han säger „nej”.", "sv", ["CG225"]),
        ("Information.", "Infor\u00admación.", "es", ["CG230"]),
        ("He says “no”.", "Powiedział „nie.", "pl", ["CG224"]),
        ("He says “no”.", "Powiedział nie”.", "pl", ["CG224"]),
        ("He says “no”.", "Er sagt „nein.", "de", ["CG224"]),
        ("He says “no”.", "Er sagt ‚nein.", "de", ["CG224"]),
        ("He says “no”.", "Er sagt ›nein.", "de", ["CG224"]),
        ("He says “no”.", "Ele diz “não.", "pt", ["CG224"]),
        ("He says “no”.", "Hij zegt “nee.", "nl", ["CG224"]),
        ("He says “no”.", "Han säger ”nej.", "sv", ["CG224"]),
        ("He says “no”.", "Rekao je „ne.", "sr", ["CG224"]),
        ("He says “no”.", "Dice «no.", "es", ["CG224"]),
        ("He says “no”.", "Он говорит «нет.", "ru", ["CG224"]),
        ("He says “no”.", "Он говорит «„нет».", "ru", ["CG224"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(source: str, target: str, lang: str, found: list[str]) -> None:
    assert codes(source, target, lang, rich=True) == found


@pytest.mark.parametrize(
    ("source", "target", "lang"),
    [
        ("Two walkers within 6\".", "Dos caminantes a 6\" o menos.", "es"),
        ("Roll one die, then 1 more.", "Tira un dado y después 1 más.", "es"),
        ("Each costs one more.", "Cada una cuesta 1 más.", "es"),
        ("It loses 1 health.", "Теряет одно здоровье.", "ru"),
        ("It costs 1,5 or 1.5.", "Cuesta 1,5 o 1,5.", "es"),
        ("10000 gold", "10\u00a0000 mo", "es"),
        ("Roll [white] [white] alone.", "Tira solo [white] [white].", "es"),
        ("**Action:** Dig.", "**Acción:** cava.", "es"),
        ("pts", "оч.", "ru"),
        ("a) One b) Two", "a) Uno b) Dos", "es"),
        ("He says “no.”", "Dice «no».", "es"),
        ("a base of 20 x 20 mm", "подставка 20 x 20 мм", "ru"),
        ("It is very very cold.", "Hace mucho mucho frío.", "es"),
        ("{subject}: {actual}\" from it", "{subject}: a {actual}\" de eso", "es"),
        ("Wait…", "Espera...", "es"),
        ("don’t", "l’aliado", "fr"),
        ("He says “no”.", "Er sagt »nein«.", "de"),
        ("He says “no”.", "Er sagt „nein“.", "de"),
        ("He says “no”.", "Er sagt ‚nein‘.", "de"),
        ("He says “no”.", "Er sagt „‚nein‘, sagt er“.", "de"),
        ("He says “no”.", "Rekao je „ne“.", "sr"),
        ("He says “no”.", "Rekao je „ne”.", "sr"),
        ("He says “no”.", "Han säger ”nej”.", "sv"),
        ("He says “no”.", "Hij zegt “zo’n nee”.", "nl"),
        ("He says “no”.", "Он говорит «„нет“, и всё».", "ru"),
        ("He says “no”.", "Han säger »nej».", "sv"),
        ("He says “no”.", "Powiedział „nie”.", "pl"),
        ("He says “no”.", "Του είπε «όχι».", "el"),
        ("Plan B is on.", "План B в силе.", "ru"),
        ("Plan B is on.", "Το σχέδιο B ισχύει.", "el"),
        ("compatible with Arena Deathmatch", "совместимо с Arena Deathmatch", "ru"),
        ("{subject}: {actual} in a band", "В {subject}: {actual}", "ru"),
        ("The HMS Victory sinks.", "«HMS Victory» тонет.", "ru"),
        ("The axe", "Το τσεκούρι", "el"),
        ("Who is it?", "Ποιος είναι;", "el"),
        ("Go to it.", "そこへ行く。", "ja"),
        ("Who is it?", "誰ですか？", "ja"),
        ("He says “no”.", "彼は「いや」と言う。", "ja"),
        ("Go to it!", "اذهب إليه!", "ar"),
        ("Who is it?", "من هو؟", "ar"),
    ],
)  # fmt: skip
def test_what_is_right_is_let_pass(source: str, target: str, lang: str) -> None:
    assert codes(source, target, lang, rich=True) == []


@pytest.mark.parametrize("lang", sorted(_QUOTES))
def test_the_marks_of_every_known_language_are_known_in_pairs(lang: str) -> None:
    pair = _QUOTES[lang][1].replace(" ", "")
    opens, closes = pair[0], pair[-1]
    assert "CG224" not in codes("A word.", f"{opens}aa{closes}.", lang)
    assert "CG224" in codes("A word.", f"{opens}aa.", lang)
    assert "CG224" in codes("A word.", f"aa{closes}.", lang)


def test_marks_that_the_source_leaves_open_are_no_fault_of_its_translation() -> None:
    assert codes("“To be continued.", "„Ciąg dalszy nastąpi.", "pl") == []
    found = faults_of_translation("„Fortsetzung folgt.", "“To be continued.", "en", False, source_lang="de")
    assert [fault.code for fault in found] == []


def test_a_language_whose_marks_are_not_known_is_not_judged() -> None:
    assert codes("He says “no”.", 'Hij zegt "nee".', "xx") == []


def test_a_source_is_looked_at_by_itself() -> None:
    assert [fault.code for fault in faults_of_text('It  "cuts".', "en", False)] == ["CG227", "CG225"]


TERMS = (
    term("eligible walker", "caminante elegible", stems=("elegible",), forbidden=("disponible",)),
    term("walker", "caminante", forbidden=("zombi",)),
    term("fight", "combate", stems=("combat",), unless=("pillow fight",)),
    term("Threat", "Amenaza", forbidden=("amenaza",)),
    term("Loki", keep=True),
)


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("A walker moves.", "Un caminante se mueve.", []),
        ("Walkers move.", "Caminantes que se mueven.", []),
        ("A walker moves.", "Un zombi se mueve.", ["unused", "forbidden"]),
        ("An eligible walker moves.", "Un muerto elegible se mueve.", []),
        ("An eligible walker moves.", "Un caminante disponible.", ["unused", "forbidden"]),
        ("A pillow fight.", "Una guerra de almohadas.", []),
        ("They fight.", "Combaten.", []),
        ("Threat rises.", "Sube la amenaza.", ["unused", "forbidden"]),
        ("A threat to all.", "Un peligro para todos.", []),
        ("Loki laughs.", "Lóki ríe.", ["kept"]),
        ("A sleepwalker.", "Un sonámbulo.", []),
        ("The walker-like thing.", "La cosa.", []),
        ("**Walker:** [walker] waits.", "**Caminante:** [walker] espera.", []),
    ],
)
def test_glossary(source: str, target: str, found: list[str]) -> None:
    assert [slip.kind for slip in slips_of(source, target, TERMS)] == found


def test_what_one_term_asks_for_is_no_slip_of_another() -> None:
    terms = (term("ghost", "fantasma", forbidden=("alma",)), term("soul", "alma"))
    assert list(slips_of("The ghost has a soul.", "El fantasma tiene alma.", terms)) == []


@pytest.mark.parametrize(
    ("text", "may"),
    [("20 × 20 mm", True), ("+1D", True), ("(a)", True), ("Loki", True), ("Loki, Tyr", False), ("Rifle", False)],
)
def test_what_may_stay_the_same(text: str, may: bool) -> None:
    assert may_stay(text, TERMS) is may


def test_a_waiver_needs_a_reason() -> None:
    assert waived_by(("ok CG232: said by the verb", "ok CG226", "ok CG223:", "note")) == {"CG232"}


def test_texts_are_composed() -> None:
    assert normal("e\u0301") == "é"
