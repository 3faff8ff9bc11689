"""The schemas that a dataset has had, and which jobs read its columns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from lineage_core.openlineage.identity import formatted_namespace
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row, value_or_none
from lineage_core.reading.store.facets import snapshot


@dataclass(frozen=True)
class RecordedSchema:
    """A version of a dataset that became current. `fields` is JSON, None if no event gave a schema."""

    version: UUID
    current_from: datetime
    fields: Any


@dataclass(frozen=True)
class ReadColumn:
    """A column, and a job that reads it: `namespace/name`."""

    job: str
    column: str


@dataclass(frozen=True)
class DatasetReading:
    """A dataset of the store, within one snapshot of it."""

    connection: Connection
    dataset: UUID | None
    """None if the store knows no dataset of the name."""

    def schemas(self) -> list[RecordedSchema]:
        """Those of the versions that were written or declared, in the order in which they became current."""
        return every_row(self.connection, RecordedSchema, "reading/schemas_of_dataset", {"dataset": self.dataset})

    def read_columns(self) -> list[ReadColumn]:
        """What jobs read of it, by the column lineage of what they last wrote."""
        return every_row(self.connection, ReadColumn, "reading/readers_of_columns", {"dataset": self.dataset})


@contextmanager
def dataset_named(dsn: str, namespace: str, name: str) -> Iterator[DatasetReading]:
    """The dataset with this name, its own or a symlink's."""
    parameters = {"spelled": namespace, "formatted": formatted_namespace(namespace), "name": name}
    with snapshot(dsn) as connection:
        yield DatasetReading(connection, value_or_none(connection, UUID, "reading/dataset_named", parameters))
