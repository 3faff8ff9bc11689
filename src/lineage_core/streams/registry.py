"""The registry of stream schemas, as those who write and read streams use it.

Our own streams have the schema of their declaration, which `lineage db upgrade` registers. A stream of somebody else
has one under any other name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.model.streams import DeclaredStream, all_streams
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained
from lineage_core.streams.arrow_records import data_schema
from lineage_core.streams.schemas import SchemaEvolution, StreamSchemas
from lineage_core.streams.store import schemas

if TYPE_CHECKING:
    import pyarrow


def compare_and_evolve(
    dsn: str, stream: str, expected_id: int | None, schema: pyarrow.Schema, *, key: Sequence[str] = ()
) -> SchemaEvolution:
    """Makes a schema the next one of a stream that is not ours (`schemas.compare_and_evolve`).

    schema: the data columns, without the system columns. Raises WrongUsage for the name of a stream of ours.
    """
    if stream in {declared.name for declared in all_streams()}:
        raise WrongUsage(
            f"{stream} is a stream of the store: its schema is declared, and `lineage db upgrade` evolves it"
        )
    if not stream or "\0" in stream:
        raise WrongUsage(f"{stream!r} is no name of a stream")
    with explained("lineage_jobs"), connect(dsn) as connection:
        return schemas.compare_and_evolve(connection, stream, expected_id, schema, key=key)


def registered(dsn: str, stream: str) -> StreamSchemas:
    """What is registered of a stream, ours or not. Raises WrongUsage if nothing is."""
    with explained("lineage_reader"), connect(dsn) as connection:
        found = schemas.stream_schemas(connection, stream)
    if not found.types:
        raise WrongUsage(f"No schema of a stream {stream} is registered")
    return found


def evolve_declared_streams(connection: Connection) -> list[str]:
    """Makes what each stream of ours is declared as its latest schema; the names of those that have evolved.

    Raises NeedsOperator with every refusal. Those that were not refused have evolved then, in this transaction.
    """
    refused, evolved = list[str](), list[str]()
    for stream in all_streams():
        expected = schemas.stream_schemas(connection, stream.name).latest_id
        evolution = schemas.compare_and_evolve(connection, stream.name, expected, data_schema(stream), key=stream.key)
        if evolution.refusal is not None:
            refused.append(f"{stream.name}: {evolution.refusal}")
        elif evolution.is_new and expected is not None:
            evolved.append(stream.name)
    if refused:
        raise NeedsOperator("\n".join(["This release declares streams as they may not become:", *refused, _REFUSED]))
    return evolved


_REFUSED = (
    "Nothing was changed. Whoever changes the declaration can do what each of these says; until then, stay with the"
    " release that you had"
)


def differing_streams(connection: Connection) -> list[str]:
    """The streams of ours whose latest schema is not their declaration."""
    return [stream.name for stream in all_streams() if not _is_latest(connection, stream)]


def _is_latest(connection: Connection, stream: DeclaredStream) -> bool:
    found = schemas.stream_schemas(connection, stream.name)
    return bool(found.types) and found.latest.current().equals(data_schema(stream), check_metadata=True)
