"""Copies of a band's entries: where they stand, what they are called, and who is looked at then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from starlette.testclient import TestClient

from cardgen.load.trees import Tree
from cardgen.model.game import Field
from cardgen.studio.app import create_app
from cardgen.studio.sent import operate, settled
from tests.studio.conftest import HOST, Browser, copied

MANY = """title: Many
kind: warband
faction: gollnir
gold: 900
avatars:
  - {card: rime-breaker, name: Ash}
  - {card: rime-breaker, name: Ash 2}
  - {card: quarry-thane, name: Bo}
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    root = copied(tmp_path_factory.mktemp("twins"), "arena")
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token), root


def test_a_twin_has_a_name_of_its_own() -> None:
    fields = {"avatars": Field("list", of=Field("record", fields={"name": Field("text", max_length=10)}))}

    def named(names: list[str], operation: str) -> list[str]:
        made = operate({"avatars": [{"name": name} for name in names]}, operation, fields)["avatars"]
        return [item["name"] for item in made if isinstance(item, dict)]  # type: ignore[misc]

    assert named(["Ash", "Bo"], "twin:avatars.0") == ["Ash", "Ash 2", "Bo"]
    assert named(["Ash", "Ash 2"], "twin:avatars.1") == ["Ash", "Ash 2", "Ash 3"]
    assert named(["Long Names"], "twin:avatars.0") == ["Long Names", "Long Nam 2"]
    # A name that had to be cut is none of the others either.
    assert named(["Long Names", "Long Nam 2"], "twin:avatars.0") == ["Long Names", "Long Nam 2", "Long Nam 3"]
    plain = operate({"hands": ["axe"]}, "twin:hands.0", {"hands": Field("list", of=Field("text"))})
    assert plain == {"hands": ["axe", "axe"]}


def test_a_twin_stands_behind_the_last_copy_of_its_group() -> None:
    fields = {"avatars": Field("list", of=Field("record", fields={"name": Field("text", max_length=10)}))}

    def after(names: list[str], *operations: str) -> list[str]:
        tree: dict[str, Tree] = {"avatars": [{"name": name} for name in names]}
        for operation in operations:
            tree = operate(tree, operation, fields)
        return [item["name"] for item in tree["avatars"]]  # type: ignore[misc]

    # Four quick clicks on the same row.
    assert after(["Ash", "Bo"], *["twin:avatars.0"] * 4) == ["Ash", "Ash 2", "Ash 3", "Ash 4", "Ash 5", "Bo"]
    # On a copy; with a copy that was moved away; with the original behind its copies.
    assert after(["Ash", "Ash 2", "Ash 3"], "twin:avatars.1") == ["Ash", "Ash 2", "Ash 3", "Ash 4"]
    assert after(["Ash", "Bo", "Ash 2", "Cid"], "twin:avatars.0") == ["Ash", "Bo", "Ash 2", "Ash 3", "Cid"]
    assert after(["Ash 2", "Bo", "Ash"], "twin:avatars.2") == ["Ash 2", "Bo", "Ash", "Ash 3"]
    assert after(["Long Names", "Bo"], *["twin:avatars.0"] * 2) == ["Long Names", "Long Nam 2", "Long Nam 3", "Bo"]
    # Who only has the same beginning, or the same name without a number, is no copy.
    assert after(["Ash", "Ashes 2", "Ash"], "twin:avatars.0") == ["Ash", "Ash 2", "Ashes 2", "Ash"]
    assert settled({"avatars": [{"name": "Ash"}, {"name": "Ash 2"}]}, "twin:avatars.0", fields) == "twin:avatars.0:2"
    assert settled({"avatars": [{"name": "Ash"}]}, "up:avatars.0", fields) == "up:avatars.0"


def test_the_answer_tells_where_the_twin_stands(served: tuple[Browser, Path]) -> None:
    """What waits in the queue of the page is about places in the list."""
    studio, root = served
    path = root / "cards/arena/bands/many.yaml"
    path.write_text(MANY, "utf-8")
    url = "/g/arena/bands/many"
    answer = studio.post(f"{url}/save", [*studio.form(url), ("_op", "twin:avatars.0")])
    assert answer.headers["X-Studio-Did"] == "twin:avatars.0:2"
    names = [item["name"] for item in yaml.safe_load(path.read_text("utf-8"))["avatars"]]
    assert names == ["Ash", "Ash 2", "Ash 3", "Bo"]
    # A path that nobody has says nothing that a header could not carry.
    answer = studio.post(f"{url}/save", [*studio.form(url), ("_op", "twin:ñ\n.0")])
    assert answer.status_code == 200 and answer.headers["X-Studio-Did"].isascii()
    path.unlink()


def test_a_twin_made_in_spanish_is_called_by_the_name_of_the_source(served: tuple[Browser, Path]) -> None:
    studio, root = served
    game = studio.client.app.state.studio.workshop.game("arena")  # type: ignore[attr-defined]
    path = root / "cards/arena/bands/many.yaml"
    url, es = "/g/arena/bands/many", {"accept-language": "es"}
    translated = studio.client.app.state.studio.workshop.translated(game, "es")  # type: ignore[attr-defined]
    card = next(
        id
        for id, item in game.cards.items()
        if item.kind == "avatar" and item.values["name"] != translated.cards[id].values["name"]
    )
    path.write_text(MANY.split("avatars:")[0] + f"avatars:\n  - {{card: {card}}}\n", "utf-8")
    answer = studio.post(f"{url}/save", [*studio.form(url), ("_op", "twin:avatars.0")], **es)
    assert answer.status_code == 200
    entries = yaml.safe_load(path.read_text("utf-8"))["avatars"]
    assert [item.get("name") for item in entries] == [None, f"{game.cards[card].values['name']} 2"]
    path.unlink()


def test_an_entry_that_is_not_there_is_shown_as_the_last_one(served: tuple[Browser, Path]) -> None:
    studio, root = served
    path = root / "cards/arena/bands/many.yaml"
    path.write_text(MANY, "utf-8")
    url = "/g/arena/bands/many"
    form = [pair for pair in studio.form(url) if pair[0] != "_entry"]
    last, gone, far = (studio.post(f"{url}/preview", [*form, ("_entry", at)]).json() for at in ("2", "3", "999"))
    assert "Bo" in last["alt"] and gone["alt"] == far["alt"] == last["alt"]
    assert gone["png"] == far["png"] == last["png"]
    path.unlink()
