"""What is asked of each store of the list, within seconds: how it is, and which namespaces have jobs in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lineage_core.capability import AskedStore
from lineage_core.normalize.operation import WAITING, WaitingEvents
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.migration_files import refuse_other_release
from lineage_core.postgres.session_settings import set_for_transaction
from lineage_core.postgres.store import DatabaseIdentity, Store, this_database
from lineage_core.postgres.typed_rows import every_value

PATIENCE = 3
"""Seconds to wait for a server, and for each statement: the other stores wait behind it."""


@dataclass(frozen=True)
class AnswerOfStore:
    """database: which one it is, so that two names of one are seen. waiting: what is not normalized."""

    database: DatabaseIdentity
    waiting: WaitingEvents


def answer_of(store: Store) -> AnswerOfStore:
    """Raises StoreUnavailable, and SchemaDiffers where there is no store of this release."""
    with _asked(store) as connection:
        refuse_other_release(connection)
        return AnswerOfStore(this_database(connection), WAITING.find(AskedStore(store, connection)))


def namespaces_with_jobs(store: Store) -> list[str]:
    """As it is normalized by now. Raises likewise."""
    with _asked(store) as connection:
        return every_value(connection, str, "stores/job_namespaces")


@contextmanager
def _asked(store: Store) -> Iterator[Connection]:
    """One transaction."""
    with (
        explained("lineage_reader"),
        store.connect_for_transactions(application_name="lineage store", patience=PATIENCE) as connection,
        connection.transaction(),
    ):
        set_for_transaction(connection, statement_timeout=connection.statement_timeout)
        yield connection
