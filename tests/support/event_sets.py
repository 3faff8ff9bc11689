"""Sets of events for property tests: small pools, so that events meet in every way that matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import strategies as st

from lineage_core.testing import TIME, dataset, dataset_event, facet, job_event, named_job, parent, run_event
from tests.support.alike_names import alike
from tests.support.column_paths import of_paths

Document = dict[str, Any]

SCHEMAS: Sequence[Any] = (
    None,
    [],
    [("id", "BIGINT"), ("name", "VARCHAR")],
    [("id", "BIGINT"), ("name", "VARCHAR", "of the customer")],
    [("name", "VARCHAR"), ("id", "bigint")],
    [("id", "BIGINT"), ("name", "VARCHAR"), ("age", None)],
    [("age", None), ("of", "struct<a:int>")],
)
_NAMES = ("orders", "daily")
_NAMESPACES = ("shop", "postgres://db:5432")
_RUNS = tuple(f"0190a0a0-0000-7000-8000-00000000000{number}" for number in range(2))
_JOBS = ("load", "report")
_TYPES = ("START", "START", "RUNNING", "OTHER", "COMPLETE", "COMPLETE", "FAIL", "ABORT", "complete", None)

_LABELS: Sequence[Any] = (
    {},
    {},
    {"tags": facet(tags=[{"key": "pii", "value": "true", "field": "name"}, {"key": "tier", "value": "1"}])},
    {"tags": facet(tags=[{"key": "pii", "value": "true", "field": "age"}]), "ownership": facet(owners=[])},
    {"tags": facet(tags=[]), "ownership": facet(owners=[{"name": "ann"}])},
    {"ownership": facet(owners=[{"name": "team:shop"}, {"name": "ann", "type": "STEWARD"}])},
)
"""Facets with tags and owners, of datasets and of jobs."""


def _symlinks(*names: tuple[str, str]) -> Document:
    identifiers = [{"namespace": namespace, "name": name, "type": "TABLE"} for namespace, name in names]
    return {"symlinks": facet(identifiers=identifiers)}


_SYMLINKS: Sequence[Document] = (
    *({} for _ in range(5)),
    *(_symlinks((namespace, name)) for namespace in _NAMESPACES for name in _NAMES),
    _symlinks(("shop", "nickname")),
    _symlinks(("shop", "nickname"), ("shop", "orders")),
)
"""A dataset may have another dataset of the pool as its symlink, or itself, or a name that none has."""

_times = st.integers(0, 9).map(lambda minutes: TIME + timedelta(minutes=minutes))


_columns = st.builds(
    lambda namespace, name, field, steps: {"namespace": namespace, "name": name, "field": field} | steps,
    st.sampled_from(_NAMESPACES),
    st.sampled_from(_NAMES),
    st.sampled_from(("id", "name", "age")),
    st.sampled_from(
        ({}, {"transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}]}, {"transformations": [{"type": "x"}]})
    ),
)
_LIST_COLUMNS = tuple({"namespace": "shop", "name": "orders", "field": field} for field in ("id", "name", "age"))
_made_of = st.builds(
    lambda columns, older: {"inputFields": columns} | older,
    st.lists(_columns, min_size=1, max_size=3),
    st.sampled_from(({}, {"transformationType": "MASKED", "transformationDescription": "hashed"})),
)
_column_lineages = st.builds(
    lambda fields, dataset: {"columnLineage": facet(fields=fields, dataset=dataset)},
    st.dictionaries(st.sampled_from(("id", "name", "age")), _made_of, max_size=2),
    st.just([]) | st.lists(_columns, max_size=1),
)


@st.composite
def _datasets(draw: st.DrawFn) -> Document:
    return dataset(
        draw(st.sampled_from(_NAMES)),
        namespace=draw(st.sampled_from(_NAMESPACES)),
        fields=draw(st.sampled_from(SCHEMAS)),
        facets=draw(
            st.sampled_from(
                (
                    {},
                    {"dataSource": facet(name="db", uri="postgres://db:5432")},
                    {"documentation": facet(description="what it is")},
                    {"lifecycleStateChange": facet(lifecycleStateChange="DROP")},
                )
            )
        )
        | draw(st.just({}) | _column_lineages)
        | draw(st.sampled_from(_LABELS))
        | draw(st.sampled_from(_SYMLINKS)),
    )


@st.composite
def _jobs(draw: st.DrawFn) -> Document:
    return named_job(
        draw(st.sampled_from(_JOBS)),
        facets=draw(
            st.sampled_from(
                (
                    {},
                    {"jobType": facet(processingType="STREAMING", integration="FLINK")},
                    {"sourceCodeLocation": facet(type="git", url="https://git.example/load")},
                )
            )
        )
        | draw(st.sampled_from(_LABELS)),
    )


_lists = st.lists(_datasets(), max_size=2)
_run_facets = st.sampled_from(
    (
        {},
        {"nominalTime": facet(nominalStartTime="2026-01-01T00:00:00Z")},
        {"custom": facet(answer=42)},
    )
)
_PARENT = "0190a0a0-0000-7000-8000-0000000000ff"
"""A run that others name as theirs; it reports in some sets only."""
_parents = st.builds(
    parent,
    st.sampled_from((_PARENT, _PARENT, *_RUNS, "manual__2026-01-01")),
    st.sampled_from(("daily", "daily", "load", "daily.load")),
    st.sampled_from(("shop", "other shop")),
)
_nothing: dict[str, Any] = {}
_named_parents = st.one_of(st.just(_nothing), _parents)

_plans = st.sampled_from((2, 1, 0, 3)).map(
    lambda steps: {"spark.logicalPlan": facet(plan=["scan"] * steps)} if steps else {}
)

_run_events = st.builds(
    lambda type_, run, job, time, inputs, outputs, facets, plan, parent_: run_event(
        type_, run_id=run, job=job, time=time, inputs=inputs, outputs=outputs, facets=facets | plan | parent_
    ),
    st.sampled_from(_TYPES),
    st.sampled_from(_RUNS),
    _jobs(),
    _times,
    _lists,
    _lists,
    _run_facets,
    _plans,
    _named_parents,
)


@st.composite
def _families(draw: st.DrawFn) -> list[Document]:
    """Children of one parent, and in some sets that parent."""
    named = draw(_parents)
    children = st.builds(
        lambda type_, run, job, time: run_event(type_, run_id=run, job=job, time=time, facets=named),
        st.sampled_from(_TYPES),
        st.sampled_from(_RUNS),
        _jobs(),
        _times,
    )
    parents = st.builds(
        lambda type_, job, time: run_event(type_, run_id=named["parent"]["run"]["runId"], job=job, time=time),
        st.sampled_from(_TYPES),
        st.sampled_from((named["parent"]["job"], named["parent"]["job"], named_job("daily"), named_job("load"))),
        _times,
    )
    return draw(st.lists(children, min_size=2, max_size=3)) + draw(st.lists(parents, max_size=2))


_job_events = st.builds(
    lambda job, time, inputs, outputs: job_event(job, time=time, inputs=inputs, outputs=outputs),
    _jobs(),
    _times,
    _lists,
    _lists,
)
_dataset_events = st.builds(lambda described, time: dataset_event(described, time=time), _datasets(), _times)

_LIST = dataset("orders", namespace="shop", fields=SCHEMAS[2])
_WIDER_LIST = dataset("orders", namespace="shop", fields=SCHEMAS[5])
_WITHOUT_SCHEMA = dataset("orders", namespace="shop")
_REPORTING_RUN = "0190a0a0-0000-7000-8000-0000000000ee"
_seeds = st.integers(0, 1 << 32)
"""What is to differ between examples comes of one number: parts that Hypothesis draws one by one are too much alike. It
likes to draw a number again, so what is to differ most comes of the number and of all else."""


def _reports(seed: int) -> list[Document]:
    """Events of one run that makes columns of one list, so that they speak of the same pairs; and writers of the list.

    The run is often none of the others', whose later events would have all that it says worked out again.
    """
    chosen = Random(seed)
    run = chosen.choice((_RUNS[0], _REPORTING_RUN, _REPORTING_RUN))
    written = [_list_written(chosen, number) for number in range(chosen.randint(0, 2))]
    return [_report(chosen, run) for _ in range(chosen.randint(3, 5))] + written


def _report(chosen: Random, run: str) -> Document:
    made_of = {"inputFields": [chosen.choice(_LIST_COLUMNS)]} | chosen.choice(({}, {"transformationType": "MASKED"}))
    lineage = facet(fields={"id": made_of}, dataset=chosen.choice(([], [_LIST_COLUMNS[0]])))
    report = dataset("daily", namespace="shop", fields=SCHEMAS[2], facets={"columnLineage": lineage})
    return run_event(
        chosen.choice(("START", "RUNNING", "COMPLETE")),
        run_id=run,
        job=named_job("report"),
        time=TIME + timedelta(minutes=chosen.randint(0, 9)),
        inputs=chosen.choice(([], [_LIST], [_LIST], [_LIST], [_WIDER_LIST], [_WITHOUT_SCHEMA])),
        outputs=chosen.choice(([], [report], [report])),
    )


def _list_written(chosen: Random, number: int) -> Document:
    return run_event(
        "COMPLETE",
        run_id=f"0190a0a0-0000-7000-8000-0000000002{number:02}",
        time=TIME + timedelta(minutes=chosen.randint(0, 9)),
        outputs=[chosen.choice((_LIST, _WIDER_LIST))],
    )


events = st.one_of(_run_events, _run_events, _run_events, _run_events, _job_events, _dataset_events)

_whole_runs = st.builds(
    lambda inputs, outputs: [
        run_event("START", run_id=_RUNS[0], job=named_job("load"), time=TIME - timedelta(minutes=1), inputs=inputs),
        run_event(
            "COMPLETE", run_id=_RUNS[0], job=named_job("load"), time=TIME + timedelta(minutes=5), outputs=outputs
        ),
    ],
    st.lists(_datasets(), min_size=1, max_size=2),
    _lists,
)
"""A run that begins before all else, and ends: what single events seldom make together."""

_tagged_late = st.just(
    [
        dataset_event(dataset("ledger", namespace="shop", fields=SCHEMAS[2])),
        dataset_event(dataset("ledger", namespace="shop", facets=_LABELS[2]), time=TIME + timedelta(minutes=1)),
    ]
)
"""A dataset that nothing else names gets columns, then tags. Backwards, its tags are there before the columns."""


def _history(random: Random) -> list[Document]:
    """One dataset that runs write and read in turn, under several schemas or two: drift, and schemas that come back."""
    pool = random.choice((SCHEMAS[2:], (SCHEMAS[2], SCHEMAS[5]), (SCHEMAS[2], SCHEMAS[5])))
    sides = (*random.choices(("inputs", "outputs"), (2, 3), k=random.randint(3, 5)), "inputs")
    return [event for number, side in enumerate(sides) for event in _turn(number, side, random.choice(pool), random)]


def _turn(number: int, side: str, schema: Any, random: Random) -> Iterator[Document]:
    run = f"0190a0a0-0000-7000-8000-0000000001{number:02}"
    time = TIME + timedelta(minutes=2 * number)
    if random.random() < 0.2:
        yield run_event("START", run_id=run, time=time)
    named: dict[str, Any] = {side: [dataset(_NAMES[0], namespace="shop", fields=schema)]}
    yield run_event("COMPLETE", run_id=run, time=time, **named)


_no_events: list[Document] = []
_histories = st.just(_no_events) | _seeds.map(lambda seed: _history(Random(seed)))


@dataclass(frozen=True)
class Arrival:
    """A set of events, and a way in which they arrive: slices in turn, some events again."""

    events: tuple[Document, ...]
    slices: tuple[tuple[Document, ...], ...]


@st.composite
def arrivals(draw: st.DrawFn, most: int = 12, *, ahead: bool = True) -> Arrival:
    """`ahead`: some events may lie ahead of their receipt."""
    chosen = (
        draw(st.lists(events, min_size=5, max_size=most))
        + draw(_histories)
        + draw(_seeds.map(_reports))
        + draw(_families())
        + draw(st.just([]) | _whole_runs)
        + draw(st.just([]) | _tagged_late)
    )
    more = Random(f"{draw(_seeds)} {chosen}")
    chosen += alike(more)
    chosen = _some_ahead(chosen, more) if ahead else chosen
    latest_first = sorted(range(len(chosen)), key=lambda place: chosen[place]["eventTime"], reverse=True)
    order = draw(st.just(latest_first) | _seeds.map(lambda seed: Random(seed).sample(latest_first, len(chosen))))
    slices = _slices([chosen[place] for place in order], Random(draw(_seeds)))
    others = more.choice(([], of_paths(more)))
    others = _some_ahead(others, more) if ahead else others
    return Arrival((*chosen, *others), _with_others(slices, others, more))


CLOCK_AHEAD = "https://clock-ahead.example/1.0"
"""Producer of events that were received a month before their time (see stores.put)."""


def _some_ahead(chosen: list[Document], random: Random) -> list[Document]:
    """In half of the examples, some of the events lie ahead of their receipt, though not behind the others in time."""
    share = random.choice((0, 0, 0.1, 0.3))
    return [event | {"producer": CLOCK_AHEAD} if random.random() < share else event for event in chosen]


def _slices(sequence: list[Document], random: Random) -> tuple[tuple[Document, ...], ...]:
    """Three to seven, with some events again in the end."""
    arriving = sequence + random.choices(sequence, k=random.randint(0, 3))
    cuts = sorted(random.sample(range(1, len(arriving)), random.randint(2, 6)))
    return tuple(tuple(arriving[a:b]) for a, b in pairwise((0, *cuts, len(arriving))))


def _with_others(
    slices: tuple[tuple[Document, ...], ...], others: list[Document], random: Random
) -> tuple[tuple[Document, ...], ...]:
    """The other events, and perhaps one of them again, anywhere among these, whose order stays.

    So the draws of these meet what they met before there were others.
    """
    arriving = [list(events) for events in slices]
    for event in (*others, *random.sample(others, min(len(others), random.randint(0, 1)))):
        events = random.choice(arriving)
        events.insert(random.randint(0, len(events)), event)
    return tuple(map(tuple, arriving))
