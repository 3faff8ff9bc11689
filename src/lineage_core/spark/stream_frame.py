"""Published streams as DataFrames, whatever schemas their parts were written in (seed 004)."""

from __future__ import annotations

from collections import defaultdict
from functools import reduce

from msgspec.structs import replace
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from lineage_core.changelog.stream_files import StreamFiles
from lineage_core.evolution import DataMigration
from lineage_core.evolution.data_types import Primitive, Struct
from lineage_core.spark.changelog_frame import ChangelogFrame
from lineage_core.spark.schema_changes import migrated, spark_type


def stream_frame(session: SparkSession, files: StreamFiles) -> ChangelogFrame:
    """The records of a stream, in no order: `offset` has it. `lineage_core.streams.files_to_read` has its files.

    Raises WrongUsage if Spark has no type for a column.
    """
    frames = [
        migrated(session.read.schema(_as_struct_type(schema)).parquet(*paths), files.migration)
        for schema, paths in _scans(files).items()
    ]
    nothing = session.createDataFrame([], _as_struct_type(files.migration.target))
    return ChangelogFrame(reduce(DataFrame.union, frames) if frames else nothing)


def _scans(files: StreamFiles) -> dict[Struct, list[str]]:
    """The files, by the schema in which they are read: as few as there can be, as each is a scan."""
    scans = defaultdict[Struct, list[str]](list)
    for written, paths in files.paths.items():
        scans[_read_as(written, files.migration)] += paths
    return scans


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
