"""A file of cards that cannot be read: bands say so before they miss the cards in it, and its page mends it."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from cardgen.diagnostics import Diagnostic
from cardgen.studio.encodings import text_in
from cardgen.studio.unread import Unread, excused
from tests.studio.conftest import Browser, changed

CARDS, BAND = "cards/twd/cards/own/survivor.yaml", "/g/twd/bands/granary-100"
URL = "/g/twd/unread/own/survivor.yaml"
LINES = {"en": "survivor.yaml cannot be read (line 3)", "es": "No se puede leer survivor.yaml (línea 3)"}


@pytest.fixture
def own(studio: Browser, project: Path) -> str:
    """A survivor of one's own in a file of their own, who is in a band; the good text of the file."""
    workshop = studio.refresh()
    game = workshop.project.games["twd"]
    kind = game.bands["group"] if "group" in game.bands else next(iter(game.bands.values()))
    card_field = next(sub for sub in kind.entry.fields.values() if sub.type == "card" and sub.required)
    path = project / "cards/twd/bands/granary-100.yaml"
    first = re.search(r"card: *([\w-]+)", path.read_text("utf-8"))
    assert first is not None
    like = game.cards[first[1]]
    assert not card_field.kinds or like.kind in card_field.kinds
    source = project / like.span.file
    block = re.search(rf"^{like.id}:\n(?:(?:[ ].*)?\n)+", source.read_text("utf-8") + "\n", re.MULTILINE)
    assert block is not None
    good = block[0].replace(f"{like.id}:", "zoe:", 1).rstrip() + "\n"
    (project / CARDS).parent.mkdir(parents=True, exist_ok=True)
    (project / CARDS).write_text(good, "utf-8")
    path.write_text(path.read_text("utf-8").replace(first[0], "card: zoe", 1), "utf-8")
    assert "zoe" in studio.refresh().project.games["twd"].cards
    return good


def broken(good: str) -> str:
    """The text with a bracket that nobody closed on its third line."""
    lines = good.splitlines()
    return "\n".join([*lines[:2], "  broken: [a", *lines[2:]]) + "\n"


@pytest.mark.parametrize("lang", LINES)
def test_bands_name_the_file_and_lead_to_its_page(studio: Browser, project: Path, own: str, lang: str) -> None:
    studio.client.cookies.set("studio-lang", lang)
    form = studio.form(BAND)
    (project / CARDS).write_text(broken(own), "utf-8")
    studio.refresh()
    board = html.unescape(studio.get("/g/twd/bands").text)
    look = studio.post(f"{BAND}/preview", form).json()
    for page in (board, html.unescape(look["panel"])):
        assert LINES[lang] in page and f'href="{URL}"' in page
        assert {"en": "`zoe` may stand in survivor.yaml", "es": "`zoe` puede estar en survivor.yaml"}[lang] in page
        assert not re.search(r"there is no \w+ `zoe`|no existe `zoe`", page)
    # Who is named and stands nowhere is missing all the same, once the file can be read.
    (project / CARDS).write_text(own.replace("zoe:", "zoa:", 1), "utf-8")
    studio.refresh()
    panel = html.unescape(studio.post(f"{BAND}/preview", form).json()["panel"])
    assert re.search({"en": r"there is no \w+ `zoe`", "es": r"no existe `zoe`"}[lang], panel) and URL not in panel
    assert "survivor.yaml" not in html.unescape(studio.get("/g/twd/bands").text)


def test_its_page_mends_it(studio: Browser, project: Path, own: str) -> None:
    path = project / CARDS
    path.write_text(broken(own), "utf-8")
    studio.refresh()
    page = studio.get(URL)
    assert page.status_code == 200 and "<code>3: broken: [a</code>" in page.text
    area = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page.text, re.DOTALL)
    seen = re.search(r'name="_seen" value="(\w+)"', page.text)
    assert area is not None and seen is not None and html.unescape(area[1]) == broken(own)
    # Still broken: nothing is written, what was typed stays.
    still = studio.post(URL, {"_seen": seen[1], "_text": broken(own) + "# tried\n"})
    assert "still cannot be read" in still.text and "# tried" in still.text
    assert path.read_text("utf-8") == broken(own)
    # Changed by somebody else meanwhile: theirs is shown and not written over.
    path.write_text(broken(own) + "# theirs\n", "utf-8")
    other = studio.post(URL, {"_seen": seen[1], "_text": own})
    assert "changed meanwhile" in other.text and "# theirs" in other.text
    assert path.read_text("utf-8") == broken(own) + "# theirs\n"
    seen = re.search(r'name="_seen" value="(\w+)"', other.text)
    assert seen is not None
    done = studio.post(URL, {"_seen": seen[1], "_text": own.replace("\n", "\r\n")})
    assert done.status_code == 204 and done.headers["hx-redirect"] == "/g/twd/bands"
    assert path.read_text("utf-8") == own
    assert "verdict" in studio.post(f"{BAND}/preview", studio.form(BAND)).json()["panel"]
    assert studio.get(URL).status_code == 404


@pytest.mark.parametrize("file", ["equipment.yaml", "../game.yaml", "../../../cardgen.yaml", "nothing.yaml"])
def test_nothing_else_is_shown_or_written(studio: Browser, project: Path, own: str, file: str) -> None:
    (project / CARDS).write_text(broken(own), "utf-8")
    studio.refresh()
    before = (project / "cardgen.yaml").read_bytes()
    url = "/g/twd/unread/" + file.replace("/", "%2F")
    assert studio.get(url).status_code == 404
    assert studio.post(url, {"_seen": "", "_text": "a: b\n"}).status_code == 404
    assert (project / "cardgen.yaml").read_bytes() == before


def test_a_form_that_is_wrong_otherwise_says_that_too(studio: Browser, project: Path, own: str) -> None:
    form = changed(studio.form(BAND), title="")
    (project / CARDS).write_text(broken(own), "utf-8")
    studio.refresh()
    look = studio.post(f"{BAND}/preview", form).json()
    assert look["errors"]["title"] == "it must be filled in"
    assert LINES["en"] in html.unescape(look["panel"])


def test_only_cards_that_are_not_there_are_excused(studio: Browser, own: str) -> None:
    """A card that is there, and anything else that is wrong, is told as ever; so is all while every file can be read."""
    game = studio.refresh().project.games["twd"]
    gone, known, icon = (
        Diagnostic("CG104", {"what": what, "name": name})
        for what, name in (("survivor", "gone"), ("survivor", "zoe"), ("icon", "gone"))
    )
    told = excused({"members.0": (gone, known, icon)}, game, (Unread("twd", CARDS, 3),))["members.0"]
    assert [item.code for item in told] == ["CG127", "CG104", "CG104"]
    assert told[0].message == "`gone` may stand in survivor.yaml, which cannot be read (line 3)"
    assert excused({"": (gone,)}, game, ()) == {"": (gone,)}


@pytest.mark.parametrize(
    ("encoding", "name", "shown"),
    [("cp1252", "Zoë Núñez", "Windows-1252"), ("cp1251", "Зоя Нуньес", "Windows-1251"), ("utf-16", "Zoë", "UTF-16")],
)
def test_a_file_that_is_not_utf8_is_shown_as_it_was_saved_and_no_byte_is_lost(
    studio: Browser, project: Path, own: str, encoding: str, name: str, shown: str
) -> None:
    text = re.sub(r"name: .*", f"name: {name}", own, count=1)
    saved = text.encode(encoding)
    path = project / CARDS
    path.write_bytes(saved)
    studio.refresh()
    page = html.unescape(studio.get(URL).text)
    assert "\ufffd" not in page and f"shown here as {shown}" in page and "survivor.yaml.broken" in page
    place = "line 1, column 1" if encoding == "utf-16" else f"line 3, column {9 + (2 if encoding == 'cp1252' else 0)}"
    assert place in page and ("UTF-16" if encoding == "utf-16" else "byte 0x") in page
    area = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    fields = dict(re.findall(r'name="(_seen|_as)" value="([\w-]+)"', page))
    assert area is not None and area[1] == text and fields["_as"] == encoding
    assert studio.post(URL, {**fields, "_text": area[1]}).status_code == 204
    assert path.read_text("utf-8") == text
    assert path.with_name("survivor.yaml.broken").read_bytes() == saved
    assert studio.refresh().project.games["twd"].cards["zoe"].values["name"] == name


def test_another_encoding_can_be_chosen_and_bytes_that_are_utf8_stay_so(
    studio: Browser, project: Path, own: str
) -> None:
    """Mostly such a file is UTF-8 but for what somebody put into it."""
    (project / CARDS).write_bytes(own.encode() + "# Zoë, ".encode() + b"\xe9\xa4\n")
    studio.refresh()
    for query, comment in (("", "# Zoë, é¤"), ("?as=iso8859-15", "# Zoë, é€"), ("?as=cp1251", "# Zoë, й¤")):
        page = html.unescape(studio.get(URL + query).text)
        assert comment in page, query
        assert page.count("?as=") == 3
    assert text_in(b"a\x81b", "cp1252") == "a\x81b"
