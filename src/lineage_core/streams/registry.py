"""The registry of stream schemas, as those who write and read streams use it.

Our own streams have the schema of their declaration, which `lineage db upgrade` registers. A stream of somebody else
has one under any other name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lineage_core.changelog.schemas import AllowedEvolution, SchemaEvolution, StreamReader, StreamSchemas
from lineage_core.changelog.types import stored_schema
from lineage_core.declare.streams import DeclaredStream, all_streams
from lineage_core.errors import NeedsOperator, NotInStore, WrongUsage
from lineage_core.nearest import nearest_name
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.streams.arrow_records import data_schema
from lineage_core.streams.store import schemas

if TYPE_CHECKING:
    import pyarrow


def compare_and_evolve(
    store: Store, stream: str, expected_id: int | None, schema: pyarrow.Schema, *, key: Sequence[str] | None = None
) -> SchemaEvolution:
    """Makes a schema the next one of a stream that is not ours (`schemas.compare_and_evolve`).

    schema: the data columns, without the system columns. key: those of them that name a row, None is those that do
    already, or none for a first schema. Types become those as which they are stored. Raises WrongUsage for the name
    of a stream of ours, and for a type that cannot be stored.
    """
    if stream in {declared.name for declared in all_streams()}:
        raise WrongUsage(
            f"{stream} is a stream of the store: its schema is declared, and `lineage db upgrade` evolves it"
        )
    if not stream or "\0" in stream:
        raise WrongUsage(f"{stream!r} is no name of a stream")
    with store.session("lineage_jobs") as connection:
        return schemas.compare_and_evolve(connection, stream, expected_id, stored_schema(schema), key=key)


def registered(store: Store, stream: str) -> StreamSchemas:
    """What is registered of a stream, ours or not. Raises WrongUsage if nothing is."""
    with store.session("lineage_reader") as connection:
        return _refuse_unregistered(schemas.stream_schemas(connection, stream))


def readers(store: Store, stream: str, column: str | None = None) -> list[StreamReader]:
    """Who reads a stream, or one column of it, as far as readers are registered.

    Raises WrongUsage if there is no such column, and ReaderFenced if it is deleted already.
    """
    with store.session("lineage_reader") as connection:
        known = _refuse_unregistered(schemas.stream_schemas(connection, stream))
        found = schemas.stream_readers(connection, stream)
    if column is None:
        return found
    known.reader_schema(columns=[column])
    return [reader for reader in found if known.is_read(column, reader)]


def set_reader(
    store: Store, stream: str, name: str, columns: Sequence[str] | None = None, schema_id: int | None = None
) -> StreamReader:
    """Registers which columns a reader uses, in place of what it registered before.

    columns: paths, as `address.city`; None is all. schema_id: that it was written for, by default the latest. Raises
    ReaderFenced if it is fenced already, and WrongUsage if the stream never had such a column.
    """
    with store.session("lineage_operator") as connection:
        found = _refuse_unregistered(schemas.stream_schemas(connection, stream))
        written_for = schema_id if schema_id is not None else found.latest_id or 0
        reader = StreamReader(name, written_for, None if columns is None else tuple(columns))
        schemas.set_reader(connection, stream, reader)
    return reader


def remove_reader(store: Store, stream: str, name: str) -> bool:
    """Forgets a reader; False if it was not registered."""
    with store.session("lineage_operator") as connection:
        return schemas.remove_reader(connection, stream, name)


def set_allowed(store: Store, stream: str, what: AllowedEvolution) -> None:
    """Sets whether an evolution of a stream may fence registered readers."""
    with store.session("lineage_operator") as connection:
        _refuse_unregistered(schemas.stream_schemas(connection, stream))
        schemas.set_allowed(connection, stream, what)


def _refuse_unregistered(found: StreamSchemas) -> StreamSchemas:
    if not found.types:
        ours = (stream.name for stream in all_streams())
        helps = nearest_name(found.stream, ours, "`lineage stream list` shows the store's own.")
        raise NotInStore(f"No schema of a stream {found.stream!r} is registered. {helps}")
    return found


def evolve_declared_streams(connection: Connection) -> list[str]:
    """Makes what each stream of ours is declared as its latest schema; a sentence for each that has evolved.

    Raises NeedsOperator with every refusal. Those that were not refused have evolved then, in this transaction.
    """
    refused, evolved = list[str](), list[str]()
    for stream in all_streams():
        expected = schemas.stream_schemas(connection, stream.name).latest_id
        evolution = schemas.compare_and_evolve(connection, stream.name, expected, data_schema(stream), key=stream.key)
        if evolution.refusal is not None:
            refused.append(f"{stream.name}: {evolution.refusal}")
        elif evolution.is_new and expected is not None:
            evolved.append(f"The stream {stream.name} has a new schema, {evolution.schema_id}.")
    if refused:
        raise NeedsOperator("\n".join(["This release declares streams as they may not become:", *refused, _REFUSED]))
    return evolved


_REFUSED = (
    "Nothing was changed. Whoever changes the declaration can do what each of these says; until then, stay with the"
    " release that you had"
)


def differing_streams(connection: Connection) -> list[str]:
    """The streams of ours whose latest schema is not their declaration."""
    return [stream.name for stream in all_streams() if not is_latest(connection, stream)]


def is_latest(connection: Connection, stream: DeclaredStream) -> bool:
    """Whether the latest schema of a stream of ours is its declaration."""
    found = schemas.stream_schemas(connection, stream.name)
    is_same = bool(found.types) and found.latest.current().equals(data_schema(stream), check_metadata=True)
    return is_same and found.key == stream.key
