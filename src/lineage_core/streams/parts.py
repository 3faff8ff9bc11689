"""The parts of a stream, read back in one schema, whatever schemas they were written in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from lineage_core.changelog.parts import FIELD_ID, read_part
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.evolution import DataMigration
from lineage_core.files import FileFolder
from lineage_core.model.streams import SYSTEM_COLUMNS
from lineage_core.streams.schemas import StreamSchemas
from lineage_core.streams.store.heads import HISTORY, PublishedPart


def stream_folder(root: FileFolder, stream: str) -> FileFolder:
    """Where the parts of a stream are."""
    return root.below(f"{stream}/{HISTORY}")


def published_tables(
    stream: str, root: FileFolder, parts: Sequence[PublishedPart], migration: DataMigration
) -> Iterator[pa.Table]:
    """The records of the parts, one after the other, each migrated as it is read.

    Raises NeedsOperator if a file is damaged, or has data that no schema of the stream describes.
    """
    for part in parts:
        records = read_part(stream_folder(root, stream), part.file(stream))
        try:
            yield migrated_records(records, migration)
        except WrongUsage as error:
            raise NeedsOperator(f"{part.path} is not what the schemas of the stream {stream} say. {error}") from error


def migrated_records(records: pa.Table, migration: DataMigration) -> pa.Table:
    """Records or rows with their data columns migrated. Those system columns that they have come first, unchanged.

    Raises WrongUsage if their data columns are of no schema that the migration is from.
    """
    system = [name for name in SYSTEM_COLUMNS if name in records.column_names]
    data = migration.apply(_as_registered(records.drop_columns(system), migration))
    schema = pa.schema([*(records.schema.field(name) for name in system), *data.schema])
    return pa.Table.from_arrays([*(records.column(name) for name in system), *data.columns], schema=schema)


def records_to_write(records: pa.Table, schemas: StreamSchemas) -> pa.Table:
    """Records of a writer whose schema may be stale, as they are written under the latest schema.

    Raises SchemaRefused where they cannot be: nothing is written then.
    """
    data = records.drop_columns([name for name in SYSTEM_COLUMNS if name in records.column_names])
    return migrated_records(records, schemas.from_writer(data.schema))


def _as_registered(data: pa.Table, migration: DataMigration) -> pa.Table:
    """Without the ids of columns, where their schemas have none: `write_part` numbers them by their places then."""
    if not data.num_columns or any(field.id is not None for field in migration.history.fields):
        return data
    fields = [field.with_metadata(_without_id(field)) for field in data.schema]
    return pa.Table.from_arrays(data.columns, schema=pa.schema(fields))


def _without_id(field: pa.Field) -> dict[bytes, bytes] | None:
    return {key: value for key, value in (field.metadata or {}).items() if key != FIELD_ID} or None
