"""What Studio says of mistakes, in Spanish: every code that a form, a preview or a review can raise, with its values."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from cardgen.codes import CODES
from cardgen.diagnostics import Diagnostic
from cardgen.load.syntax import _KNOWN, _Known
from cardgen.studio.app import create_app
from cardgen.studio.saying import PHRASED, message, messages, phrase, sentence
from tests.studio.conftest import HOST, ROOT, Browser, changed, copied
from tests.studio.test_catalogue import zipped

# The modules that read what a form says, draw what it shows, or check a translation that is typed.
RAISING = (
    "load/reader", "load/fields", "load/cards", "load/bands", "load/nodes", "load/syntax", "text/decode",
    "pipeline/verdicts", "pipeline/entries", "pipeline/odds", "faces/make", "faces/layouts", "faces/pictures",
    "faces/findings", "i18n/checks", "i18n/translate", "i18n/wording", "pipeline/texts",
)  # fmt: skip
# What stays English, and why.
ENGLISH = {
    **dict.fromkeys(("CG108",), "an option of game.yaml, which no form edits"),
    **dict.fromkeys(("CG202", "CG203", "CG204", "CG212", "CG220", "CG221"), "of a whole catalogue: told by `check`"),
    **dict.fromkeys(("CG610", "CG612", "CG615"), "the rule's own message, which the game translates"),
    **dict.fromkeys(("CG611", "CG614", "CG616"), "of what a band expects, told by `check` alone"),
    **dict.fromkeys(("CG406", "CG670"), "of components and odds of game.yaml, which no form edits"),
    "CG001": "nothing but what the disk says",
}


def raised() -> set[str]:
    """The codes that those modules name."""
    found: set[str] = set()
    for name in RAISING:
        path = ROOT / "cardgen" / f"{name}.py"
        if path.exists():
            found |= set(re.findall(r"\"(CG\d{3})\"", path.read_text("utf-8")))
    return found


def named(text: str) -> set[str]:
    return set(re.findall(r"(?<!\{)\{(\w+)", text))


def test_every_code_that_studio_can_raise_is_said_in_spanish() -> None:
    codes = raised()
    assert {"CG020", "CG022", "CG025", "CG104", "CG309", "CG321"} <= codes
    said = {code for code, told in messages()["codes"].items() if told.get("es")}
    assert codes - said - ENGLISH.keys() == set()
    assert ENGLISH.keys() & said == set()
    assert ENGLISH.keys() <= codes


@pytest.mark.parametrize("code", messages()["codes"])
def test_the_values_are_the_same_in_every_language(code: str) -> None:
    told = messages()["codes"][code]
    assert named(told["es"]) == named(told.get("en", CODES[code].message))
    # No text of one language stands in the other; what is nothing but values may.
    if re.search(r"[a-z]{3}", re.sub(r"\{[^}]*\}", "", told["es"])):
        assert told["es"] != CODES[code].message


@pytest.mark.parametrize("english", messages()["phrases"])
def test_phrases_take_over_what_is_put_into_them(english: str) -> None:
    told = messages()["phrases"][english]
    values = {name: f"7{n}" for n, name in enumerate(sorted(named(told)))}
    if not values:
        assert phrase("es", english) == told and phrase("en", english) == english
        return
    if named(english) != named(told):
        return  # braces that are part of the words
    assert phrase("es", english.format(**values)) == told.format(**values)


def expectations() -> set[str]:
    """What readers of values expect and allow, as their source says it."""
    text = (ROOT / "cardgen/load/reader.py").read_text("utf-8") + (ROOT / "cardgen/load/fields.py").read_text("utf-8")
    found = set(re.findall(r"_scalar\(reader, node, f?\"([^\"]+)\"\)", text))
    found |= set(re.findall(r"reader\.wrong\(node, f?\"([^\"]+)\"", text))
    found |= {text for pair in re.findall(r"= \"([^\"]+)\" if whole else \"([^\"]+)\"", text) for text in pair}
    found |= set(re.findall(r"what=\"([^\"{]+)\"", text)) | set(re.findall(r"shapes\.Name\(\"([\w ]+)\"", text))
    found |= {text for pair in re.findall(r"return f\"([^\"]+)\" if .* else f\"([^\"]+)\"", text) for text in pair}
    return found


def test_every_expectation_is_said_in_spanish() -> None:
    found = expectations()
    assert {"a whole number", "a list", "icon"} <= found
    # Declarations of game.yaml, which no form edits.
    found -= {"value", "track", "record field", "list field"}
    left = {text for text in found if phrase("es", re.sub(r"\{[^}]*\}", "9", text)) == re.sub(r"\{[^}]*\}", "9", text)}
    assert left == set()


@pytest.mark.parametrize("known", _KNOWN)
def test_what_yaml_says_is_said_in_spanish(known: _Known) -> None:
    text = known.message.format(char="%")
    assert phrase("es", text) != text
    assert not known.hint or phrase("es", known.hint) != known.hint


@given(st.text(max_size=40), st.integers(-999, 999), st.integers(-999, 999))
def test_what_users_wrote_stays_as_it_is(name: str, low: int, high: int) -> None:
    """Even where it reads like a phrase or a template."""
    item = Diagnostic("CG104", {"what": "card", "name": name})
    told = message("es", item)
    assert told.startswith("no existe `") and told.endswith("` (carta)")
    assert told.removeprefix("no existe `").removesuffix("` (carta)") in message("en", item)
    assert phrase("es", f"{low} to {high}") == f"de {low} a {high}"


@pytest.mark.parametrize(
    ("item", "es"),
    [
        (Diagnostic("CG022", {"found": "-5", "allowed": "1 to 500"}), "-5 se sale de lo permitido: de 1 a 500"),
        (Diagnostic("CG020", {"expected": "a whole number", "found": "the number 1.5"}),
         "se esperaba un número entero y hay el número 1.5"),
        (Diagnostic("CG020", {"expected": "a number", "found": "`x,5`"}, hint="a decimal point is written `.`"),
         "se esperaba un número y hay `x,5` (el decimal se escribe con punto, `.`)"),
        (Diagnostic("CG025", {"key": "name", "what": "avatar `null`"}), "hay que rellenarlo"),
        (Diagnostic("CG104", {"what": "card", "name": "zoe"}, hint="did you mean `zoa`?"),
         "no existe `zoe` (carta) (¿querías decir `zoa`?)"),
        (Diagnostic("CG023", {"length": 90, "limit": 60}), "el texto tiene 90 caracteres; se permiten 60 como máximo"),
        (Diagnostic("CG022", {"found": "9", "allowed": "at most 3"}, count=3),
         "9 se sale de lo permitido: 3 como máximo (y 2 más)"),
    ],
)  # fmt: skip
def test_messages_in_spanish(item: Diagnostic, es: str) -> None:
    assert sentence("es", item) == es
    assert "null" not in sentence("en", item)


def test_what_is_phrased_are_arguments_of_codes() -> None:
    assert set().union(*(named(code.message) for code in CODES.values())) >= PHRASED


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    root = copied(tmp_path_factory.mktemp("saying"), "arena")
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}", headers={"accept-language": "es"}) as client:
        yield Browser(client, app.state.studio.token), root


def an_avatar(studio: Browser) -> str:
    app: Any = studio.client.app
    cards = app.state.studio.workshop.project.games["arena"].cards.values()
    return next(card.id for card in cards if card.kind == "avatar" and card.values.get("cost"))


def test_a_form_says_its_mistakes_in_spanish(served: tuple[Browser, Path]) -> None:
    """Beside the field and in the panel."""
    studio, _ = served
    url = f"/g/arena/cards/{an_avatar(studio)}"
    form = studio.form(url)
    for values, path, told in (
        ({"cost": "-5"}, "cost", "-5 se sale de lo permitido"),
        ({"cost": "x"}, "cost", "se esperaba un número entero y hay `x`"),
        ({"name": ""}, "name", "hay que rellenarlo"),
    ):
        wrong = changed(form, **values)
        look = studio.post(f"{url}/preview", wrong).json()
        assert look["errors"][path].startswith(told)
        assert told in look["panel"] and "`null`" not in look["panel"]
        assert "Sin guardar: hay 1 por corregir" in studio.post(f"{url}/save", wrong).text


def test_english_pages_stay_english(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    url = f"/g/arena/cards/{an_avatar(studio)}"
    wrong = changed(studio.form(url), cost="-5")
    look = studio.post(f"{url}/preview", wrong, **{"accept-language": "en"}).json()
    assert look["errors"]["cost"].startswith("-5 is out of range; allowed: ")


@pytest.mark.parametrize(
    ("url", "es"),
    [
        ("/g/nowhere/bands", "no existe el juego `nowhere`"),
        ("/g/arena/bands/nobody", "no existe la banda `nobody`"),
        ("/g/arena/cards/nobody", "no existe la carta `nobody`"),
        ("/g/arena/cards?kind=nobody", "no existe la clase de cartas `nobody`"),
        ("/g/arena/review/es/nobody", "no existe `nobody`"),
        ("/g/arena/review/de", "arena no está traducido a `de`"),
        ("/nowhere", "no está aquí"),
    ],
)
def test_what_is_not_there_is_told_in_spanish(served: tuple[Browser, Path], url: str, es: str) -> None:
    studio, _ = served
    answer = studio.get(url)
    assert answer.status_code == 404 and "Aquí no hay nada" in answer.text and es in answer.text


@pytest.mark.parametrize(
    ("data", "es"),
    [
        (b"", "el archivo está vacío"),
        (b"no picture", "esto no es una imagen que se pueda usar; sirven JPEG, PNG y WebP"),
    ],
)
def test_pictures_are_refused_in_spanish(served: tuple[Browser, Path], data: bytes, es: str) -> None:
    studio, _ = served
    sent = {"file": ("photo.jpg", data, "image/jpeg")}
    answer = studio.client.post("/g/arena/pictures", files=sent, headers={"x-csrf-token": studio.token})
    assert (answer.status_code, answer.text) == (422, es)


def test_packs_are_refused_in_spanish(served: tuple[Browser, Path]) -> None:
    studio, _ = served

    def offered(data: bytes) -> str:
        files = {"pack": ("pack.zip", data, "application/zip")}
        told = {"x-csrf-token": studio.token, "hx-request": "true"}
        return html.unescape(studio.client.post("/g/arena/catalogue", files=files, headers=told).text)

    assert "no se puede usar: no se puede descomprimir: " in offered(b"no zip")
    named = zipped({"catalogue.yaml": "game: twd\nversion: '1'\n", "cards/twd/cards/a.yaml": ""})
    assert "`pack.zip` es un catálogo de `twd`, no de `arena`" in offered(named)
    bare = zipped({"cards/arena/cards/a.yaml": ""})
    assert "le falta `catalogue.yaml`, que indica el juego y la versión" in offered(bare)
    climbing = zipped({"catalogue.yaml": "game: arena\nversion: '9'\n", "layouts/x.j2": ""})
    assert "`layouts/x.j2` no tiene sitio en un paquete" in offered(climbing)


def test_a_print_tells_its_problems_in_spanish(served: tuple[Browser, Path]) -> None:
    _, root = served
    (root / "cards/arena/bands/broken.yaml").write_text("title: Broken\nkind: warband\navatars: nobody\n", "utf-8")
    spec = {"root": str(root), "lang": "en", "page": "es", "options": {}, "targets": ["nowhere/cards"]}
    done = subprocess.run(
        [sys.executable, "-m", "cardgen.studio.printing"],
        input=json.dumps({**spec, "band": "cards/arena/bands/broken.yaml", "roster": "", "cards": "", "titles": {}}),
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert any("se esperaba una lista" in item.get("problem", "") for item in said), said


def test_a_natural_maximum_below_what_is_printed_is_told_beside_it(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    url = f"/g/arena/cards/{an_avatar(studio)}"
    form = changed(studio.form(url), **{"attributes.agility": "6", "maxima.agility": "4"})
    look = studio.post(f"{url}/preview", form).json()
    assert look["errors"] == {
        "maxima.agility": "el máximo de `agility` es 4 y hay impreso 6 (sube `maxima.agility` o baja `attributes.agility`)"
    }
