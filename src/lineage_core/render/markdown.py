"""Declarations to docs/tables.md: what every table, column and index is for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lineage_core.declare.vocabulary import Column, Group, Rule, Simple, Table

OPENING = """# Tables

Every table of the store, parents before the tables that refer to them. The last column of each list says who fills a
column: `key` names the row; `same`, `newest` and `earliest` are folded from events; `derived` is computed
from other tables; `ingested` is handed in when a document arrives, `received` is what the server adds then;
`platform` is written by the platform as it works; `operator` is written by people, `owner` by the owner of the store
alone; `default` is given by the database; `unfilled` exists because Marquez has it.
"""


def document(tables: Iterable[Table]) -> str:
    return "\n".join([OPENING, *(_section(declared) for declared in tables)])


def _section(declared: Table) -> str:
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
