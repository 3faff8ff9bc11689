"""Sets of events for property tests: small pools, so that events meet in every way that matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from lineage_core.testing import TIME, dataset, dataset_event, facet, job_event, named_job, run_event

Document = dict[str, Any]

SCHEMAS: Sequence[Any] = (
    None,
    [],
    [("id", "BIGINT"), ("name", "VARCHAR")],
    [("id", "BIGINT"), ("name", "VARCHAR", "of the customer")],
    [("name", "VARCHAR"), ("id", "bigint")],
    [("id", "BIGINT"), ("name", "VARCHAR"), ("age", None)],
)
_NAMES = ("orders", "daily")
_RUNS = tuple(f"0190a0a0-0000-7000-8000-00000000000{number}" for number in range(2))
_JOBS = ("load", "report")
_TYPES = ("START", "START", "RUNNING", "OTHER", "COMPLETE", "COMPLETE", "FAIL", "ABORT", "complete", None)

_times = st.integers(0, 9).map(lambda minutes: TIME + timedelta(minutes=minutes))


@st.composite
def _datasets(draw: st.DrawFn) -> Document:
    return dataset(
        draw(st.sampled_from(_NAMES)),
        namespace=draw(st.sampled_from(("shop", "postgres://db:5432"))),
        fields=draw(st.sampled_from(SCHEMAS)),
        facets=draw(
            st.sampled_from(
                (
                    {},
                    {"dataSource": facet(name="db", uri="postgres://db:5432")},
                    {"documentation": facet(description="what it is")},
                    {"lifecycleStateChange": facet(lifecycleStateChange="DROP")},
                    {"symlinks": facet(identifiers=[{"namespace": "shop", "name": "daily", "type": "TABLE"}])},
                )
            )
        ),
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
        ),
    )


_lists = st.lists(_datasets(), max_size=2)
_run_facets = st.sampled_from(
    (
        {},
        {"nominalTime": facet(nominalStartTime="2026-01-01T00:00:00Z")},
        {"custom": facet(answer=42)},
    )
)
_plans = st.integers(0, 3).map(lambda steps: {"spark.logicalPlan": facet(plan=["scan"] * steps)} if steps else {})

_run_events = st.builds(
    lambda type_, run, job, time, inputs, outputs, facets, plan: run_event(
        type_, run_id=run, job=job, time=time, inputs=inputs, outputs=outputs, facets=facets | plan
    ),
    st.sampled_from(_TYPES),
    st.sampled_from(_RUNS),
    _jobs(),
    _times,
    _lists,
    _lists,
    _run_facets,
    _plans,
)
_job_events = st.builds(
    lambda job, time, inputs, outputs: job_event(job, time=time, inputs=inputs, outputs=outputs),
    _jobs(),
    _times,
    _lists,
    _lists,
)
_dataset_events = st.builds(lambda described, time: dataset_event(described, time=time), _datasets(), _times)

events = st.one_of(_run_events, _run_events, _run_events, _run_events, _job_events, _dataset_events)


@dataclass(frozen=True)
class Arrival:
    """A set of events, and a way in which they arrive: slices in turn, some events again."""

    events: tuple[Document, ...]
    slices: tuple[tuple[Document, ...], ...]


@st.composite
def arrivals(draw: st.DrawFn, most: int = 12) -> Arrival:
    chosen = draw(st.lists(events, min_size=5, max_size=most))
    latest_first = sorted(range(len(chosen)), key=lambda place: chosen[place]["eventTime"], reverse=True)
    order = draw(st.just(latest_first) | st.permutations(range(len(chosen))))
    repeated = draw(st.lists(st.sampled_from(range(len(chosen))), max_size=3))
    sequence = [chosen[place] for place in (*order, *repeated)]
    cuts = sorted(draw(st.sets(st.integers(1, len(sequence) - 1), min_size=1, max_size=4)))
    edges = [0, *cuts, len(sequence)]
    slices = tuple(tuple(sequence[a:b]) for a, b in pairwise(edges))
    return Arrival(tuple(chosen), slices)
