"""The moments that are published: all streams of one publication are as one snapshot saw their tables.

So the streams together say what was known at a moment, and `stream_publications` keeps at which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from psycopg import errors, sql

from lineage_core.errors import TryAgain
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import execute, one_row, row_or_none, value_or_none


@dataclass(frozen=True)
class PublicationMoment:
    """snapshot: Postgres' name of it, while the transaction lasts that has exported it. system_time: of all records
    that are published of it.
    """

    snapshot: str
    system_time: datetime


@dataclass(frozen=True)
class KnownPublication:
    """What was known from `system_time` on, until the next publication: that of which streams.

    known_until: for the last one, until when that is known.
    """

    system_time: datetime
    known_until: datetime
    streams: list[str]
    is_last: bool


@contextmanager
def shared_moment(store: Store) -> Iterator[tuple[Connection, PublicationMoment]]:
    """A connection that sees the moment, whose snapshot others may take while the block runs."""
    with store.session("lineage_jobs") as connection:
        begin(connection, None)
        yield connection, one_row(connection, PublicationMoment, "streams/export_moment")


def begin(connection: Connection, moment: PublicationMoment | None) -> None:
    """Has the transaction, in which nothing was asked yet, see the moment; None for that of its first question.

    Raises TryAgain if the transaction that has exported the snapshot has ended.
    """
    connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    if moment is None:
        return
    try:
        connection.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(sql.Literal(moment.snapshot)))
    except _NO_SNAPSHOT as error:
        raise TryAgain("The transaction has ended whose snapshot all streams of this publication share") from error


_NO_SNAPSHOT = (errors.UndefinedObject, errors.InvalidParameterValue)
"""The first from PostgreSQL 17 on, the second before."""


def remember(
    connection: Connection, lease: Lease, moment: PublicationMoment, streams: Sequence[str], *, has_records: bool
) -> None:
    """Keeps that these streams are as the moment saw their tables. Raises LeaseLost if another publisher holds the
    lease.

    has_records: whether any was published. If none was, what was known before is known until this moment.
    """
    values = {"at": moment.system_time, "streams": sorted(streams), "epoch": lease.epoch}
    with connection.transaction():
        fence(connection, lease)
        if has_records or not execute(connection, "streams/extend_publication", values):
            execute(connection, "streams/add_publication", values)


def publication_by(connection: Connection, moment: datetime | None) -> KnownPublication | None:
    """The last one by a moment, or of all; None if there is none."""
    return row_or_none(connection, KnownPublication, "streams/publication_by", {"moment": moment})


def whole_from(connection: Connection, streams: Sequence[str], moment: datetime) -> datetime | None:
    """From when on, behind a moment, these streams are all published; None if they are not yet."""
    return value_or_none(connection, datetime, "streams/whole_from", {"streams": list(streams), "moment": moment})
