"""What Postgres' catalog says of a schema, in a form that can be compared with what it says of another."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import sql

from lineage_core import statements
from lineage_core.postgres.connection import Connection


@dataclass(frozen=True, order=True)
class Fact:
    """One aspect of an object: the type of a column, its nullability, the definition of an index."""

    kind: str
    name: str


@dataclass(frozen=True)
class Catalog:
    """All facts of a schema, and the table that each belongs to; None for facts that belong to no table."""

    definitions: dict[Fact, str]
    tables: dict[Fact, str | None]

    def names(self, kind: str) -> set[str]:
        return {fact.name for fact in self.definitions if fact.kind == kind}


def read(connection: Connection, schema: str) -> Catalog:
    """The catalog of a schema; empty if there is no such schema."""
    connection.execute(sql.SQL("SET LOCAL search_path = {}").format(sql.Identifier(schema)))
    rows = connection.execute(statements.named("queries/catalog"), {"schema": schema}).fetchall()
    return Catalog(
        definitions={Fact(kind, name): definition for kind, name, _, definition in rows},
        tables={Fact(kind, name): table for kind, name, table, _ in rows},
    )
