"""The store as those work on it who ask for an act on a page: by the role of operators, and never as its owner."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg

from lineage_core.errors import NeedsOperator, StoreUnavailable, TryAgain
from lineage_core.postgres.connection import APPLICATION, Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import one_value

SECONDS = 20
"""For which a statement may run: a person waits for it."""


@dataclass(frozen=True)
class OperatorStore(Store):
    """Raises what Store raises, TryAgain where a statement was cut short, and NeedsOperator for the login of the owner:
    a fault in a page must reach no more than what operators may do."""

    @contextmanager
    def session(
        self, role: str, *, application_name: str = APPLICATION, autocommit: bool = False
    ) -> Iterator[Connection]:
        """A session, as of a Store."""
        try:
            with super().session(role, application_name=application_name, autocommit=autocommit) as connection:
                yield connection
        except StoreUnavailable as error:
            if isinstance(error.__cause__, psycopg.errors.QueryCanceled):
                raise TryAgain(f"This took longer than {SECONDS} seconds, and was not done") from error
            raise

    def connect(
        self, *, role: str | None = None, application_name: str = APPLICATION, autocommit: bool = False
    ) -> Connection:
        """Likewise."""
        connection = super().connect(role=role, application_name=application_name, autocommit=True)
        if one_value(connection, bool, "postgres/may_all"):
            connection.close()
            setting = getattr(self.dsn, "setting", "The DSN for acts")
            raise NeedsOperator(
                f"{setting} is of a login that may do what the owner of the store may. Give it one that has the role"
                " lineage_operator alone"
            )
        connection.execute("SELECT set_config('statement_timeout', %s, false)", [f"{SECONDS}s"])
        connection.autocommit = autocommit
        return connection
