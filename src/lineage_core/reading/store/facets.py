"""Where the facets of a run, job version or dataset version lie: in their table, and in raw events that wait.

Both are listed in the order of reading, without what is large: that is loaded one facet, or one event, at a time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from uuid import UUID

import psycopg

from lineage_core import statements
from lineage_core.model.meaning.facet_rows import KEPT_ONCE_A_RUN
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.pieces import large_value
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import Statement, composed, each_row, one_row, value_or_none

_SMALL = 2_000
"""Stored bytes up to which facets and events come with the list, several at a time."""

_SHORT = 32_000
"""Bytes of text of these: with exponents, or what compresses well, a few stored bytes are a long text."""

_FETCHED = 50


class FacetsOf(Enum):
    """Whose facets; the value ends the names of their statements in `sql/reading/`."""

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
def snapshot(store: Store) -> Iterator[Connection]:
    """A connection that sees one state of the store, so that no facet is missed or seen twice while a merge commits."""
    with store.session("lineage_reader") as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
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
