"""RULES.md and the tests name the same rules."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
RULES = TESTS.parent / "solwaris_env" / "duel" / "RULES.md"

# What the league carries, and tests where it is built.
LEAGUE = {"Q3", "L1", "L2", "L3", "L4", "K1", "K2", "K3", "K4"}


def stated() -> list[str]:
    """Ids of the rules' rows, in order."""
    return re.findall(r"^\| ([A-Z][0-9]+) \|", RULES.read_text(encoding="utf-8"), re.MULTILINE)


def named() -> dict[str, list[str]]:
    """Ids named by `@pytest.mark.rule(...)`, each with the tests that name it."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    for argument in mark.args:
                        found.setdefault(ast.literal_eval(argument), []).append(node.name)
    return found


def test_every_rule_is_stated_once():
    ids = stated()
    assert len(ids) == len(set(ids))
    numbers: dict[str, list[int]] = {}
    for rule in ids:
        numbers.setdefault(rule[0], []).append(int(rule[1:]))
    assert set(numbers) == set("BPATMSIDFRXGVEQLKN")
    for letter, seen in numbers.items():
        assert sorted(seen) == list(range(1, len(seen) + 1)), letter


def test_every_rule_of_the_duel_has_a_test():
    missing = set(stated()) - LEAGUE - set(named())
    assert not missing, f"rules without a test: {sorted(missing)}"


def test_no_test_names_an_unknown_rule():
    unknown = {rule: names for rule, names in named().items() if rule not in stated()}
    assert not unknown


def test_the_leagues_rules_are_marked_as_such():
    text = RULES.read_text(encoding="utf-8")
    marked = set(re.findall(r"^\| ([A-Z][0-9]+) \|.*\| source, league \|$", text, re.MULTILINE))
    assert marked == LEAGUE


def test_every_rule_says_where_it_is_from():
    text = RULES.read_text(encoding="utf-8")
    origins = re.findall(r"^\| [A-Z][0-9]+ \|.*\| ([^|]+) \|$", text, re.MULTILINE)
    assert len(origins) == len(stated())
    assert set(origins) == {"source", "ruling", "source, ruling", "source, league"}
