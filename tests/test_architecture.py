"""Imports run down one list: content, engine, environment, agents, then what people run."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GROUND = ("solwaris_env.errors", "solwaris_env.files", "solwaris_env.statistics")
LAYERS = (
    ("solwaris_env.duel.content.schema",),  # the vocabulary both of the next two speak
    ("solwaris_env.duel.content",),
    ("solwaris_env.duel.engine",),
    ("solwaris_env.duel", "solwaris_env.render"),
    ("solwaris_env.agents",),
    ("solwaris_env", "training"),
)
RULES_MAY_USE = {"numpy", "numba", "solwaris_env"}
FILES = sorted([*(ROOT / "solwaris_env").rglob("*.py"), *(ROOT / "training").rglob("*.py")])


def module_of(path: Path) -> str:
    """The dotted name of a file; a package's `__init__` bears the package's name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(module: str) -> int:
    """The place of a module in the list, the most specific entry counting; -1 for the ground."""
    if module in GROUND:
        return -1
    found = [
        (len(entry), place)
        for place, entries in enumerate(LAYERS)
        for entry in entries
        if module == entry or module.startswith(f"{entry}.")
    ]
    return max(found)[1]


def imports(path: Path, *, lazy: bool = True) -> Iterator[str]:
    """The modules that a file imports; `lazy` counts those inside functions too."""
    package = path.relative_to(ROOT).parent.parts
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree) if lazy else tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(filter(None, (base, node.module)))
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                path_of = ROOT / Path(*inner.split("."))
                is_module = path_of.is_dir() or path_of.with_suffix(".py").exists()
                yield inner if is_module else base


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_imports_run_down_the_list(path: Path) -> None:
    module = module_of(path)
    own = layer_of(module)
    # The single-seat environment names its opponent as the command line does, when asked to.
    lazy = not module.startswith("solwaris_env.duel")
    for imported in imports(path, lazy=lazy):
        if imported.split(".")[0] in ("solwaris_env", "training"):
            assert layer_of(imported) <= own, f"{module} imports {imported}"


@pytest.mark.parametrize(
    "path", [p for p in FILES if 0 <= layer_of(module_of(p)) <= 2], ids=module_of
)
def test_the_rules_know_no_environment(path: Path) -> None:
    for imported in imports(path):
        package = imported.split(".")[0]
        assert package in RULES_MAY_USE or package in sys.stdlib_module_names, imported


def test_the_environment_does_not_know_training() -> None:
    for path in FILES:
        module = module_of(path)
        if module.startswith("solwaris_env") and module != "solwaris_env.cli":
            assert not any(name.split(".")[0] == "training" for name in imports(path)), module
