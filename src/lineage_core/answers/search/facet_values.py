"""What events state in a facet: datasets, jobs and runs of which a value in that facet has a text."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from lineage_core.answers.search.place import no_cursor
from lineage_core.errors import WrongUsage
from lineage_core.own_lineage.datasets import OWN_NAMESPACE
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, one_row
from lineage_core.reading.store import snapshot

MOST_VALUES = 50

AT_ONCE = 1_000
"""Events whose facets are looked at together, the last ones first."""

MOST_EVENTS = 5_000
"""Events whose facets are looked at for one answer. What earlier events state is behind `FacetValues.next`."""

LARGEST_SEARCHED = 256_000
"""Stored bytes of a facet; a larger one is not taken apart, and the answer says so."""

LONGEST_VALUE = 200
"""Characters that are shown of a value."""

_BEHIND_ALL = b"\xff"
"""Behind each place in the order of events."""

_NO_UUID = UUID(int=0)


class FacetBearer(StrEnum):
    """What a facet is about."""

    DATASET = "dataset"
    JOB = "job"
    RUN = "run"


@dataclass(frozen=True)
class FacetValue:
    """What bears the facet, by the last of the events that have the text there. uuid: of the dataset, job or run.
    namespace and name: of the dataset, or of the job that a run is of. value: the first one that has the text, as text,
    at most LONGEST_VALUE characters of it; None if the facet is larger than LARGEST_SEARCHED. event_order: of the
    event."""

    kind: FacetBearer
    uuid: UUID
    namespace: str
    name: str
    value: str | None
    event_time: datetime
    event_order: bytes

    @property
    def run(self) -> UUID | None:
        return self.uuid if self.kind is FacetBearer.RUN else None


@dataclass(frozen=True)
class FacetValues:
    """found: what was stated last first. not_searched: whose facet is too large to be taken apart.

    complete: whether all events were looked at, and all facets. next: where it goes on; None at the first event. It may
    go on behind fewer rows than were asked for, even behind none, as looking ends after MOST_EVENTS. events: how many
    were looked at, before those with which `next` goes on. since: the time of the earliest of them, None without any.
    """

    complete: bool
    next: str | None
    found: tuple[FacetValue, ...]
    not_searched: tuple[FacetValue, ...]
    events: int
    since: datetime | None


@dataclass(frozen=True)
class _Window:
    """Events that are looked at together. first: the place of the earliest one, None without any; since: its time."""

    events: int
    first: bytes | None
    since: datetime | None


@dataclass(frozen=True)
class _Place:
    """Behind a row of an answer, where what else its event states comes next; or behind a whole event, without kind."""

    event_order: bytes
    kind: str = ""
    uuid: UUID = _NO_UUID

    def parameters(self) -> dict[str, Any]:
        """Of both statements."""
        return {"behind": self.event_order, "behind_kind": self.kind, "behind_uuid": self.uuid}

    def cursor(self) -> str:
        return json.dumps([self.event_order.hex(), self.kind, str(self.uuid)])


def facet_values(
    store: Store,
    text: str,
    facet: str,
    *,
    kinds: Collection[FacetBearer] = tuple(FacetBearer),
    limit: int = MOST_VALUES,
    after: str | None = None,
    own: bool = False,
) -> FacetValues:
    """Where a value in `facet`, the key of a facet, has the text, whatever its ASCII capitals.

    The key is that of the events; `parent` of those that call it `parentRun`. Values are texts, numbers and booleans at
    any depth, without the names of members, `_producer` and `_schemaURL`. Each thing is found by the last event that
    has the text; a later one may have another value, and on a later page an earlier one may be found. after:
    `FacetValues.next` of the answer before, for the same question. own: what this store says of itself, too.

    Raises WrongUsage for an empty text or facet, and for a cursor that no answer has given.
    """
    with snapshot(store) as connection:
        return facet_values_in(connection, text, facet, kinds=kinds, limit=limit, after=after, own=own)


def facet_values_in(
    connection: Connection,
    text: str,
    facet: str,
    *,
    kinds: Collection[FacetBearer] = tuple(FacetBearer),
    limit: int = MOST_VALUES,
    after: str | None = None,
    own: bool = False,
) -> FacetValues:
    """As `facet_values`, in a snapshot that other questions share."""
    if not text.strip() or not facet.strip():
        raise WrongUsage("Say what to search for, and in which facet: a part of a value, and the facet's key.")
    question = {
        "text": text.strip(),
        "facet": facet.strip(),
        "kinds": [kind.value for kind in kinds],
        "left_out": None if own else OWN_NAMESPACE,
        "largest": LARGEST_SEARCHED,
        "longest": LONGEST_VALUE,
    }
    begins = _place_of(after)
    place: _Place | None = begins
    stated: dict[tuple[str, UUID], FacetValue] = {}
    events, since = 0, None
    while place is not None and len(stated) <= limit and events < MOST_EVENTS:
        window = one_row(connection, _Window, "answers/search/window_of_events", place.parameters() | {"most": AT_ONCE})
        events, since = events + window.events, window.since or since
        # Some may be known already. With one row more than fit, there are still as many new ones as there is room for.
        for found in _stated(connection, question | place.parameters(), window, most=limit + 1):
            stated.setdefault((found.kind, found.uuid), found)
        place = _Place(window.first) if window.first is not None and window.events == AT_ONCE else None
    rows = list(stated.values())
    if len(rows) > limit:
        last = rows[limit - 1]
        place = _Place(last.event_order, last.kind.value, last.uuid)
        asked = begins.parameters() | {"first": last.event_order}
        window = one_row(connection, _Window, "answers/search/events_looked_at", asked)
        events, since = window.events, window.since
    large = tuple(one for one in rows[:limit] if one.value is None)
    return FacetValues(
        complete=place is None and not large,
        next=None if place is None else place.cursor(),
        found=tuple(one for one in rows[:limit] if one.value is not None),
        not_searched=large,
        events=events,
        since=None if since is None else since.astimezone(UTC),
    )


def _stated(connection: Connection, question: dict[str, Any], window: _Window, *, most: int) -> Iterator[FacetValue]:
    if window.first is None:
        return
    asked = question | {"first": window.first, "most": most}
    for one in every_row(connection, FacetValue, "answers/search/facet_values", asked):
        yield replace(one, kind=FacetBearer(one.kind), event_time=one.event_time.astimezone(UTC))


def _place_of(cursor: str | None) -> _Place:
    """Raises WrongUsage for a text that `cursor` does not give."""
    if cursor is None:
        return _Place(_BEHIND_ALL)
    try:
        event_order, kind, uuid = json.loads(cursor)
        place = _Place(bytes.fromhex(event_order), FacetBearer(kind).value if kind else "", UUID(uuid))
    except (AttributeError, RecursionError, TypeError, ValueError) as error:
        raise no_cursor(cursor) from error
    return place
