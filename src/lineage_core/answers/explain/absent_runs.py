"""Runs that did not happen, as what they wait for failed or is open: the runs behind them, as far as the hops go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineage_core.answers.explain import loading
from lineage_core.answers.explain.described_runs import COMPLETED, AwaitedRun, ComparedRun, DescribedRun
from lineage_core.postgres.connection import Connection

MOST_WAITING = 100
"""Absent runs that are looked behind at once."""


@dataclass(frozen=True, slots=True)
class AbsentRun:
    """A run that should have written `dataset` anew for `run`, by the one of its job before: `last`."""

    run: UUID
    dataset: UUID
    last: UUID
    until: datetime


@dataclass(frozen=True, slots=True)
class BehindAbsentRuns:
    """The failed and open runs that absent ones wait for, by the run whose input is stale.

    left_out: absent runs that were too many to look behind; farther: those behind which the hops did not reach.
    """

    awaited: Mapping[UUID, Sequence[AwaitedRun]]
    left_out: int
    farther: int


def behind_absent_runs(connection: Connection, level: Sequence[ComparedRun], hops: int) -> BehindAbsentRuns:
    """What stale inputs of some runs wait for, so many hops up from these."""
    absent = [one for compared in level for one in _absent(compared)]
    found: dict[UUID, list[AwaitedRun]] = {}
    left_out = 0
    for _ in range(hops):
        if not absent:
            break
        left_out += len(absent[MOST_WAITING:])
        absent = _look_behind(connection, absent[:MOST_WAITING], found)
    return BehindAbsentRuns(found, left_out, len(absent))


def _absent(compared: ComparedRun) -> Iterator[AbsentRun]:
    awaited = {one.dataset for one in compared.awaited}
    for used in compared.stale:
        if used.uuid not in awaited and used.version.written_by is not None:
            yield AbsentRun(compared.run.uuid, used.uuid, used.version.written_by, compared.run.began_at)


def _look_behind(
    connection: Connection, absent: Sequence[AbsentRun], found: dict[UUID, list[AwaitedRun]]
) -> list[AbsentRun]:
    """Notes what is found, and gives the absent runs to look behind next."""
    lasts = loading.completed(connection, loading.runs_known(connection, {one.last for one in absent}))
    fed = [(one, *span) for one in absent for span in _spans(one, lasts.get(one.last))]
    between = loading.runs_between(connection, [span for _, _, span in fed], 1)
    runs = loading.runs_known(connection, {uuid for uuids in between for uuid in uuids})
    described = loading.completed(connection, runs)
    following: list[AbsentRun] = []
    for (one, last, _), uuids in zip(fed, between, strict=True):
        last_ones = [described[uuid] for uuid in uuids]
        unfinished = (AwaitedRun(one.dataset, waited) for waited in last_ones if waited.state != COMPLETED)
        found.setdefault(one.run, []).extend(unfinished)
        if not last_ones:
            following.append(AbsentRun(one.run, one.dataset, last, one.until))
    return list(dict.fromkeys(following))


_Span = tuple[UUID, datetime, datetime]


def _spans(one: AbsentRun, last: DescribedRun | None) -> Iterator[tuple[UUID, _Span]]:
    """For each input of the last run of the job: who wrote it, and when that should have been done again."""
    for used in last.inputs.values() if last else ():
        version = used.version
        if version.writer_job is not None and version.written_by is not None and version.came_at < one.until:
            yield version.written_by, (version.writer_job, version.came_at, one.until)
