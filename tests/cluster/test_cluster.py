"""Drawing on a cluster: a real scheduler and real workers, of which some are ended in the middle."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from cardgen import cluster
from cardgen.cluster import open_cluster
from cardgen.diagnostics import Report
from cardgen.errors import CardgenError, WorkerDied
from cardgen.faces.assets import Assets, art_url
from cardgen.faces.parcel import Parcel, pack
from cardgen.pipeline import draw as drawing
from cardgen.pipeline.build import build
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers
from tests.cluster.work import add, divide_one_by, double, end_process, slow_pid
from tests.support import BASE, load, write_project

pytestmark = pytest.mark.cluster
PATIENCE = 90.0


class Cluster:
    """A scheduler and workers, each a process, with an empty folder to work in."""

    def __init__(self, folder: Path, workers: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.folder = folder
        self.processes = [
            self._start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
        ]
        self.workers = [self.add_worker() for _ in range(workers)]

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        code = f"from distributed.cli.dask_{kind} import main; main()"
        command = [sys.executable, "-c", code, *options]
        # The tests' own folder, so that workers find the functions above.
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        return subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def add_worker(self) -> subprocess.Popen[bytes]:
        process = self._start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory",
            str(self.folder),
        )  # fmt: skip
        self.processes.append(process)
        return process

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "workers"
    folder.mkdir()
    made = Cluster(folder, 2)
    try:
        wait_for_workers(made.address, 2)
        yield made
    finally:
        made.end()


def wait_for_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, timeout=PATIENCE) as client:
        if count:
            client.wait_for_workers(count, timeout=PATIENCE)


def project(root: Path) -> Path:
    cards = "".join(
        f"c{n}:\n  kind: item\n  name: Card {n}\n  art: face.png\n  rules: '**Rule** [star] of card {n}.'\n"
        for n in range(40)
    )
    write_project(
        root,
        {
            "cards/g/game.yaml": BASE["cards/g/game.yaml"].replace(
                "      rules:", "      art: {type: image}\n      rules:"
            ),
            "cards/g/cards/items.yaml": cards,
            "layouts/g/item.html.j2": BASE["layouts/g/item.html.j2"]
            + '<img class="art" src="{{ art_url(card.art) }}">',
            "layouts/g/item.css": BASE["layouts/g/item.css"]
            + ".icon { height: 2mm }\n.art { position: absolute; left: 20mm; top: 20mm; width: 20mm }\n",
            "layouts/g/icons/star.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
            '<path d="M0 0h9v9z"/></svg>',
        },
    )
    (root / "cards/g/art").mkdir()
    Image.new("RGB", (300, 300), "red").save(root / "cards/g/art/face.png")
    return root


def built(root: Path, output: Path, workers: Workers) -> bytes:
    loaded = load(root)
    report = Report()
    (made,) = build(loaded, choose(loaded, [], []), output, Options(), workers, report).files
    assert list(report) == []
    return made.path.read_bytes()


def test_the_local_cluster_gives_the_same_bytes(tmp_path: Path) -> None:
    root = project(tmp_path / "p")
    expected = built(root, tmp_path / "here", Workers())
    told: list[tuple[int, int]] = []
    with open_cluster("local", 2) as workers:
        workers.progress = lambda done, total: told.append((done, total))
        assert workers.jobs == 2
        assert built(root, tmp_path / "there", workers) == expected
    assert told == [(1, 2), (2, 2)]


def test_workers_see_no_file_of_the_project(tmp_path: Path, running: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was packed is all that is read: the project's folder has another name by the time of drawing."""
    root = project(tmp_path / "p")
    expected = built(root, tmp_path / "here", Workers())
    loaded = load(root)
    products = make_products(loaded, choose(loaded, [], []), Options(), Report())
    jobs = drawing.jobs_of(loaded, dict(products[0].faces), 2)
    parcel = pack(jobs)
    assert "cards/g/art/face.png" in parcel.files and "layouts/g/icons/star.svg" in parcel.files
    assert Assets(parcel).read(art_url("g", "face.png"))[0] == (root / "cards/g/art/face.png").read_bytes()
    with open_cluster(running.address, 1) as workers:
        renderings = list(drawing._mapped([], jobs, workers))
    root.rename(tmp_path / "moved")
    with open_cluster(running.address, 1) as workers:
        from cardgen.faces.parcel import render_from, without_assets

        assert list(workers.map_with(render_from, [without_assets(job) for job in jobs], parcel)) == renderings
        (tmp_path / "moved").rename(root)
        assert built(root, tmp_path / "there", workers) == expected


def test_a_worker_that_is_killed_in_the_middle_is_done_without(running: Cluster) -> None:
    with open_cluster(running.address, 1) as workers:
        found = workers.map(slow_pid, range(12))
        pids = {next(found)}
        running.workers[0].kill()
        pids |= set(found)
    assert pids <= {process.pid for process in running.workers} and running.workers[1].pid in pids


def test_a_build_outlives_a_worker(tmp_path: Path, running: Cluster) -> None:
    root = project(tmp_path / "p")
    expected = built(root, tmp_path / "here", Workers())
    killer = threading.Timer(0.5, running.workers[0].send_signal, [signal.SIGKILL])
    with open_cluster(running.address, 1) as workers:
        workers.jobs = 8  # many small parts, so that some are in hand whenever it happens
        killer.start()
        assert built(root, tmp_path / "there", workers) == expected
    killer.join()


def test_work_that_ends_every_worker_is_told(tmp_path: Path) -> None:
    with open_cluster("local", 1) as workers, pytest.raises(WorkerDied, match="same piece of work"):
        list(workers.map(end_process, range(1)))


def test_results_come_in_order_and_shared_values_are_sent_along(running: Cluster) -> None:
    with open_cluster(running.address, 1) as workers:
        assert list(workers.map(double, range(50))) == [number * 2 for number in range(50)]
        assert list(workers.map_with(add, range(9), 100)) == list(range(100, 109))


def test_what_a_function_raises_is_raised(running: Cluster) -> None:
    with open_cluster(running.address, 1) as workers, pytest.raises(ZeroDivisionError):
        list(workers.map(divide_one_by, [1, 0]))


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with pytest.raises(CardgenError, match=r"no scheduler answers at `127\.0\.0\.1:9`"), open_cluster("127.0.0.1:9", 1):
        pass
    with pytest.raises(CardgenError, match=r"no scheduler answers at `nonsense://`"), open_cluster("nonsense://", 1):
        pass


def test_a_scheduler_without_workers(tmp_path: Path) -> None:
    made = Cluster(tmp_path, 0)
    try:
        wait_for_workers(made.address, 0)
        with pytest.raises(CardgenError, match="has no workers; `dask worker"), open_cluster(made.address, 1):
            pass
    finally:
        made.end()


def test_workers_of_another_version(running: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "__version__", "99.0")
    with pytest.raises(CardgenError, match="install the same everywhere"), open_cluster(running.address, 1):
        pass


def test_dask_is_not_installed(tmp_path: Path) -> None:
    code = "import sys; sys.modules['distributed'] = None; from cardgen.cli import entry; entry()"
    command = [sys.executable, "-c", code, "build", "--project", str(write_project(tmp_path)), "--cluster", "local"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "pip install 'cardgen[cluster]'" in done.stderr


def test_dask_is_not_loaded_without_a_cluster(tmp_path: Path) -> None:
    code = (
        "import sys, click.testing; from cardgen.cli import cli\n"
        f"done = click.testing.CliRunner().invoke(cli, ['build', '--project', {str(write_project(tmp_path))!r}, "
        "'--jobs', '1'])\n"
        "assert done.exit_code == 0, done.output\n"
        "assert 'distributed' not in sys.modules and 'dask' not in sys.modules and 'tornado' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_empty_parcel_has_nothing() -> None:
    assert Parcel(()).names("layouts", ".css") == [] and Parcel(()).find("layouts/a.css") is None
