"""The store as those read it who wait for an answer: no session can write, and no statement takes long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg

from lineage_core.errors import StoreUnavailable, TryAgain
from lineage_core.postgres.connection import APPLICATION, Connection
from lineage_core.postgres.store import Store

SECONDS = 10
"""For which a statement may run."""


@dataclass(frozen=True)
class ReaderStore(Store):
    """Raises what Store raises, and TryAgain where a statement was cut short.

    application: what Postgres shows of its sessions.
    """

    application: str = APPLICATION

    @contextmanager
    def session(
        self, role: str, *, application_name: str = APPLICATION, autocommit: bool = False
    ) -> Iterator[Connection]:
        """A session, as of a Store, that only reads."""
        name = self.application if application_name == APPLICATION else application_name
        try:
            with super().session(role, application_name=name, autocommit=autocommit) as connection:
                yield connection
        except StoreUnavailable as error:
            if isinstance(error.__cause__, psycopg.errors.QueryCanceled):
                raise TryAgain(f"This took longer than {SECONDS} seconds. Ask for less at once") from error
            raise

    def connect(
        self, *, role: str | None = None, application_name: str = APPLICATION, autocommit: bool = False
    ) -> Connection:
        """Likewise."""
        connection = super().connect(role=role, application_name=application_name, autocommit=True)
        connection.execute("SELECT set_config('statement_timeout', %s, false)", [f"{SECONDS}s"])
        connection.execute("SELECT set_config('default_transaction_read_only', 'on', false)")
        connection.autocommit = autocommit
        return connection
