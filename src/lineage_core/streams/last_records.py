"""The last records of a stream, for who wants to see what it says now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lineage_core.changelog.operations import Operation
from lineage_core.declare.streams import SYSTEM_COLUMNS
from lineage_core.errors import LineageError, NeedsOperator
from lineage_core.postgres.store import Store
from lineage_core.settings import ProjectSettings
from lineage_core.streams.published_versions import PublishedVersion
from lineage_core.streams.reading import records

LARGEST = 1 << 25
"""Bytes of the parts that are read for the last records: each is in memory as a whole."""

_OFFSET, _OPERATION, _SYSTEM_TIME, _EVENT_TIME = SYSTEM_COLUMNS


@dataclass(frozen=True)
class StreamRecord:
    """A record. operation: as ODF writes it, such as `+A`. key: the columns that name the row; values: all columns."""

    offset: int
    operation: str
    system_time: Any
    event_time: Any
    key: dict[str, Any]
    values: dict[str, Any]


@dataclass(frozen=True)
class LastRecords:
    """The last records, the newest first, or why they cannot be read."""

    records: list[StreamRecord]
    failure: str | None = None


def last_records(store: Store, version: PublishedVersion, most: int) -> LastRecords:
    """At most so many, of as many parts as have them. The files are those of `LINEAGE_STREAMS_URL`."""
    if not version.parts:
        return LastRecords([])
    stream = version.schemas.stream
    since = max(version.next_offset - most, 0)
    try:
        if sum(part.bytes for part in version.parts if part.end_offset >= since) > LARGEST:
            raise NeedsOperator(f"Its last parts are too large for this: run `lineage stream read {stream}`")
        root = ProjectSettings.from_environment().streams_url
        found = list(records(store, root, stream, since, until=version.next_offset))
    except LineageError as failure:
        return LastRecords([], str(failure))
    return LastRecords([_record(one, version.schemas.key) for one in reversed(found)])


def _record(found: dict[str, Any], key: tuple[str, ...]) -> StreamRecord:
    values = {name: value for name, value in found.items() if name not in SYSTEM_COLUMNS}
    return StreamRecord(
        offset=found[_OFFSET],
        operation=Operation(found[_OPERATION]).code,
        system_time=found[_SYSTEM_TIME],
        event_time=found[_EVENT_TIME],
        key={name: values[name] for name in key if name in values},
        values=values,
    )
