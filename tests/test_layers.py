"""Modules import only from layers below their own, and never in hiding."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = "thrive_engine"
LAYERS = [
    "version",
    "errors",
    "games.base",
    "games.thrive.values",
    "games.thrive.board",
    "games.thrive.picture",
    "games.thrive.rules",
    "games.thrive.text",
    "games.thrive",
    "games",
    "notation",
    "game",
    "record",
    "search.bridge",
    "search",
    "lines",
    "thinking",
    "engine",
    "protocol",
    "client",
    "conformance",
    "arena",
    "gui",
    "cli",
    "__main__",
    "__init__",
]
"""Lowest first; a name stands for everything below it that is not named itself."""

THRIVE_BY_DEFAULT = {
    "games",
    "notation",
    "game",
    "record",
    "search.bridge",
    "engine",
    "conformance",
    "gui",
    "cli",
    "__init__",
}
"""The layers that may name Thrive, as the game where none is given."""

INSIDE_THRIVE = {"notation", "search.bridge"}
"""The layers that may look into Thrive's folder."""

HIDDEN = {
    ("search", "entry_points"),
    ("arena.cluster", "Client"),
    ("arena.cluster", "get_worker"),
}
"""Imports inside functions, as (module, what it imports): heavy and rarely used."""


def modules() -> dict[str, ast.Module]:
    """Every module of the package by its name in it."""
    found = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


MODULES = modules()


def imports(tree: ast.AST) -> Iterator[str]:
    """What is imported from the package, by name in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                yield from inside(f"{node.module}.{alias.name}", str(node.module))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from inside(alias.name, alias.name)


def inside(name: str, module: str) -> Iterator[str]:
    for each in (name, module):
        short = each.removeprefix(f"{PACKAGE}.")
        if short != each and short in MODULES:
            yield short
            return


def layer(module: str) -> str:
    """The longest name in LAYERS that the module is, or is below."""
    found = [name for name in LAYERS if f"{module}.".startswith(f"{name}.")]
    assert found, f"{module} has no place in LAYERS"
    return max(found, key=len)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_its_own_layer_and_those_below(module: str) -> None:
    place = LAYERS.index(layer(module))
    above = [name for name in imports(MODULES[module]) if LAYERS.index(layer(name)) > place]
    assert above == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {name: set(imports(tree)) - {name} for name, tree in MODULES.items()}
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("module", [name for name in MODULES if not name.startswith("games.")])
def test_thrive_is_known_only_as_the_default_game(module: str) -> None:
    known = {name for name in imports(MODULES[module]) if f"{name}.".startswith("games.thrive.")}
    if layer(module) not in THRIVE_BY_DEFAULT:
        assert known == set()
    if layer(module) not in INSIDE_THRIVE:
        assert known <= {"games.thrive"}


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_imported_inside_a_function(module: str) -> None:
    hidden = {
        (module, alias.name)
        for function in ast.walk(MODULES[module])
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert hidden <= HIDDEN
