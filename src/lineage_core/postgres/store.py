"""A lineage store as one value: where it is, how a session with it begins, and which database a connection is of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from lineage_core.errors import SchemaDiffers
from lineage_core.postgres.connection import APPLICATION, Connection, connect, connect_for_transactions
from lineage_core.postgres.failures import explained
from lineage_core.postgres.migration_files import EARLIER_STORE, is_earlier
from lineage_core.postgres.session_settings import set_for_transaction
from lineage_core.postgres.typed_rows import one_row

BRIEF_SECONDS = 3
"""How long one of several stores may keep the others waiting, by its connection and by each statement."""


@dataclass(frozen=True)
class Store:
    """A store of lineage in Postgres, by the login that works on it.

    dsn: how libpq reaches it; secrets may be in it, so it is never shown. person: who works by that login, as acts are
    recorded; None where it is not known.
    """

    dsn: str = field(repr=False)
    person: str | None = field(default=None, kw_only=True)

    @contextmanager
    def session(
        self, role: str, *, application_name: str = APPLICATION, autocommit: bool = False
    ) -> Iterator[Connection]:
        """A session that commits when the block ends, or rolls back.

        role: the group role that may do what the block does. It is named where a right is missing, and not taken on.

        Raises what `connect` raises, NeedsOperator for a right that the login lacks, and SchemaDiffers where the
        database holds no store of this release.
        """
        with (
            self._earlier_named(),
            explained(role),
            self._block(application_name, autocommit) as connection,
        ):
            yield connection

    @contextmanager
    def _block(self, application_name: str, autocommit: bool) -> Iterator[Connection]:
        """A session of its own."""
        with self.connect(application_name=application_name, autocommit=autocommit) as connection:
            yield connection

    @contextmanager
    def _earlier_named(self) -> Iterator[None]:
        """What an earlier store lacks is no help to anybody: the message says what to do with it instead."""
        try:
            yield
        except SchemaDiffers as error:
            with self.connect() as connection:
                if not is_earlier(connection):
                    raise
            raise SchemaDiffers(EARLIER_STORE) from error

    def connect(
        self, *, role: str | None = None, application_name: str = APPLICATION, autocommit: bool = False
    ) -> Connection:
        """A session, as `lineage_core.postgres.connection.connect` opens it."""
        return connect(self.dsn, role=role, application_name=application_name, autocommit=autocommit)

    def connect_for_transactions(
        self, *, application_name: str = APPLICATION, patience: int | None = None
    ) -> Connection:
        """A connection whose transactions set all that they need, as `connection.connect_for_transactions` opens it."""
        return connect_for_transactions(self.dsn, application_name=application_name, patience=patience)

    @contextmanager
    def brief_transaction(self, role: str, *, application_name: str = APPLICATION) -> Iterator[Connection]:
        """One transaction, for who has other stores to ask, too: the server is there within seconds, and so is what
        each statement says. Raises what `session` raises. `role` likewise."""
        with (
            explained(role),
            self.connect_for_transactions(application_name=application_name, patience=BRIEF_SECONDS) as connection,
            connection.transaction(),
        ):
            set_for_transaction(connection, statement_timeout=connection.statement_timeout)
            yield connection


@dataclass(frozen=True)
class DatabaseIdentity:
    """Of which cluster a database is, and which one in it. The name is for people: it may change."""

    system_identifier: str
    oid: int
    name: str = field(compare=False)


def this_database(connection: Connection) -> DatabaseIdentity:
    """The one that the connection is of."""
    return one_row(connection, DatabaseIdentity, "postgres/this_database")
