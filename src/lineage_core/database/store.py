"""Making the store in a database, bringing it up to date, and saying how it differs from the declarations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import psycopg
import sqlalchemy
from sqlalchemy.pool import NullPool

from lineage_core.database import drift, migrations
from lineage_core.errors import NeedsOperator, SchemaDiffers, StoreUnavailable, WrongUsage
from lineage_core.ingest.store.event_partitions import ensure_event_partitions
from lineage_core.long_migrations.store.end import put_views_in_place
from lineage_core.model.tables import replaceable_tables
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained
from lineage_core.postgres.group_roles import give_access
from lineage_core.postgres.migration_files import keep_digest, kept_digest
from lineage_core.postgres.replaced_tables import replaced_tables
from lineage_core.streams.registry import differing_streams, evolve_declared_streams

OLDEST_SERVER = 15
UPGRADE_LOCK = 5_411_769_100_238_117_001
"""Key of the advisory lock that lets one upgrade of a database run at a time."""


def upgrade(dsn: str, role_prefix: str | None = None, *, with_old_mapping: bool = False) -> list[str]:
    """Create the store or bring it up to date, all or nothing; safe to repeat, and beside another upgrade.

    role_prefix: what is to stand before the names of its group roles, None for what does so already.
    with_old_mapping: a new store gets the tables that long migrations replace, as Marquez has them (phase 1 of seed
    000). Otherwise there are views of their names from the start (phase 3). Returns sentences for the owner: which
    streams have a new schema, who may connect now, and what he should do about it. Raises WrongUsage if the store has
    no old mapping and is to have it, SchemaDiffers if an earlier state of this release made it, and NeedsOperator if a
    stream may not become what is declared.
    """
    with _transaction(dsn) as (borrowed, connection):
        _refuse_unfit_server(connection)
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [UPGRADE_LOCK])
        connection.execute("SET LOCAL search_path = public")
        is_new = migrations.is_new(borrowed)
        if not is_new:
            _refuse_earlier_state(borrowed, connection)
        migrations.run_pending(borrowed)
        keep_digest(connection, migrations.applied_digest(borrowed))
        if is_new and not with_old_mapping:
            put_views_in_place(connection, (table.name for table in replaceable_tables()))
        elif with_old_mapping:
            _refuse_replaced(connection)
        advice = [*evolve_declared_streams(connection), *give_access(connection, role_prefix)]
    ensure_event_partitions(dsn)
    return advice


def _refuse_replaced(connection: Connection) -> None:
    for table in sorted(replaced_tables(connection)):
        raise WrongUsage(
            f"{table} is a view here, and stays one: its rows follow from the schema versions. Only a new store can be"
            " made with the old mapping"
        )


def differences(dsn: str) -> list[str]:
    """What differs between the database and the declarations, a sentence each. The database stays as it is."""
    with _transaction(dsn) as (borrowed, connection):
        waiting = [f"migration {name} has not run" for name in migrations.pending(borrowed)]
        found = [*waiting, *drift.schema_differences(connection)]
        return found or [f"stream {name} has another schema than is declared" for name in differing_streams(connection)]


def what_helps(dsn: str) -> str:
    """Against the differences that there are: a sentence for the owner."""
    with _transaction(dsn) as (borrowed, connection):
        if migrations.is_new(borrowed):
            return "The database holds no lineage store; `lineage db upgrade` makes it"
        if kept_digest(connection) != migrations.applied_digest(borrowed):
            return _EARLIER_STATE
        if migrations.pending(borrowed) or differing_streams(connection):
            return "`lineage db upgrade` runs what is waiting"
        return "Somebody has changed the database since its last upgrade; no upgrade will take that back"


_EARLIER_STATE = (
    "The store was made by an earlier state of this release, and cannot be upgraded. Make a store in an empty database,"
    " and take the raw events over:"
    " psql OLD -XAt -v FETCH_COUNT=1000 -c 'SELECT event FROM lineage_events' | LINEAGE_DSN=NEW lineage ingest -"
)


def _refuse_earlier_state(borrowed: sqlalchemy.Connection, connection: Connection) -> None:
    """A store whose migrations had another text is left alone, unless they have made the same."""
    if kept_digest(connection) == migrations.applied_digest(borrowed):
        return
    if migrations.pending(borrowed) or drift.schema_differences(connection):
        raise SchemaDiffers(f"{_EARLIER_STATE}. `lineage db check` shows what differs")


@contextmanager
def _transaction(dsn: str) -> Iterator[tuple[sqlalchemy.Connection, Connection]]:
    """One transaction, as Alembic sees it and as psycopg does."""
    engine = sqlalchemy.create_engine("postgresql+psycopg://", creator=partial(connect, dsn), poolclass=NullPool)
    with _failures_explained(), engine.begin() as borrowed:
        yield borrowed, migrations.driver_of(borrowed)


@contextmanager
def _failures_explained() -> Iterator[None]:
    """Failures of the database as our own errors, whether SQLAlchemy wrapped them or not."""
    try:
        with explained("that owns the database"), _unwrapped():
            yield
    except psycopg.OperationalError as error:
        raise StoreUnavailable(f"The database ended the work: {error}") from error
    except (psycopg.errors.DuplicateTable, psycopg.errors.DuplicateObject) as error:
        raise NeedsOperator(
            f"{error.diag.message_primary}, made by something else, perhaps Marquez: the store needs its own database"
        ) from error


@contextmanager
def _unwrapped() -> Iterator[None]:
    """What psycopg raised, where SQLAlchemy has wrapped it."""
    try:
        yield
    except sqlalchemy.exc.DBAPIError as error:
        if error.orig is None:
            raise
        # The wrapper names what it wraps as its cause. Both would name each other, and a walk over causes has no end.
        error.__cause__ = error.__context__ = None
        raise error.orig from error


def _refuse_unfit_server(connection: Connection) -> None:
    version = connection.info.server_version // 10_000
    if version < OLDEST_SERVER:
        raise NeedsOperator(f"The server is PostgreSQL {version}; the store needs {OLDEST_SERVER} or newer")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise NeedsOperator(f"The database is encoded in {encoding}; make one in UTF8, which ids are derived from")
