"""Declarations to the pages of docs/: what every table, column and index is for, every view and every derivation."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from lineage_core.declare.views import View
from lineage_core.declare.vocabulary import Column, Group, Rule, Simple, Table
from lineage_core.model.derivations import DERIVE, Derivation
from lineage_core.model.merge_order import MERGE, MergeStep, merge_order

TABLES = """# Tables

Every table of the store, parents before the tables that refer to them. The last column of each list says who fills a
column: `key` names the row; `same`, `newest` and `earliest` are folded from events; `derived` is computed
from other tables; `ingested` is handed in when a document arrives, `received` is what the server adds then;
`platform` is written by the platform as it works; `operator` is written by people, `owner` by the owner of the store
alone; `default` is given by the database; `unfilled` exists because Marquez has it.
"""


def tables_page(tables: Iterable[Table]) -> str:
    return "\n".join([TABLES, *(_table_section(declared) for declared in tables)])


def _table_section(declared: Table) -> str:
    return "\n".join([f"## {declared.name}", "", declared.doc, "", *_columns(declared), "", *_keys(declared)])


def _columns(declared: Table) -> Iterator[str]:
    yield "| column | type | null | what it says | filled by |"
    yield "|---|---|---|---|---|"
    for column in declared.stored:
        null = "yes" if column.nullable else "no"
        yield f"| `{column.name}` | {column.type.sql} | {null} | {_meaning(column)} | {_filled_by(column.rule)} |"


def _meaning(column: Column) -> str:
    if column.reference is None:
        return column.doc
    return f"{column.doc} → [{column.reference.table}](#{column.reference.table})"


def _filled_by(rule: Rule) -> str:
    name = rule.name if isinstance(rule, Simple) else type(rule).__name__.lower()
    return f"{name} (`{rule.order}`)" if isinstance(rule, Group) else name


def _keys(declared: Table) -> Iterator[str]:
    if declared.partition_by:
        yield f"- partitioned by {declared.partition_by}"
    for partition in declared.partitions:
        further = f", partitioned by {partition.partition_by}" if partition.partition_by else ""
        yield f"- partition `{partition.name}` of `{partition.of}`, {partition.bound}{further}"
    if declared.primary_key:
        yield f"- primary key ({', '.join(declared.primary_key)})"
    yield from (f"- unique ({', '.join(unique.columns)})" for unique in declared.unique)
    for index in declared.indexes:
        yield f"- {'unique ' if index.unique else ''}index `{index.name}` {index.on}: {index.doc}"
    yield ""


VIEWS = """# Views

Every view of the store, each behind the views that it reads.
"""


def views_page(views: Iterable[View]) -> str:
    return "\n".join([VIEWS, *(_view_section(view) for view in views)])


def _view_section(view: View) -> str:
    reads = ", ".join(f"`{name}`" for name in view.reads)
    return f"## {view.name}\n\n{view.doc}\n\n- for {view.readers}\n- reads {reads}\n"


DERIVATIONS = """# Derivations

The steps of a merge, in their order, and what each derivation reads, makes and changes. The order is sorted from that
([decision 31](decisions/0031-the-order-of-a-merge-follows-from-declarations.md)): a temporary table is made before it
is used; what changes a table comes before what uses it, unless the declaration says `before`.
"""


def derivations_page(tables: Iterable[Table], derivations: Iterable[Derivation]) -> str:
    """Every step in its order, and a section for each derivation."""
    known = tuple(derivations)
    by_path = {f"{DERIVE}/{derivation.name}": derivation for derivation in known}
    order = merge_order(tables, known)
    sections = [_derivation_section(by_path[step.path]) for step in order if step.is_derived]
    return "\n".join([DERIVATIONS, *_steps(order, by_path), "", *sections])


def _steps(order: Iterable[MergeStep], derivations: Mapping[str, Derivation]) -> Iterator[str]:
    yield "| step | what | when it is computed again |"
    yield "|---|---|---|"
    for step in order:
        derivation = derivations.get(step.path)
        if derivation is None:
            yield f"| {step.path} | What events say of `{step.path.removeprefix(f'{MERGE}/')}`. | |"
        else:
            yield f"| [{step.path}](#{derivation.name}) | {derivation.doc} | {derivation.again} |"


def _derivation_section(derivation: Derivation) -> str:
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
