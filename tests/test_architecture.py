"""The shape of the program, read from its source: who imports whom, no game in it, no file too long.

The order is docs/architecture.md's. What is not in the table below has no place yet; give it one there, not an
exception here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "cardgen"
SOURCES = sorted(PROGRAM.rglob("*.py"))

# From the ground up. The parts of one row may use each other where "peers" is said, else only the rows below.
ORDER: list[tuple[bool, set[str]]] = [
    (
        True,
        {
            "errors",
            "codes",
            "codes_of_translations",
            "units",
            "geometry",
            "diagnostics",
            "files",
            "scratch",
            "workers",
            "cluster",
        },
    ),
    (True, {"model"}),
    (True, {"text"}),
    (False, {"load", "rules", "components", "faces", "sheets", "pdf", "i18n", "odds"}),
    (True, {"pipeline"}),
    (True, {"exports"}),
    (False, {"studio"}),
    (False, {"cli"}),
]
RANK = {part: rank for rank, (_, parts) in enumerate(ORDER) for part in parts}
PEERS = {part for peers, parts in ORDER if peers for part in parts}
TERMINAL = {"click", "rich"}
LONGEST = 400


def part_of(module: str) -> str:
    """The part of the program that a dotted module name belongs to: `cardgen.load.yaml` is in `load`."""
    return module.split(".")[1] if "." in module else ""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Every module that the source imports, wherever in it, with the line; `from . import x` resolved."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")
                above = above[: len(above) - node.level + is_package]
                base = ".".join([*above, *([base] if base else [])])
            # `from cardgen import units` names the module in the list, `from cardgen.units import Length` before it.
            if base == "cardgen":
                yield from ((node.lineno, f"cardgen.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, base


def wrong_imports(source: str, module: str, is_package: bool = False) -> list[str]:
    part, wrong = part_of(module), []
    for line, name in imports(ast.parse(source), module, is_package):
        other = part_of(name)
        if name.split(".")[0] in TERMINAL and part not in {"cli", "__main__"}:
            wrong.append(f"{module}:{line}: only cli knows {name}")
        # The package itself states what is public, and its __main__ is the command line's: they may name anything.
        if not name.startswith("cardgen.") or part in {"", "__main__"} or other in {part, "__version__"}:
            continue
        if other not in RANK:
            wrong.append(f"{module}:{line}: {name} has no place in the order")
        elif RANK[other] > RANK[part]:
            wrong.append(f"{module}:{line}: {part} is below {other} and must not import it")
        elif RANK[other] == RANK[part] and part not in PEERS:
            wrong.append(f"{module}:{line}: {part} and {other} are on one level and must not import each other")
    return wrong


def test_there_is_a_program_to_read() -> None:
    assert len(SOURCES) > 5


def test_every_part_has_its_place() -> None:
    parts = {part_of(module_name(path)) for path in SOURCES} - {"", "__main__"}
    assert sorted(parts - RANK.keys()) == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path: Path) -> None:
    module = module_name(path)
    if part_of(module) in {*RANK, "", "__main__"}:
        assert wrong_imports(path.read_text("utf-8"), module, path.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source", "words"),
    [
        ("cardgen.model.card", "from cardgen.load import x", "model is below load"),
        ("cardgen.load.cards", "def f():\n    from ..rules import x", "load and rules are on one level"),
        ("cardgen.load.cards", "import cardgen.cli", "load is below cli"),
        ("cardgen.pipeline.build", "import rich.progress", "only cli knows rich.progress"),
        ("cardgen.studio.app", "from cardgen.cli import main", "studio is below cli"),
        ("cardgen.units", "from cardgen import model", "units is below model"),
        ("cardgen.load.cards", "from cardgen import things", "cardgen.things has no place"),
    ],
)
def test_a_wrong_import_is_seen(module: str, source: str, words: str) -> None:
    (wrong,) = wrong_imports(source, module)
    assert words in wrong


@pytest.mark.parametrize(
    ("module", "source", "is_package"),
    [
        ("cardgen.load.cards", "from cardgen.units import Length\nfrom .game import g\nimport yaml", False),
        ("cardgen.load", "from .cards import x\nfrom ..units import Length", True),
        ("cardgen.cli.main", "import click\nfrom cardgen import __version__", False),
        ("cardgen", "from cardgen.pipeline import build", True),
        ("cardgen.geometry", "from cardgen.units import Length", False),
    ],
)
def test_a_right_import_passes(module: str, source: str, is_package: bool) -> None:
    assert wrong_imports(source, module, is_package) == []


def words_of(text: str) -> list[str]:
    """Lower-case words, with `camelCase` and `snake_case` taken apart."""
    return re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())


def game_names() -> dict[str, re.Pattern[str]]:
    """What names a shipped game: its id, its title, and the names that its subtitle says in capitals.

    A title counts as a whole: the single words of "Road Closed" are everybody's. An id counts wherever it is a word.
    """
    names: set[str] = set()
    for path in sorted(ROOT.glob("cards/*/game.yaml")):
        names.add(path.parent.name)
        game = yaml.safe_load(path.read_text("utf-8"))
        names.add(str(game["title"]))
        names.update(re.findall(r"[A-Z]\w+(?: [A-Z]\w+)+", str(game.get("subtitle", ""))))
    return {name: re.compile(rf"\b{' '.join(words_of(name))}\b") for name in names}


def test_the_games_are_found() -> None:
    ids = {path.parent.name for path in ROOT.glob("cards/*/game.yaml")}
    assert ids
    assert ids <= game_names().keys()


def test_no_game_is_named_in_the_program() -> None:
    names = game_names()
    found = [
        f"{path.relative_to(ROOT)}:{number}: {name}"
        for path in sorted(PROGRAM.rglob("*"))
        if path.is_file() and path.suffix in {".py", ".j2", ".css", ".html", ".js", ".yaml", ".json", ".pot", ".po"}
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for name, pattern in sorted(names.items())
        if pattern.search(" ".join(words_of(line)))
    ]
    assert found == []


# What opens, makes or removes a file; `read_bytes` is missing because a PDF's streams have it too.
DOOR = {"read_text", "write_text", "write_bytes", "mkdir", "unlink", "rmdir", "touch"}


def test_files_is_the_only_door_to_the_disk() -> None:
    """Confinement, size limits and atomic writing hold only where nothing goes past them."""
    past = []
    for path in SOURCES:
        if path.name in {"files.py", "scratch.py"}:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func
                opens = isinstance(called, ast.Name) and called.id == "open"
                if opens or (isinstance(called, ast.Attribute) and called.attr in DOOR):
                    past.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(called)}")
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names = (
                    [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
                )
                past += [
                    f"{path.relative_to(ROOT)}:{node.lineno}: {name}"
                    for name in names
                    if name in {"shutil", "tempfile"}
                ]
    assert past == []


def test_no_file_is_too_long() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in SOURCES
        if (lines := path.read_text("utf-8").count("\n")) > LONGEST
    }
    assert long == {}


def test_modules_of_tests_have_names_of_their_own() -> None:
    """pytest imports them by their bare names, and cannot import two of one name in one run."""
    seen: dict[str, Path] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if (path.parent / "__init__.py").exists():
            continue
        assert path.name not in seen, f"{path} and {seen[path.name]}"
        seen[path.name] = path
