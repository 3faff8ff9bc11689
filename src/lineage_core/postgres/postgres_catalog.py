"""What Postgres' catalog says of a schema, in a form that can be compared with what it says of another."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import sql

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row


@dataclass(frozen=True, order=True)
class Fact:
    """One aspect of an object: the type of a column, its nullability, the definition of an index."""

    kind: str
    name: str


@dataclass(frozen=True)
class PostgresCatalog:
    """All facts of a schema, and the table that each belongs to; None for facts that belong to no table."""

    definitions: dict[Fact, str]
    tables: dict[Fact, str | None]

    def names(self, kind: str) -> set[str]:
        return {fact.name for fact in self.definitions if fact.kind == kind}


@dataclass(frozen=True)
class _Row:
    """One fact, and the table that it belongs to, if it belongs to one."""

    kind: str
    name: str
    relation: str | None
    definition: str


def read(connection: Connection, schema: str, beside: str | None = None) -> PostgresCatalog:
    """The catalog of a schema; empty if there is no such schema. beside: another, whose objects are known without its
    name, whichever schema is read."""
    path = sql.SQL(", ").join(map(sql.Identifier, [schema] if beside is None else [schema, beside]))
    connection.execute(sql.SQL("SET LOCAL search_path = {}").format(path))
    rows = every_row(connection, _Row, "postgres/catalog", {"schema": schema})
    return PostgresCatalog(
        definitions={Fact(row.kind, row.name): row.definition for row in rows},
        tables={Fact(row.kind, row.name): row.relation for row in rows},
    )
