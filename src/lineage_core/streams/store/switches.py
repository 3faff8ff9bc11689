"""Which streams are on: a row each, which the triggers that capture changes look for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from lineage_core.acts.store import record
from lineage_core.declare.streams import DeclaredStream, all_streams
from lineage_core.errors import NotInStore
from lineage_core.nearest import nearest_name
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, execute


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
    names = (stream.name for stream in all_streams())
    helps = nearest_name(name, names, "`lineage stream list` shows those that there are.")
    raise NotInStore(f"There is no stream {name!r}. {helps}")


def undeclared(started: Iterable[StartedStream]) -> list[str]:
    """The names of those that are on, and that this release does not have."""
    declared = {stream.name for stream in all_streams()}
    return [one.name for one in started if one.name not in declared]


def start(store: Store, name: str) -> bool:
    """Turns a stream on; False if it is on already. Its first publication begins with what its table has then."""
    stream = stream_named(name)
    with store.session("lineage_operator") as connection:
        is_new = execute(connection, "streams/start", {"stream": stream.name}) > 0
        record(connection, store, "stream start", stream.name, "on" if is_new else "was on already")
        return is_new


def stop(store: Store, name: str) -> bool:
    """Turns a stream off, also one that this release lacks; False if it is off already. What is published stays.

    Raises WrongUsage if there is no such stream.
    """
    with store.session("lineage_operator") as connection:
        was_on = execute(connection, "streams/stop", {"stream": name}) > 0
        if not was_on:
            stream_named(name)
        record(connection, store, "stream stop", name, "off" if was_on else "was off already")
        return was_on


def started_streams(connection: Connection) -> list[StartedStream]:
    """Those that are on, by name."""
    return every_row(connection, StartedStream, "streams/started")
