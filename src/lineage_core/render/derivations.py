"""Declarations to docs/derivations.md: the order of a merge, and what each derivation computes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from lineage_core.declare.vocabulary import Table
from lineage_core.model.derivations import DERIVE, Derivation
from lineage_core.model.merge_order import MERGE, MergeStep, merge_order

OPENING = """# Derivations

The steps of a merge, in their order, which is sorted from what they declare
([decision 31](decisions/0031-the-order-of-a-merge-follows-from-declarations.md)). The header of a file in
`src/lineage_core/model/sql/derive/` says what it reads, makes and changes, and when it is computed again.
"""


def document(tables: Iterable[Table], derivations: Iterable[Derivation]) -> str:
    known = tuple(derivations)
    by_path = {f"{DERIVE}/{derivation.name}": derivation for derivation in known}
    return "\n".join([OPENING, *_steps(merge_order(tables, known), by_path)])


def _steps(order: Iterable[MergeStep], derivations: Mapping[str, Derivation]) -> Iterator[str]:
    """An item for each derivation, and one for all tables that are merged between two of them."""
    for is_derived, steps in groupby(order, lambda step: step.is_derived):
        if is_derived:
            yield from (_wrapped(_item(derivations[step.path])) for step in steps)
        else:
            names = ", ".join(f"`{step.path.removeprefix(f'{MERGE}/')}`" for step in steps)
            yield _wrapped(f"- What events state goes into {names}.")


def _item(derivation: Derivation) -> str:
    return f"- **{derivation.name}**: {derivation.doc}"


def _wrapped(item: str) -> str:
    """An item of a list, in lines of 120 characters."""
    return textwrap.fill(item, 120, subsequent_indent="  ", break_on_hyphens=False)
