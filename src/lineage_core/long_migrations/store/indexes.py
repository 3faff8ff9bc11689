"""Indexes that make the updates of a long migration expensive: set aside while it runs, and built again at its end.

Where no index has the column that is updated, Postgres keeps the new version of a row on the page of the old one, and
writes to no index at all. Only the owner of the table may drop and build: for others they stay, and it takes longer.
"""

from __future__ import annotations

import psycopg
from psycopg import sql

from lineage_core.declare.tables import table_named
from lineage_core.declare.vocabulary import Index
from lineage_core.errors import NeedsOperator
from lineage_core.long_migrations.declared import CostlyIndexes, LongMigration
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.leases import attempts, held_lease, keep_brief
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, every_value, one_value, value_or_none
from lineage_core.render import ddl

WORTH = 10
"""An index is set aside where at least one row in so many is sure to be updated."""

LOCK_TIMEOUT_MS = 100
DROP_ATTEMPTS = 30


def set_aside(connection: Connection, migration: LongMigration) -> list[str]:
    """Drops what is worth it and can be dropped; a sentence for each index, with what became of it.

    No one else can use the table until the transaction ends, so this must be its last act.
    """
    costly = migration.costly
    if costly is None or not _is_worth_it(connection, migration, costly):
        return []
    return [_set_aside(connection, name) for name in costly.indexes if _exists(connection, name)]


def missing(connection: Connection, migration: LongMigration) -> list[str]:
    """The indexes that are set aside, or not built to their end."""
    indexes = list(migration.costly.indexes) if migration.costly else []
    return every_value(connection, str, "long_migrations/missing_indexes", {"indexes": indexes})


def bring_back(store: Store, migration: LongMigration) -> None:
    """Builds what is missing, while all others go on. Raises NeedsOperator unless the login owns the table."""
    with store.connect(autocommit=True) as connection:
        if not missing(connection, migration):
            return
        _refuse_others(connection, migration)
        with held_lease(store, f"indexes of {migration.name}"):
            for name in missing(connection, migration):
                _build(connection, migration, name)


def _is_worth_it(connection: Connection, migration: LongMigration, costly: CostlyIndexes) -> bool:
    table, waiting = sql.Identifier(migration.table), sql.SQL(costly.waiting)
    worth = composed("long_migrations/is_worth_it", table=table, waiting=waiting)
    return one_value(connection, bool, worth, {"worth": WORTH})


def _exists(connection: Connection, name: str) -> bool:
    return one_value(connection, bool, "postgres/relation_exists", {"name": name})


def _set_aside(connection: Connection, name: str) -> str:
    if not _owns(connection, name):
        return f"{name} stays, as this login does not own it: each update takes longer"
    for _ in attempts(DROP_ATTEMPTS):
        if _dropped(connection, name):
            return f"{name} is set aside until the migration is finalized, or cancelled"
    return f"{name} stays, as its table was in use all the time: each update takes longer"


def _dropped(connection: Connection, name: str) -> bool:
    """False if others used the table; no one had to wait behind it for long."""
    try:
        with connection.transaction():
            keep_brief(connection, LOCK_TIMEOUT_MS)
            connection.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(name)))
    except psycopg.errors.LockNotAvailable:
        return False
    return True


def _owns(connection: Connection, relation: str) -> bool:
    return bool(value_or_none(connection, bool, "postgres/is_owner_of_relation", {"name": relation}))


def _refuse_others(connection: Connection, migration: LongMigration) -> None:
    if not _owns(connection, migration.table):
        raise NeedsOperator(
            f"{', '.join(missing(connection, migration))} is set aside, and only the owner of {migration.table} can"
            " build it again: run the same command as the owner"
        )


def _build(connection: Connection, migration: LongMigration, name: str) -> None:
    """What a crash has left half built is in the way, and goes first."""
    connection.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(sql.Identifier(name)))
    declared = table_named(migration.table)
    index = _declared(declared.indexes, name)
    run_script(connection, ddl.create_index(declared, index, concurrently=True))
    run_script(connection, ddl.index_comment(index))


def _declared(indexes: tuple[Index, ...], name: str) -> Index:
    return next(index for index in indexes if index.name == name)
