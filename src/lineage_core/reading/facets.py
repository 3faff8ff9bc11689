"""The facets of a run, a job version or a dataset version: from their tables, and from raw events not yet normalized.

Both are made by the same function, `stored_facets`, so a facet is the same before and after. Never
is more in memory than one facet, and one raw event if some wait.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import chain, compress, groupby
from uuid import UUID

from lineage_core.declare.vocabulary import Row
from lineage_core.model.arrivals import check_rows
from lineage_core.model.meaning.facet_rows import (
    KEPT_ONCE_A_RUN,
    dataset_facet_rows,
    facet_digest,
    job_facet_rows,
    run_facet_rows,
)
from lineage_core.model.tables import dataset_mentions
from lineage_core.openlineage.events import Event, Role
from lineage_core.openlineage.instants import instant
from lineage_core.openlineage.parsing import parse
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.reading import store as stored
from lineage_core.reading.store import FacetsOf, StoredFacet, WaitingEvent

_TEXTS_HELD = 100


@dataclass(frozen=True, slots=True)
class FoundFacet:
    """One facet, as its table has it or will have it."""

    name: str
    facet: bytes
    """JSON, an object with the name as its one key."""
    lineage_event_time: datetime
    lineage_event_type: str | None
    type: str | None
    """Of a dataset's facets: DATASET, INPUT, OUTPUT or UNKNOWN."""
    from_raw: bool
    """Whether it comes from a raw event that is not normalized yet."""


def facets_of_run(store: Store, run: UUID) -> Iterator[FoundFacet]:
    """Every facet of the run, in the order of event time; of its logical plan, the first event's."""
    with stored.snapshot(store) as connection:
        yield from run_facets(connection, run)


def run_facets(connection: Connection, run: UUID) -> Iterator[FoundFacet]:
    """As `facets_of_run`, within a snapshot."""
    plan = _first_logical_plan(connection, run)
    return _facets(connection, FacetsOf.RUN, run, partial(_run_rows, plan), lambda facet: not _later(facet, plan))


def facets_of_job_version(store: Store, job_version: UUID) -> Iterator[FoundFacet]:
    """Every facet that the runs of a job version gave their job, in the order of event time.

    Of events that are not normalized, those of runs that have made the version by what the tables say. What a run makes
    that the tables do not know, or an event of a job alone, shows when it is normalized.
    """
    with stored.snapshot(store) as connection:
        yield from job_version_facets(connection, job_version)


def job_version_facets(connection: Connection, job_version: UUID) -> Iterator[FoundFacet]:
    """As `facets_of_job_version`, within a snapshot."""
    return _facets(connection, FacetsOf.JOB_VERSION, job_version, job_facet_rows)


def facets_of_dataset_version(store: Store, dataset_version: UUID) -> Iterator[FoundFacet]:
    """Every facet of a dataset version, in the order of event time.

    Of events that are not normalized, an output says itself which version it makes. An input has read what was current
    before its event as far as the tables know, or else the version of the first run that read the dataset: a write that
    is not normalized itself moves no reader. Marquez' rule gives versions of some differently named datasets one id;
    facets of such another dataset show when they are normalized.
    """
    with stored.snapshot(store) as connection:
        yield from dataset_version_facets(connection, dataset_version)


def dataset_version_facets(connection: Connection, dataset_version: UUID) -> Iterator[FoundFacet]:
    """As `facets_of_dataset_version`, within a snapshot."""
    mentions = _Mentions(connection, dataset_version)
    return _facets(connection, FacetsOf.DATASET_VERSION, dataset_version, mentions.rows)


_Rows = Callable[[Event], Iterator[Row]]
_Key = tuple[int, int, str, str, str, bytes]
"""Time, rank, event type, name, facet type, digest: what tells the place of a facet, stored or not."""


@dataclass(frozen=True, slots=True, order=True)
class _FacetPlace:
    """A facet that has its place, and is loaded when its turn comes."""

    key: _Key
    load: Callable[[], FoundFacet] = field(compare=False)


def _facets(
    connection: Connection,
    of: FacetsOf,
    uuid: UUID,
    rows: _Rows,
    is_kept: Callable[[StoredFacet], bool] = lambda _: True,
) -> Iterator[FoundFacet]:
    waiting = stored.waiting_events(connection, of, uuid)
    first = next(waiting, None)
    kept = (_stored(connection, facet) for facet in stored.stored_facets(connection, of, uuid) if is_kept(facet))
    raw = _RawEvents(connection, rows).facets(chain([] if first is None else [first], waiting))
    for found in heapq.merge(kept, raw):
        yield found.load()


def _stored(connection: Connection, facet: StoredFacet) -> _FacetPlace:
    key = (facet.time, facet.rank, facet.event_type or "", facet.name, facet.type or "", facet.uuid.bytes)
    return _FacetPlace(key, partial(_loaded, connection, facet))


def _loaded(connection: Connection, facet: StoredFacet) -> FoundFacet:
    content = stored.content(connection, facet)
    return FoundFacet(facet.name, content, instant(facet.time), facet.event_type, facet.type, from_raw=False)


class _RawEvents:
    """The facets of raw events. Where several have one time and rank, each is read as often as its turn comes."""

    def __init__(self, connection: Connection, rows: _Rows) -> None:
        self._connection = connection
        self._rows = rows
        self._held: tuple[WaitingEvent | None, list[Row]] = (None, [])

    def facets(self, waiting: Iterable[WaitingEvent]) -> Iterator[_FacetPlace]:
        for (_, rank), events in groupby(waiting, key=lambda event: (event.time, event.rank)):
            yield from self._in_order(rank, list(_few_with_texts(events)))

    def _in_order(self, rank: int, events: list[WaitingEvent]) -> Iterator[_FacetPlace]:
        return iter(
            sorted(
                _FacetPlace(_key(row, rank), partial(self._load, event, place))
                for event in events
                for place, row in enumerate(self._rows_of(event))
            )
        )

    def _load(self, waiting: WaitingEvent, place: int) -> FoundFacet:
        return _as_facet(self._rows_of(waiting)[place])

    def _rows_of(self, waiting: WaitingEvent) -> list[Row]:
        if self._held[0] != waiting:
            self._held = (None, [])
            event = _event(self._connection, waiting)
            self._held = (waiting, list(self._rows(event)) if event else [])
        return self._held[1]


def _few_with_texts(events: Iterable[WaitingEvent]) -> Iterator[WaitingEvent]:
    """All that happened at one time are held together; whatever they are, their texts must not fill the memory."""
    for place, event in enumerate(events):
        yield event if place < _TEXTS_HELD else replace(event, text=None)


def _event(connection: Connection, waiting: WaitingEvent) -> Event | None:
    """None if the event is one that normalization will put into quarantine, for whatever reason; it says why there."""
    text = stored.text(connection, waiting)
    try:
        event = parse(text, is_ahead=waiting.is_ahead)
        check_rows(event)
    except MemoryError:
        raise
    except Exception:
        return None
    return event


def _key(row: Row, rank: int) -> _Key:
    return (
        row["lineage_event_time"],
        rank,
        row["lineage_event_type"] or "",
        row["name"],
        row.get("type") or "",
        facet_digest(row["facet"]),
    )


def _as_facet(row: Row) -> FoundFacet:
    return FoundFacet(
        name=row["name"],
        facet=row["facet"],
        lineage_event_time=instant(row["lineage_event_time"]),
        lineage_event_type=row["lineage_event_type"],
        type=row.get("type"),
        from_raw=True,
    )


def _first_logical_plan(connection: Connection, run: UUID) -> bytes | None:
    """Order of the first event of the run, normalized or not, that has the facet which is kept once a run."""
    orders = [stored.stored_logical_plan_order(connection, run), _first_waiting_logical_plan(connection, run)]
    return min((order for order in orders if order is not None), default=None)


def _first_waiting_logical_plan(connection: Connection, run: UUID) -> bytes | None:
    for waiting in stored.waiting_with_logical_plan(connection, run):
        event = _event(connection, waiting)
        if event is not None and event.run is not None and KEPT_ONCE_A_RUN in event.run.facets:
            return event.order
    return None


def _later(facet: StoredFacet, plan: bytes | None) -> bool:
    """Whether the table keeps a plan, while that of an earlier event waits."""
    return facet.event_order is not None and facet.event_order != plan


def _run_rows(plan: bytes | None, event: Event) -> Iterator[Row]:
    return (row for row in run_facet_rows(event) if row["event_order"] in (None, plan))


class _Mentions:
    """Chooses the facets of one dataset version from events that wait, which come in the order of time."""

    def __init__(self, connection: Connection, version: UUID) -> None:
        self._connection = connection
        self._version = version
        self._dataset = stored.dataset_of(connection, version)
        self._first_reads: dict[UUID, tuple[bytes, int, UUID]] = {}
        if self._waits_ahead():
            self._note_those_not_ahead()

    def rows(self, event: Event) -> Iterator[Row]:
        is_wanted = [self._resolved(mention) == self._version for mention in dataset_mentions.rows(event)]
        return chain.from_iterable(dataset_facet_rows(event, one) for one in compress(event.datasets, is_wanted))

    def _resolved(self, mention: Row) -> UUID | None:
        """The version that an output made or an input read; None if it is one of another dataset."""
        known = stored.known_mention(self._connection, mention)
        if self._dataset not in (None, known.dataset):
            return None
        if mention["role"] == Role.OUTPUT.value:
            return known.own_version
        if known.before is not None:
            return known.before
        return self._first_read(mention, known.dataset, known.own_version)

    def _first_read(self, mention: Row, dataset: UUID, own_version: UUID) -> UUID:
        """The version of the first run that read the dataset, if that was before; the mention's own, if no one's."""
        order = mention["event_order"]
        if mention["run_uuid"] is not None:
            read = (order, mention["place"], own_version)
            self._first_reads[dataset] = min(self._first_reads.get(dataset, read), read)
        first_order, _, version = self._first_reads.get(dataset, (order, 0, own_version))
        return version if first_order <= order else own_version

    def _waits_ahead(self) -> bool:
        ahead = stored.waiting_events(self._connection, FacetsOf.DATASET_VERSION, self._version, only_ahead=True)
        with closing(ahead):
            return next(ahead, None) is not None

    def _note_those_not_ahead(self) -> None:
        """They come before those ahead of their receipt in the order of events, though not always by their time."""
        for waiting in stored.waiting_events(self._connection, FacetsOf.DATASET_VERSION, self._version):
            event = None if waiting.is_ahead else _event(self._connection, waiting)
            for mention in dataset_mentions.rows(event) if event else ():
                self._resolved(mention)
