"""Declarations to docs/derivations.md: the order of a merge, and what each derivation reads, makes and changes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from lineage_core.declare.vocabulary import Table
from lineage_core.model.derivations import DERIVE, Derivation
from lineage_core.model.merge_order import MERGE, MergeStep, merge_order

OPENING = """# Derivations

The steps of a merge, in their order, and what each derivation reads, makes and changes. The order is sorted from that
([decision 31](decisions/0031-the-order-of-a-merge-follows-from-declarations.md)): a temporary table is made before it
is used; what changes a table comes before what uses it, unless the declaration says `before`.
"""


def document(tables: Iterable[Table], derivations: Iterable[Derivation]) -> str:
    """Every step in its order, and a section for each derivation."""
    known = tuple(derivations)
    by_path = {f"{DERIVE}/{derivation.name}": derivation for derivation in known}
    order = merge_order(tables, known)
    sections = [_section(by_path[step.path]) for step in order if step.is_derived]
    return "\n".join([OPENING, *_steps(order, by_path), "", *sections])


def _steps(order: Iterable[MergeStep], derivations: Mapping[str, Derivation]) -> Iterator[str]:
    yield "| step | what | when it is computed again |"
    yield "|---|---|---|"
    for step in order:
        derivation = derivations.get(step.path)
        if derivation is None:
            yield f"| {step.path} | What events say of `{step.path.removeprefix(f'{MERGE}/')}`. | |"
        else:
            yield f"| [{step.path}](#{derivation.name}) | {derivation.doc} | {derivation.again} |"


def _section(derivation: Derivation) -> str:
    return "\n".join([f"## {derivation.name}", "", derivation.doc, "", *_uses(derivation), ""])


def _uses(derivation: Derivation) -> Iterator[str]:
    named = {
        "reads": derivation.reads,
        "writes": derivation.writes,
        "removes from": derivation.removes,
        "comes before": derivation.before,
    }
    for what, names in named.items():
        if names:
            yield _wrapped(f"- {what} {', '.join(f'`{name}`' for name in names)}")
    yield from (_wrapped(f"- makes `{made.name}`: {made.doc}") for made in derivation.makes)


def _wrapped(item: str) -> str:
    """An item of a list, in lines of 120 characters."""
    return textwrap.fill(item, 120, subsequent_indent="  ", break_on_hyphens=False)
