"""The lineage graph at a moment by a plain reading of raw events, beside what the tables answer."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from lineage_core.answers.graph.model import NodeKind, Place
from lineage_core.answers.graph.orders import END, order_behind, time_of
from lineage_core.answers.graph.store import GraphReader, HeldEdge
from lineage_core.model.meaning.column_lineages import described_lineages
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.model.meaning.job_descriptions import is_streaming, mentioned_job
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.events import Event, Kind, Role, RunState
from lineage_core.openlineage.identity import dataset_uuid
from lineage_core.openlineage.parsing import parse
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from tests.support.stores import rows

_EVENTS = "SELECT convert_to(event::text, 'UTF8'), is_ahead FROM lineage_events"
_IDENTITIES = "SELECT entity, key_uuid, uuid FROM identity_map WHERE entity IN ('datasets', 'jobs')"

Thing = tuple[UUID, str]
"""A dataset and a column of it; the empty text is the dataset itself."""
Held = tuple[str, UUID, Thing, Thing]
"""What kind of edge, by which job, from what to what; a job itself is the Thing of its uuid."""


@dataclass
class _Span:
    since: datetime
    until: datetime | None = None


@dataclass
class History:
    """Every edge that ever held, with the times between which it did, one behind the other."""

    spans: defaultdict[Held, list[_Span]] = field(default_factory=lambda: defaultdict(list))

    def at(self, moment: datetime | None) -> dict[Held, tuple[datetime, datetime | None]]:
        return {
            held: (span.since, span.until)
            for held, spans in self.spans.items()
            for span in spans
            if (moment is None and span.until is None)
            or (moment is not None and span.since <= moment and (span.until is None or moment < span.until))
        }


def history(store: Store) -> History:
    """Goes through the events in their order, and keeps what each job does from its last moment on."""
    known = {(entity, key): uuid for entity, key, uuid in rows(store, _IDENTITIES)}
    events = [parse(bytes(text), is_ahead=ahead) for text, ahead in rows(store, _EVENTS)]
    in_time = {event.order: event for event in events if not event.is_ahead}
    events_of_runs: defaultdict[bytes, list[Event]] = defaultdict(list)
    found, doing = History(), defaultdict[UUID, set[Held]](set)
    for order in sorted(in_time):
        event = in_time[order]
        if event.run is not None:
            events_of_runs[event.run.uuid].append(event)
        job = mentioned_job(event)
        events_of_run = events_of_runs[event.run.uuid] if event.run is not None else [event]
        before = {key: set(held) for key, held in doing.items()}
        if job is not None and _is_moment(event) and any(one.datasets for one in events_of_run):
            uuid = UUID(bytes=job)
            doing[known.get(("jobs", uuid), uuid)] = set(_done(known.get(("jobs", uuid), uuid), events_of_run, known))
        ended = set(_ended(event, known))
        for held in doing.values():
            held -= {one for one in held if {one[2][0], one[3][0]} & ended}
        _keep(found, before, doing, time_of(event.order))
    return found


def _is_moment(event: Event) -> bool:
    if event.kind is Kind.JOB or event.ending is RunState.COMPLETED:
        return True
    return event.ending is None and event.run is not None and is_streaming(event) and bool(event.datasets)


def _done(job: UUID, events_of_run: Iterable[Event], known: dict[Any, UUID]) -> Iterator[Held]:
    for event in events_of_run:
        lineages = described_lineages(event)
        for mention in event.datasets:
            dataset = _known(described(mention).dataset_uuid, known)
            if mention.role is Role.INPUT:
                yield "reads", job, (dataset, ""), (job, "")
            else:
                yield "writes", job, (job, ""), (dataset, "")
            lineage = lineages.get(mention.place)
            for pair in json.loads(lineage.pairs) if lineage else ():
                source = _known(UUID(pair["dataset"]).bytes, known)
                yield "derives", job, (source, pair["field"]), (dataset, pair["output"])


def _ended(event: Event, known: dict[Any, UUID]) -> Iterator[UUID]:
    """The datasets that end with the event: of what it says about one name, the last counts."""
    if event.ending in (RunState.FAILED, RunState.ABORTED):
        return
    became: dict[bytes, UUID | None] = {}
    for mention in event.datasets:
        facet = json.loads(bytes(mention.facets.get("lifecycleStateChange", b"null")))
        state = facet and (facet.get("lifecycleStateChange") or "").upper()
        this = described(mention).dataset_uuid
        if state == "DROP":
            became[this] = None
        previous = facet.get("previousIdentifier") if state == "RENAME" else None
        if previous:
            became[dataset_uuid(formatted_namespace(previous["namespace"]), previous["name"])] = _known(this, known)
    yield from (_known(name, known) for name, to in became.items() if to != _known(name, known))


def _known(key: bytes, known: dict[Any, UUID]) -> UUID:
    uuid = UUID(bytes=key)
    return known.get(("datasets", uuid), uuid)


def _keep(found: History, before: dict[UUID, set[Held]], doing: dict[UUID, set[Held]], time: datetime) -> None:
    for job, held in doing.items():
        for one in held - before.get(job, set()):
            found.spans[one].append(_Span(time))
        for one in before.get(job, set()) - held:
            found.spans[one][-1].until = time


def of_tables(store: Store, moment: datetime | None) -> dict[Held, tuple[datetime, datetime | None]]:
    """Every edge that the tables hold at a moment, looked for from jobs, from datasets and from columns: each side has
    to find the same."""
    with store.connect() as connection:
        return of_connection(connection, moment)


def of_connection(
    connection: Connection, moment: datetime | None, *, is_as_known: bool = False
) -> dict[Held, tuple[datetime, datetime | None]]:
    """The same, as a session shows it."""
    before = END if moment is None else order_behind(moment)
    reader = GraphReader(connection, before, shows_hidden=True, is_as_known=is_as_known)
    jobs = [Place(NodeKind.JOB, str(uuid)) for (uuid,) in connection.execute("SELECT uuid FROM jobs")]
    datasets = [Place(NodeKind.DATASET, str(uuid)) for (uuid,) in connection.execute("SELECT uuid FROM datasets")]
    most = 1 << 20
    by_jobs = [*reader.upstream(NodeKind.JOB, jobs, most).edges, *reader.downstream(NodeKind.JOB, jobs, most).edges]
    by_datasets = [
        *reader.downstream(NodeKind.DATASET, datasets, most).edges,
        *reader.upstream(NodeKind.DATASET, datasets, most).edges,
    ]
    columns = [
        Place(NodeKind.COLUMN, str(uuid), name)
        for uuid, name in connection.execute(
            "SELECT output.uuid, pair ->> 'output' FROM datasets AS output, dataset_column_lineages,"
            " jsonb_array_elements(pairs) AS pair"
            " UNION SELECT input.uuid, pair ->> 'field' FROM datasets AS input, dataset_column_lineages,"
            " jsonb_array_elements(pairs) AS pair"
        )
    ]
    up = reader.upstream(NodeKind.COLUMN, columns, most).edges
    down = reader.downstream(NodeKind.COLUMN, columns, most).edges
    assert _by_key(by_jobs) == _by_key(by_datasets)
    assert _by_key(up) == _by_key(down)
    return _by_key(by_jobs) | _by_key(up)


def _by_key(edges: Iterable[HeldEdge]) -> dict[Held, tuple[datetime, datetime | None]]:
    return {
        (edge.kind.value, UUID(edge.job), _thing(edge.from_), _thing(edge.to)): (
            time_of(edge.span.since),
            None if edge.span.until == END else time_of(edge.span.until),
        )
        for edge in edges
    }


def _thing(place: Place) -> Thing:
    return UUID(place.uuid), place.column or ""


def misdrawn(store: Store) -> list[str]:
    """How the graphs of the tables differ from those of the events: now, and where edges turn, at it or just before."""
    by_hand = history(store)
    turns = {time for spans in by_hand.spans.values() for span in spans for time in (span.since, span.until) if time}
    moments = [time - timedelta(microseconds=number % 2) for number, time in enumerate(sorted(turns))] + [None]
    return [line for moment in moments for line in _differences(by_hand.at(moment), of_tables(store, moment), moment)]


def _differences(expected: dict[Held, Any], found: dict[Held, Any], moment: datetime | None) -> Iterator[str]:
    for held in sorted(expected.keys() | found.keys(), key=str):
        if expected.get(held) != found.get(held):
            yield f"at {moment}: {held} is {found.get(held)}, by the events {expected.get(held)}"
