"""Goes upstream hop by hop: compares runs with the good runs before them, and finds whose output they read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from lineage_core.answers.explain import loading
from lineage_core.answers.explain.absent_runs import awaited_behind
from lineage_core.answers.explain.described_runs import (
    COMPLETED,
    AwaitedRun,
    ComparedRun,
    DescribedRun,
    ErrorReport,
    SchemaVerdict,
    UsedDataset,
    is_usually_new,
)
from lineage_core.answers.explain.facet_kinds import ERROR_MESSAGE
from lineage_core.postgres.connection import Connection

GOOD_RUNS = 30
"""With how many good runs before it the run that is asked about is compared."""
GOOD_RUNS_UPSTREAM = 12
"""With how many each run upstream is."""
MOST_RUNS_OF_A_HOP = 60
MOST_RUNS = 150
MOST_AWAITED = 10
"""Runs of one job that were awaited for one input."""


@dataclass
class Walk:
    """What has been compared so far, and what was left out: in words, and as the runs where to go on."""

    connection: Connection
    compared: dict[UUID, ComparedRun] = field(default_factory=dict)
    cut: list[str] = field(default_factory=list)
    next: list[UUID] = field(default_factory=list)

    def go(self, asked: DescribedRun, hops: int) -> None:
        """Compares the run, and those up to so many hops upstream of it."""
        frontier = [asked.uuid]
        for hop in range(hops + 1):
            reached = self._compare(frontier, hop, hops - hop)
            frontier = self._limited(list(dict.fromkeys(one for run in reached for one in run.upstream)), hop + 1)
            if not frontier:
                return
        self.cut.append(f"{len(frontier)} runs are more than {hops} hops upstream")
        self.next += frontier

    def _limited(self, runs: list[UUID], hop: int) -> list[UUID]:
        new = [run for run in runs if run not in self.compared]
        room = min(MOST_RUNS_OF_A_HOP, MOST_RUNS - len(self.compared))
        if len(new) > room:
            self.cut.append(f"{len(new) - room} of {len(new)} runs at hop {hop} were left out")
            self.next += new[room:]
        return new[:room]

    def _compare(self, uuids: Sequence[UUID], hop: int, hops_left: int) -> list[ComparedRun]:
        known = loading.runs_known(self.connection, uuids)
        gone = [run for run in uuids if run not in known]
        self.cut += [f"run {run} was purged" for run in gone]
        runs = [known[uuid] for uuid in uuids if uuid in known]
        wanted = GOOD_RUNS if hop == 0 else GOOD_RUNS_UPSTREAM
        before = loading.good_runs(self.connection, runs, [wanted] * len(runs))
        all_uuids = {*(run.uuid for run in runs), *(uuid for found in before.values() for uuid in found)}
        described = loading.completed(self.connection, loading.runs_known(self.connection, all_uuids))
        level = [
            ComparedRun(described[run.uuid], tuple(described[uuid] for uuid in before[run.uuid]), hop) for run in runs
        ]
        level = self._with_awaited(level)
        behind = awaited_behind(self.connection, level, hops_left)
        level = [replace(one, awaited=(*one.awaited, *behind.get(one.run.uuid, ()))) for one in level]
        level = _with_verdicts(self.connection, level)
        level = _with_contents(self.connection, level)
        level = [replace(one, upstream=tuple(_upstream(one))) for one in level]
        level = self._with_children(level)
        self.compared |= {one.run.uuid: one for one in level}
        self.cut += [f"run {one.run.uuid} names more datasets" for one in level if one.run.names_more]
        self._note_purged(level)
        return level

    def _with_awaited(self, level: list[ComparedRun]) -> list[ComparedRun]:
        spans = [span for one in level for span in _awaited_spans(one)]
        found = loading.runs_between(self.connection, [span for span, _ in spans], MOST_AWAITED)
        runs = loading.runs_known(self.connection, {uuid for uuids in found.values() for uuid in uuids})
        relevant = loading.completed(self.connection, runs)
        awaited: dict[UUID, list[AwaitedRun]] = {}
        for (run, job, _, _), dataset in spans:
            awaited.setdefault(run, []).extend(AwaitedRun(dataset, relevant[uuid]) for uuid in found[run, job])
        return [replace(one, awaited=tuple(_kept(one, awaited.get(one.run.uuid, ())))) for one in level]

    def _with_children(self, level: list[ComparedRun]) -> list[ComparedRun]:
        """What a run that read nothing itself has started is as if upstream of it."""
        alone = [one.run.uuid for one in level if not one.run.inputs]
        found = loading.children(self.connection, alone, MOST_AWAITED) if alone else {}
        return [replace(one, upstream=(*one.upstream, *found.get(one.run.uuid, ()))) for one in level]

    def _note_purged(self, level: list[ComparedRun]) -> None:
        orphans = {
            version.uuid
            for one in level
            for used in one.run.inputs.values()
            for version in used.versions
            if version.written_by is None
        }
        purged = loading.purged_writers(self.connection, orphans) if orphans else []
        self.cut += [f"the run that wrote version {version} was purged" for version in purged]


def _awaited_spans(one: ComparedRun) -> Iterator[tuple[tuple[UUID, UUID, datetime, datetime], UUID]]:
    """When runs of the job that writes an input should have written it anew: after the version that was read, or that
    the last good run read of what is not read now."""
    baseline = one.baseline
    if baseline is None:
        return
    missing = [used for uuid, used in baseline.inputs.items() if one.is_whole and uuid not in one.run.inputs]
    patient = _patience(one.run, baseline)
    stale = {used.uuid for used in (*one.stale, *missing)}
    usually_new = (used for used in one.run.inputs.values() if is_usually_new(used.uuid, one.history))
    for used in (*usually_new, *missing):
        job, until = used.version.writer_job, patient if used.uuid in stale else one.run.began_at
        if job is not None and job != one.run.job_uuid:
            yield (one.run.uuid, job, used.version.came_at, until), used.uuid


def _kept(one: ComparedRun, awaited: Iterable[AwaitedRun]) -> Iterator[AwaitedRun]:
    """Where a new version was read, runs that completed after it were none that it should have had."""
    new = {used.uuid for used in one.run.inputs.values()} - {used.uuid for used in one.stale}
    return (waited for waited in awaited if waited.dataset not in new or waited.run.state != COMPLETED)


def _patience(run: DescribedRun, baseline: DescribedRun) -> datetime:
    """Until when an input that comes late is still the one for this run: half of the time between runs."""
    pause = max(run.began_at - baseline.began_at, timedelta(0)) / 2
    return max(run.ended_at or run.began_at, run.began_at + pause)


def _upstream(one: ComparedRun) -> Iterator[UUID]:
    """The runs that wrote what it read, but what the last good run read too; then those that it waited for."""
    before = one.baseline.inputs if one.baseline else {}
    for used in one.run.inputs.values():
        known = {version.uuid for version in before[used.uuid].versions} if used.uuid in before else set()
        for version in used.versions:
            if version.written_by and version.uuid not in known and version.written_by != one.run.uuid:
                yield version.written_by
    yield from (awaited.run.uuid for awaited in one.awaited)


def _with_verdicts(connection: Connection, level: list[ComparedRun]) -> list[ComparedRun]:
    spans = {(one.run.uuid, used.uuid): span for one in level for used, span in _schema_spans(one)}
    found = loading.verdicts(connection, list(dict.fromkeys(spans.values())))
    verdicts: dict[UUID, list[SchemaVerdict]] = {}
    for run, dataset in spans:
        verdicts.setdefault(run, []).extend(found.get(dataset, ()))
    return [replace(one, verdicts=tuple(verdicts.get(one.run.uuid, ()))) for one in level]


def _schema_spans(one: ComparedRun) -> Iterator[tuple[UsedDataset, tuple[UUID, UUID, UUID]]]:
    baseline = one.baseline
    if baseline is None:
        return
    pairs = [(baseline.inputs, one.run.inputs)]
    if one.run.state == COMPLETED:
        pairs.append((baseline.outputs, one.run.outputs))
    for before, now in pairs:
        for uuid, used in now.items():
            if uuid in before and before[uuid].version.uuid != used.versions[-1].uuid:
                yield used, (uuid, before[uuid].version.uuid, used.versions[-1].uuid)


def _with_contents(connection: Connection, level: list[ComparedRun]) -> list[ComparedRun]:
    """The contents of facets that are others than those of the last good run, in all runs that are compared."""
    differing = {(one.run.uuid, key) for one in level for key in _differing(one)}
    uuids = (
        run.facets[key].uuid
        for one in level
        for run in (one.run, *one.history)
        for key in run.facets
        if (one.run.uuid, key) in differing
    )
    found = loading.contents(connection, uuids)
    return [replace(one, contents=found) for one in level]


def _differing(one: ComparedRun) -> Iterator[tuple[str, str]]:
    before = one.baseline.facets if one.baseline else {}
    for key, facet in one.run.facets.items():
        if key not in before or before[key].uuid != facet.uuid:
            yield key


def with_errors(connection: Connection, compared: Iterable[ComparedRun], until: datetime) -> list[ComparedRun]:
    """The failed runs with their error messages, and those of other runs."""
    runs = list(compared)
    errors = {one.run.uuid: error for one in runs if (error := _error_of(one)) is not None}
    if not errors:
        return runs
    jobs = [error.job_uuid for error in errors.values() if error.job_uuid is not None]
    failures = loading.failures(connection, jobs, until)
    return [
        replace(one, error=errors[one.run.uuid], failures=failures) if one.run.uuid in errors else one for one in runs
    ]


def _error_of(one: ComparedRun) -> ErrorReport | None:
    held = one.run.facets.get(("run", ERROR_MESSAGE))
    content = one.contents.get(held.uuid) if held else None
    if not one.run.has_failed or held is None or not isinstance(content, dict):
        return None
    message = str(content.get("message") or "")[: loading.LONGEST_MESSAGE]
    failed_at = one.run.ended_at or one.run.began_at
    return ErrorReport(one.run.uuid, one.run.job, one.run.job_uuid, failed_at, held.uuid, message) if message else None
