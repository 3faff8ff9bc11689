"""The registry of stream schemas: read by everybody, appended to by `compare_and_evolve`, and by nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lineage_core.changelog.schemas import (
    AllowedEvolution,
    EvolutionOutcome,
    SchemaEvolution,
    StreamReader,
    StreamSchemas,
)
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.evolution import MigrationType
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row, execute, value_or_none

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True)
class _RegisteredSchema:
    schema_id: int
    migration_type: Any
    key: list[str]


@dataclass(frozen=True)
class _Reader:
    reader: str
    schema_id: int
    columns: list[str] | None


def stream_schemas(connection: Connection, stream: str) -> StreamSchemas:
    """What is registered of a stream, as the transaction sees it; nothing if no schema ever was."""
    found = every_row(connection, _RegisteredSchema, "streams/schemas", {"stream": stream})
    if [one.schema_id for one in found] != [*range(len(found))]:
        raise NeedsOperator(f"Schemas of the stream {stream} are missing in stream_schemas: bring its rows back")
    key = tuple(found[-1].key) if found else ()
    return StreamSchemas(stream, tuple(MigrationType.from_json(one.migration_type) for one in found), key)


def stream_readers(connection: Connection, stream: str) -> list[StreamReader]:
    """Those that have registered what they read, by name."""
    return [
        StreamReader(one.reader, one.schema_id, None if one.columns is None else tuple(one.columns))
        for one in every_row(connection, _Reader, "streams/readers", {"stream": stream})
    ]


def allowed(connection: Connection, stream: str) -> AllowedEvolution:
    """What an evolution may do to those readers."""
    return AllowedEvolution(
        value_or_none(connection, str, "streams/policy", {"stream": stream}) or AllowedEvolution.ANY
    )


def lock_schemas(connection: Connection, stream: str) -> None:
    """Until the end of the transaction no one else evolves this stream, or changes what its evolution may do."""
    execute(connection, "streams/lock_schemas", {"stream": stream})


def compare_and_evolve(
    connection: Connection,
    stream: str,
    expected_id: int | None,
    schema: pyarrow.Schema,
    *,
    key: Sequence[str] | None = None,
) -> SchemaEvolution:
    """Makes a schema the next one of a stream, if the latest is the expected one and the rules permit it.

    expected_id: None if the stream is to have no schema yet. schema: the data columns. key: the columns that name a
    row, None is those that do already. Of several callers that expect the same id one wins, and the others get STALE
    with what is there then. Only metadata changes: no part is opened, no record published.
    """
    with connection.transaction():
        lock_schemas(connection, stream)
        known = stream_schemas(connection, stream)
        is_guarded = allowed(connection, stream) is AllowedEvolution.NOT_FENCING
        kept_readers = stream_readers(connection, stream) if is_guarded else []
        evolution = known.evolved(expected_id, schema, key=key, kept_readers=kept_readers)
        if evolution.is_new and not _added(connection, evolution.schemas):
            return SchemaEvolution(EvolutionOutcome.STALE, stream_schemas(connection, stream))
        return evolution


def set_allowed(connection: Connection, stream: str, what: AllowedEvolution) -> None:
    """Sets what an evolution may do to registered readers."""
    with connection.transaction():
        lock_schemas(connection, stream)
        execute(connection, "streams/remove_policy", {"stream": stream})
        execute(connection, "streams/add_policy", {"stream": stream, "allow": what.value})


def set_reader(connection: Connection, stream: str, reader: StreamReader) -> None:
    """Registers a reader, in place of what it registered before. Raises ReaderFenced if it is fenced already, and
    WrongUsage if the stream never had what it reads.
    """
    with connection.transaction():
        lock_schemas(connection, stream)
        known = stream_schemas(connection, stream)
        known.to_reader(known.reader_schema(reader.schema_id, reader.columns))
        columns = None if reader.columns is None else list(reader.columns)
        remove_reader(connection, stream, reader.reader)
        execute(
            connection,
            "streams/add_reader",
            {"stream": stream, "reader": reader.reader, "schema_id": reader.schema_id, "columns": columns},
        )


def remove_reader(connection: Connection, stream: str, reader: str) -> bool:
    """Forgets a reader; False if it was not registered."""
    return execute(connection, "streams/remove_reader", {"stream": stream, "reader": reader}) > 0


_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""In JSON."""


def _added(connection: Connection, schemas: StreamSchemas) -> bool:
    migration_type = json.dumps(schemas.latest.to_json())
    if _NUL.search(migration_type):
        raise WrongUsage(
            f"A column of {schemas.stream} has NUL in its name, which Postgres cannot keep: name it otherwise"
        )
    parameters = {
        "stream": schemas.stream,
        "schema_id": schemas.latest_id,
        "migration_type": migration_type,
        "key": list(schemas.key),
    }
    return execute(connection, "streams/add_schema", parameters) > 0
