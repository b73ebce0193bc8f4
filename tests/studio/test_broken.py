"""A file that is broken by another program beside an open page: told in the page's language, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.studio.conftest import Browser, changed

BAND, BAND_URL = "cards/twd/bands/granary-100.yaml", "/g/twd/bands/granary-100"
CARD, CARD_URL = "cards/twd/cards/equipment.yaml", "/g/twd/cards/hatchet"
BROKEN = "title: [\nmembers: what was being typed\n"
SAID = {"en": "Not saved: {file} cannot be read", "es": "Sin guardar: no se puede leer {file}"}


def retitled(studio: Browser, url: str, key: str, text: str) -> list[tuple[str, str]]:
    """The form of an open page in which somebody typed another name."""
    return changed(studio.form(url), **{key: text})


@pytest.mark.parametrize("lang", SAID)
@pytest.mark.parametrize(("file", "url", "key"), [(BAND, BAND_URL, "title"), (CARD, CARD_URL, "name")])
def test_it_is_told_in_the_language_and_saved_once_it_is_mended(
    studio: Browser, project: Path, lang: str, file: str, url: str, key: str
) -> None:
    studio.client.cookies.set("studio-lang", lang)
    path = project / file
    good = path.read_text("utf-8")
    form = retitled(studio, url, key, "Typed beside it")
    path.write_text(BROKEN, "utf-8")
    studio.refresh()
    told = studio.post(f"{url}/save", form)
    assert told.status_code == 200
    assert SAID[lang].format(file=file) in told.text
    assert "<code>2: members: what was being typed</code>" in told.text or "<code>1: title: [</code>" in told.text
    assert 'name="_over"' in told.text
    assert path.read_text("utf-8") == BROKEN and [*path.parent.glob("*.broken*")] == []
    # Mended with a change of their own: both are there, and nobody was asked.
    path.write_text(good + "\n# mended\n", "utf-8")
    studio.refresh()
    assert studio.post(f"{url}/save", form).status_code == 200
    said = path.read_text("utf-8")
    assert "Typed beside it" in said and "# mended" in said


@pytest.mark.parametrize(("file", "url", "key"), [(BAND, BAND_URL, "title"), (CARD, CARD_URL, "name")])
def test_mine_is_written_in_its_place_and_theirs_is_kept(
    studio: Browser, project: Path, file: str, url: str, key: str
) -> None:
    path = project / file
    good = path.read_text("utf-8")
    for number, name in (("", "First"), ("2", "Second")):
        form = retitled(studio, url, key, name)
        before = path.read_text("utf-8")
        path.write_text(f"{BROKEN}# {name}\n", "utf-8")
        studio.refresh()
        done = studio.post(f"{url}/save", [*form, ("_over", "mine")])
        assert f"{file}.broken{number}" in done.text and "Not saved" not in done.text
        said = path.read_text("utf-8")
        # Comments and what else the file held are there; one line differs.
        different = [(old, new) for old, new in zip(before.splitlines(), said.splitlines(), strict=True) if old != new]
        assert len(different) == 1 and name in different[0][1]
        assert path.with_name(f"{path.name}.broken{number}").read_text("utf-8") == f"{BROKEN}# {name}\n"
    assert good.count("\n") == path.read_text("utf-8").count("\n")
    assert len(yaml.safe_load(path.read_text("utf-8"))) == len(yaml.safe_load(good))
    # It can be taken back, and what is kept beside is read by nobody.
    studio.post(f"{url}/undo", studio.form(url))
    assert "First" in path.read_text("utf-8")
    assert "granary-100.yaml.broken" not in studio.get("/g/twd/bands").text


def test_a_file_that_was_mended_meanwhile_is_not_written_over(studio: Browser, project: Path) -> None:
    path = project / BAND
    form = retitled(studio, BAND_URL, "title", "Mine")
    path.write_text(path.read_text("utf-8") + "\n# theirs\n", "utf-8")
    studio.refresh()
    assert "Saved" in studio.post(f"{BAND_URL}/save", [*form, ("_over", "mine")]).text
    assert "# theirs" in path.read_text("utf-8") and "Mine" in path.read_text("utf-8")
    assert [*path.parent.glob("*.broken*")] == []


def test_what_cannot_be_saved_is_not_written_over(studio: Browser, project: Path) -> None:
    """Typed values that are wrong stay on the page; the broken file stays where it is."""
    path = project / BAND
    form = retitled(studio, BAND_URL, "title", "")
    path.write_text(BROKEN, "utf-8")
    told = studio.post(f"{BAND_URL}/save", [*form, ("_over", "mine")]).text
    assert path.read_text("utf-8") == BROKEN and [*path.parent.glob("*.broken*")] == []
    assert 'name="_over"' in told


@pytest.mark.parametrize("lang", SAID)
def test_a_page_of_a_broken_file_says_where(studio: Browser, project: Path, lang: str) -> None:
    """Nobody has it open: there is nothing to lose, and the line tells what to mend."""
    studio.client.cookies.set("studio-lang", lang)
    (project / BAND).write_text("kind: group\ntitle: {\n", "utf-8")
    studio.refresh()
    answer = studio.get(BAND_URL)
    assert answer.status_code == 422
    expected = {"en": f"{BAND}, line 2, is no valid YAML", "es": f"{BAND}, línea 2, no es YAML válido"}
    assert expected[lang] in answer.text or expected[lang].replace("2", "3") in answer.text


def test_a_preview_goes_on_beside_a_broken_file(studio: Browser, project: Path) -> None:
    form = retitled(studio, BAND_URL, "title", "Still judged")
    (project / BAND).write_text(BROKEN, "utf-8")
    studio.refresh()
    answer = studio.post(f"{BAND_URL}/preview", form)
    assert answer.status_code == 200 and "verdict" in answer.json()["panel"]
