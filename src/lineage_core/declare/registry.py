"""Declarations that are found by looking into every package of the project, so that a new one is listed nowhere."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType
from typing import Generic, Protocol, TypeVar

from lineage_core.declare.vocabulary import DeclarationError

PROJECT = "lineage_core"
PACKAGES = Path(__file__).parents[1]


class HasName(Protocol):
    """What a file of its own may be named for."""

    @property
    def name(self) -> str: ...


Kind = TypeVar("Kind", bound=HasName)
Value = TypeVar("Value")


@dataclass(frozen=True)
class FileDeclaration(Generic[Kind]):
    """A declaration, and the file that has it, such as `retention/tables.py`."""

    value: Kind
    file: str

    @property
    def package(self) -> str:
        return self.file.partition("/")[0]


def declared(
    part: str, kind: type[Kind], project: str = PROJECT, packages: Path = PACKAGES
) -> list[FileDeclaration[Kind]]:
    """Each value of a kind in the part of this name of every package: a module, or a package of modules.

    Only packages that have such a part are imported. Raises DeclarationError if a file of a package of modules does not
    declare one value, of its own name.
    """
    found = []
    for path in sorted((*packages.glob(f"*/{part}.py"), *packages.glob(f"*/{part}/[a-z]*.py"))):
        file = path.relative_to(packages)
        module = importlib.import_module(".".join((project, *file.with_suffix("").parts)))
        values = values_in(module, kind)
        if file.stem != part:
            _refuse_other_names(file, [value.name for value in values])
        found += [FileDeclaration(value, file.as_posix()) for value in values]
    return found


def values_in(module: ModuleType, kind: type[Value]) -> tuple[Value, ...]:
    """What a module declares of a kind: each of its values that has this type."""
    return tuple(value for value in vars(module).values() if isinstance(value, kind))


def in_order(needs: Mapping[str, Iterable[str]], what_is_wrong: str) -> tuple[str, ...]:
    """The names, each behind those that it needs, and otherwise as they are given.

    Raises DeclarationError, which begins with `what_is_wrong`, if some need each other in a circle.
    """
    try:
        return tuple(TopologicalSorter({name: sorted(needed) for name, needed in needs.items()}).static_order())
    except CycleError as error:
        raise DeclarationError(f"{what_is_wrong}: {' -> '.join(error.args[1])}") from error


def _refuse_other_names(file: Path, names: Sequence[str]) -> None:
    if list(names) != [file.stem]:
        raise DeclarationError(f"{file} declares {', '.join(names) or 'nothing'}; it is named for what it declares")
