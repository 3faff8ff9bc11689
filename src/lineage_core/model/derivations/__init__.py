"""Every derivation of the merge, one file each; found by looking, so a new derivation is a new file and its SQL."""

from __future__ import annotations

from functools import cache

from lineage_core.model.derivation import Derivation
from lineage_core.model.registry import declarations


@cache
def all_derivations() -> tuple[Derivation, ...]:
    """Every declared derivation, by name."""
    return tuple(declarations(__name__, "DERIVATION"))
