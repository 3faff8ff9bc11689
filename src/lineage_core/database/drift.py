"""How a database differs from the declarations.

The declarations are made into a scratch schema, and Postgres itself says what both hold. So nothing is compared as we
spell it, only as Postgres understood it. The scratch schema goes with the transaction.
"""

from __future__ import annotations

from collections.abc import Iterator

from psycopg import sql

from lineage_core.declare.database_names import CHANGES, STAGING_SCHEMAS
from lineage_core.declare.tables import all_tables
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.group_roles import prefix, prefixed_roles
from lineage_core.postgres.postgres_catalog import Fact, PostgresCatalog, read
from lineage_core.postgres.replaced_tables import put_views_in_place, replaced_tables
from lineage_core.postgres.trigrams import declare_those_of_the_store, trigram_schema
from lineage_core.postgres.typed_rows import every_value
from lineage_core.render.store import scripts

STORE = "public"
SCRATCH = "lineage_declared"
SCRATCH_STAGING = tuple(f"lineage_declared_{schema}" for schema in STAGING_SCHEMAS)
SCRATCH_CHANGES = f"lineage_declared_{CHANGES}"
COLUMN_ASPECTS = ("nullability of", "identity of", "default of", "expression of")
"""Kinds of facts whose name is a column's."""


def schema_differences(connection: Connection) -> list[str]:
    """A sentence for each difference. What the declarations do not name at all, such as other tables, is none."""
    with connection.transaction(force_rollback=True):
        replaced = replaced_tables(connection)
        missing_roles = _missing_roles(connection)
        _make_declared(connection)
        put_views_in_place(connection, replaced)
        trigrams = trigram_schema(connection)
        if trigrams is not None:
            declare_those_of_the_store(connection, trigrams)
        return [
            *(f"role {name} is missing" for name in missing_roles),
            *_compared(read(connection, SCRATCH, trigrams), read(connection, STORE, trigrams), ""),
            *(
                difference
                for declared, schema in zip(
                    (*SCRATCH_STAGING, SCRATCH_CHANGES), (*STAGING_SCHEMAS, CHANGES), strict=True
                )
                for difference in _compared(read(connection, declared), read(connection, schema), f"{schema}.")
            ),
        ]


def _missing_roles(connection: Connection) -> list[str]:
    """Roles belong to the cluster: a database that was restored elsewhere comes without them."""
    return every_value(connection, str, "postgres/missing_roles", {"roles": prefixed_roles(prefix(connection))})


def _make_declared(connection: Connection) -> None:
    connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(SCRATCH)))
    connection.execute(sql.SQL("SET LOCAL search_path = {}").format(sql.Identifier(SCRATCH)))
    for script in scripts(all_tables(), SCRATCH_STAGING, SCRATCH_CHANGES):
        run_script(connection, script)


def _compared(declared: PostgresCatalog, actual: PostgresCatalog, prefix: str) -> Iterator[str]:
    implied = _implied(declared, actual)
    for fact, definition in sorted(declared.definitions.items()):
        found = actual.definitions.get(fact)
        if found is None and fact not in implied:
            yield f"{fact.kind} {prefix}{fact.name} is missing; declared is {definition}"
        elif found is not None and found != definition:
            yield f"{fact.kind} {prefix}{fact.name} is {found}; declared is {definition}"
    for fact in sorted(_undeclared(declared, actual) - implied):
        yield f"{fact.kind} {prefix}{fact.name} is not declared; it is {actual.definitions[fact]}"


def _implied(declared: PostgresCatalog, actual: PostgresCatalog) -> set[Fact]:
    """What goes without saying: the parts of a table that is missing, and the aspects of a column that only one has."""
    missing_tables = declared.names("table") - actual.names("table")
    parts = {fact for fact, table in declared.tables.items() if table in missing_tables and fact.kind != "table"}
    one_sided = declared.names("column") ^ actual.names("column")
    return parts | {Fact(aspect, name) for aspect in COLUMN_ASPECTS for name in one_sided}


def _undeclared(declared: PostgresCatalog, actual: PostgresCatalog) -> set[Fact]:
    """What a declared table has beyond its declaration. Only those: other tables are none of our business."""
    shared = declared.names("table") & actual.names("table")
    return {fact for fact, table in actual.tables.items() if fact not in declared.tables and table in shared}
