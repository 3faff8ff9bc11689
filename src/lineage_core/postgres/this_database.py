"""Which database a connection is of."""

from __future__ import annotations

from dataclasses import dataclass, field

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import one_row


@dataclass(frozen=True)
class DatabaseIdentity:
    """Of which cluster a database is, and which one in it. The name is for people: it may change."""

    system_identifier: str
    oid: int
    name: str = field(compare=False)


def this_database(connection: Connection) -> DatabaseIdentity:
    """The one that the connection is of."""
    return one_row(connection, DatabaseIdentity, "postgres/this_database")
