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
from lineage_core.evolution.data_types import Struct, live
from lineage_core.files import FileFolder
from lineage_core.spark.changelog_frame import ChangelogFrame
from lineage_core.spark.schema_changes import spark_type
from lineage_core.streams.arrow_records import system_schema
from lineage_core.streams.parts import stream_folder
from lineage_core.streams.reading import PublishedVersion, published_version

if TYPE_CHECKING:
    import pyarrow


def stream_frame(
    session: SparkSession, dsn: str, root: str, name: str, reader_schema: pyarrow.Schema | None = None
) -> ChangelogFrame:
    """The records of a stream as it is published now, in no order: `offset` has it.

    reader_schema: the data columns that the reader knows, the latest schema if None. Raises ReaderFenced, before a part
    is opened, if they are no longer what the data can be migrated to, and WrongUsage if Spark has no type for one.
    """
    version = published_version(dsn, name)
    schemas = version.schemas
    migration = _of_records(schemas.to_latest() if reader_schema is None else schemas.to_reader(reader_schema))
    frames = [
        migration.apply(session.read.schema(_spark_schema(version, schema_id)).parquet(*paths))
        for schema_id, paths in _paths(version, FileFolder(root), name).items()
    ]
    nothing = session.createDataFrame([], _as_struct_type(migration.target))
    return ChangelogFrame(reduce(DataFrame.union, frames) if frames else nothing)


def _paths(version: PublishedVersion, root: FileFolder, name: str) -> dict[int, list[str]]:
    """The files of each schema id."""
    paths = defaultdict[int, list[str]](list)
    for part in version.parts:
        paths[part.schema_id].append(stream_folder(root, name).file(part.file(name).name))
    return paths


def _spark_schema(version: PublishedVersion, schema_id: int) -> StructType:
    return _as_struct_type(_with_system_columns(live(version.schemas.types[schema_id].struct)))


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
