"""The changelog streams: which are on, and how far they are published."""

from __future__ import annotations

from typing import Any

from lineage_core.pages.page import LineagePage, Reader
from lineage_core.streams import reading
from lineage_core.streams.last_records import last_records
from lineage_core.streams.store import switches

RECORDS = 20


def streams(store: Reader, name: str | None = None) -> dict[str, Any]:
    """Every stream; with a name, its schemas, offsets, parts, and last records. Raises WrongUsage if there is none."""
    if name is None:
        return {"stream": None, "streams": reading.list_streams(store)}
    version = reading.published_version(store, name)
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
