"""Every mutant still has what it changes. Most run only by `make test-long`, where none would see one that has not."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lineage_core import statements
from lineage_core.settings import PROJECT

FOLDERS = ("tests/laws", "tests/golden")
WORDS = ("name", "old", "new")


def _modules() -> Iterator[ModuleType]:
    for folder in FOLDERS:
        for file in sorted((PROJECT / folder).glob("test_*.py")):
            yield importlib.import_module(".".join(file.relative_to(PROJECT).with_suffix("").parts))


def _mutants(value: Any) -> Iterator[Any]:
    """Those of a value of a module, at any depth of its tuples."""
    if isinstance(value, tuple | list):
        for one in value:
            yield from _mutants(one)
    elif not isinstance(value, type) and all(isinstance(getattr(value, word, None), str) for word in WORDS):
        yield value


def _text(module: ModuleType, mutant: Any) -> str:
    """Of the statement or the file that it changes, as its module names it."""
    if hasattr(mutant, "script"):
        return statements.named(f"long_migrations/{module.NAME}/{mutant.script}")
    place: str = mutant.path if hasattr(mutant, "path") else module.CAPTURE
    if not Path(place).suffix:
        return statements.named(place)
    root = PROJECT if place.startswith("src/") else PROJECT / "src" / "lineage_core"
    return (root / place).read_text()


ALL = {
    f"{module.__name__.rpartition('.')[2]}: {mutant.name}": (module, mutant)
    for module in _modules()
    for value in vars(module).values()
    for mutant in _mutants(value)
}


def test_mutants_of_each_kind_are_found() -> None:
    assert {type(mutant).__module__.rpartition(".")[2] for _, mutant in ALL.values()} == {
        "mutants",
        "package_mutants",
        "test_kill_mutants",
        "test_migration_mutants",
        "test_stream_mutants",
    }


@pytest.mark.parametrize("name", ALL)
def test_a_mutant_changes_what_is_there(name: str) -> None:
    module, mutant = ALL[name]
    assert mutant.old in _text(module, mutant)
    assert mutant.old != mutant.new
