"""The schemas that a dataset has had, the verdicts on them, and which jobs read its columns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from lineage_core.openlineage.identity import formatted_namespace
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, row_or_none, value_or_none
from lineage_core.reading.store.facets import snapshot


@dataclass(frozen=True)
class RecordedSchema:
    """What a version that became current says of its fields: JSON, None if no event gave a schema."""

    fields: str | None


@dataclass(frozen=True)
class LastSchema:
    """The fields of the version that became current last, as JSON, and the history by which they were judged."""

    fields: str | None
    history: Any


@dataclass(frozen=True)
class KeptVerdict:
    """A version of a dataset that became current, and the verdict on its schema; the lists are JSON."""

    version: UUID
    current_from: datetime
    event_order: bytes
    verdict: str
    changes: Any
    refusals: Any
    fencing: Any


@dataclass(frozen=True)
class ReadColumn:
    """A column, and a job that reads it: `namespace/name`.

    column: the path to it, one name but for a column within another; None of a job that does not say which columns it
    reads.
    last_current: the place in the order of events where the version that it has read was made current last; None of one
    that no writer made.
    """

    job: str
    column: list[str] | None
    last_current: bytes | None

    def is_before(self, event_order: bytes) -> bool:
        """Whether the job has read it last before the version that this event made current."""
        return self.last_current is None or self.last_current < event_order


@dataclass(frozen=True)
class DatasetReading:
    """A dataset of the store, within one snapshot of it."""

    connection: Connection
    dataset: UUID | None
    """None if the store knows no dataset of the name."""

    def schemas(self) -> list[RecordedSchema]:
        """Those of the versions that were written or declared, in the order in which they became current."""
        return every_row(self.connection, RecordedSchema, "reading/schemas_of_dataset", {"dataset": self.dataset})

    def verdicts(self) -> list[KeptVerdict]:
        """The verdicts on these, in the same order."""
        return every_row(self.connection, KeptVerdict, "reading/schema_verdicts", {"dataset": self.dataset})

    def last_schema(self) -> LastSchema | None:
        """That of the version that is current; None if nobody has written or declared one."""
        return row_or_none(self.connection, LastSchema, "reading/last_schema", {"dataset": self.dataset})

    def read_columns(self) -> list[ReadColumn]:
        """What jobs read of it, by the column lineage of what they last wrote; those that give none may read all."""
        return every_row(self.connection, ReadColumn, "reading/readers_of_columns", {"dataset": self.dataset})


@contextmanager
def dataset_named(store: Store, namespace: str, name: str) -> Iterator[DatasetReading]:
    """The dataset with this name, its own or a symlink's."""
    parameters = {"spelled": namespace, "formatted": formatted_namespace(namespace), "name": name}
    with snapshot(store) as connection:
        yield DatasetReading(connection, value_or_none(connection, UUID, "reading/dataset_named", parameters))
