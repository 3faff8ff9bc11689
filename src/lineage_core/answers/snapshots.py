"""What every answer says of the state of the store in which it was given."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import one_value


def as_of(connection: Connection) -> datetime:
    """The moment of the snapshot."""
    return one_value(connection, datetime, "answers/as_of")


def waiting_lines(waiting_since: datetime | None) -> Iterator[str]:
    """For people, where raw events are in no table yet, and so in no answer."""
    if waiting_since is not None:
        yield f"Events wait since {waiting_since.isoformat()}: `lineage normalize` takes them in."
