"""The root of the streams, as the database knows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from psycopg import Rollback

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.typed_rows import every_value, execute, one_value, row_or_none


@dataclass(frozen=True)
class KnownRoot:
    """The id of a root, where it was when it was last written to, and the last publication that began, if any has."""

    root_id: str
    url: str
    publication: int | None


def known_root(connection: Connection) -> KnownRoot | None:
    """None if no stream was ever published."""
    return row_or_none(connection, KnownRoot, "streams/root")


def claim(connection: Connection, root_id: str, url: str, write: Callable[[], bool]) -> None:
    """Makes a root that of the database, if it has none and `write` says that the root was nobody's either."""
    with connection.transaction():
        if execute(connection, "streams/claim_root", {"root_id": root_id, "url": url}) and not write():
            raise Rollback


def set_root(connection: Connection, lease: Lease, root_id: str, url: str) -> None:
    """Makes a root that of the database, whichever was before."""
    with connection.transaction():
        fence(connection, lease)
        execute(connection, "streams/set_root", {"root_id": root_id, "url": url})


def begin_publication(connection: Connection, lease: Lease, url: str) -> int:
    """The number of a publication, which the database has from now on."""
    with connection.transaction():
        fence(connection, lease)
        return one_value(connection, int, "streams/begin_publication", {"url": url})


def catalog_files(connection: Connection, stream: str) -> list[str]:
    """The paths of the files that a stream consists of, below the root of all streams."""
    return every_value(connection, str, "streams/catalog_files", {"stream": stream})
