"""What the forms of a band's entries offer: how far training goes, options with their cost and whether they fit."""

from __future__ import annotations

import base64
import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient

from cardgen.diagnostics import Report
from cardgen.load.project import load_bands, load_project
from cardgen.pipeline.entries import entry_cards
from cardgen.pipeline.roster import context
from cardgen.rules.bands import judge_band
from cardgen.studio.app import create_app
from cardgen.studio.bandroom import read_band
from tests.studio.conftest import HOST, ROOT, Browser, changed, copied
from tests.studio.test_pictures import picture

URL = "/g/arena/bands/trained"
BAND = """title: Trained
kind: warband
faction: gollnir
gold: 900
avatars:
  - {card: rime-breaker, name: Ash}
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    root = copied(tmp_path_factory.mktemp("trained"), "arena")
    (root / "cards/arena/bands/trained.yaml").write_text(BAND, "utf-8")
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token), root


def field(page: str, path: str) -> str:
    """The input of a field and what stands below it."""
    found = re.search(rf'<input[^>]*name="v\.{re.escape(path)}"[^>]*>.*?</div>', page, re.S)
    assert found is not None, path
    return html.unescape(found[0])


def test_training_says_what_is_printed_and_how_far_it_goes(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    page = studio.get(URL).text
    agility = field(page, "avatars.0.train.agility")
    assert 'placeholder="5"' in agility and 'max="7"' in agility and 'min="3"' in agility
    assert "printed 5; from 3 to 7" in agility and "disabled" not in agility
    assert "printed 3; cannot be trained" in field(page, "avatars.0.train.shooting")
    soul = field(page, "avatars.0.train.soul")
    assert "disabled" in soul and "The soul cannot be trained." in soul
    spanish = studio.get(URL, headers={"accept-language": "es"}).text
    assert "impreso 3. El alma no se adiestra." in field(spanish, "avatars.0.train.soul")


def test_training_follows_the_type_and_the_readings_that_are_chosen(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    form = studio.form(URL)
    look = studio.post(f"{URL}/preview", changed(form, **{"avatars.0.card": "glasswood-archer"})).json()
    assert look["spans"]["avatars.0.train.agility"] == ["7", "printed 7; from 3 to 9", "3", "9", ""]
    look = studio.post(f"{URL}/preview", [*form, ("r.C37", "one")]).json()
    assert look["spans"]["avatars.0.train.agility"] == ["5", "printed 5; from 1 to 7", "1", "7", ""]


def test_quick_lists_tell_costs_and_what_does_not_fit_and_leave_out_what_everybody_has(
    served: tuple[Browser, Path],
) -> None:
    studio, _ = served
    page = studio.get(URL).text
    traits = re.search(r'<select name="a\.avatars\.0\.traits".*?</select>', page, re.S)
    actions = re.search(r'<select name="a\.avatars\.0\.actions".*?</select>', page, re.S)
    assert traits is not None and actions is not None
    assert re.search(r'value="long-memory">[^<]* · \d+</option>', traits[0])
    assert 'value="walk"' not in actions[0] and actions[0].count("<option") > 20
    sent = [("_path", "avatars.0.traits"), ("_judged", "1"), ("_quick", "1")]
    reasons = studio.post(f"{URL}/options", [*studio.form(URL), *sent]).json()
    assert reasons["long-memory"].startswith("ADM-022: ") and "hearth-luck" not in reasons
    whole = studio.post(f"{URL}/options", [*studio.form(URL), ("_path", "avatars.0.actions")]).text
    assert "Sprint" not in re.findall(r'aria-describedby[^>]*>([^<]*)<|">([^<]*)</button>', whole)
    assert "a.avatars.0.actions&#34;: &#34;walk" not in whole


def test_a_card_that_nobody_filled_in_is_not_called_legal(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    answer = studio.post("/g/arena/cards/new", {"name": "Nobody Yet", "kind": "avatar"})
    url = answer.headers["hx-redirect"]
    panel = studio.post(f"{url}/preview", studio.form(url)).json()["panel"]
    assert "not filled in yet" in panel and "<strong>legal" not in panel
    assert all(word in panel for word in ("Race", "Profession", "God", "Attributes"))
    form = changed(studio.form(url), race="elf", god="galanion", cost="40", **{"attributes.agility": "7"})
    panel = studio.post(f"{url}/preview", form).json()["panel"]
    assert "not filled in yet" not in panel and "<strong>legal" in panel
    panel = studio.post(f"{url}/preview", changed(form, name="")).json()["panel"]
    assert "<strong>legal" not in panel and "<strong>Name</strong>" in panel


def test_a_band_without_a_type_is_not_called_legal(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    panel = studio.post(f"{URL}/preview", changed(studio.form(URL), **{"avatars.0.card": ""})).json()["panel"]
    assert "<strong>legal" not in panel and "Type of avatar" in panel


def test_a_photograph_is_cropped_to_the_frame_that_the_card_has_for_it(served: tuple[Browser, Path]) -> None:
    """The frame that the game states is the one of its layout, and the first shape that is offered."""
    studio, _ = served
    css = (ROOT / "layouts/arena/avatar.css").read_text("utf-8")
    inner = re.search(r"\.frame img \{[^}]*width: ([\d.]+)mm; height: ([\d.]+)mm", css)
    assert inner is not None
    page = studio.get(URL).text
    for name in ("photo", "portrait"):
        button = re.search(rf'data-upload="f-avatars-0-{name}" data-ratio="([\d.]+)" data-shape-title="([^"]*)"', page)
        assert button is not None, name
        assert float(button[1]) == pytest.approx(float(inner[1]) / float(inner[2]), abs=0.0001)
        assert button[2] == "as on the card, 27.8 × 35.4 mm"
    script = (ROOT / "cardgen/studio/static/crop.js").read_text("utf-8")
    assert "shape.prepend(own)" in script and "shape.selectedIndex = 0" in script


def test_rosters_tell_type_and_training_and_messages_name_what_they_mean(served: tuple[Browser, Path]) -> None:
    studio, root = served
    text = BAND.replace(
        "name: Ash}", "name: Ash, train: {agility: 7, combat: 9}, traits: [long-memory], favourite: FAV}"
    )
    project = load_project(root, Report())
    assert project is not None
    actions = [
        card for card in project.games["arena"].cards.values() if card.kind == "action" and not card.values["common"]
    ]
    text = text.replace("FAV", actions[0].id).replace("title: Trained", "title: Told")
    (root / "cards/arena/bands/told.yaml").write_text(text, "utf-8")
    form = studio.form("/g/arena/bands/told")
    for lang, race, combat in (("en", "Human", "Combat skill 9"), ("es", "Humano", "Habilidad de Combate 9")):
        panel = html.unescape(
            studio.post("/g/arena/bands/told/preview", form, **{"accept-language": lang}).json()["panel"]
        )
        assert race in panel and "`" not in panel, panel
        assert actions[0].id not in panel
        workshop = studio.client.app.state.studio.workshop  # type: ignore[attr-defined]
        game = workshop.translated(workshop.game("arena"), lang)
        document = workshop.band(game, "told")
        band = read_band(workshop, document, workshop.tree(document), game)[0]
        assert band is not None
        (entry,) = context(game, judge_band(game, band, compare=False))["entries"]  # type: ignore[misc]
        kind = game.cards["rime-breaker"].values["name"]
        assert entry["details"].startswith(f"{kind}, ") and combat in entry["details"]


def test_what_a_quick_search_finds_is_there_soon_and_not_told_again(served: tuple[Browser, Path]) -> None:
    """Three stages: what rules state, what ends findings one by one or all at once, and what is found besides."""
    studio, _ = served
    url = "/g/arena/bands/two-against-one"
    form = studio.form(url)
    told: dict[str, list[str]] = {}
    answers: dict[str, str] = {}
    sent: dict[str, str] = {}
    for stage in ("", "quick", "long"):
        answer = answers[stage] = html.unescape(studio.post(f"{url}/mends", [*form, *sent.items()]).text)
        told[stage] = re.findall(r"<li><button [^>]*?'>([^<]*)</button>", answer)
        following = re.search(r"hx-vals='(.*?)' hx-trigger", answer)
        sent = json.loads(following[1]) if following is not None else {}
        assert (sent.get("_search", "") or "end") == {"": "quick", "quick": "long", "long": "end"}[stage]
    # What the rules do not state is found: one band less; but not two, of which a file would not be an encounter.
    assert {"leave out Landslide", "leave out Masked Ball"} <= set(told["quick"])
    assert not any("Landslide" in text and "Masked Ball" in text for text in told["quick"] if "; " in text)
    assert "These go together" in answers[""] and told[""]
    assert re.search(r">Apply all \d+: does not make it legal yet<", answers[""])
    # What is found later for the same finding says that these are other ways.
    for stage, before in (("quick", ("",)), ("long", ("", "quick"))):
        heads = {text for name in before for text in re.findall(r"What would end (.*?)</h2>", answers[name])}
        assert not heads & set(re.findall(r"What would end (.*?)</h2>", answers[stage])), stage
        assert set(re.findall(r"Other ways to end (.*?)</h2>", answers[stage])) <= heads, stage
    # A change that ends several findings is told once.
    assert len(told["quick"]) == len(set(told["quick"]))
    assert not set(told["quick"]) & set(told["long"]) and not set(told[""]) & set(told["quick"])


def test_the_photograph_of_a_type_is_on_the_card_and_pawn_of_who_is_recruited(tmp_path: Path) -> None:
    root = copied(tmp_path, "arena")
    mine, own = "portraits/mine.png", "portraits/own.png"
    for name in (mine, own):
        (root / "cards/arena/art" / name).write_bytes(picture(300, 400, "PNG"))
    file = next(p for p in (root / "cards/arena/cards").glob("*.yaml") if "\nrime-breaker:\n" in p.read_text("utf-8"))
    text = file.read_text("utf-8")
    file.write_text(text.replace("\nrime-breaker:\n", f"\nrime-breaker:\n  photo: {mine}\n", 1), "utf-8")
    band = root / "cards/arena/bands/trained.yaml"
    band.write_text(BAND + f"  - {{card: rime-breaker, name: Elm, photo: {own}}}\n", "utf-8")
    report = Report()
    project = load_project(root, report)
    assert project is not None
    game = project.games["arena"]
    found = next(item for item in load_bands(project.shelf, game, report) if item.file.endswith("trained.yaml"))
    cards = entry_cards(game, found, report)
    assert not report.has_errors()
    assert [(card.values["photo"], card.values["pawn"]) for card in cards] == [(mine, mine), (own, own)]


@pytest.mark.parametrize("stated", ["photo", "photo, pawn", "photo, art", "photo, art, pawn"])
def test_a_photograph_stands_the_same_on_the_page_of_the_type_and_of_whoever_is_recruited(
    served: tuple[Browser, Path], stated: str
) -> None:
    """Without a portrait it fills both frames; with one it has its own."""
    studio, root = served
    for name, side in (("photo", 400), ("pawn", 350), ("art", 300)):
        made = Image.new("RGB", (300, side), {"photo": "red", "pawn": "lime", "art": "blue"}[name])
        made.save(root / f"cards/arena/art/portraits/{name}-of-mine.png")
    types = next(p for p in (root / "cards/arena/cards").glob("*.yaml") if "\nrime-breaker:\n" in p.read_text("utf-8"))
    found = re.search(r"^rime-breaker:\n(?:[ #].*\n|\n)+", types.read_text("utf-8"), re.MULTILINE)
    assert found is not None
    bare = re.sub(r"^  (art|pawn|photo):.*\n", "", found[0].replace("rime-", "seen-", 1), flags=re.MULTILINE)
    pictures = "".join(f"  {name}: portraits/{name}-of-mine.png\n" for name in stated.split(", "))
    own = root / "cards/arena/cards/own/avatar.yaml"
    own.parent.mkdir(exist_ok=True)
    own.write_text(bare.rstrip() + "\n" + pictures, "utf-8")
    band = root / "cards/arena/bands/seen.yaml"
    band.write_text(BAND.replace("rime-breaker", "seen-breaker"), "utf-8")
    studio.refresh()
    middles = []
    for url in ("/g/arena/cards/seen-breaker", "/g/arena/bands/seen"):
        look = studio.post(f"{url}/preview", studio.form(url)).json()
        image = Image.open(io.BytesIO(base64.b64decode(look["png"].partition(",")[2]))).convert("RGB")
        scale = image.width / look["size"][0]
        # The frames of arena/avatar.css: their middles, and a point near a corner.
        middles.append(
            [
                image.getpixel((round((x - aside) * scale), round(y * scale)))
                for x in (18, 47)
                for y in (36.7, 21)
                for aside in (0, 12)
            ]
        )
    own.unlink()
    band.unlink()
    studio.refresh()
    assert middles[0] == middles[1]
    one, two = set(middles[0][:4]), set(middles[0][4:])
    assert two == {(255, 0, 0)} and one == ({(0, 0, 255)} if "art" in stated else two)


def test_a_type_without_maxima_says_so_and_the_hint_is_whole(served: tuple[Browser, Path]) -> None:
    """A value goes no higher than it is printed, as the rules judge it, and the form says why."""
    studio, root = served
    own = root / "cards/arena/cards/own/avatar.yaml"
    types = next(p for p in (root / "cards/arena/cards").glob("*.yaml") if "\nrime-breaker:\n" in p.read_text("utf-8"))
    found = re.search(r"^rime-breaker:\n(?:[ #].*\n|\n)+", types.read_text("utf-8"), re.MULTILINE)
    assert found is not None
    bare = re.sub(r"^  maxima:.*\n(?:    .*\n)*", "", found[0].replace("rime-", "bare-", 1), flags=re.MULTILINE)
    assert "maxima" not in bare
    own.parent.mkdir(exist_ok=True)
    own.write_text(bare, "utf-8")
    band = root / "cards/arena/bands/bare.yaml"
    band.write_text(BAND.replace("rime-breaker", "bare-breaker"), "utf-8")
    studio.refresh()
    agility = field(studio.get("/g/arena/bands/bare").text, "avatars.0.train.agility")
    assert "printed 5; goes down to 3, not up" in agility
    assert 'min="3"' in agility and 'max="5"' in agility
    page = studio.get("/g/arena/bands/bare").text
    note = re.search(r'<p class="versions" data-untrained="avatars\.0\.train">(.*?)</p>', page, re.S)
    assert note is not None and "Natural maxima" in note[1]
    assert '<a href="/g/arena/cards/bare-breaker#f-maxima">' in note[1]
    form = studio.form("/g/arena/bands/bare")
    # The note follows the type: one that states maxima has none.
    look = studio.post("/g/arena/bands/bare/preview", form).json()
    assert "bare-breaker#f-maxima" in look["untrained"]["avatars.0.train"]
    look = studio.post("/g/arena/bands/bare/preview", changed(form, **{"avatars.0.card": "rime-breaker"})).json()
    assert look["untrained"] == {}
    spanish = studio.get("/g/arena/bands/bare", headers={"accept-language": "es"}).text
    assert "deja «Máximos naturales» en blanco" in spanish
    panels = [
        studio.post("/g/arena/bands/bare/preview", changed(form, **{"avatars.0.train.agility": value})).json()["panel"]
        for value in ("5", "6")
    ]
    rules = [re.search(r"ADM-007\w*", panel) for panel in panels]
    assert panels[0] != panels[1] and "illegal" in panels[1]
    assert rules[1] is not None or "Agility" in panels[1]
    own.unlink()
    band.unlink()
    studio.refresh()


def test_the_form_of_a_type_asks_for_its_maxima_beside_its_attributes(served: tuple[Browser, Path]) -> None:
    """One table: each attribute with its maximum, and of what has none, why; what is left out is told and can be filled in."""
    studio, root = served
    url = studio.post("/g/arena/cards/new", {"name": "Gate Ward", "kind": "avatar"}).headers["hx-redirect"]
    page = studio.get(url).text
    (table,) = re.findall(r'<table class="limits">.*?</table>', page, re.S)
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", table, re.S)
    game = studio.client.app.state.studio.workshop.game("arena")  # type: ignore[attr-defined]
    fields = game.kinds["avatar"].fields
    assert len(rows) == len(fields["attributes"].fields)
    for row, name in zip(rows, fields["attributes"].fields, strict=True):
        assert f'name="v.attributes.{name}"' in row
        assert (f'name="v.maxima.{name}"' in row) == (name in fields["maxima"].fields), name
    assert "The soul cannot be trained" in rows[-1]
    # No second place asks for the same.
    assert page.count('name="v.maxima.agility"') == 1 and 'id="f-maxima"' in table
    form = changed(studio.form(url), race="elf", god="galanion", cost="40", **{"attributes.agility": "4"})
    panel = studio.post(f"{url}/preview", form).json()["panel"]
    assert 'id="unlimited"' in panel and "Natural maxima" in panel and 'href="#f-maxima"' in panel
    form = changed(form, **{"maxima.agility": "7"})
    panel = studio.post(f"{url}/preview", form).json()["panel"]
    assert 'id="unlimited"' not in panel
    studio.post(f"{url}/save", form)
    (text,) = [
        p.read_text("utf-8") for p in (root / "cards/arena/cards").rglob("*.yaml") if "gate-ward:" in p.read_text()
    ]
    assert re.search(r"maxima: \{agility: 7\}|maxima:\n +agility: 7\n", text)
    spanish = studio.get(url, headers={"accept-language": "es"}).text
    assert "Máximos naturales" in spanish and "El alma no se adiestra" in spanish


def test_a_fix_back_to_the_printed_value_takes_the_statement_out_of_the_file(served: tuple[Browser, Path]) -> None:
    studio, root = served
    url, path = "/g/arena/bands/back", root / "cards/arena/bands/back.yaml"
    kept = "  - {card: quarry-thane, name: Bo, train: {agility: 5}}  # as she is\n"
    begun = BAND.replace("rime-breaker, name: Ash", "quarry-thane, name: Ash, train: {shooting: 5}") + kept
    path.write_text(begun, "utf-8")
    form = studio.form(url)
    answer = html.unescape(studio.post(f"{url}/mends", form).text)
    (tree,) = re.findall(r"data-with='(.*?)'>set Shooting skill of Ash back to 3, as printed<", answer)
    assert studio.post(f"{url}/save", [*form, *json.loads(tree).items()]).status_code == 200
    assert path.read_text("utf-8") == begun.replace(", train: {shooting: 5}", "")
    spanish = html.unescape(studio.post(f"{url}/mends", form, **{"accept-language": "es"}).text)
    assert "devolver Habilidad de Disparo a 3, como está impreso (Ash)" in spanish
    path.unlink()


def test_what_is_closed_to_the_race_is_marked_whatever_she_has_and_mended_by_leaving_it_out(
    served: tuple[Browser, Path],
) -> None:
    studio, root = served
    url, path = "/g/arena/bands/orc", root / "cards/arena/bands/orc.yaml"
    for traits in ("", "small-target", "thick-hide, long-arms, small-target, crowd-shy"):
        begun = BAND.replace("rime-breaker, name: Ash", f"tusk-marshal, name: Zoe, traits: [{traits}]")
        path.write_text(begun.replace("gollnir", "urok"), "utf-8")
        studio.refresh()
        form = studio.form(url)
        assert re.search(
            r'<select name="a\.avatars\.0\.traits" data-fits="[^"]*/bands/orc/options"', studio.get(url).text
        )
        sent = [("_path", "avatars.0.traits"), ("_judged", "1"), ("_quick", "1")]
        reasons = studio.post(f"{url}/options", [*form, *sent]).json()
        for name in ("long-arms", "small-target"):
            assert reasons[name].startswith("ADM-022: "), (traits, name)
    answer = html.unescape(studio.post(f"{url}/mends", form).text)
    both = "leave out Small Target (Zoe); leave out Long Arms (Zoe)"
    (tree,) = re.findall(rf"data-with='([^>]*?)'>{re.escape(both)}<", answer)
    assert "leave out Zoe" not in answer
    assert studio.post(f"{url}/save", [*form, *json.loads(tree).items()]).status_code == 200
    assert "traits: [thick-hide, crowd-shy]" in path.read_text("utf-8")
    path.unlink()


def test_hints_stay_while_a_field_is_wrong_and_a_row_is_added(served: tuple[Browser, Path]) -> None:
    """What is wrong with one value says nothing of the others, nor of other entries."""
    studio, root = served
    path = root / "cards/arena/bands/wrong.yaml"
    path.write_text(BAND + "  - {card: quarry-thane, name: Bo}\n", "utf-8")
    url = "/g/arena/bands/wrong"
    form = changed(studio.form(url), **{"avatars.0.train.strength": "99"})
    answer = studio.post(
        f"{url}/save", [*form, ("a.avatars.0.traits", "hearth-luck"), ("a.avatars", "glasswood-archer")]
    )
    assert "Not saved yet" in answer.text
    for at, hint in ((0, "printed 5; from 3 to 7"), (2, "printed 7; from 3 to 9")):
        agility = field(answer.text, f"avatars.{at}.train.agility")
        assert hint in agility and f'placeholder="{hint[8]}"' in agility, at
        soul = field(answer.text, f"avatars.{at}.train.soul")
        assert "disabled" in soul and "The soul cannot be trained." in soul
    spans = studio.post(f"{url}/preview", form).json()["spans"]
    whole = studio.post(f"{url}/preview", studio.form(url)).json()["spans"]
    assert spans == whole and spans["avatars.1.train.agility"][1]
    path.unlink()


WRONGS = {
    "a value in an earlier entry": ({"avatars.0.train.strength": "x"}, {0, 1, 2}),
    "no title": ({"title": ""}, {0, 1, 2}),
    "a bound of the band": ({"gold": "0"}, {0, 1, 2}),
    "a type that nobody has": ({"avatars.1.card": "nobody"}, {0, 2}),
    "no type": ({"avatars.0.card": ""}, {1, 2}),
    "several at once": ({"title": "", "avatars.0.card": "", "avatars.2.train.mind": "99"}, {1, 2}),
    "two in one list": ({"avatars.1.traits.0": "nobody", "avatars.1.traits.2": "neither"}, {0, 1, 2}),
    "no type at all": ({f"avatars.{at}.card": "" for at in range(3)}, set()),
}


@pytest.mark.parametrize("name", WRONGS)
def test_hints_follow_what_can_be_read(served: tuple[Browser, Path], name: str) -> None:
    studio, root = served
    wrong, readable = WRONGS[name]
    path = root / "cards/arena/bands/wrong.yaml"
    traits = "traits: [hearth-luck, long-memory, hearth-luck]"
    path.write_text(
        BAND + f"  - {{card: quarry-thane, name: Bo, {traits}}}\n  - {{card: glasswood-archer, name: Cid}}\n", "utf-8"
    )
    url = "/g/arena/bands/wrong"
    right = studio.post(f"{url}/preview", studio.form(url)).json()["spans"]
    look = studio.post(f"{url}/preview", changed(studio.form(url), **wrong)).json()
    assert look["errors"]
    for at in range(3):
        path_ = f"avatars.{at}.train"
        # What is not known is not told, but that the soul is nobody's to train.
        assert look["spans"][f"{path_}.agility"] == (right[f"{path_}.agility"] if at in readable else [""] * 5), at
        assert look["spans"][f"{path_}.soul"][4] == "The soul cannot be trained"
    path.unlink()


def test_a_value_out_of_every_range_is_told_that_of_its_type(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    error = "avatars.0.train.agility"
    for text, told in (
        ("99", "99 is out of range; allowed for this type: 3 to 7"),
        ("-1", "allowed for this type: 3 to 7"),
    ):
        form = changed(studio.form(URL), **{error: text})
        look = studio.post(f"{URL}/preview", form).json()
        assert told in look["errors"][error] and told in html.unescape(look["panel"])
        again = studio.post(f"{URL}/save", [*form, ("a.avatars", "quarry-thane")])
        assert told in html.unescape(again.text) and "1 to 10" not in again.text
    spanish = studio.post(f"{URL}/preview", form, **{"accept-language": "es"}).json()
    assert spanish["errors"][error] == "-1 se sale de lo permitido para este tipo: de 3 a 7"
    # What nobody trains at all says that; what is no number is told as that.
    look = studio.post(f"{URL}/preview", changed(studio.form(URL), **{"avatars.0.train.shooting": "99"})).json()
    assert look["errors"]["avatars.0.train.shooting"] == "printed 3; cannot be trained"
    look = studio.post(f"{URL}/preview", changed(studio.form(URL), **{error: "lots"})).json()
    assert "range" not in look["errors"][error]


@pytest.mark.parametrize(("lang", "why"), [("en", "the type has it already"), ("es", "el tipo ya lo tiene")])
def test_what_the_type_gives_is_not_offered(served: tuple[Browser, Path], lang: str, why: str) -> None:
    """What an avatar is born with is grey in the quick list and told in the long one; what it is not is free."""
    studio, _ = served
    form = changed(studio.form(URL), **{"avatars.0.card": "quarry-thane"})
    form += [("_path", "avatars.0.traits"), ("_judged", "1")]
    spoken = {"accept-language": lang}
    reasons = studio.post(f"{URL}/options", [*form, ("_quick", "1")], **spoken).json()
    assert reasons["long-memory"] == why and reasons.get("hearth-luck") != why
    shown = html.unescape(studio.post(f"{URL}/options", form, **spoken).text)
    assert re.search(rf'id="why-long-memory">{why}<', shown)
