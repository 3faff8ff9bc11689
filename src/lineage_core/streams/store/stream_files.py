"""The root of the streams, as the database knows it, and files below it that belong to no stream.

A file is noted first, and marked before it is deleted, after a grace time. Whoever takes a file into a stream takes its
note back in the same transaction, and gives up if it is marked. So no file of a stream is deleted, also if it was noted
because its writer seemed to be dead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from psycopg import Rollback

from lineage_core.errors import TryAgain
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
    """Makes a root that of the database, if it has none and `write` says that the root was no one's either."""
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


def reclaim(connection: Connection, paths: Sequence[str]) -> None:
    """For the transaction that takes files into a stream. Raises TryAgain if one of them may be gone."""
    gone = one_value(connection, int, "streams/reclaim_files", {"paths": list(paths)})
    if gone:
        raise TryAgain(
            f"{gone} of the files {', '.join(paths)} were written before, and are being deleted; nothing was changed"
        )


def known_files(connection: Connection, stream: str) -> set[str]:
    """The files that a stream has, and those that are to be deleted or have been."""
    return set(every_value(connection, str, "streams/known_files", {"stream": stream}))


def note_orphans(connection: Connection, lease: Lease, stream: str, there: Sequence[str]) -> int:
    """Notes those of the files in the folder of a stream that belong to none, and how many are new."""
    with connection.transaction():
        fence(connection, lease)
        _keep_publications_out(connection, stream)
        known = known_files(connection, stream)
        orphans = [path for path in there if path not in known]
        if not orphans:
            return 0
        return execute(connection, "streams/add_orphans", {"stream": stream, "paths": orphans})


def deletable(connection: Connection, lease: Lease, stream: str, grace: timedelta) -> list[str]:
    """The files whose grace time is over, marked: no one takes them into a stream any more."""
    with connection.transaction():
        fence(connection, lease)
        _keep_publications_out(connection, stream)
        execute(connection, "streams/mark_deleted", {"stream": stream, "grace": grace.total_seconds()})
    return every_value(connection, str, "streams/deletable_files", {"stream": stream})


def forget_deleted(connection: Connection, lease: Lease, paths: Sequence[str], grace: timedelta) -> None:
    """Forgets the files among these that were marked so long ago."""
    with connection.transaction():
        fence(connection, lease)
        execute(connection, "streams/forget_deleted", {"paths": list(paths), "grace": grace.total_seconds()})


def _keep_publications_out(connection: Connection, stream: str) -> None:
    """A publication that has not committed its files would not be seen here."""
    execute(connection, "streams/lock_head", {"stream": stream})
