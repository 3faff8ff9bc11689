"""The files of a stream as it is published now, for an engine that reads them by itself, such as Spark."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lineage_core.changelog.migrated_records import StreamFiles
from lineage_core.evolution import DataMigration
from lineage_core.evolution.arrow import struct_of
from lineage_core.evolution.data_types import Struct, live
from lineage_core.files import FileFolder
from lineage_core.postgres.store import Store
from lineage_core.streams.arrow_records import system_schema
from lineage_core.streams.parts import stream_folder
from lineage_core.streams.published_versions import PublishedVersion, published_version

if TYPE_CHECKING:
    import pyarrow


def stream_files(store: Store, root: str, name: str, reader_schema: pyarrow.Schema | None = None) -> StreamFiles:
    """The files of a stream, and how its records are read.

    reader_schema: the data columns that the reader knows, the latest schema if None. Raises ReaderFenced if they are no
    longer what the data can be migrated to.
    """
    return files_of_version(published_version(store, name), root, reader_schema)


def files_of_version(version: PublishedVersion, root: str, reader_schema: pyarrow.Schema | None = None) -> StreamFiles:
    """The same of a version that is known."""
    schemas, folder = version.schemas, stream_folder(FileFolder(root), version.schemas.stream)
    written = [_with_system_columns(live(type_.struct)) for type_ in schemas.types]
    paths = defaultdict[Struct, list[str]](list)
    for part in version.parts:
        paths[written[part.schema_id]].append(folder.file(part.file(schemas.stream).name))
    return StreamFiles(
        paths, _of_records(schemas.to_latest() if reader_schema is None else schemas.to_reader(reader_schema))
    )


def _of_records(migration: DataMigration) -> DataMigration:
    """The migration of whole records: the system columns come first, and stay."""
    return DataMigration(
        _with_system_columns(migration.history), _with_system_columns(migration.target), migration.changes
    )


def _with_system_columns(struct: Struct) -> Struct:
    return replace(struct, fields=(*struct_of(system_schema()).fields, *struct.fields))
