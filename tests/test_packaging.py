"""The locks, the wheel, and the wheel installed: what somebody gets who has no clone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock")
SHIPPED = ("cards", "layouts", "fonts", "cardgen.yaml")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def locked(name: str) -> dict[str, tuple[Requirement, int]]:
    """The requirements of a lock by name, each with the number of its hashes."""
    text = re.sub(r"^\s*#.*\n?", "", (ROOT / name).read_text("utf-8"), flags=re.M)
    found = {}
    for entry in text.replace("\\\n", " ").splitlines():
        requirement = Requirement(entry.split(" --hash")[0].strip())
        found[canonicalize_name(requirement.name)] = (
            requirement,
            len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry)),
        )
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_no_address(name: str) -> None:
    """A lock serves everybody's own index and cache; an address or a path in it would be one machine's."""
    text = (ROOT / name).read_text("utf-8")
    assert re.findall(r"^.*(?:://|file:|@ |\.\./|[ =]/\w).*$", text, re.M) == []
    assert [line for line in text.splitlines() if line.startswith("-")] == []


@pytest.mark.parametrize("name", LOCKS)
def test_everything_locked_is_exact_and_hashed(name: str) -> None:
    entries = locked(name)
    assert len(entries) > 20
    for requirement, hashes in entries.values():
        assert [specifier.operator for specifier in requirement.specifier] == ["=="], requirement
        assert hashes > 0, requirement


def test_the_dev_lock_holds_the_runtime_lock() -> None:
    """`run` builds with an environment made from either."""
    runtime, dev = locked("requirements.lock"), locked("requirements-dev.lock")
    # Versions only: what a newer Python has by itself may be wanted by the tests' packages on it all the same.
    assert {name: str(entry[0].specifier) for name, entry in runtime.items()}.items() <= {
        name: str(entry[0].specifier) for name, entry in dev.items()
    }.items()


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        (PYPROJECT["project"]["dependencies"], "requirements.lock"),
        (PYPROJECT["build-system"]["requires"], "requirements.lock"),
        (PYPROJECT["dependency-groups"]["build"], "requirements.lock"),
        (PYPROJECT["dependency-groups"]["dev"], "requirements-dev.lock"),
    ],
    ids=["dependencies", "build-system", "build", "dev"],
)
def test_the_locks_satisfy_pyproject(wanted: list[str], name: str) -> None:
    """Somebody who adds a dependency must run `./run lock`."""
    entries = locked(name)
    for text in wanted:
        requirement = Requirement(text)
        assert canonicalize_name(requirement.name) in entries, f"{text} is not in {name}: ./run lock"
        (exact,) = entries[canonicalize_name(requirement.name)][0].specifier
        assert exact.version in requirement.specifier, f"{name} has {exact} where {text} is wanted: ./run lock"


def test_the_locks_serve_other_systems() -> None:
    """A lock made for this machine alone would leave out what others need, and carry no markers."""
    markers = [requirement.marker for requirement, _ in locked("requirements.lock").values() if requirement.marker]
    assert all(isinstance(marker, Marker) for marker in markers)
    assert any("CPython" in str(marker) for marker in markers)


def test_every_dependency_is_explained() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text("utf-8").lower()
    wanted = PYPROJECT["project"]["dependencies"] + PYPROJECT["dependency-groups"]["dev"]
    wanted += PYPROJECT["dependency-groups"]["build"]
    assert [name for entry in wanted if f"| {(name := Requirement(entry).name.lower())} |" not in text] == []


# --- the wheel -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    (path,) = folder.glob("cardgen-*.whl")
    return path


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the wheel is installed in, as `pip install --target` does it."""
    folder = tmp_path_factory.mktemp("site")
    pip("install", "--no-deps", "--no-index", "--target", str(folder), str(wheel))
    return folder


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def run_installed(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The installed program, run in a folder that knows nothing of the clone."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("CARDGEN", "PYTEST", "COV"))
    }
    # The folder comes before the clone, which the tests' own environment has installed as editable.
    environment |= {"PYTHONPATH": str(installed), "PYTHONWARNINGS": "default"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def is_shipped(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")


@pytest.mark.slow
def test_the_wheel_holds_the_program_and_what_is_shipped(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    program = {str(path.relative_to(ROOT)) for path in (ROOT / "cardgen").rglob("*") if is_shipped(path)}
    assert program <= names
    assert "cardgen/py.typed" in names
    for tree in SHIPPED:
        files = [path for path in [ROOT / tree, *(ROOT / tree).rglob("*")] if is_shipped(path)]
        assert files, tree
        assert {f"cardgen/_shipped/{path.relative_to(ROOT)}" for path in files} <= names
    allowed = re.compile(r"cardgen/|cardgen-[^/]+\.dist-info/")
    assert [name for name in sorted(names) if not allowed.match(name) or "test" in name.split("/")] == []
    assert [name for name in names if name.endswith(".dist-info/licenses/LICENSE")]


@pytest.mark.slow
def test_every_shipped_font_has_its_licence_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    folders = {name.rpartition("/")[0] for name in names if name.lower().endswith((".ttf", ".otf"))}
    licensed = {name.rpartition("/")[0] for name in names if re.search(r"/(OFL|LICEN[CS]E)[^/]*$", name)}
    assert folders
    assert folders <= licensed


@pytest.mark.slow
def test_the_wheel_is_the_same_every_time(wheel: Path, tmp_path: Path) -> None:
    pip("wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT))
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


@pytest.mark.slow
def test_the_installed_program_checks_what_it_ships_from_any_folder(installed: Path, tmp_path: Path) -> None:
    where = run_installed(installed, tmp_path, "-c", "import cardgen; print(cardgen.__file__)")
    assert Path(where.stdout.strip()).is_relative_to(installed), where
    done = run_installed(installed, tmp_path, "-m", "cardgen", "check", "twd")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    # It reads what it ships, and leaves nothing behind.
    assert list(tmp_path.iterdir()) == []
    assert str(ROOT) + os.sep not in done.stdout + done.stderr


@pytest.mark.slow
def test_the_installed_program_builds_from_any_folder(installed: Path, tmp_path: Path) -> None:
    output, folder = tmp_path / "printed", tmp_path / "empty"
    folder.mkdir()
    done = run_installed(installed, folder, "-m", "cardgen", "build", "twd", "--lang", "en", "--output", str(output))
    assert done.returncode == 0, done.stdout + done.stderr
    products = sorted(output.rglob("*.pdf"))
    assert products
    assert all(path.read_bytes().startswith(b"%PDF-") for path in products)
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_the_command_is_installed(installed: Path, tmp_path: Path) -> None:
    version = PYPROJECT["tool"]["hatch"]["version"]["path"]
    expected = re.search(r'__version__ = "([^"]+)"', (ROOT / version).read_text("utf-8"))
    assert expected
    done = run_installed(installed, tmp_path, str(installed / "bin" / "cardgen"), "--version")
    assert done.returncode == 0, done.stdout + done.stderr
    assert expected[1] in done.stdout
