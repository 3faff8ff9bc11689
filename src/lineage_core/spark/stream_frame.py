"""Published streams as DataFrames, whatever schemas their parts were written in (seed 004)."""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from typing import TYPE_CHECKING

from msgspec.structs import replace
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from lineage_core.evolution import DataMigration
from lineage_core.evolution.arrow import struct_of
from lineage_core.evolution.data_types import Primitive, Struct, live
from lineage_core.files import FileFolder
from lineage_core.postgres.store import Store
from lineage_core.spark.changelog_frame import ChangelogFrame
from lineage_core.spark.schema_changes import spark_type
from lineage_core.streams.arrow_records import system_schema
from lineage_core.streams.parts import stream_folder
from lineage_core.streams.reading import PublishedVersion, published_version

if TYPE_CHECKING:
    import pyarrow


def stream_frame(
    session: SparkSession, store: Store, root: str, name: str, reader_schema: pyarrow.Schema | None = None
) -> ChangelogFrame:
    """The records of a stream as it is published now, in no order: `offset` has it.

    reader_schema: the data columns that the reader knows, the latest schema if None. Raises ReaderFenced, before a part
    is opened, if they are no longer what the data can be migrated to, and WrongUsage if Spark has no type for one.
    """
    version = published_version(store, name)
    schemas = version.schemas
    migration = _of_records(schemas.to_latest() if reader_schema is None else schemas.to_reader(reader_schema))
    frames = [
        migration.apply(session.read.schema(_as_struct_type(written)).parquet(*paths))
        for written, paths in _scans(version, FileFolder(root), migration).items()
    ]
    nothing = session.createDataFrame([], _as_struct_type(migration.target))
    return ChangelogFrame(reduce(DataFrame.union, frames) if frames else nothing)


def _scans(version: PublishedVersion, root: FileFolder, migration: DataMigration) -> dict[Struct, list[str]]:
    """The files, by the schema in which they are read: as few as there can be, as each is a scan."""
    stream = version.schemas.stream
    read_as = [_read_as(_with_system_columns(live(type_.struct)), migration) for type_ in version.schemas.types]
    paths = defaultdict[Struct, list[str]](list)
    for part in version.parts:
        paths[read_as[part.schema_id]].append(stream_folder(root, stream).file(part.file(stream).name))
    return paths


def _read_as(written: Struct, migration: DataMigration) -> Struct:
    """The schema in which Spark reads files of another one. It finds columns by name, and gives nulls for those that
    are missing; what is nested is read as it was written.
    """
    if any(field.id is not None for field in migration.history.fields):
        return written
    wanted = {field.name for field in migration.target.fields}
    there = {field.name: field for field in written.fields}
    fields = (
        field if isinstance(field.type, Primitive) else there.get(field.name)
        for field in migration.history.fields
        if field.name in wanted
    )
    return Struct(tuple(replace(field, nullable=True) for field in fields if field is not None))


def _as_struct_type(struct: Struct) -> StructType:
    made = spark_type(struct)
    assert isinstance(made, StructType)  # noqa: S101
    return made


def _of_records(migration: DataMigration) -> DataMigration:
    """The migration of whole records: the system columns come first, and stay."""
    return DataMigration(
        _with_system_columns(migration.history), _with_system_columns(migration.target), migration.changes
    )


def _with_system_columns(struct: Struct) -> Struct:
    return replace(struct, fields=(*struct_of(system_schema()).fields, *struct.fields))
