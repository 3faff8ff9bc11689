"""What reading asks of the store: where facets lie, and the schemas of a dataset.

Facets lie in their table, and in raw events that wait. Both are listed in the order of reading, without what is large:
that is loaded one facet, or one event, at a time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

import psycopg

from lineage_core import statements
from lineage_core.model.meaning.facet_rows import KEPT_ONCE_A_RUN
from lineage_core.namespace_format import formatted_namespace
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import (
    Statement,
    composed,
    each_row,
    every_row,
    large_value,
    one_row,
    row_or_none,
    value_or_none,
)

_SMALL = 2_000
"""Stored bytes up to which facets and events come with the list, several at a time."""

_SHORT = 32_000
"""Bytes of text of these: with exponents, or what compresses well, a few stored bytes are a long text."""

_FETCHED = 50


class FacetsOf(Enum):
    """Whose facets; the value ends the names of their statements in `reading/sql/`."""

    RUN = "run"
    JOB_VERSION = "job_version"
    DATASET_VERSION = "dataset_version"


@dataclass(frozen=True, slots=True)
class StoredFacet:
    """One facet of a table. `time` in microseconds since 1970, `rank` as in the order of events.

    uuid: of its content, in the order of which those of one time, type and name stand.
    content: None if it is large (see `content`).
    event_order: of facets that are kept once a run.
    """

    uuid: UUID
    time: int
    rank: int
    event_type: str | None
    name: str
    type: str | None
    content: bytes | None
    event_order: bytes | None


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """One raw event that is not normalized. `text` is None if it is large (see `text`)."""

    xid: int
    seq: int
    is_ahead: bool
    time: int
    rank: int
    text: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class KnownMention:
    """What the tables know of a mention of a dataset; `before` is the version that was current before an input."""

    dataset: UUID
    own_version: UUID
    before: UUID | None


@contextmanager
def snapshot(store: Store, *, has_temporary_tables: bool = False) -> Iterator[Connection]:
    """A connection that sees one state of the store, so that no facet is missed or seen twice while a merge commits.

    has_temporary_tables: whether the transaction may make some, which Postgres calls writing.
    """
    with store.session("lineage_reader") as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = not has_temporary_tables
        connection.execute(statements.named("reading/settings"))
        yield connection


def stored_facets(connection: Connection, of: FacetsOf, uuid: UUID) -> Iterator[StoredFacet]:
    """What the tables have, fetched as it is asked for."""
    statement = _of("reading/stored", of)
    parameters = {"uuid": uuid, "small": _SMALL, "short": _SHORT}
    return each_row(connection, StoredFacet, statement, parameters, at_once=_FETCHED, binary=True)


def content(connection: Connection, facet: StoredFacet) -> bytes:
    """The JSON of a facet: an object with its name as the one key."""
    if facet.content is not None:
        return facet.content
    return large_value(connection, "reading/facet", {"uuid": facet.uuid})


def waiting_events(
    connection: Connection, of: FacetsOf, uuid: UUID, *, only_ahead: bool = False
) -> Generator[WaitingEvent]:
    """The events that may have more facets, fetched as they are asked for."""
    return _waiting_events(connection, _of("reading/waiting", of), {"uuid": uuid, "only_ahead": only_ahead})


def waiting_with_logical_plan(connection: Connection, run: UUID) -> Iterator[WaitingEvent]:
    """Those of a run that may have the facet which is kept once a run, the first event first."""
    return _waiting_events(connection, "reading/waiting_with_plan_of_run", {"uuid": run, "name": KEPT_ONCE_A_RUN})


def stored_logical_plan_order(connection: Connection, run: UUID) -> bytes | None:
    """Order of the event whose facet the table keeps, if it keeps one."""
    parameters = {"uuid": run, "name": KEPT_ONCE_A_RUN}
    return value_or_none(connection, bytes, "reading/plan_of_run", parameters)


def text(connection: Connection, event: WaitingEvent) -> bytes:
    """The document of a raw event."""
    if event.text is not None:
        return event.text
    return large_value(connection, "reading/text_of_event", {"xid": event.xid, "seq": event.seq})


def known_mention(connection: Connection, mention: Mapping[str, Any]) -> KnownMention:
    """`mention` is a row that an event says of `dataset_mentions`."""
    parameters = {
        "role": mention["role"],
        "event_order": mention["event_order"],
        "name_uuid": UUID(bytes=mention["name_uuid"]),
        "own_version_uuid": UUID(bytes=mention["own_version_uuid"]),
    }
    return one_row(connection, KnownMention, "reading/mention", parameters)


def dataset_of(connection: Connection, version: UUID) -> UUID | None:
    """The dataset of a version that the tables know."""
    return value_or_none(connection, UUID, "reading/dataset_of_version", {"uuid": version})


def _of(statement: str, of: FacetsOf) -> Statement:
    """The statement, about what is found of a run, a job version or a dataset version."""
    return composed(statement, found=composed(f"{statement}_of_{of.value}"))


def _waiting_events(
    connection: Connection, statement: Statement, parameters: Mapping[str, Any]
) -> Generator[WaitingEvent]:
    sizes = {"small": _SMALL, "short": _SHORT}
    return each_row(connection, WaitingEvent, statement, sizes | dict(parameters), at_once=_FETCHED, binary=True)


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
    """A version of a dataset that became current, and the verdict on its schema; the lists are JSON.

    number: of its schema among those that are known, from 1 on; None if its own is not.
    """

    number: int | None
    version: UUID
    current_from: datetime
    event_order: bytes
    verdict: str
    changes: Any
    refusals: Any
    fencing: Any


@dataclass(frozen=True)
class UnchangedSchemas:
    """Versions of a dataset that left its schema as it was, and when the last of them became current."""

    versions: int
    last_from: datetime | None


@dataclass(frozen=True)
class ReadColumn:
    """A column, and a job that reads it: `namespace/name`.

    column: the path to it, one name but for a column within another; None of a job that does not say which columns it
    reads.
    last_current: the place in the order of events where the version that it has read was made current last, and the
    first of these places if it has read several; None if no writer made one of them.
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

    def verdicts(self, only_changes: bool = False, most: int | None = None) -> list[KeptVerdict]:
        """The verdicts on these, the last first. only_changes: without those that left the schema as it was."""
        parameters = {"dataset": self.dataset, "only_changes": only_changes, "most": most}
        return every_row(self.connection, KeptVerdict, "reading/schema_verdicts", parameters)

    def unchanged_schemas(self) -> UnchangedSchemas:
        return one_row(self.connection, UnchangedSchemas, "reading/unchanged_schemas", {"dataset": self.dataset})

    def last_schema(self) -> LastSchema | None:
        """That of the version that is current; None if none is written or declared."""
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


@dataclass(frozen=True)
class UnreadableFacets:
    """Facets of one producer with one fault. Times are those of events; `path` is where the last one has the fault."""

    name: str
    reason: str
    producer: str
    facets: int
    first_time: datetime
    last_time: datetime
    path: str


def unreadable_facets(store: Store) -> list[UnreadableFacets]:
    """All of them, the most frequent first."""
    with store.session("lineage_reader") as connection:
        return every_row(connection, UnreadableFacets, "reading/unreadable_facets")
