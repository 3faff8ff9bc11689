"""Law 5: a facet read from a raw event is the facet that the table will hold, and stands where it will stand."""

from __future__ import annotations

import contextlib
import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import chain, cycle
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core import reading, statements
from lineage_core.ingest.store import insert
from lineage_core.model.arrivals import AcceptedEvent, judge
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.normalize.normalization import NormalizationOutcome, NormalizeProgress, normalize
from lineage_core.normalize.slices import Slice
from lineage_core.openlineage.identity import run_uuid
from lineage_core.openlineage.instants import instant
from lineage_core.openlineage.parsing import parse
from lineage_core.postgres.store import Store
from lineage_core.reading import facets
from lineage_core.reading.facets import FoundFacet
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, facet, to_json
from tests.support.event_sets import Arrival, Document, arrivals
from tests.support.examples import drawn
from tests.support.mutants import Mutant, changed
from tests.support.stores import empty, rows

pytestmark = pytest.mark.postgres

EXAMPLES = 14
NUMBER = 4
"""Of six draws the one that is farthest above its floors."""
MOST = 60
"""In which each mutant fails."""

A_BYTE = 1
OF = {
    "run": reading.facets_of_run,
    "job_version": reading.facets_of_job_version,
    "dataset_version": reading.facets_of_dataset_version,
}
Entity = tuple[str, UUID]
AHEAD = (TIME + timedelta(days=36_500)).isoformat()


class Interrupted(Exception):
    """What stops a run, as if somebody had."""


def stopping_after(slices: int) -> NormalizeProgress:
    def stop(_slice: Slice, outcome: NormalizationOutcome) -> None:
        if outcome.slices == slices:
            raise Interrupted

    return stop


@st.composite
def half_normalized(draw: st.DrawFn) -> tuple[Arrival, int, int]:
    """An arrival; how many of its slices are normalized, and how many events until the next run is interrupted."""
    arrival = draw(arrivals())
    ahead = draw(st.sampled_from([None, *range(len(arrival.events))]))
    changed = {to_json(arrival.events[ahead]): AHEAD} if ahead is not None else {}
    slices = tuple(tuple(_with_more_facets(event, changed) for event in events) for events in arrival.slices)
    events = tuple(_with_more_facets(event, changed) for event in arrival.events)
    return Arrival(events, slices), draw(st.integers(0, len(slices) - 1)), draw(st.integers(1, 4))


def _with_more_facets(event: Document, changed: dict[bytes, str]) -> Document:
    """With facets wherever they may stand, and perhaps a time in the future."""
    facets = {"mine": facet(at=event["eventTime"])}
    more: Document = {"eventTime": changed.get(to_json(event), event["eventTime"])}
    for place in ("run", "job"):
        if place in event:
            more[place] = event[place] | {"facets": event[place].get("facets", {}) | facets}
    for place, name in (("inputs", "inputFacets"), ("outputs", "outputFacets")):
        if place in event:
            more[place] = [one | {name: facets} for one in event[place]]
    return event | more


def put(store: Store, events: Iterable[Document]) -> None:
    arrived = [judge(to_json(event), "a test") for event in events]
    with store.connect() as connection:
        assert insert(connection, [event for event in arrived if isinstance(event, AcceptedEvent)]) == []


def feed_whole(store: Store, arrival: Arrival) -> None:
    empty(store)
    for events in arrival.slices:
        put(store, events)
        assert normalize(store, SerialRunner()).quarantined == 0


def feed_half(store: Store, arrival: Arrival, normalized: int, more: int) -> None:
    empty(store)
    for events in arrival.slices[:normalized]:
        put(store, events)
        normalize(store, SerialRunner())
    put(store, [event for events in arrival.slices[normalized:-1] or arrival.slices[-1:] for event in events])
    with contextlib.suppress(Interrupted):
        normalize(store, SerialRunner(), slice_bytes=A_BYTE, progress=stopping_after(more))
    put(store, arrival.slices[-1])


def entities(store: Store, arrival: Arrival) -> set[Entity]:
    versions = rows(
        store,
        "SELECT 'job_version', uuid FROM job_versions UNION ALL SELECT 'dataset_version', uuid FROM dataset_versions",
    )
    runs = {event["run"]["runId"] for event in arrival.events if "run" in event}
    return {*versions, *(("run", UUID(bytes=run_uuid(run))) for run in runs)}


def read(store: Store, entity: Entity) -> list[FoundFacet]:
    kind, uuid = entity
    return list(OF[kind](store, uuid))


def without_source(facets: Iterable[FoundFacet]) -> list[FoundFacet]:
    """Without a word about where they came from."""
    return [replace(one, from_raw=False) for one in facets]


@dataclass(frozen=True)
class Known:
    """What only tables say: makers of job versions, writes of datasets, names of datasets, datasets of versions."""

    makers: dict[UUID, Any]
    timelines: dict[UUID, list[Any]]
    datasets: dict[UUID, UUID]
    names: dict[UUID, set[Any]]
    owners: dict[UUID, set[str]]


OWNERS = "SELECT version_uuid, dataset_uuid::text FROM dataset_mentions"
WAITING = "SELECT convert_to(event::text, 'UTF8') FROM waiting_events"
NAMES = "SELECT namespace_name, name, uuid::text FROM datasets_view"


def owners_of(store: Store) -> dict[UUID, set[str]]:
    """Which datasets have made a version, and which might: what waits says by itself which version it makes."""
    owners: dict[UUID, set[str]] = {}
    for version, dataset in rows(store, OWNERS):
        owners.setdefault(version, set()).add(dataset)
    names = {(namespace, name): uuid for namespace, name, uuid in rows(store, NAMES)}
    for event in (parse(text) for (text,) in rows(store, WAITING)):
        for mention in event.datasets:
            dataset = names.get((mention.namespace, mention.name), f"{mention.namespace}/{mention.name}")
            owners.setdefault(UUID(bytes=described(mention).version(event)), set()).add(dataset)
    return owners


def known(store: Store) -> Known:
    makers = """
        SELECT uuid, (SELECT array_agg(uuid ORDER BY uuid) FROM runs WHERE job_version_uuid = version.uuid),
            (SELECT count(*) FROM event_ledger WHERE job_version_uuid = version.uuid AND run_uuid IS NULL)
        FROM job_versions AS version
    """
    pointers = "SELECT dataset_uuid, event_order, is_written, version_uuid FROM dataset_version_timeline ORDER BY 2, 3"
    timelines: dict[UUID, list[Any]] = {}
    for dataset, *pointer in rows(store, pointers):
        timelines.setdefault(dataset, []).append(pointer)
    versions = dict(rows(store, "SELECT uuid, dataset_uuid FROM dataset_versions"))
    names: dict[UUID, set[Any]] = {}
    for dataset, *name in rows(store, "SELECT dataset_uuid, namespace_uuid, name FROM dataset_symlinks"):
        names.setdefault(dataset, set()).add(tuple(name))
    made = {version: made for version, *made in rows(store, makers)}
    return Known(made, timelines, versions, names, owners_of(store))


def follows_from_events_alone(entity: Entity, half: Known, whole: Known) -> bool:
    """Whether nothing that waits changes what the tables say, beyond what the fall-back finds out by itself."""
    kind, uuid = entity
    if kind == "job_version":
        return half.makers.get(uuid) == whole.makers.get(uuid)
    if kind == "dataset_version":
        if not is_of_one_dataset(uuid, half, whole):
            return False
        dataset = whole.datasets.get(uuid) or half.datasets[uuid]
        before, after = half.timelines.get(dataset, []), whole.timelines.get(dataset, [])
        if dataset in half.datasets.values():
            is_the_same = half.datasets.get(uuid, dataset) == dataset and half.names[dataset] == whole.names.get(
                dataset
            )
            return is_the_same and before == after
        is_written = any(is_written for _, is_written, _ in after)
        return uuid not in half.datasets and len(whole.names[dataset]) == 1 and not is_written
    return True


def is_of_one_dataset(version: UUID, half: Known, whole: Known) -> bool:
    """Whether only one dataset has made it, and will have: the rule of Marquez gives some versions of two one id."""
    return len(half.owners.get(version, set()) | whole.owners.get(version, set())) == 1


def outputs(facets: Iterable[FoundFacet]) -> list[FoundFacet]:
    return [one for one in without_source(facets) if one.type == "OUTPUT"]


def check(store: Store, arrival: Arrival, normalized: int, more: int) -> Iterator[str]:
    """Reads all that a half normalized store has, compares it with the whole, and says which situations were met."""
    feed_whole(store, arrival)
    after = {entity: read(store, entity) for entity in entities(store, arrival)}
    whole = known(store)
    assert not any(one.from_raw for facets in after.values() for one in facets)
    feed_half(store, arrival, normalized, more)
    half = known(store)
    for entity in after.keys() | entities(store, arrival):
        before = read(store, entity)
        expected = after.get(entity, [])
        if follows_from_events_alone(entity, half, whole):
            assert without_source(before) == without_source(expected)
            yield f"a {entity[0]} that is compared as a whole"
        elif entity[0] == "dataset_version" and is_of_one_dataset(entity[1], half, whole):
            assert outputs(before) == outputs(expected)
        yield from situations_of(entity, before)
    yield from situations(store)


def situations_of(entity: Entity, before: list[FoundFacet]) -> Iterator[str]:
    origins = {one.from_raw for one in before}
    if origins == {True, False}:
        yield f"a {entity[0]} with stored and waiting facets"
    if entity[0] == "run" and origins == {True}:
        yield "a run with none of its events normalized"
    waiting = [one for one in before if one.from_raw]
    if any(one.type == "INPUT" for one in waiting):
        yield "an input that waits"
    if any(one.type == "OUTPUT" for one in waiting):
        yield "an output that waits"


def situations(store: Store) -> Iterator[str]:
    for situation, query in SITUATIONS.items():
        if rows(store, query):
            yield situation


SITUATIONS = {
    "a repeat of a normalized event that waits": """
        SELECT FROM lineage_events AS raw, watermarks
        WHERE NOT pg_visible_in_snapshot(raw.arrived_xid::text::xid8, done)
          AND substr(event_identity(event, event_time), 1) IN (SELECT substr(event_order, 2) FROM event_ledger)
          AND (target IS NULL OR NOT pg_visible_in_snapshot(raw.arrived_xid::text::xid8, target))
    """,
    "a stored plan, and an earlier one that waits": """
        SELECT FROM run_facets_kept_once AS stored
        JOIN waiting_events USING (run_uuid)
        WHERE stored.first_event > '\\x01' || identity AND event #> '{run,facets,spark.logicalPlan}' IS NOT NULL
    """,
    "an event ahead of its receipt that waits": "SELECT FROM waiting_events WHERE is_ahead",
    "a run of normalization that was interrupted": "SELECT FROM watermarks WHERE cursor_xid IS NOT NULL",
}
FLOORS = {
    "a run with stored and waiting facets": 3,
    "a run with none of its events normalized": 2,
    "a dataset_version with stored and waiting facets": 5,
    "a job_version that is compared as a whole": 5,
    "a dataset_version that is compared as a whole": 3,
    "a repeat of a normalized event that waits": 3,
    "a stored plan, and an earlier one that waits": 1,
    "an event ahead of its receipt that waits": 1,
    "an input that waits": 5,
    "an output that waits": 5,
    "a run of normalization that was interrupted": 2,
}


@pytest.fixture
def met() -> Iterator[Counter[str]]:
    counted: Counter[str] = Counter()
    yield counted
    missed = {situation: counted[situation] for situation, floor in FLOORS.items() if counted[situation] < floor}
    assert not missed, f"too few examples of {missed}"


@pytest.mark.slow
def test_what_is_read_is_the_same_before_and_after_normalizing(
    database: Store, localized_databases: dict[str, Store], met: Counter[str]
) -> None:
    hold(database, EXAMPLES, met, beside=tuple(localized_databases.values()))


def hold(database: Store, examples: int, met: Counter[str], beside: Sequence[Store] = ()) -> None:
    """The examples go to the database and those `beside` it in turn."""
    turns = cycle((database, *beside))

    @drawn(examples, NUMBER)
    @given(case=half_normalized())
    def law(case: tuple[Arrival, int, int]) -> None:
        met.update(check(next(turns), *case))

    law()


IGNORED_LEDGER = Mutant(
    "no event is in the ledger",
    "normalize/views/waiting_events",
    "WHERE event_order = ANY",
    "WHERE false AND event_order = ANY",
)
IGNORED_TIMELINE = Mutant(
    "nothing was current before",
    "model/functions/version_before",
    "WHERE pointer.dataset_uuid = dataset\n",
    "WHERE false\n",
)


def replaced(mutant: Mutant) -> str:
    """The statement, changed, and such that it takes the place of the one that is there."""
    statement = changed(statements.named(mutant.path), mutant.old, mutant.new, mutant.name, mutant.path)
    return statement.replace("CREATE VIEW", "CREATE OR REPLACE VIEW")


def no_event_is_in_the_ledger(store: Store, _patch: pytest.MonkeyPatch) -> None:
    with store.connect() as connection:
        connection.execute(replaced(IGNORED_LEDGER).encode())


def nothing_was_current_before(store: Store, _patch: pytest.MonkeyPatch) -> None:
    with store.connect() as connection:
        connection.execute(replaced(IGNORED_TIMELINE).encode())


def a_stored_plan_stays(_store: Store, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(facets, facets._first_waiting_logical_plan.__name__, lambda *_: None)


def raw_facets_come_last(_store: Store, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(heapq, "merge", chain)


def a_facet_is_written_otherwise(_store: Store, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        facets, facets._as_facet.__name__, lambda row: FoundFacet(row["name"], row["facet"] + b" ", *_others(row))
    )


def _others(row: Any) -> tuple[Any, ...]:
    time = instant(row["lineage_event_time"])
    return time, row["lineage_event_type"], row.get("type"), True


@pytest.mark.long
@pytest.mark.parametrize(
    "mutate",
    [
        no_event_is_in_the_ledger,
        nothing_was_current_before,
        a_stored_plan_stays,
        raw_facets_come_last,
        a_facet_is_written_otherwise,
    ],
)
def test_the_law_fails(
    mutate: Callable[[Store, pytest.MonkeyPatch], None], database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate(database, monkeypatch)
    with pytest.raises(AssertionError):
        hold(database, MOST, Counter())
