"""How a database differs from the declarations.

The declarations are made into a scratch schema, and Postgres itself says what both hold. So nothing is compared as we
spell it, only as Postgres understood it. The scratch schema goes with the transaction.
"""

from __future__ import annotations

from collections.abc import Iterator

from psycopg import sql

from lineage_core.render.ddl import STAGING
from lineage_core.render.store import statements
from lineage_core.store.catalog import Catalog, Fact, read
from lineage_core.store.connection import Connection, run_script
from lineage_core.tables import all_tables

STORE = "public"
SCRATCH = "lineage_declared"
SCRATCH_STAGING = "lineage_declared_staging"


def differences(connection: Connection) -> list[str]:
    """A sentence for each difference. What the declarations do not name at all, such as other tables, is none."""
    with connection.transaction(force_rollback=True):
        _make_declared(connection)
        return [
            *_compared(read(connection, SCRATCH), read(connection, STORE), ""),
            *_compared(read(connection, SCRATCH_STAGING), read(connection, STAGING), f"{STAGING}."),
        ]


def _make_declared(connection: Connection) -> None:
    connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(SCRATCH)))
    connection.execute(sql.SQL("SET LOCAL search_path = {}").format(sql.Identifier(SCRATCH)))
    for statement in statements(all_tables(), SCRATCH_STAGING):
        run_script(connection, statement)


def _compared(declared: Catalog, actual: Catalog, prefix: str) -> Iterator[str]:
    missing_tables = declared.names() - actual.names()
    for fact, definition in sorted(declared.definitions.items()):
        if fact.kind != "table" and declared.tables[fact] in missing_tables:
            continue
        found = actual.definitions.get(fact)
        if found is None:
            yield f"{fact.kind} {prefix}{fact.name} is missing; declared is {definition}"
        elif found != definition:
            yield f"{fact.kind} {prefix}{fact.name} is {found}; declared is {definition}"
    for fact in sorted(_undeclared(declared, actual)):
        yield f"{fact.kind} {prefix}{fact.name} is not declared; it is {actual.definitions[fact]}"


def _undeclared(declared: Catalog, actual: Catalog) -> Iterator[Fact]:
    """What a declared table has beyond its declaration. Only those: other tables are none of our business."""
    shared = declared.names() & actual.names()
    return (fact for fact in actual.definitions if fact not in declared.definitions and actual.tables[fact] in shared)
