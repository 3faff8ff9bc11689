"""Which streams are on: a row each, which the triggers that capture changes look for; and what waits of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from lineage_core.declare.streams import DeclaredStream, all_streams
from lineage_core.errors import WrongUsage
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, execute
from lineage_core.streams.store import changes, heads


@dataclass(frozen=True)
class StartedStream:
    """A stream that is on. `started_xid` tells one start from another."""

    name: str
    started_by: str
    started_at: datetime
    started_xid: int


def stream_named(name: str) -> DeclaredStream:
    """The declared stream. Raises WrongUsage if there is none of that name."""
    for stream in all_streams():
        if stream.name == name:
            return stream
    raise WrongUsage(f"There is no stream {name!r}: `lineage stream list` shows those that there are")


def undeclared(started: Iterable[StartedStream]) -> list[str]:
    """The names of those that are on, and that this release does not have."""
    declared = {stream.name for stream in all_streams()}
    return [one.name for one in started if one.name not in declared]


def start(store: Store, name: str) -> bool:
    """Turns a stream on; False if it is on already. Its first publication begins with what its table has then."""
    stream = stream_named(name)
    with store.session("lineage_operator") as connection:
        return execute(connection, "streams/start", {"stream": stream.name}) > 0


def stop(store: Store, name: str) -> bool:
    """Turns a stream off, also one that this release lacks; False if it is off already. What is published stays.

    Raises WrongUsage if there is no such stream.
    """
    with store.session("lineage_operator") as connection:
        if execute(connection, "streams/stop", {"stream": name}):
            return True
    stream_named(name)
    return False


def started_streams(connection: Connection) -> list[StartedStream]:
    """Those that are on, by name."""
    return every_row(connection, StartedStream, "streams/started")


MOST_COUNTED = 1_000_000
"""Of each captured table."""


def waiting_changes(store: Store) -> dict[str, int]:
    """How many changes, or raw events, of each stream that is on are not published; at most `MOST_COUNTED` of each
    captured table. A stream that has yet to begin is not there: nobody has counted its table.
    """
    with store.session("lineage_reader") as connection:
        started = started_streams(connection)
        unknown = undeclared(started)
        found = [heads.head(connection, one.name) for one in started if one.name not in unknown]
        return {
            head.stream: changes.waiting_changes(connection, stream_named(head.stream), head.published, MOST_COUNTED)
            for head in found
            if head is not None and head.published is not None
        }
