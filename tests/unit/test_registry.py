"""Declarations are found by looking into every package, and a file of its own is named for what it declares."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from lineage_core.declare.registry import declared, in_order, values_in
from lineage_core.declare.vocabulary import DeclarationError


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[tuple[str, str]]:
    """What is found in a project whose files declare something each, as the test's parameter says, with its file."""
    return _found(tmp_path, monkeypatch, f"by_{abs(hash(request.node.name))}", request.param)


def _found(
    folder: Path, monkeypatch: pytest.MonkeyPatch, project: str, files: Mapping[str, tuple[str, ...]]
) -> list[tuple[str, str]]:
    for file, names in files.items():
        path = folder / project / file
        path.parent.mkdir(parents=True, exist_ok=True)
        values = [f"_{number} = SimpleNamespace(name={name!r})\n" for number, name in enumerate(names)]
        path.write_text("".join(["from types import SimpleNamespace\n", *values]))
    monkeypatch.syspath_prepend(folder)
    return [(one.value.name, one.file) for one in declared("tables", SimpleNamespace, project, folder / project)]


@pytest.mark.parametrize(
    "found",
    [
        {
            "stars/tables/suns.py": ("suns",),
            "stars/tables/dwarfs.py": ("dwarfs",),
            "planets/tables.py": ("planets", "moons"),
            "comets/views.py": ("comets",),
        }
    ],
    indirect=True,
)
def test_every_table_of_every_package_is_found(found: list[tuple[str, str]]) -> None:
    assert found == [
        ("planets", "planets/tables.py"),
        ("moons", "planets/tables.py"),
        ("dwarfs", "stars/tables/dwarfs.py"),
        ("suns", "stars/tables/suns.py"),
    ]


@pytest.mark.parametrize(
    ("names", "complaint"), [(("moons",), "moons"), ((), "nothing"), (("stars", "moons"), "stars, moons")]
)
def test_a_file_that_is_not_named_for_what_it_declares_is_refused(
    names: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DeclarationError, match=rf"stars/tables/stars\.py declares {complaint}; it is named"):
        _found(tmp_path, monkeypatch, f"misnamed_{len(names)}_{complaint[0]}", {"stars/tables/stars.py": names})


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
