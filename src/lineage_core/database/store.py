"""Making the store in a database, bringing it up to date, and saying how it differs from the declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import psycopg
import sqlalchemy
from sqlalchemy.pool import NullPool

from lineage_core.capability import UpgradeStep
from lineage_core.database import drift, migrations, repeatable
from lineage_core.declare.tables import replaceable_tables
from lineage_core.errors import NeedsOperator, SchemaDiffers, StoreUnavailable, WrongUsage
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.group_roles import give_access
from lineage_core.postgres.leases import keep_holders_out
from lineage_core.postgres.migration_files import EARLIER_STORE, digest_of_release, is_earlier, keep_digest, kept_digest
from lineage_core.postgres.replaced_tables import replaced_tables
from lineage_core.postgres.store import Store

OLDEST_SERVER = 15
MADE = "The store is made."
"""The first sentence of an upgrade that has found none; what belongs to a new one has no sentence of its own."""

UPGRADE_LOCK = 5_411_769_100_238_117_001
"""Key of the advisory lock that lets one upgrade of a database run at a time."""


def upgrade(
    store: Store, steps: Sequence[UpgradeStep], role_prefix: str | None = None, *, with_old_mapping: bool = False
) -> list[str]:
    """Create the store or bring it up to date, all or nothing; safe to repeat, and beside another upgrade.

    steps: what the capabilities do at an upgrade.
    role_prefix: what is to stand before the names of its group roles, None for what does so already.
    with_old_mapping: a new store gets the tables that long migrations replace, as Marquez has them. Otherwise there are
    views of their names from the start.

    Returns sentences for the owner: `MADE` if there was no store, those of the steps, who may connect now, and what he
    should do about it. Raises WrongUsage if the store has no old mapping
    and is to have it, SchemaDiffers if the store is from before migrations were history, and NeedsOperator if a step
    is refused, or a view of somebody else is in the way.
    """
    with _transaction(store) as (borrowed, connection):
        _refuse_unfit_server(connection)
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [UPGRADE_LOCK])
        connection.execute("SET LOCAL search_path = public")
        is_new = migrations.is_new(borrowed)
        replaced = replaced_tables(connection)
        if with_old_mapping and replaced:
            _refuse_replaced(replaced)
        if is_new and not with_old_mapping:
            replaced = frozenset(table.name for table in replaceable_tables())
        with _earlier_state_explained(borrowed, connection):
            _bring_up_to_date(borrowed, connection, replaced)
        keep_digest(connection, digest_of_release())
        advice = [sentence for step in steps for sentence in step.bring_up_to_date(connection)]
        advice += give_access(connection, role_prefix)
    followed = [sentence for step in steps for sentence in step.follow_up(store)]
    return [MADE, *advice] if is_new else [*advice, *followed]


def _bring_up_to_date(borrowed: sqlalchemy.Connection, connection: Connection, replaced: frozenset[str]) -> None:
    """Runs the migrations and the scripts that wait. Views are taken away first where they would be in the way."""
    waiting = repeatable.waiting_scripts(connection)
    is_anew = waiting.touches_views or bool(migrations.pending(borrowed))
    if is_anew and not migrations.is_new(borrowed) and not is_earlier(connection):
        # A merge locks the same tables in another order: each would wait for the other.
        keep_holders_out(connection)
    grants = repeatable.take_views_aside(connection, waiting, replaced) if is_anew else None
    migrations.run_pending(borrowed)
    repeatable.run_waiting(connection, waiting, grants, replaced)


def _refuse_replaced(replaced: frozenset[str]) -> None:
    raise WrongUsage(
        f"{min(replaced)} is a view here, and stays one: its rows follow from the schema versions. Only a new store can"
        " be made with the old mapping"
    )


@contextmanager
def _earlier_state_explained(borrowed: sqlalchemy.Connection, connection: Connection) -> Iterator[None]:
    """A store from before migrations were history may have any tables: what does not end as declared is taken back."""
    if _is_known(borrowed, connection):
        yield
        return
    try:
        yield
    except psycopg.ProgrammingError as error:
        raise SchemaDiffers(EARLIER_STORE) from error
    if drift.schema_differences(connection):
        raise SchemaDiffers(EARLIER_STORE)


def _is_known(borrowed: sqlalchemy.Connection, connection: Connection) -> bool:
    """Whether the number of its last migration says what the store has."""
    return migrations.is_new(borrowed) or not is_earlier(connection)


def differences(store: Store, steps: Iterable[UpgradeStep]) -> list[str]:
    """What differs between the database and the declarations, a sentence each. The database stays as it is."""
    with _transaction(store) as (borrowed, connection):
        waiting = [f"migration {name} has not run" for name in migrations.pending(borrowed)]
        found = [*waiting, *drift.schema_differences(connection)]
        return found or _differences_of(steps, connection)


def what_helps(store: Store, steps: Iterable[UpgradeStep]) -> str:
    """Against the differences that there are: a sentence for the owner."""
    with _transaction(store) as (borrowed, connection):
        if migrations.is_new(borrowed):
            return "The database holds no lineage store; `lineage db upgrade` makes it"
        if not _is_known(borrowed, connection):
            return EARLIER_STORE
        is_of_another = kept_digest(connection) != digest_of_release()
        if is_of_another or migrations.pending(borrowed) or _differences_of(steps, connection):
            return "`lineage db upgrade` runs what is waiting"
        return "Somebody has changed the database since its last upgrade; no upgrade will take that back"


def _differences_of(steps: Iterable[UpgradeStep], connection: Connection) -> list[str]:
    return [difference for step in steps for difference in step.differences(connection)]


@contextmanager
def _transaction(store: Store) -> Iterator[tuple[sqlalchemy.Connection, Connection]]:
    """One transaction, as Alembic sees it and as psycopg does."""
    engine = sqlalchemy.create_engine("postgresql+psycopg://", creator=store.connect, poolclass=NullPool)
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
