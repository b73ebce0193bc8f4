"""The door to the disk: what may be read, how much of it, and writing that never leaves half a file."""

from __future__ import annotations

import multiprocessing
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardgen.errors import FileProblem
from cardgen.files import Shelf, find_project, open_shelf, read_bounded, shipped_root, write_atomic


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Two roots, the project's and the shipped one, and something outside of both."""
    for name, text in {
        "project/a.txt": "mine",
        "project/folder/b.txt": "b",
        "shipped/a.txt": "shipped",
        "shipped/folder/c.txt": "c",
        "outside/secret.txt": "secret",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Shelf((tmp_path / "project", tmp_path / "shipped"))


def test_a_file_of_the_project_hides_the_shipped_one(shelf: Shelf) -> None:
    assert shelf.read("a.txt", 100) == b"mine"
    assert shelf.read("folder/c.txt", 100) == b"c"
    assert shelf.names("folder", ".txt") == ["folder/b.txt", "folder/c.txt"]


@pytest.mark.parametrize(
    "name",
    [
        "../outside/secret.txt", "folder/../../outside/secret.txt", "..", "folder/..", "/etc/passwd", "//etc/passwd",
        "folder//etc/passwd", "C:/x", "c:x", "folder\\b.txt", "..\\a.txt", "", "a\0.txt", "a\n.txt", "a\x7f.txt",
        "a\x1b[31m", "x" * 5000,
    ],
)  # fmt: skip
def test_names_that_lead_nowhere_good(shelf: Shelf, name: str) -> None:
    with pytest.raises(FileProblem) as problem:
        shelf.read(name, 100)
    assert str(problem.value).isprintable()


@given(name=st.text(st.characters(codec="utf-8"), max_size=40) | st.text("./\\ab\0:", max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_name_reads_what_is_outside(shelf: Shelf, name: str) -> None:
    try:
        path = shelf.find(name)
    except FileProblem:
        return
    if path is not None:
        assert any(path.resolve().is_relative_to(root) for root in shelf.roots)


def test_links_inside_are_followed_and_links_outside_are_not(shelf: Shelf) -> None:
    root = shelf.roots[0]
    (root / "inside").symlink_to("folder/b.txt")
    (root / "outside").symlink_to(root.parent / "outside")
    (root / "file").symlink_to(root.parent / "outside/secret.txt")
    (root / "loop").symlink_to("loop")
    assert shelf.read("inside", 100) == b"b"
    for name in ("file", "outside/secret.txt", "outside"):
        with pytest.raises(FileProblem, match="leads out of the project"):
            shelf.read(name, 100)
    with pytest.raises(FileProblem, match=r"leads nowhere|cannot be looked up"):
        shelf.read("loop", 100)
    assert shelf.names("outside", ".txt") == []


def test_what_is_no_file_is_not_read(shelf: Shelf) -> None:
    os.mkfifo(shelf.roots[0] / "pipe")
    with pytest.raises(FileProblem, match="`folder` is a folder where a file should be"):
        shelf.read("folder", 100)
    with pytest.raises(FileProblem, match="`pipe` is not a regular file"):
        shelf.read("pipe", 100)
    with pytest.raises(FileProblem, match="there is no file `nothing`"):
        shelf.read("nothing", 100)


def test_a_file_beyond_its_bound_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 3_000_001)
    assert len(read_bounded(path, "large", 3_000_001)) == 3_000_001
    with pytest.raises(FileProblem, match="`large` is larger than 3 MB"):
        read_bounded(path, "large", 3_000_000)
    with pytest.raises(FileProblem, match="`large` is larger than 300 kB"):
        read_bounded(path, "large", 300_000)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch(mode=0)
    with pytest.raises(FileProblem, match="cannot be read: Permission denied"):
        read_bounded(path, "secret", 10)


def test_a_folder_with_the_name_of_a_file_is_listed_so_that_it_is_told(shelf: Shelf) -> None:
    (shelf.roots[0] / "folder/d.txt").mkdir()
    (shelf.roots[0] / "folder/.hidden.txt").touch()
    assert shelf.names("folder", ".txt") == ["folder/b.txt", "folder/c.txt", "folder/d.txt"]


def test_the_project_is_found_from_below(tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").touch()
    (tmp_path / "a/b").mkdir(parents=True)
    assert find_project(tmp_path / "a/b") == tmp_path
    assert open_shelf(tmp_path).roots == (tmp_path, shipped_root())
    assert open_shelf(shipped_root()).roots == (shipped_root(),)


def test_a_file_is_written_whole_with_the_usual_rights(tmp_path: Path) -> None:
    path = tmp_path / "new/folder/out.pdf"
    write_atomic(path, b"one")
    write_atomic(path, b"two")
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == ["out.pdf"]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


def left_alone(path: Path) -> bool:
    """The old file is whole and nothing stands beside it."""
    return path.read_bytes() == b"old" and [entry.name for entry in path.parent.iterdir()] == [path.name]


FULL_DISK = """\
import resource, sys
from pathlib import Path
from cardgen.errors import FileProblem
from cardgen.files import write_atomic
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomic(Path(sys.argv[1]), b"x" * 5000)
except FileProblem as problem:
    sys.exit(f"refused: {problem}")
"""


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.pdf"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, check=False)
    assert f"refused: `{path}` cannot be written" in done.stderr
    assert left_alone(path)


def test_an_interruption_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.pdf"
    path.write_bytes(b"old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, b"new")
    assert left_alone(path)


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "out.pdf").mkdir()
    for path in (tmp_path / "file/out.pdf", tmp_path / "out.pdf"):
        with pytest.raises(FileProblem, match=r"cannot be written|a folder is needed"):
            write_atomic(path, b"new")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "out.pdf"]


def _write(path: Path, byte: bytes) -> None:
    for _ in range(50):
        write_atomic(path, byte * 20_000)


def test_writers_at_the_same_time_never_mix(tmp_path: Path) -> None:
    path = tmp_path / "out.pdf"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(path, byte)) for byte in (b"a", b"b")]
    for writer in writers:
        writer.start()
    seen = set()
    while any(writer.is_alive() for writer in writers):
        if path.exists():
            data = path.read_bytes()
            seen.add((data[:1], len(data), data.count(data[:1])))
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert seen <= {(b"a", 20_000, 20_000), (b"b", 20_000, 20_000)}
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.pdf"]


@pytest.mark.faults
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_a_read_only_folder(tmp_path: Path) -> None:
    folder = tmp_path / "mount"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", folder], check=False).returncode:
        pytest.skip("this system does not let us mount")
    try:
        path = folder / "out.pdf"
        path.write_bytes(b"old")
        with pytest.raises(FileProblem, match="No space left"):
            write_atomic(path, b"x" * 200_000)
        assert left_alone(path)
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        with pytest.raises(FileProblem, match="Read-only file system"):
            write_atomic(path, b"new")
        assert left_alone(path)
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_limit_of_this_process_is_none() -> None:
    # Guards the tests above: a limit that leaked into this process would make them pass for the wrong reason.
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
