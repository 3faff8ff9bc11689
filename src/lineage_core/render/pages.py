"""Declarations to the pages of docs/: what every table and column is for, every view and every derivation."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from lineage_core.declare.leaving import GoesWith, Leaves
from lineage_core.declare.views import View
from lineage_core.declare.vocabulary import INGESTED, OPERATOR, UNFILLED, Column, Table
from lineage_core.model.derivations import DERIVE, Derivation
from lineage_core.model.merge_order import MERGE, MergeStep, merge_order

TABLES = """# Tables

Every table of the store, parents before the tables that refer to them. A column has its type, and who writes it if
that is neither events nor the platform: `operator` is people, `ingested` is handed in with a document, `unfilled`
exists because Marquez has it. Retention deletes rows only where the section says so.

Not listed: columns of type `bytea` whose name ends in `_event`, such as `first_event`. Each has the
[order](glossary.md#event-order) of the event from which other columns of the row come. The declaration of a table says
from which, and what each index is for; `lineage sql --table NAME` prints all of it as SQL.

A table that has no changelog stream, and that people do not write, holds facts and bookkeeping of the platform. Its
columns are named here, and described in the declaration.

A column that names rows of another table says which. Where "kept by merges" stands, there is [no foreign
key](decisions/0076-merges-keep-the-references-of-their-tables.md).
"""

_WRITERS = {rule: rule.name for rule in (INGESTED, OPERATOR, UNFILLED)}
"""The rules that a reader of the page has to know."""


def tables_page(tables: Iterable[Table]) -> str:
    return "\n".join([TABLES, *(_table_section(declared) for declared in tables)])


def _table_section(declared: Table) -> str:
    parts = [f"## {declared.name}", declared.doc, _columns(declared), _paragraph(" ".join(_rest(declared)))]
    return "\n\n".join(filter(None, parts)) + "\n"


def _columns(declared: Table) -> str:
    if declared.stream is None and not any(column.rule in (INGESTED, OPERATOR) for column in declared.columns):
        return _paragraph(f"Columns: {', '.join(f'`{column.name}`' for column in declared.columns)}.")
    return "\n".join(map(_column, declared.columns))


def _column(column: Column) -> str:
    marks = [column.type.sql, *(writer for rule, writer in _WRITERS.items() if column.rule == rule)]
    return f"- `{column.name}` {', '.join(marks)}: {_meaning(column)}"


def _meaning(column: Column) -> str:
    if column.reference is None:
        return column.doc
    kept = "" if column.reference.is_enforced else ", kept by merges"
    return f"{column.doc.removesuffix('.')} ([{column.reference.table}](#{column.reference.table}){kept})."


def _rest(declared: Table) -> Iterator[str]:
    """The keys and partitions of a table, and how its rows leave."""
    if declared.primary_key:
        yield f"Key ({', '.join(declared.primary_key)})."
    yield from (f"Unique ({', '.join(unique.columns)})." for unique in declared.unique)
    if declared.partition_by:
        yield f"Partitioned by {declared.partition_by}."
    for partition in declared.partitions:
        further = f", partitioned by {partition.partition_by}" if partition.partition_by else ""
        yield f"`{partition.name}` of `{partition.of}` is {partition.bound}{further}."
    if any(leaves.is_deleted for leaves in declared.on_leaving(Leaves)):
        yield "Retention deletes rows."
    with_others = dict.fromkeys(goes.kind for goes in declared.on_leaving(GoesWith))
    if with_others:
        yield f"Rows leave with {', '.join(f'`{kind}`' for kind in with_others)}."


VIEWS = """# Views

Every view of the store, each behind the views that it reads. None can be written.
"""


def views_page(views: Iterable[View]) -> str:
    return "\n".join([VIEWS, *(_view_item(view) for view in views)])


def _view_item(view: View) -> str:
    return f"- **{view.name}**: {view.doc}"


DERIVATIONS = """# Derivations

The steps of a merge, in their order, which is sorted from what they declare
([decision 31](decisions/0031-the-order-of-a-merge-follows-from-declarations.md)). The header of a file in
`src/lineage_core/model/sql/derive/` says what it reads, makes and changes, and when it is computed again.
"""


def derivations_page(tables: Iterable[Table], derivations: Iterable[Derivation]) -> str:
    known = tuple(derivations)
    by_path = {f"{DERIVE}/{derivation.name}": derivation for derivation in known}
    return "\n".join([DERIVATIONS, *_steps(merge_order(tables, known), by_path)])


def _steps(order: Iterable[MergeStep], derivations: Mapping[str, Derivation]) -> Iterator[str]:
    """An item for each derivation, and one for all tables that are merged between two of them."""
    for is_derived, steps in groupby(order, lambda step: step.is_derived):
        if is_derived:
            yield from (_wrapped(_derivation_item(derivations[step.path])) for step in steps)
        else:
            names = ", ".join(f"`{step.path.removeprefix(f'{MERGE}/')}`" for step in steps)
            yield _wrapped(f"- What events state goes into {names}.")


def _derivation_item(derivation: Derivation) -> str:
    return f"- **{derivation.name}**: {derivation.doc}"


def _wrapped(item: str) -> str:
    """An item of a list, in lines of 120 characters."""
    return textwrap.fill(item, 120, subsequent_indent="  ", break_on_hyphens=False)


def _paragraph(text: str) -> str:
    return textwrap.fill(text, 120, break_on_hyphens=False, break_long_words=False)
