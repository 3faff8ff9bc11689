"""A changelog stream as an append-only Iceberg table: a copy for those whose tools read Iceberg.

Iceberg cannot hold a stream as its parts do (docs/decisions/0044): it has no unsigned integers, so `op` is `int`; its
times have microseconds; its rows have no order, so readers sort by `offset`. Columns keep their names, which a stream
never uses twice, and Iceberg gives them the ids of its fields.

Each commit says in the properties of its snapshot up to which offset it goes. It is made only if no other came between,
so that what is exported twice is there once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from lineage_core import files
from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.postgres.addresses import redacted

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog
    from pyiceberg.table import Table

STREAM, NEXT_OFFSET = "lineage.stream", "lineage.next-offset"
"""Properties of a snapshot: whose records its table has, and behind which of them it ends."""

RECORDS_AT_ONCE = 1 << 18
"""Records of one snapshot, at least, but for the last one."""

_RETRIES = "commit.retry.num-retries"
_PROPERTIES = {
    # By itself pyiceberg puts a commit that came too late behind the other one, and so would export records twice.
    _RETRIES: "0",
    # It cannot write the bounds of a column that has a time no calendar has, as infinite ones are.
    "write.metadata.metrics.default": "counts",
    "write.metadata.metrics.column.offset": "full",
}
"""Of the table."""

_NOTHING_LOST = "What was exported before stays"


@dataclass(frozen=True)
class ExportedStream:
    """What an export did. All records below `exported_upto` are in the table."""

    stream: str
    table: str
    records: int
    """That were exported now."""
    exported_upto: int


def export(
    stream: str,
    records: Callable[[int], Iterator[pa.Table]],
    next_offset: int,
    catalog: str,
    table: str,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> ExportedStream:
    """Appends to an Iceberg table what it lacks of a stream, and makes the table if it is not there.

    `records(offset)` gives the records of the stream from an offset on, in their order, and `next_offset` is behind its
    last one. `catalog` is one that pyiceberg is configured for, `table` its name there: `namespace.name`.
    progress: called with how many records are exported, and of how many.

    Raises WrongUsage if pyiceberg or the catalog is missing, NeedsOperator if Iceberg cannot hold the stream, or the
    table is not an export of it; TryAgain if another export came between, or the catalog cannot be used now.
    """
    with _failures_explained(stream, table), _opened(catalog) as tables:
        found = _table_of(tables, table)
        start = _exported_upto(found, stream, table) if found is not None else 0
        if start > next_offset:
            raise NeedsOperator(
                f"The table {table} has records of {stream} up to offset {start - 1}, and the stream only up to"
                f" {next_offset - 1}: it began again. Export it to another table"
            )
        offset = start
        for chunk in _chunks(records(start)):
            converted = iceberg_records(stream, chunk)
            if found is None:
                found = _created(tables, table, converted.schema)
            _appended(found, stream, table, converted, offset := offset + converted.num_rows)
            progress(offset - start, next_offset - start)
    return ExportedStream(stream, table, offset - start, offset)


def iceberg_records(stream: str, records: pa.Table) -> pa.Table:
    """The records in types that Iceberg has. Raises NeedsOperator, which names the column, if one has none."""
    fields = [pa.field(one.name, _type(one.type, one.name, stream), one.nullable) for one in records.schema]
    return records.cast(pa.schema(fields))


def _type(kind: pa.DataType, path: str, stream: str) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return _type(kind.value_type, path, stream)
    if pa.types.is_struct(kind):
        return pa.struct([one.with_type(_type(one.type, f"{path}.{one.name}", stream)) for one in kind])
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.list_(kind.value_field.with_type(_type(kind.value_type, f"{path}.element", stream)))
    if pa.types.is_map(kind):
        key, item = _type(kind.key_type, f"{path}.key", stream), _type(kind.item_type, f"{path}.value", stream)
        return pa.map_(key, kind.item_field.with_type(item))
    if pa.types.is_timestamp(kind) and kind.unit != "ns":
        return pa.timestamp("us", tz=kind.tz and "UTC")
    found = _AS_IN_ICEBERG.get(kind, kind)
    if found in _HELD or pa.types.is_decimal128(kind) or pa.types.is_fixed_size_binary(kind):
        return found
    raise NeedsOperator(
        f"Iceberg cannot hold the stream {stream}: `{path}` is {kind}, and {_reason(kind)}. Read the stream's parts"
        " instead, or publish a stream with another type of that column"
    )


_AS_IN_ICEBERG = {
    **dict.fromkeys((pa.int8(), pa.int16(), pa.uint8(), pa.uint16()), pa.int32()),
    pa.uint32(): pa.int64(),
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.binary_view(): pa.binary(),
    pa.float16(): pa.float32(),
    pa.time32("s"): pa.time64("us"),
    pa.time32("ms"): pa.time64("us"),
}
_HELD = {
    *(pa.bool_(), pa.int32(), pa.int64(), pa.float32(), pa.float64(), pa.string(), pa.binary()),
    *(pa.date32(), pa.time64("us")),
}


def _reason(kind: pa.DataType) -> str:
    if pa.types.is_uint64(kind):
        return "its largest integer is a signed one of 64 bits"
    if pa.types.is_timestamp(kind) or pa.types.is_time64(kind):
        return "its times have microseconds: nanoseconds would be cut"
    return "it has no such type"


def _chunks(tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    waiting = list[pa.Table]()
    for table in tables:
        waiting.append(table.replace_schema_metadata())
        if sum(map(len, waiting)) >= RECORDS_AT_ONCE:
            yield _together(waiting)
            waiting.clear()
    if any(map(len, waiting)):
        yield _together(waiting)


def _together(tables: list[pa.Table]) -> pa.Table:
    """With the columns of all: what a part lacks is NULL in it."""
    return pa.concat_tables(tables, promote_options="permissive")


def _table_of(catalog: Catalog, name: str) -> Table | None:
    from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

    try:
        found: Table = catalog.load_table(name)
    except (NoSuchTableError, NoSuchNamespaceError):
        return None
    return found


def _created(catalog: Catalog, name: str, schema: pa.Schema) -> Table:
    catalog.create_namespace_if_not_exists(name.rpartition(".")[0])
    made: Table = catalog.create_table(name, schema, properties=_PROPERTIES)
    return made


def _exported_upto(table: Table, stream: str, name: str) -> int:
    """By the last export that the table's current state has: others may have rewritten its files since."""
    snapshot = table.current_snapshot()
    if snapshot is None:
        return 0
    while snapshot is not None:
        properties = snapshot.summary.additional_properties if snapshot.summary else {}
        if NEXT_OFFSET in properties:
            if properties.get(STREAM) != stream:
                raise NeedsOperator(
                    f"The table {name} has the stream {properties.get(STREAM)}: export {stream} to another"
                )
            return int(properties[NEXT_OFFSET])
        parent = snapshot.parent_snapshot_id
        snapshot = None if parent is None else table.snapshot_by_id(parent)
    raise NeedsOperator(
        f"The table {name} has rows, and no snapshot of it says that they are exported: export {stream} to another"
    )


def _appended(table: Table, stream: str, name: str, records: pa.Table, next_offset: int) -> None:
    """Evolves the schema and appends, in one commit."""
    from pyiceberg.exceptions import ResolveError, ValidationError

    if table.properties.get(_RETRIES) != _PROPERTIES[_RETRIES]:
        raise NeedsOperator(f"The table {name} has lost its property {_RETRIES}={_PROPERTIES[_RETRIES]}: set it again")
    try:
        with table.transaction() as commit:
            with commit.update_schema() as update:
                update.union_by_name(records.schema)
                for field in table.schema().fields:
                    if field.required and field.name not in records.column_names:
                        update.make_column_optional(field.name)
            commit.append(records, {STREAM: stream, NEXT_OFFSET: str(next_offset)})
    except (ResolveError, ValidationError, ValueError) as error:
        raise NeedsOperator(
            f"Iceberg's rules of schema evolution cannot hold what {stream} has become: {error}. {_NOTHING_LOST};"
            f" export it to another table than {name}"
        ) from error


@contextmanager
def _opened(name: str) -> Iterator[Catalog]:
    from pyiceberg.catalog import load_catalog

    try:
        catalog = load_catalog(name)
    except ValueError as error:
        raise WrongUsage(
            f"There is no Iceberg catalog {name}: {redacted(str(error))}. Set"
            f" PYICEBERG_CATALOG__{name.upper()}__URI, or name it in ~/.pyiceberg.yaml"
        ) from error
    with closing(catalog):
        yield catalog


@contextmanager
def _failures_explained(stream: str, table: str) -> Iterator[None]:
    """Raises WrongUsage if pyiceberg is missing, TryAgain where the same call may succeed later, NeedsOperator if the
    catalog refuses what it is asked.
    """
    try:
        from pyiceberg.exceptions import (
            AuthorizationExpiredError,
            CommitFailedException,
            CommitStateUnknownException,
            ForbiddenError,
            NamespaceAlreadyExistsError,
            OAuthError,
            RESTError,
            TableAlreadyExistsError,
            UnauthorizedError,
        )
    except ImportError as error:
        raise WrongUsage("The export takes pyiceberg: install lineage-core with the extra `iceberg`") from error
    try:
        with files.failures_explained(f"The Iceberg table {table}", _NOTHING_LOST):
            yield
    except CommitFailedException as error:
        raise TryAgain(
            f"Another commit to the Iceberg table {table} came between: {error}. {_NOTHING_LOST}; run again"
        ) from error
    except (NamespaceAlreadyExistsError, TableAlreadyExistsError) as error:
        raise TryAgain(
            f"Another export made the Iceberg table {table} meanwhile. {_NOTHING_LOST}; run again"
        ) from error
    except (AuthorizationExpiredError, ForbiddenError, OAuthError, UnauthorizedError) as error:
        raise _refused(table, str(error)) from error
    except (OperationalError, InterfaceError) as error:
        raise TryAgain(
            f"The catalog of the Iceberg table {table} cannot be used now: {_first_line(error)}. {_NOTHING_LOST}; run"
            " again"
        ) from error
    except DBAPIError as error:
        raise _refused(table, _first_line(error)) from error
    except (CommitStateUnknownException, RESTError) as error:
        raise TryAgain(
            f"The Iceberg table {table} cannot be used now: {redacted(str(error))}. {_NOTHING_LOST}; run again: what of"
            f" {stream} is there already is not exported again"
        ) from error


def _first_line(error: DBAPIError) -> str:
    """What the database says, without the statement, whose parameters stand below it."""
    return redacted(str(error.orig)).partition("\n")[0]


def _refused(table: str, reason: str) -> NeedsOperator:
    return NeedsOperator(
        f"The catalog of the Iceberg table {table} refuses the export: {redacted(reason)}. {_NOTHING_LOST}; let its"
        " login make and change tables there, then run again"
    )
