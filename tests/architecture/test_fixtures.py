"""A test asks for a fixture as what it is: pytest hands it over unseen by mypy, which believes both sides."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from lineage_core.settings import PROJECT

TESTS = PROJECT / "tests"
YIELDED = re.compile(r"(?:Iterator|Generator)\[(.*?)(?:, None, None)?\]")


def _functions(path: Path) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]


def _is_fixture(function: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator).startswith("pytest.fixture") for decorator in function.decorator_list)


def _made(function: ast.FunctionDef) -> str:
    """The type of what a fixture hands over."""
    declared = ast.unparse(function.returns) if function.returns else "nothing"
    yields = any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function))
    found = YIELDED.fullmatch(declared) if yields else None
    return found[1] if found else declared


def _fixtures(functions: list[ast.FunctionDef]) -> dict[str, str]:
    return {function.name: _made(function) for function in functions if _is_fixture(function)}


def _wrong(functions: list[ast.FunctionDef], known: dict[str, str]) -> Iterator[str]:
    """What asks for a fixture as something else than that is."""
    for function in functions:
        if not (_is_fixture(function) or function.name.startswith("test_")):
            continue
        for argument in function.args.args:
            asked = argument.annotation and ast.unparse(argument.annotation)
            if argument.arg in known and asked != known[argument.arg]:
                yield f"{function.name} asks for {argument.arg}: {asked}, which is {known[argument.arg]}"


def test_fixtures_are_asked_for_as_what_they_are() -> None:
    shared = {path.parent: _fixtures(_functions(path)) for path in TESTS.rglob("conftest.py")}
    assert shared[TESTS]["database"] == "Store"
    found = {}
    for path in sorted(TESTS.rglob("*.py")):
        functions = _functions(path)
        known = shared[TESTS] | shared.get(path.parent, {}) | _fixtures(functions)
        found[path.name] = list(_wrong(functions, known))
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_a_fixture_that_is_asked_for_as_something_else_is_found() -> None:
    code = """
@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    yield "an address"

@pytest.fixture
def events() -> Iterator[int]:
    return iter(())

def test_one(store: Store, events: Iterator[int], other: int) -> None: ...
"""
    functions = [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    assert list(_wrong(functions, _fixtures(functions))) == ["test_one asks for store: Store, which is str"]
