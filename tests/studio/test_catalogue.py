"""The panel of catalogues, asked as its page asks it: what is refused, what is shown, what is installed."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cardgen.diagnostics import Report
from cardgen.pipeline.entries import entry_cards
from cardgen.studio.app import create_app
from cardgen.studio.bandroom import read_band
from cardgen.studio.updates import consider
from tests.studio.conftest import HOST, ROOT, Browser, changed, copied

GEAR = "cards/arena/cards/gear.yaml"
URL = "/g/arena/catalogue"
TROUPE = "cards/arena/bands/troupe.yaml"
BAND = """title: The Troupe
kind: warband
faction: drakojia
gold: 400
avatars:
  - {card: ash-colossus, name: Ember, weapons: [long-axe], version: "0.1"}  # the eldest
  - {card: ash-colossus, name: Cinder, weapons: [long-axe]}
  - {card: ash-colossus, name: Soot}
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("catalogue"), "arena")


@pytest.fixture(scope="module")
def served(root: Path) -> Iterator[Browser]:
    """One Studio for all tests of this module: starting its workers takes longer than what is tested."""
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token)


@pytest.fixture
def arena(root: Path) -> Path:
    """The project with one band, as it was before other tests installed anything."""
    shutil.rmtree(root / "cards/arena")
    shutil.copytree(ROOT / "cards/arena", root / "cards/arena")
    for path in (root / "cards/arena/bands").glob("*.yaml"):
        path.unlink()
    (root / TROUPE).write_text(BAND, "utf-8")
    return root


@pytest.fixture
def studio(served: Browser, arena: Path) -> Browser:
    app: Any = served.client.app
    app.state.studio.workshop.refresh()
    return served


def zipped(files: Mapping[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return target.getvalue()


def newer(root: Path, cost: int = 30) -> bytes:
    """Version 0.3, in which long axes cost something else."""
    gear = (root / GEAR).read_text("utf-8")
    dearer = re.sub(r"(name: Long Axe\n  cost: )\d+", rf"\g<1>{cost}", gear)
    assert dearer != gear
    return zipped({"catalogue.yaml": 'game: arena\nversion: "0.3"\n', GEAR: dearer})


def offer(studio: Browser, data: bytes, name: str = "pack.zip") -> str:
    files = {"pack": (name, data, "application/zip")}
    answer = studio.client.post(URL, files=files, headers={"x-csrf-token": studio.token, "hx-request": "true"})
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def install(studio: Browser, shown: str, *fields: tuple[str, str]) -> str:
    found = re.search(rf'hx-post="({URL}/[^"]+/install)"', shown)
    assert found is not None, shown
    return str(studio.post(found[1], list(fields)).text)


def everything(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_it_is_looked_at_first_and_changes_nothing(studio: Browser, arena: Path) -> None:
    before = everything(arena)
    shown = offer(studio, newer(arena))
    assert "Catalogue 0.2 → 0.3" in shown and "Saved bands that change: 1 of 1" in shown
    assert shown.count('<li class="entry">') == 2 and "Soot" not in shown
    # What is kept is said as it is: of a version before the one that is replaced nothing but the paper is left.
    assert "Keep playing the paper of 0.1. Only the paper keeps the old values" in shown
    assert "printed again, the card has those of 0.3" in shown
    assert shown.count("Keep it as it is in 0.2") == 1
    costs = re.findall(r'<span class="figure">(\d+) → (\d+)</span>', shown)
    assert [int(new) - int(old) for old, new in costs] == [18, 18]
    assert everything(arena) == before
    for picture in re.findall(r'src="([^"]+\.png)"', shown):
        answer = studio.get(picture)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    old, new = (studio.get(picture).content for picture in re.findall(r'src="([^"]+\.png)"', shown)[:2])
    assert old != new


def test_each_is_kept_or_migrated(studio: Browser, arena: Path) -> None:
    shown = offer(studio, newer(arena))
    refused = install(studio, shown)
    assert "did not come from a pack" in refused and (arena / TROUPE).read_text("utf-8") == BAND
    done = install(studio, shown, ("insist", "1"), ("keep.troupe.1", "keep"), ("keep.troupe.2", "migrate"))
    assert "Catalogue 0.3 is installed" in done and "catalogue-backups/" in done
    told = (arena / TROUPE).read_text("utf-8")
    assert re.findall(r'name: (\w+).*version: "([\d.]+)"', told) == [
        ("Ember", "0.1"),
        ("Cinder", "0.3"),
        ("Soot", "0.3"),
    ]
    assert "# the eldest" in told
    # Paper never names a version whose values it does not bear: printed again, all three are of what is installed.
    workshop = studio.client.app.state.studio.workshop  # type: ignore[attr-defined]
    game = workshop.game("arena")
    band = read_band(workshop, workshop.band(game, "troupe"), workshop.tree(workshop.band(game, "troupe")))[0]
    assert [card.values["catalogue"] for card in entry_cards(game, band, Report())] == ["0.3"] * 3
    page = studio.get(URL).text
    assert "Version 0.3" in page and "mixed" in page
    panel = studio.post("/g/arena/bands/troupe/preview", studio.form("/g/arena/bands/troupe")).json()["panel"]
    assert "This band mixes versions" in panel and "ADM-020" in panel
    # Who is recruited now is made with what is installed.
    studio.post("/g/arena/bands/troupe/recruit", {"_recruit": "bone-advocate"})
    assert re.search(r"card: bone-advocate, version: .0\.3.}", (arena / TROUPE).read_text("utf-8"))
    # The next pack needs nobody to insist.
    again = install(studio, offer(studio, newer(arena, 12)), ("keep.troupe.1", "keep"))
    assert "Catalogue 0.3 is installed" in again


def test_who_is_kept_costs_and_prints_what_they_did(studio: Browser, arena: Path) -> None:
    workshop = studio.client.app.state.studio.workshop  # type: ignore[attr-defined]

    def costs() -> dict[str, tuple[object, object]]:
        game = workshop.game("arena")
        band = read_band(workshop, workshop.band(game, "troupe"), workshop.tree(workshop.band(game, "troupe")))[0]
        return {
            str(card.values["name"]): (card.values["cost"], card.values["catalogue"])
            for card in entry_cards(game, band, Report())
        }

    before = costs()
    data = newer(arena)
    install(studio, offer(studio, data), ("insist", "1"), ("keep.troupe.2", "keep"))
    after = costs()
    assert after["Cinder"] == before["Cinder"] == (before["Cinder"][0], "0.2")
    assert after["Ember"] == (before["Ember"][0] + 18, "0.3")  # type: ignore[operator]
    # The same pack again leaves them so: the page has it chosen already.
    shown = offer(studio, data)
    assert re.findall(r'name="keep.troupe.(\d)" value="(\w+)" checked', shown) == [("2", "keep")]
    assert "Catalogue 0.3 is installed" in install(studio, shown)
    assert costs() == after
    # The form judges it so as well, and says whose version is whose.
    panel = studio.post("/g/arena/bands/troupe/preview", studio.form("/g/arena/bands/troupe")).json()["panel"]
    assert "This band mixes versions" in panel
    # Whoever wants the new values after all says so in the form.
    url = "/g/arena/bands/troupe"
    studio.post(f"{url}/save", changed(studio.form(url), **{"avatars.1.version": "0.3"}))
    assert costs()["Cinder"] == (after["Ember"][0], "0.3")


def test_only_who_is_made_anew_misses_what_is_gone(studio: Browser, arena: Path) -> None:
    (arena / TROUPE).write_text(BAND.replace("Ember, weapons: [long-axe]", "Ember"), "utf-8")
    install(studio, offer(studio, newer(arena)), ("insist", "1"), ("keep.troupe.2", "keep"))
    # A pack whose long axes have another id: Cinder, who was kept, has one all the same.
    gear = (arena / GEAR).read_text("utf-8").replace("\nlong-axe:\n", "\nother-axe:\n")
    data = zipped({"catalogue.yaml": 'game: arena\nversion: "0.4"\n', GEAR: gear})
    shown = offer(studio, data)
    assert 'name="insist"' not in shown
    refused = install(studio, shown, ("keep.troupe.2", "migrate"))
    assert "long-axe" in refused and 'name="insist"' in refused
    assert "Catalogue 0.4 is installed" in install(studio, refused, ("keep.troupe.2", "keep"))
    assert 'version: "0.2"' in (arena / TROUPE).read_text("utf-8")


def test_what_was_changed_meanwhile_is_looked_at_again(studio: Browser, arena: Path) -> None:
    shown = offer(studio, newer(arena))
    (arena / TROUPE).write_text(BAND + "  - {card: ash-colossus}\n", "utf-8")
    before = everything(arena)
    assert "Look at the pack again" in install(studio, shown, ("insist", "1"))
    assert everything(arena) == before


def test_only_the_last_pack_is_kept(studio: Browser, arena: Path) -> None:
    first = offer(studio, newer(arena))
    offer(studio, newer(arena, 20))
    assert "choose it again" in install(studio, first, ("insist", "1"))
    assert (arena / TROUPE).read_text("utf-8") == BAND


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"../../evil.yaml": "x: 1\n"}, "climbs out"),
        ({"layouts/arena/avatar.html.j2": "x"}, "has no place in a pack"),
        ({"cards/arena/game.yaml": "x: 1\n"}, "has no place in a pack"),
        (
            {"cards/arena/cards/new.yaml": "axe: {kind: weapon-set, name: <b>Axe</b>, cots: 3}\n"},
            "unknown field `cots`",
        ),
        ({"catalogue.yaml": "game: twd\nversion: '1'\n", "cards/twd/cards/a.yaml": ""}, "not of `arena`"),
    ],
)
def test_packs_that_are_refused_say_why(studio: Browser, arena: Path, files: dict[str, str], said: str) -> None:
    before = everything(arena)
    shown = offer(studio, zipped({"catalogue.yaml": 'game: arena\nversion: "9"\n', **files}))
    assert "This pack cannot be used" in shown and said in shown
    assert "<b>" not in shown
    assert everything(arena) == before and not (arena.parent / "evil.yaml").exists()


def test_what_is_no_pack_is_refused(studio: Browser) -> None:
    assert "cannot be unpacked" in offer(studio, b"not a zip", "<i>.zip")
    answer = studio.client.post(URL, data={"x": "1"}, headers={"x-csrf-token": studio.token})
    assert answer.status_code == 422
    assert studio.client.post(URL, files={"pack": ("p.zip", b"")}).status_code == 403
    big = {"x-csrf-token": studio.token, "content-length": "26000000"}
    assert studio.client.post(URL, content=b"", headers=big).status_code == 413


def test_a_pack_that_unpacks_to_too_much_is_refused(arena: Path) -> None:
    files = {f"cards/arena/cards/big-{n}.yaml": "#" * 19_000_000 for n in range(6)}
    data = zipped({"catalogue.yaml": 'game: arena\nversion: "9"\n', **files})
    assert len(data) < 1_000_000
    found = consider(arena, "arena", "bomb.zip", data)
    assert found.update is None and "holds more than 100 MB" in found.problems[0]


def test_who_is_new_is_stamped_and_who_is_there_is_left_alone(studio: Browser, arena: Path) -> None:
    url = "/g/arena/bands/troupe"
    # By the form's own list,
    form = [(name, "bone-advocate" if name == "a.avatars" else value) for name, value in studio.form(url)]
    studio.post(f"{url}/save", form)
    # by changing something of somebody,
    studio.post(f"{url}/save", changed(studio.form(url), **{"avatars.2.name": "Sooty"}))
    # and in a band of its own.
    fields = {"kind": "warband", "title": "Anew", "owner": "", "_recruit": "ash-colossus"}
    assert studio.post("/g/arena/bands/new", fields).headers["hx-redirect"] == "/g/arena/bands/anew"
    told = (arena / TROUPE).read_text("utf-8").splitlines()
    assert [line.count("version") for line in told if "card:" in line or "version" in line] == [1, 0, 0, 1]
    assert "0.2" in next(line for line in told if "bone-advocate" in line)
    assert "0.2" in (arena / "cards/arena/bands/anew.yaml").read_text("utf-8")


def test_a_new_band_states_the_choice_that_it_is_judged_by(studio: Browser, arena: Path) -> None:
    """An avatar of Khorvas begins a band of Khorvas, not one that cannot be judged."""
    fields = {"kind": "warband", "title": "Ink", "owner": "", "_recruit": "bone-advocate"}
    assert studio.post("/g/arena/bands/new", fields).status_code == 204
    told = (arena / "cards/arena/bands/ink.yaml").read_text("utf-8")
    assert "faction: khorvas" in told and "level" not in told


def test_a_catalogue_of_six_hundred_more_options(studio: Browser, arena: Path) -> None:
    """All of them are offered; of those for other professions each says why it does not go."""
    many = "".join(
        f"more-{n}: {{kind: trait, name: More {n}, cost: {n % 20 + 1}, effect: One of many."
        f"{', professions: [priest]' if n % 3 == 0 else ''}}}\n"
        for n in range(600)
    )
    (arena / "cards/arena/cards/many.yaml").write_text(many, "utf-8")
    app: Any = studio.client.app
    assert app.state.studio.workshop.refresh()
    assert studio.get("/g/arena/cards?kind=trait").text.count('data-text="more ') == 600
    url = "/g/arena/bands/troupe"
    form = [*studio.form(url), ("_path", "avatars.2.traits"), ("_judged", "1")]
    shown = studio.post(f"{url}/options", form).text
    assert shown.count('data-text="more ') == 600
    unfit = re.findall(r'<li data-text="more (\d+)[^>]*class="unfit"', shown)
    assert sorted(map(int, unfit)) == list(range(0, 600, 3))


OWN = "cards/arena/cards/own/avatar.yaml"


def _colossus(root: Path, name: str) -> str:
    """An avatar like the ash colossus, as Studio wrote it into a file of the catalogue once."""
    for file in sorted((root / "cards/arena/cards").glob("*.yaml")):
        found = re.search(r"^ash-colossus:\n(?:[ #].*\n|\n)+", file.read_text("utf-8"), re.MULTILINE)
        if found is not None:
            file.write_text(file.read_text("utf-8") + "\n" + found[0].replace("ash-colossus:", f"{name}:", 1), "utf-8")
            return file.relative_to(root).as_posix()
    raise AssertionError("no ash-colossus")


def _pack_with(root: Path, file: str) -> bytes:
    """Version 0.3 with a file as it is shipped, and long axes dearer."""
    gear = re.sub(r"(name: Long Axe\n  cost: )\d+", r"\g<1>30", (root / GEAR).read_text("utf-8"))
    shipped = (ROOT / file).read_text("utf-8") + "# of 0.3\n"
    return zipped({"catalogue.yaml": 'game: arena\nversion: "0.3"\n', GEAR: gear, file: shipped})


def test_a_card_made_here_stands_in_a_file_of_the_players_own(studio: Browser, arena: Path) -> None:
    before = everything(arena)
    fields = {"name": "Grandmother Flint", "kind": "avatar", "like": "ash-colossus"}
    assert studio.post("/g/arena/cards/new", fields).headers["hx-redirect"] == "/g/arena/cards/grandmother-flint"
    assert set(everything(arena)) - set(before) == {OWN}
    assert {name: data for name, data in everything(arena).items() if name != OWN} == before
    # What it is changed to goes there too.
    url = "/g/arena/cards/grandmother-flint"
    assert studio.post(f"{url}/save", changed(studio.form(url), name="Granny")).status_code == 200
    assert "Granny" in (arena / OWN).read_text("utf-8")


def test_a_card_made_here_outlives_a_newer_catalogue_and_its_band_is_judged(studio: Browser, arena: Path) -> None:
    studio.post("/g/arena/cards/new", {"name": "Grandmother Flint", "kind": "avatar", "like": "ash-colossus"})
    studio.post("/g/arena/bands/troupe/recruit", {"_recruit": "grandmother-flint"})
    own = (arena / OWN).read_bytes()
    file = _files_with(arena, "ash-colossus")[0]
    done = install(studio, offer(studio, _pack_with(arena, file)), ("insist", "1"))
    assert "Catalogue 0.3 is installed" in done
    assert (arena / OWN).read_bytes() == own
    _judged(studio, "Grandmother Flint")


def test_cards_in_a_file_of_the_catalogue_are_moved_before_it_is_replaced(studio: Browser, arena: Path) -> None:
    file = _colossus(arena, "uncle-slate")
    app: Any = studio.client.app
    assert app.state.studio.workshop.refresh()
    studio.post("/g/arena/bands/troupe/recruit", {"_recruit": "uncle-slate"})
    pack = _pack_with(arena, file)
    shown = offer(studio, pack)
    assert f"kept and moved to {OWN}" in shown and "Not in it any more" not in shown
    assert not (arena / OWN).exists()
    assert "Catalogue 0.3 is installed" in install(studio, shown, ("insist", "1"))
    assert "uncle-slate" not in (arena / file).read_text("utf-8")
    assert (arena / OWN).read_text("utf-8").count("uncle-slate:") == 1
    _judged(studio, "Ash Colossus")
    # Once a pack is installed it is known what it held: what is written into its file afterwards is kept as well.
    _colossus(arena, "aunt-shale")
    assert app.state.studio.workshop.refresh()
    again = offer(studio, pack)
    assert f"kept and moved to {OWN}" in again
    install(studio, again, ("insist", "1"))
    told = (arena / OWN).read_text("utf-8")
    assert told.count("uncle-slate:") == 1 and told.count("aunt-shale:") == 1


def test_a_card_that_the_last_catalogue_held_goes_with_it(studio: Browser, arena: Path) -> None:
    """Only what is the player's own is kept: what a newer catalogue drops is dropped."""
    trait = "cards/arena/cards/added.yaml"
    first = {"catalogue.yaml": 'game: arena\nversion: "0.3"\n', trait: _trait("one") + _trait("two")}
    assert "0.3 is installed" in install(studio, offer(studio, zipped(first)), ("insist", "1"))
    second = {"catalogue.yaml": 'game: arena\nversion: "0.4"\n', trait: _trait("two")}
    shown = offer(studio, zipped(second))
    assert "Not in it any more: One" in shown and "moved to" not in shown
    assert "0.4 is installed" in install(studio, shown)
    assert not (arena / "cards/arena/cards/own").exists()


def test_a_pack_with_another_card_of_the_players_name_is_refused(studio: Browser, arena: Path) -> None:
    path = arena / "cards/arena/cards/traits.yaml"
    path.write_text(path.read_text("utf-8") + _trait("mine"), "utf-8")
    before = everything(arena)
    theirs = (ROOT / "cards/arena/cards/traits.yaml").read_text("utf-8") + _trait("mine").replace("cost: 3", "cost: 4")
    files = {"catalogue.yaml": 'game: arena\nversion: "0.3"\n', "cards/arena/cards/traits.yaml": theirs}
    assert "is a card of your own" in offer(studio, zipped(files))
    assert everything(arena) == before
    files = {"catalogue.yaml": 'game: arena\nversion: "0.3"\n', "cards/arena/cards/own/trait.yaml": _trait("x")}
    assert "own" in offer(studio, zipped(files)) and everything(arena) == before


def _trait(name: str) -> str:
    return f"{name}: {{kind: trait, name: {name.title()}, cost: 3, effect: One of many.}}\n"


def _files_with(root: Path, id: str) -> list[str]:
    paths = sorted((root / "cards/arena/cards").glob("*.yaml"))
    return [p.relative_to(root).as_posix() for p in paths if f"\n{id}:\n" in "\n" + p.read_text("utf-8")]


def _judged(studio: Browser, name: str) -> None:
    """The band is read and judged, with somebody of that name on its bill."""
    look = studio.post("/g/arena/bands/troupe/preview", studio.form("/g/arena/bands/troupe")).json()
    assert not look["errors"]
    assert re.search(rf'<th scope="row">{name}</th><td>\d+</td>', look["panel"])


def without_type(root: Path) -> bytes:
    """Version 0.3, without the type of the whole troupe."""
    name = "cards/arena/cards/avatars.yaml"
    text = re.sub(r"^ash-colossus:\n(?:[ #].*\n|\n(?=[ #]))*", "", (root / name).read_text("utf-8"), flags=re.MULTILINE)
    assert "\nash-colossus:" not in text and "\nbone-advocate:" in text
    return zipped({"catalogue.yaml": 'game: arena\nversion: "0.3"\n', name: text})


def wanting(root: Path) -> bytes:
    """Version 0.3, whose rules ask everybody what their Agility was trained to."""
    name = "cards/arena/rules/arena.yaml"
    text = (root / name).read_text("utf-8")
    asked = "    when: it.train.agility is defined and it.train.agility != it.card.attributes.agility\n"
    untrained = "{card: cast-fencer, train: {agility: 3}}, {card: cast-fencer}]"
    assert text.count(asked) == 1 and text.count(untrained) == 1
    text = text.replace(asked, "").replace(untrained, untrained.replace(", {card: cast-fencer}]", "]"))
    return zipped({"catalogue.yaml": 'game: arena\nversion: "0.3"\n', name: text})


def test_an_entry_without_its_card_says_so_in_one_line(studio: Browser, arena: Path) -> None:
    """Not every rule as broken, and no picture that is none."""
    pawns = arena / "cards/arena/decks/pawns.yaml"
    pawns.write_text(pawns.read_text("utf-8").replace("  ash-colossus: 2\n", ""), "utf-8")
    shown = offer(studio, without_type(arena))
    assert "It would be without: " in shown
    entries = shown.split('<li class="entry">')[1:]
    assert len(entries) == 3
    for entry in entries:
        assert "breaks ADM" not in entry and "cannot be judged" not in entry
        assert "The catalogue no longer has this card." in entry
        pictures = re.findall(r'src="([^"]+\.png)"', entry)
        assert len(pictures) == 1 and "/old/" in pictures[0]
        assert studio.get(pictures[0]).status_code == 200
    assert "cannot be judged" not in shown, "it is told with the entries"


@pytest.mark.parametrize(
    ("lang", "why"),
    [
        ("en", r"cannot be judged: [^<>]*`train`[^<>]* is not stated"),
        ("es", r"no se puede juzgar: falta indicar [^<>]*`train`"),
    ],
)
def test_what_cannot_be_judged_says_what_is_missing(studio: Browser, arena: Path, lang: str, why: str) -> None:
    studio.client.cookies.set("studio-lang", lang)
    try:
        shown = offer(studio, wanting(arena))
    finally:
        studio.client.cookies.delete("studio-lang")
    head, *entries = shown.split('<li class="entry">')
    assert len(entries) == 3
    for part in (head, *entries):
        assert len(re.findall(why, part)) == 1
        assert not re.search(r"(breaks|incumple) ADM", part)
        for picture in re.findall(r'src="([^"]+\.png)"', part):
            assert studio.get(picture).status_code == 200


def test_what_cannot_be_judged_is_not_mended(studio: Browser, arena: Path) -> None:
    """A rule that was broken and cannot be judged any more is not kept."""
    trained = BAND.replace("name: Ember,", "name: Ember, train: {agility: 9},")
    (arena / TROUPE).write_text(trained, "utf-8")
    name = "cards/arena/rules/arena.yaml"
    text = (arena / name).read_text("utf-8")
    asked = "    when: it.train.agility is defined and it.train.agility != it.card.attributes.agility\n    actual: it.train.agility\n"
    assert text.count(asked) == 1
    # Bands that train Agility are asked for their Strength.
    text = text.replace(asked, "    when: it.train.agility == 9\n    actual: it.train.strength\n")
    start = text.index("  ADM-007-agility:")
    at, end = text.index("    examples:\n", start), text.index("\n  ADM-007-strength:", start)
    legal = "{avatars: [{card: cast-fencer, train: {agility: 9, strength: 4}}]}"
    illegal = "{avatars: [{card: cast-fencer, train: {agility: 9, strength: 10}}]}"
    text = (
        text[:at]
        + f"    examples:\n      legal: [{{given: {legal}}}]\n      illegal: [{{given: {illegal}}}]\n"
        + text[end:]
    )
    shown = offer(studio, zipped({"catalogue.yaml": 'game: arena\nversion: "0.3"\n', name: text}))
    assert "Saved bands that change: 1 of 1" in shown, shown
    entry = next(part for part in shown.split('<li class="entry">')[1:] if "Ember" in part)
    assert "no longer breaks" not in entry and "cannot be judged: " in entry and "`strength`" in entry
