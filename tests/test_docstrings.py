"""What is public says what it does, and the examples in docstrings run."""

import ast
import textwrap
from pathlib import Path

import pytest

from solwaris_env import duel_v0
from solwaris_env.duel import game

PACKAGE = Path(duel_v0.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))


def public(path: Path) -> list[tuple[str, ast.AST]]:
    """Public classes, functions and methods of a file, kernels left to their comments."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[tuple[str, ast.AST]] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found.append((node.name, node))
            found += [
                (f"{node.name}.{part.name}", part) for part in node.body
                if isinstance(part, ast.FunctionDef) and not part.name.startswith("_")
            ]  # fmt: skip
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            if not any(ast.unparse(d) == "kernel" for d in node.decorator_list):
                found.append((node.name, node))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_what_is_public_is_documented(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if tree.body:
        assert ast.get_docstring(tree), "the module"
    silent = [name for name, node in public(path) if not ast.get_docstring(node)]
    assert not silent


def test_the_example_of_a_duel_runs():
    example = game.__doc__.split("\n\n", 1)[1]
    names = {"Duel": game.Duel}
    exec(textwrap.dedent(example), names)
    assert names["duel"].outcome is not None


def test_the_face_hands_on_what_it_names():
    for name in duel_v0.__all__:
        assert getattr(duel_v0, name).__doc__, name
    assert duel_v0.env().unwrapped.__class__ is duel_v0.raw_env
