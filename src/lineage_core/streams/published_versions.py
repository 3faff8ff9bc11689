"""What there is of a stream at one moment."""

from __future__ import annotations

from dataclasses import dataclass

from lineage_core.changelog.schemas import StreamSchemas
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.streams.publisher_file import refuse_other_root
from lineage_core.streams.store import heads
from lineage_core.streams.store.compacted import StreamCheckpoint, checkpoint
from lineage_core.streams.store.schemas import stream_schemas


@dataclass(frozen=True)
class PublishedVersion:
    """What there is of a stream at one moment: all that a read depends on."""

    head: heads.StreamHead | None
    parts: list[heads.PublishedPart]
    schemas: StreamSchemas
    checkpoint: StreamCheckpoint | None = None

    @property
    def next_offset(self) -> int:
        return self.head.next_offset if self.head else 0


def published_version(store: Store, stream: str) -> PublishedVersion:
    """Head, parts, schemas and checkpoint of one moment."""
    with store.session("lineage_reader") as connection:
        return version_seen(connection, stream)


def version_below(store: Store, root: str, stream: str) -> PublishedVersion:
    """The same, for who is to read its files. Raises NeedsOperator if they are below another root."""
    with store.session("lineage_reader", autocommit=True) as connection:
        refuse_other_root(connection, root)
        return version_seen(connection, stream)


def version_seen(connection: Connection, stream: str) -> PublishedVersion:
    """The same, by a connection that is in no transaction, or is to begin one."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        return PublishedVersion(
            heads.head(connection, stream),
            heads.parts(connection, stream),
            stream_schemas(connection, stream),
            checkpoint(connection, stream),
        )
