"""Declarations that are found by looking, so that a new one is listed nowhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from types import ModuleType
from typing import Any, TypeVar

from lineage_core.model.vocabulary import DeclarationError

Declared = TypeVar("Declared")


def declarations(package: str, constant: str) -> Iterator[Any]:
    """What each module of the package declares. Raises DeclarationError if a file is not named for it."""
    for found in pkgutil.iter_modules(importlib.import_module(package).__path__):
        declared = getattr(importlib.import_module(f"{package}.{found.name}"), constant)
        if declared.name != found.name:
            kind = constant.lower()
            raise DeclarationError(
                f"{found.name}.py declares the {kind} {declared.name}; a file is named for its {kind}"
            )
        yield declared


def values_in(module: ModuleType, kind: type[Declared]) -> tuple[Declared, ...]:
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
