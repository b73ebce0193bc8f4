"""`cardgen catalogue update`: what a newer catalogue changes, its installation, and packs that are refused."""

from __future__ import annotations

import io
import json
import stat
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import cardgen.pipeline.catalogues.install as installing
from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.files import Shelf
from cardgen.load.catalogues import read_catalogue_pack
from cardgen.model.catalogue import CataloguePack

GAME = """\
title: Small
version: "1"
source: en
languages: [en]
kinds:
  fighter: {title: Fighter, trim: poker-eu, front: small/card, fields: &fields {
    name: {type: text, required: true}, cost: {type: integer, min: 0, max: 99, required: true}}}
  tool: {title: Tool, trim: poker-eu, front: small/card, fields: *fields}
bands:
  crew:
    title: Crew
    pack: small
    entries: members
    name: it.name|default(it.card.name)
    cost: it.card.cost + (it.tools|sum(attribute="cost"))
    limit: band.gold
    unit: gold
    choices: {options: [tools], version: made_with}
    fields:
      gold: {type: integer, min: 0, max: 999}
      members:
        type: list
        required: true
        of:
          type: record
          fields:
            card: {type: card, kinds: [fighter], required: true}
            name: {type: text, max_length: 20, translate: false}
            tools: {type: list, of: {type: card, kinds: [tool]}}
            made_with: {type: text, max_length: 10, translate: false}
"""
RULES = """\
title: Small rules
rules:
  S-1:
    title: One member is not too dear
    source: the rules, page 1
    scope: band
    kinds: [crew]
    each: band.members
    actual: it.card.cost + (it.tools|sum(attribute="cost"))
    op: "<="
    limit: "20"
    message: "{subject} costs {actual}, more than {limit}"
    examples:
      legal: [{given: {members: [{card: ann}]}}]
      illegal: [{given: {members: [{card: dear}]}}]
cast:
  ann: {kind: fighter, name: Ann, cost: 3}
  dear: {kind: fighter, name: Dear, cost: 30}
"""
FIGHTERS = "bo: {kind: fighter, name: Bo, cost: 10}\ncy: {kind: fighter, name: Cy, cost: 12}\n"
TOOLS = "axe: {kind: tool, name: Axe, cost: 4}\nrope: {kind: tool, name: Rope, cost: 1}\n"
BAND = """\
# Ours, since the spring.
title: Ours
kind: crew
gold: 99
members:
  - {card: bo, tools: [axe, rope], made_with: "1"}  # the elder
  - card: cy
    name: Cyril
"""
NEW_TOOLS = "axe: {kind: tool, name: Axe, cost: 14}\nrope: {kind: tool, name: Rope, cost: 1}\n"
MANIFEST = 'game: small\nversion: "2"\n'
TOOL_FILE, BAND_FILE = "cards/small/cards/tools.yaml", "cards/small/bands/ours.yaml"


def cardgen(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "cardgen", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A project with one small game and one band."""
    files = {
        "cardgen.yaml": "name: own\ngames: [small]\n",
        "cards/small/game.yaml": GAME,
        "cards/small/rules/small.yaml": RULES,
        "cards/small/cards/fighters.yaml": FIGHTERS,
        TOOL_FILE: TOOLS,
        BAND_FILE: BAND,
        "layouts/small/card.html.j2": '{% set engine = "weasyprint" %}\n<p>{{ card.name }}</p>\n',
    }
    for name, text in files.items():
        (tmp_path / "own" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "own" / name).write_text(text, "utf-8")
    return tmp_path / "own"


def zipped(path: Path, files: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def pack(own: Path, tools: str = NEW_TOOLS, **more: str) -> str:
    """A pack with the manifest of version 2 and these tools."""
    files = {
        "catalogue.yaml": MANIFEST,
        TOOL_FILE: tools,
        **{f"cards/small/{name}": text for name, text in more.items()},
    }
    return str(zipped(own.parent / "pack.zip", files))


def everything(own: Path) -> dict[str, bytes]:
    return {path.relative_to(own).as_posix(): path.read_bytes() for path in own.rglob("*") if path.is_file()}


def test_it_shows_costs_verdicts_and_rules_and_changes_nothing(own: Path) -> None:
    before = everything(own)
    done = cardgen(own, "catalogue", "update", pack(own), "--force")
    assert (done.returncode, done.stderr) == (0, "")
    assert "catalogue 1 → 2" in done.stdout
    assert "Ours (ours): legal → illegal (S-1)" in done.stdout
    assert "  1 Bo: 15 → 25 gold, legal → illegal (S-1)" in done.stdout
    assert "Cyril" not in done.stdout and "add `--apply`" in done.stdout
    assert everything(own) == before


def test_it_installs_stamps_every_entry_and_keeps_what_it_replaced(own: Path) -> None:
    done = cardgen(own, "catalogue", "update", pack(own), "--force", "--apply", "--format", "json")
    told = json.loads(done.stdout)
    assert done.returncode == 0 and told["installed"] and not told["problems"]
    assert (own / TOOL_FILE).read_text("utf-8") == NEW_TOOLS
    band = (own / BAND_FILE).read_text("utf-8")
    assert band == BAND.replace('"1"', '"2"') + '    made_with: "2"\n'
    with zipfile.ZipFile(own / told["backup"]) as kept:
        assert kept.read(TOOL_FILE).decode() == TOOLS and kept.read(BAND_FILE).decode() == BAND
    # The next one needs no force: the files are as the pack left them.
    again = cardgen(own, "catalogue", "update", pack(own, TOOLS), "--apply")
    assert again.returncode == 0 and "catalogue 2 → 2" in again.stdout
    assert (own / TOOL_FILE).read_text("utf-8") == TOOLS


@pytest.mark.parametrize(("entry", "versions"), [("ours/1", ["1", "2"]), ("ours/Cyril", ["2", "1"])])
def test_a_kept_entry_has_its_old_version_and_the_band_is_told_to_mix(
    own: Path, entry: str, versions: list[str]
) -> None:
    done = cardgen(own, "catalogue", "update", pack(own), "--force", "--apply", "--keep", entry)
    assert done.returncode == 0
    assert "CG636" in done.stderr and "`Ours` mixes versions 1, 2 of the catalogue" in done.stderr
    band = (own / BAND_FILE).read_text("utf-8")
    assert [line.split("made_with:")[1].strip()[1] for line in band.splitlines() if "made_with" in line] == versions


def _total(own: Path) -> str:
    done = cardgen(own, "band", BAND_FILE, "--format", "json")
    return str(json.loads(done.stdout)["total"])


def test_a_kept_entry_keeps_its_values_through_every_later_update(own: Path) -> None:
    assert _total(own) == "27"
    force = ("--force", "--apply")
    done = cardgen(own, "catalogue", "update", pack(own), *force, "--keep", "ours/1")
    # What is told is what will be: neither Bo nor the band changes.
    assert "Ours (ours)\n  1 Bo (kept at 1): stays 15 gold, legal\nnone of 1 saved band change" in done.stdout
    # Bo with an axe of 4, Cyril as he is now.
    assert _total(own) == "27"
    kept = (own / "cards/small/kept.yaml").read_text("utf-8")
    assert yaml.safe_load(kept) == {
        "1": {
            "bo": {"kind": "fighter", "name": "Bo", "cost": 10},
            "axe": {"kind": "tool", "name": "Axe", "cost": 4},
            "rope": {"kind": "tool", "name": "Rope", "cost": 1},
        }
    }
    # A third catalogue has no axe at all: whoever is kept has one all the same, and nobody has to insist.
    third = MANIFEST.replace("2", "3")
    files = {"catalogue.yaml": third, TOOL_FILE: "rope: {kind: tool, name: Rope, cost: 7}\n"}
    path = str(zipped(own.parent / "third.zip", files))
    refused = cardgen(own, "catalogue", "update", path, "--apply", "--migrate", "ours/1")
    assert refused.returncode == 1 and "CG635" in refused.stderr
    done = cardgen(own, "catalogue", "update", path, "--apply")
    assert done.returncode == 0, done.stderr
    assert _total(own) == "27"
    assert 'made_with: "1"' in (own / BAND_FILE).read_text("utf-8")
    assert (own / "cards/small/kept.yaml").read_text("utf-8") == kept
    # Of its own version it is as any other: without the axe that there is no more.
    text = (own / BAND_FILE).read_text("utf-8")
    (own / BAND_FILE).write_text(text.replace('made_with: "1"', 'made_with: "3"'), "utf-8")
    assert "there is no tool `axe`" in cardgen(own, "band", BAND_FILE).stderr


def _judged(own: Path) -> tuple[object, object]:
    told = json.loads(cardgen(own, "band", BAND_FILE, "--format", "json").stdout)
    return told["total"], told["verdict"]


def test_who_was_kept_stays_kept_until_somebody_says_else(own: Path) -> None:
    path = pack(own)
    assert cardgen(own, "catalogue", "update", path, "--force", "--apply", "--keep", "ours/1").returncode == 0
    before, band = _judged(own), (own / BAND_FILE).read_text("utf-8")
    assert before == (27, "legal")
    again = cardgen(own, "catalogue", "update", path, "--apply")
    assert "files: 0 to replace, 0 to add, 1 as they are" in again.stdout
    assert "  1 Bo (kept at 1): stays 15 gold, legal\n" in again.stdout
    assert _judged(own) == before and (own / BAND_FILE).read_text("utf-8") == band
    # Somebody asks: then the figures are those of the new catalogue, and so is what is told before.
    shown = cardgen(own, "catalogue", "update", path, "--migrate", "ours/Bo")
    assert "Ours (ours): legal → illegal (S-1)\n  1 Bo: 15 → 25 gold, legal → illegal (S-1)\n" in shown.stdout
    assert _judged(own) == before
    assert cardgen(own, "catalogue", "update", path, "--apply", "--migrate", "ours/Bo").returncode == 0
    assert _judged(own) == (37, "illegal")
    assert 'made_with: "1"' not in (own / BAND_FILE).read_text("utf-8")


@pytest.mark.parametrize("kept", [(), ("ours/1",), ("ours/2",), ("ours/1", "ours/2")])
def test_what_is_told_is_what_the_band_is_then(own: Path, kept: tuple[str, ...]) -> None:
    options = [word for entry in kept for word in ("--keep", entry)]
    told = json.loads(
        cardgen(own, "catalogue", "update", pack(own), "--force", "--apply", *options, "--format", "json").stdout
    )
    entries = {item["entry"]: item for band in told["bands"] for item in band["entries"]}
    bo = entries[1]
    assert bo["kept"] == ("ours/1" in kept) and (2 in entries) == ("ours/2" in kept)
    assert bo["cost"] == [15, 15 if bo["kept"] else 25]
    assert bo["verdict"] == ["legal", "legal" if bo["kept"] else "illegal"]
    assert bo["broken"] == ([] if bo["kept"] else ["S-1"])
    assert _judged(own) == (bo["cost"][1] + 12, told["bands"][0]["verdict"][1])


def test_who_is_kept_has_what_is_gone_and_takes_new_things_at_new_prices(own: Path) -> None:
    cardgen(own, "catalogue", "update", pack(own, TOOLS), "--force", "--apply", "--keep", "ours/1")
    band = (own / BAND_FILE).read_text("utf-8")
    (own / "cards/small/cards/more.yaml").write_text("net: {kind: tool, name: Net, cost: 2}\n", "utf-8")
    (own / BAND_FILE).write_text(band.replace("[axe, rope]", "[axe, net]"), "utf-8")
    files = {
        "catalogue.yaml": MANIFEST.replace("2", "3"),
        TOOL_FILE: "rope: {kind: tool, name: Rope, cost: 7}\n",
        "cards/small/cards/more.yaml": "net: {kind: tool, name: Net, cost: 3}\n",
    }
    path = str(zipped(own.parent / "third.zip", files))
    done = cardgen(own, "catalogue", "update", path, "--apply", "--force", "--format", "json")
    assert done.returncode == 0, done.stderr
    (told,) = json.loads(done.stdout)["bands"]
    # The axe of the first catalogue, and a net of the third.
    assert [(item["cost"], item["gone"], item["keeps_values"]) for item in told["entries"]] == [([16, 17], [], True)]
    assert _judged(own) == (17 + 12, "legal")


def test_of_a_version_that_nobody_kept_only_the_paper_is_left(own: Path) -> None:
    (own / BAND_FILE).write_text(BAND.replace('"1"', '"0"'), "utf-8")
    done = cardgen(own, "catalogue", "update", pack(own), "--force", "--apply", "--keep", "ours/1")
    assert "  1 Bo (kept at 0: on paper alone): 15 → 25 gold" in done.stdout
    assert not (own / "cards/small/kept.yaml").exists()
    assert _total(own) == "37"


def test_a_mistake_among_kept_cards_is_told_with_its_place(own: Path) -> None:
    cardgen(own, "catalogue", "update", pack(own), "--force", "--apply", "--keep", "ours/1")
    path = own / "cards/small/kept.yaml"
    path.write_text(path.read_text("utf-8").replace("cost: 10", "cots: 10"), "utf-8")
    done = cardgen(own, "check", "small")
    assert done.returncode == 1
    assert "cards/small/kept.yaml:" in done.stderr + done.stdout and "unknown field `cots`" in done.stderr + done.stdout


def test_bands_of_several_owners_may_share_a_name(own: Path) -> None:
    for owner in ("ada", "bo"):
        (own / f"cards/small/bands/{owner}").mkdir()
        (own / f"cards/small/bands/{owner}/ours.yaml").write_text(BAND, "utf-8")
    done = cardgen(own, "catalogue", "update", pack(own), "--force", "--apply", "--keep", "ada/ours/1")
    assert done.returncode == 0 and "`Ours` mixes versions 1, 2" in done.stderr
    said = {
        name: (own / f"cards/small/bands/{name}.yaml").read_text("utf-8") for name in ("ours", "ada/ours", "bo/ours")
    }
    assert {name: text.count('"1"') for name, text in said.items()} == {"ours": 0, "ada/ours": 1, "bo/ours": 0}


def test_files_changed_by_hand_are_not_replaced_without_force(own: Path) -> None:
    assert cardgen(own, "catalogue", "update", pack(own), "--force", "--apply").returncode == 0
    (own / TOOL_FILE).write_text(NEW_TOOLS + "# mine\n", "utf-8")
    before = everything(own)
    done = cardgen(own, "catalogue", "update", pack(own, TOOLS), "--apply")
    assert done.returncode == 1 and "CG634" in done.stderr and TOOL_FILE in done.stderr
    assert "nothing is installed" in done.stdout
    assert everything(own) == before


def test_options_that_are_gone_are_named_and_stop_it(own: Path) -> None:
    before = everything(own)
    done = cardgen(own, "catalogue", "update", pack(own, "rope: {kind: tool, name: Rope, cost: 1}\n"), "--apply")
    assert done.returncode == 1
    assert "CG635" in done.stderr and "`Bo` has `axe`" in done.stderr.replace("“", "`")
    assert "gone: axe" in done.stdout and "15 → 11 gold, without axe" in done.stdout
    assert everything(own) == before


def test_a_band_that_cannot_be_stamped_stops_it(own: Path) -> None:
    # The entries' field takes ten letters, and this version has twelve.
    before = everything(own)
    path = zipped(
        own.parent / "long.zip", {"catalogue.yaml": 'game: small\nversion: "2.0.1-second"\n', TOOL_FILE: NEW_TOOLS}
    )
    done = cardgen(own, "catalogue", "update", str(path), "--force", "--apply")
    assert done.returncode == 1 and "CG637" in done.stderr and "`Ours`" in done.stderr
    assert everything(own) == before


def test_a_catalogue_with_mistakes_is_not_installed(own: Path) -> None:
    before = everything(own)
    done = cardgen(own, "catalogue", "update", pack(own, "axe: {kind: tool, name: Axe}\n"), "--apply", "--force")
    assert done.returncode == 1 and f"{TOOL_FILE}:1" in done.stderr
    wrong = pack(own, **{"rules/small.yaml": RULES.replace('limit: "20"', 'limit: "2"')})
    done = cardgen(own, "catalogue", "update", wrong, "--apply", "--force")
    assert done.returncode == 1 and "CG607" in done.stderr
    assert everything(own) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "other"], "is a catalogue of `small`, not of `other`"),
        (["--keep", "ours"], "expected BAND/ENTRY, as in `ours/1`"),
        (["--keep", "hours/1"], "did you mean `ours`?"),
        (["--migrate", "ours"], "`--migrate ours`: expected BAND/ENTRY"),
        (["--keep", "ours/1", "--migrate", "ours/Bo"], "`ours/1` is to be kept and to be made anew"),
        (["--keep", "ours/3"], "its entries: 1 Bo, 2 Cyril"),
    ],
)
def test_wrong_usage(own: Path, arguments: list[str], said: str) -> None:
    done = cardgen(own, "catalogue", "update", pack(own), *arguments)
    assert done.returncode == 2 and said in done.stderr


def test_a_game_is_still_asked_about_without_a_word_between(own: Path) -> None:
    short, long = cardgen(own, "catalogue", "small"), cardgen(own, "catalogue", "show", "small")
    assert (short.returncode, short.stdout) == (long.returncode, long.stdout) == (0, long.stdout)
    assert "Crew: 2 cards, 2 options" in short.stdout


def refused(path: Path) -> str:
    report = Report()
    assert read_catalogue_pack(path, report) is None
    # What is wrong with its manifest is told as with any other file.
    assert report.items[0].code == "CG633" or report.items[0].span is not None
    return report.items[0].message


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"../out.yaml": ""}, "climbs out"),
        ({"/etc/out.yaml": ""}, "absolute"),
        ({"cards/small/cards/..\\x.yaml": ""}, "not a usable file name"),
        ({"cards/small/game.yaml": GAME}, "has no place in a pack"),
        ({"cards/other/cards/a.yaml": ""}, "has no place in a pack"),
        ({"cards/small/cards/.a.yaml": ""}, "has no place in a pack"),
        ({"layouts/small/card.html.j2": ""}, "has no place in a pack"),
        ({"cards/small/cards/a.yaml": "", "cards/small/cards/A.yaml": ""}, "twice"),
        ({}, "nothing but its manifest"),
        ({"catalogue.yaml": "game: small\n"}, "version"),
        ({"catalogue.yaml": "game: [\n"}, ""),
    ],
)
def test_packs_that_are_refused(tmp_path: Path, files: dict[str, str], said: str) -> None:
    assert said in refused(zipped(tmp_path / "p.zip", {"catalogue.yaml": MANIFEST} | files))


def test_a_pack_without_manifest_with_a_link_too_large_or_no_zip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "there is no `catalogue.yaml`" in refused(zipped(tmp_path / "a.zip", {TOOL_FILE: TOOLS}))
    link = zipfile.ZipInfo("cards/small/cards/link.yaml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("catalogue.yaml", MANIFEST)
        archive.writestr(link, "/etc/passwd")
    assert "is a link" in refused(tmp_path / "b.zip")
    (tmp_path / "c.zip").write_bytes(b"not a zip")
    assert "cannot be unpacked" in refused(tmp_path / "c.zip")
    assert "there is no" in refused(tmp_path / "d.zip") or "not a regular file" in refused(tmp_path / "d.zip")
    with zipfile.ZipFile(tmp_path / "e.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("catalogue.yaml", MANIFEST)
        archive.writestr(TOOL_FILE, b"#" * 21_000_000)
    assert "too large" in refused(tmp_path / "e.zip")
    monkeypatch.setattr(sys.modules[read_catalogue_pack.__module__], "MAX_PACK_FILES", 3)
    many = {"catalogue.yaml": MANIFEST, **{f"cards/small/cards/{n}.yaml": "" for n in range(3)}}
    assert "3 at most" in refused(zipped(tmp_path / "f.zip", many))


@given(st.data())
def test_bytes_that_are_damaged_are_told_and_never_more(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("catalogue.yaml", MANIFEST)
        archive.writestr(TOOL_FILE, TOOLS)
    whole = bytearray(target.getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.zip"
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))] if data.draw(st.booleans()) else whole)
    report = Report()
    found = read_catalogue_pack(path, report)
    assert report.has_errors() if found is None else set(found.files) <= {TOOL_FILE}


def test_what_cannot_be_written_leaves_everything_as_it_was(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(own)
    made = CataloguePack("p", "small", "2", {TOOL_FILE: b"new: 1\n", "cards/small/cards/zz.yaml": b""})
    shelf = Shelf((own,))
    changes = installing.changed_files(shelf, made)
    write = installing.write_atomic
    written: list[str] = []

    def failing(path: Path, data: bytes) -> None:
        if path.name == "zz.yaml":
            raise FileProblem("the disk is full")
        written.append(path.name)
        write(path, data)

    monkeypatch.setattr(installing, "write_atomic", failing)
    with pytest.raises(FileProblem):
        installing.install(shelf, made, changes, [], None)
    assert "tools.yaml" in written
    assert everything(own) == before
