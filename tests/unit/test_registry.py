"""Declarations are found by looking, and each file is named for what it declares."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from lineage_core.model.registry import declarations, in_order, values_in
from lineage_core.model.vocabulary import DeclarationError


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A package whose files declare a table each, as the test's parameter says."""
    name = f"declared_by_{request.node.name.partition('[')[0]}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    for file, declared in request.param.items():
        (tmp_path / name / f"{file}.py").write_text(
            f"from types import SimpleNamespace\nTABLE = SimpleNamespace(name={declared!r})\n"
        )
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.mark.parametrize("package", [{"stars": "stars", "moons": "moons"}], indirect=True)
def test_every_file_of_a_package_is_found(package: str) -> None:
    assert [table.name for table in declarations(package, "TABLE")] == ["moons", "stars"]


@pytest.mark.parametrize("package", [{"stars": "moons"}], indirect=True)
def test_a_file_that_is_not_named_for_what_it_declares_is_refused(package: str) -> None:
    with pytest.raises(DeclarationError, match=r"stars\.py declares the table moons"):
        list(declarations(package, "TABLE"))


def test_every_value_of_a_kind_that_a_module_declares_is_found() -> None:
    module = ModuleType("planets")
    vars(module).update(EARTH=(1, 2), MARS=(3,), count=2)
    assert values_in(module, tuple) == ((1, 2), (3,))


def test_names_come_behind_what_they_need() -> None:
    assert in_order({"planets": ["stars"], "moons": ["planets"], "stars": []}, "in a circle") == (
        "stars",
        "planets",
        "moons",
    )


def test_names_that_need_each_other_are_refused() -> None:
    with pytest.raises(DeclarationError, match="in a circle: "):
        in_order({"planets": ["stars"], "stars": ["planets"]}, "in a circle")
