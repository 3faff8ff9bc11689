"""The changelog streams: which are on, and how far they are published."""

from __future__ import annotations

from pydantic import with_config
from typing_extensions import TypedDict

from lineage_core.changelog.schemas import ListedSchema
from lineage_core.pages.description import WHOLE
from lineage_core.pages.page import LineagePage, Reader
from lineage_core.streams import published_versions, reading
from lineage_core.streams.last_records import LastRecords, last_records
from lineage_core.streams.reading import ListedStream
from lineage_core.streams.store import switches
from lineage_core.streams.store.heads import PublishedPart

RECORDS = 20


class StreamList(TypedDict):
    """Where none is asked for."""

    stream: None
    streams: list[ListedStream]


class StreamDocument(TypedDict):
    """schema_id: of the latest schema. next_offset: of the record that is published next."""

    name: str
    is_on: bool
    schema_id: int | None
    next_offset: int
    parts: list[PublishedPart]


@with_config(WHOLE)
class StreamPage(TypedDict):
    """schemas: the first one first. last: the last records."""

    stream: StreamDocument
    schemas: list[ListedSchema]
    last: LastRecords


def streams(store: Reader, name: str | None = None) -> StreamPage | StreamList:
    """Every stream; with a name, its schemas, offsets, parts, and last records. Raises WrongUsage if there is none."""
    if name is None:
        return {"stream": None, "streams": reading.list_streams(store)}
    version = published_versions.published_version(store, name)
    if not version.schemas.described():
        switches.stream_named(name)  # else the stream is another's
    return {
        "stream": {
            "name": name,
            "is_on": any(one.is_on for one in reading.list_streams(store) if one.name == name),
            "schema_id": version.schemas.latest_id,
            "next_offset": version.next_offset,
            "parts": version.parts,
        },
        "schemas": version.schemas.described(),
        "last": last_records(store, version, RECORDS),
    }


PAGE = LineagePage("streams", "Streams", 7, streams)
