"""Records in another schema of their stream than that in which they were written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from lineage_core.changelog.layout import Layout
from lineage_core.changelog.parts import FIELD_ID
from lineage_core.changelog.schemas import StreamSchemas
from lineage_core.evolution import DataMigration
from lineage_core.evolution.data_types import Struct


class MigratedRecords(Layout):
    """Records in another schema."""

    def migrated_records(self, records: pa.Table, migration: DataMigration) -> pa.Table:
        """Records or rows with their data columns migrated. Those system columns that they have come first, unchanged.

        Raises WrongUsage if their data columns are of no schema that the migration is from.
        """
        system = [name for name in self.vocabulary.columns if name in records.column_names]
        data = migration.apply(_as_registered(records.drop_columns(system), migration))
        schema = pa.schema([*(records.schema.field(name) for name in system), *data.schema])
        return pa.Table.from_arrays([*(records.column(name) for name in system), *data.columns], schema=schema)

    def records_to_write(self, records: pa.Table, schemas: StreamSchemas) -> pa.Table:
        """Records of a writer whose schema may be stale, as they are written under the latest schema.

        Raises SchemaRefused where they cannot be: nothing is written then.
        """
        data = records.drop_columns([name for name in self.vocabulary.columns if name in records.column_names])
        return self.migrated_records(records, schemas.from_writer(data.schema))


def without_ids(field: pa.Field) -> pa.Field:
    """A field without the id that `write_part` has given it, whatever else its metadata say."""
    metadata = {key: value for key, value in (field.metadata or {}).items() if key != FIELD_ID}
    return field.with_metadata(metadata or None)


def _as_registered(data: pa.Table, migration: DataMigration) -> pa.Table:
    """Without the ids of columns, where their schemas have none: `write_part` numbers them by their places then."""
    if not data.num_columns or any(field.id is not None for field in migration.history.fields):
        return data
    return pa.Table.from_arrays(data.columns, schema=pa.schema(map(without_ids, data.schema)))


@dataclass(frozen=True)
class StreamFiles:
    """All files of a stream, by the schema in which they were written. Schemas are of whole records.

    migration: from any of the schemas to that of the reader.
    """

    paths: Mapping[Struct, Sequence[str]]
    migration: DataMigration
