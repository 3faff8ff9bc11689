"""A stream whose parts are written by hand, one for each of its schemas."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from lineage_core.changelog import numbered, write_part
from lineage_core.changelog.schemas import StreamSchemas
from lineage_core.files import FileFolder
from lineage_core.streams.parts import stream_folder
from lineage_core.streams.published_versions import PublishedVersion
from lineage_core.streams.store.heads import PublishedPart

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def written_stream(
    stream: str, root: str, schemas: Sequence[pa.Schema], rows: Sequence[list[dict[str, Any]]]
) -> PublishedVersion:
    """Appends of some rows by each of the schemas, in files below a root."""
    registered, parts = StreamSchemas(stream), list[PublishedPart]()
    for schema_id, (schema, some) in enumerate(zip(schemas, rows, strict=True)):
        evolution = registered.evolved(registered.latest_id, schema)
        assert evolution.refusal is None, evolution.refusal
        registered = evolution.schemas
        appended = pa.Table.from_pylist(some, schema).append_column("op", pa.array([0] * len(some), pa.uint8()))
        records = numbered(appended, parts[-1].end_offset + 1 if parts else 0, NOW)
        part = write_part(stream_folder(FileFolder(root), stream), stream, schema_id, records)
        parts.append(
            PublishedPart(
                part.start_offset,
                part.end_offset,
                schema_id,
                f"{stream}/history/{part.name}",
                part.bytes,
                part.physical_hash,
                part.logical_hash,
                [part.end_offset],
            )
        )
    return PublishedVersion(None, parts, registered)
