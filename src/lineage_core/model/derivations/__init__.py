"""Every derivation of the merge, one file each; found by looking, so a new derivation is a new file and its SQL."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache

from lineage_core.model.derivation import Derivation
from lineage_core.model.vocabulary import DeclarationError


@cache
def all_derivations() -> tuple[Derivation, ...]:
    """Every declared derivation, by name."""
    return tuple(_declared())


def _declared() -> Iterator[Derivation]:
    for module in pkgutil.iter_modules(__path__):
        declared = importlib.import_module(f"{__name__}.{module.name}").DERIVATION
        if declared.name != module.name:
            raise DeclarationError(
                f"{module.name}.py declares the derivation {declared.name}; a file is named for its derivation"
            )
        yield declared
