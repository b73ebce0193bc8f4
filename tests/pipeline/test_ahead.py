"""Faces are drawn while others are still being filled: each once, and nothing that is kept or not wanted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from cardgen.diagnostics import Report
from cardgen.errors import WorkerDied
from cardgen.faces.engines import Job
from cardgen.model.face import Face, Rendering
from cardgen.pipeline.build import Options, build
from cardgen.pipeline.draw import AHEAD_FACES, Ahead, draw_each
from cardgen.pipeline.keep.memory import Drawings
from cardgen.pipeline.products import make_products
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers, open_workers
from tests.support import BASE, load, write_project

T = TypeVar("T")
R = TypeVar("R")
LAYOUT = "layouts/g/item.html.j2"
COUNT = 2 * AHEAD_FACES + 10


class Two(Workers):
    """Says that it has room for two, does what is begun at once, and counts."""

    def __init__(self, deaths: int = 0) -> None:
        super().__init__(2)
        self.begun: list[int] = []
        self._deaths = deaths

    def begin(self, function: Callable[[T], R], item: T) -> Callable[[], R]:
        """What gives the result that is there already."""
        if self._deaths:
            self._deaths -= 1
            raise WorkerDied("one is gone")
        assert isinstance(item, Job)
        self.begun.append(len(item.faces))
        result = function(item)
        return lambda: result


@pytest.fixture
def project(tmp_path: Path) -> Path:
    cards = "".join(f"c{n}: {{kind: item, name: Card {n}, rules: Number {n}.}}\n" for n in range(COUNT))
    layout = BASE[LAYOUT] if "profile" in BASE[LAYOUT] else '{% set profile = "card" %}\n' + BASE[LAYOUT]
    return write_project(tmp_path / "p", {"cards/g/cards/items.yaml": cards, LAYOUT: layout})


def drawn(
    root: Path, workers: Workers, keeper: Drawings | None = None
) -> tuple[list[Rendering], dict[str, Face], Ahead]:
    loaded, report = load(root), Report()
    ahead = Ahead(loaded, workers, keeper)
    products = make_products(loaded, choose(loaded, [], ["en"]), Options(), report, take=ahead.take)
    found = list(draw_each(loaded, products, workers, report, keeper, ahead))
    assert not report.items, [item.message for item in report.items]
    return found, {key: face for product in products for key, face in product.faces.items()}, ahead


def test_each_face_is_drawn_once_and_most_of_them_early(project: Path) -> None:
    workers = Two()
    found, faces, _ = drawn(project, workers)
    keys = [key for rendering in found for key in rendering.keys]
    assert len(faces) >= COUNT and sorted(keys) == sorted(faces)
    assert workers.begun[:2] == [AHEAD_FACES, AHEAD_FACES] and sum(workers.begun) == len(faces)


def test_what_is_kept_is_not_drawn(project: Path) -> None:
    keeper = Drawings()
    drawn(project, Two(), keeper)
    again = Two()
    found, faces, _ = drawn(project, again, keeper)
    assert not again.begun
    assert {key for rendering in found for key in rendering.keys} == set(faces)


def test_one_process_begins_nothing(project: Path) -> None:
    _, faces, ahead = drawn(project, Workers())
    assert ahead.begun(faces.keys()) == []


def test_what_no_product_wants_in_the_end_is_not_waited_for(project: Path) -> None:
    _, faces, ahead = drawn(project, Two())
    (first, _), *rest = ahead.begun(faces.keys())
    assert ahead.begun(faces.keys() - {first.faces[0].key}) == rest


@pytest.mark.parametrize("deaths", [1, 2, 5])
def test_a_worker_that_died_early_costs_no_card(project: Path, deaths: int) -> None:
    found, faces, _ = drawn(project, Two(deaths))
    assert sorted(key for rendering in found for key in rendering.keys) == sorted(faces)


def test_the_file_is_the_same_from_one_process_and_from_three(project: Path, tmp_path: Path) -> None:
    loaded, files = load(project), []
    for jobs in (1, 3):
        with open_workers(jobs) as workers:
            made = build(loaded, choose(loaded, [], ["en"]), tmp_path / str(jobs), Options(), workers, Report()).files
        files.append([one.path.read_bytes() for one in made])
    assert files[0] == files[1] and files[0]
