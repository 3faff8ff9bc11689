"""Goes upstream hop by hop: compares runs with the good runs before them, and finds whose output they read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from lineage_core.answers.explain import loading
from lineage_core.answers.explain.absent_runs import behind_absent_runs
from lineage_core.answers.explain.described_runs import (
    COMPLETED,
    AwaitedRun,
    ComparedRun,
    DescribedRun,
    ErrorReport,
    HeldFacet,
    SchemaVerdict,
    UsedDataset,
    is_usually_new,
)
from lineage_core.answers.explain.facet_kinds import ERROR_MESSAGE
from lineage_core.answers.explain.member_changes import MOST_MEMBERS, has_more_members
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
        """The runs of a hop that there is room for: those that failed first, then those that are open."""
        new = [run for run in runs if run not in self.compared]
        room = min(MOST_RUNS_OF_A_HOP, MOST_RUNS - len(self.compared))
        if len(new) > room:
            known = loading.runs_known(self.connection, new)
            new.sort(key=lambda run: _place(known.get(run)))
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
        level = self._with_those_behind(level, hops_left)
        level = self._with_verdicts(level)
        level = _with_contents(self.connection, level)
        level = [replace(one, upstream=tuple(_upstream(one))) for one in level]
        level = self._with_children(level)
        self.compared |= {one.run.uuid: one for one in level}
        self.cut += [words for one in level for words in one.run.left_out]
        self.cut += [words for one in level for words in _too_many_members(one)]
        self._note_purged(level)
        return level

    def _with_awaited(self, level: list[ComparedRun]) -> list[ComparedRun]:
        spans = [(one.run, dataset, span) for one in level for dataset, span in _awaited_spans(one)]
        found = loading.runs_between(self.connection, [span for _, _, span in spans], MOST_AWAITED + 1)
        runs = loading.runs_known(self.connection, {uuid for uuids in found for uuid in uuids[:MOST_AWAITED]})
        relevant = loading.completed(self.connection, runs)
        awaited: dict[UUID, list[AwaitedRun]] = {}
        for (run, dataset, _), uuids in zip(spans, found, strict=True):
            last = [AwaitedRun(dataset, relevant[uuid]) for uuid in uuids[:MOST_AWAITED]]
            awaited.setdefault(run.uuid, []).extend(last)
            if len(uuids) > MOST_AWAITED:
                self.cut.append(f"runs of {last[0].run.job} for run {run.uuid} before the last {MOST_AWAITED}")
                self.next.append(uuids[MOST_AWAITED])
        return [replace(one, awaited=tuple(_kept(one, awaited.get(one.run.uuid, ())))) for one in level]

    def _with_those_behind(self, level: list[ComparedRun], hops: int) -> list[ComparedRun]:
        behind = behind_absent_runs(self.connection, level, hops)
        if behind.left_out:
            self.cut.append(f"what {behind.left_out} runs that did not happen waited for")
        if behind.farther:
            self.cut.append(f"what {behind.farther} runs that did not happen waited for, more hops upstream")
        return [replace(one, awaited=(*one.awaited, *behind.awaited.get(one.run.uuid, ()))) for one in level]

    def _with_verdicts(self, level: list[ComparedRun]) -> list[ComparedRun]:
        spans = {(one.run.uuid, used.uuid): span for one in level for used, span in _schema_spans(one)}
        names = {used.uuid: used.name for one in level for used, _ in _schema_spans(one)}
        found = loading.verdicts(self.connection, list(dict.fromkeys(spans.values())))
        verdicts: dict[UUID, list[SchemaVerdict]] = {}
        for run, dataset in spans:
            if dataset in found:
                verdicts.setdefault(run, []).extend(found[dataset].last)
        self.cut += [f"{one.left_out}: {names[dataset]}" for dataset, one in found.items() if one.are_more]
        return [replace(one, verdicts=tuple(verdicts.get(one.run.uuid, ()))) for one in level]

    def _with_children(self, level: list[ComparedRun]) -> list[ComparedRun]:
        """What a run that read nothing itself has started is as if upstream of it."""
        alone = [one.run.uuid for one in level if not one.run.inputs]
        found = loading.children(self.connection, alone) if alone else {}
        self.cut += [f"{one.more} more runs that run {run} started" for run, one in found.items() if one.more]
        started = {run: one.uuids for run, one in found.items()}
        return [replace(one, upstream=(*one.upstream, *started.get(one.run.uuid, ()))) for one in level]

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


def _place(run: DescribedRun | None) -> int:
    """What says most comes first: what failed, then what is open, then what completed, and last what was purged."""
    if run is None:
        return 3
    return 0 if run.has_failed else 1 if run.is_open else 2


def _awaited_spans(one: ComparedRun) -> Iterator[tuple[UUID, tuple[UUID, datetime, datetime]]]:
    """Of each input: the job that writes it, and when that should have written it anew: after the version that was
    read, or that the last good run read of what is not read now."""
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
            yield used.uuid, (job, used.version.came_at, until)


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


def _too_many_members(one: ComparedRun) -> Iterator[str]:
    for key in _differing(one):
        held = one.run.facets[key]
        if held.uuid in one.contents and has_more_members(one.contents[held.uuid]):
            yield f"members of the facet {held.name} of run {one.run.uuid} behind the first {MOST_MEMBERS}"


def without_waiting(connection: Connection, compared: Iterable[ComparedRun]) -> tuple[list[ComparedRun], list[str]]:
    """The same, but for awaited runs that look open while events of them are in no table; and these, in words.

    Such a run may have ended, so that nothing shows that it is open.
    """
    runs = list(compared)
    open_ = {awaited.run.uuid: awaited.run for one in runs for awaited in one.awaited if awaited.run.is_open}
    waiting = loading.waiting(connection, open_)
    kept = [
        replace(one, awaited=tuple(awaited for awaited in one.awaited if awaited.run.uuid not in waiting))
        for one in runs
    ]
    words = [
        f"{events} events of run {run} of {open_[run].job} wait for normalization, so it may have ended"
        for run, events in waiting.items()
    ]
    return kept, words


def with_errors(connection: Connection, compared: Iterable[ComparedRun], until: datetime) -> list[ComparedRun]:
    """The failed runs with their error messages, and those of other runs."""
    runs = list(compared)
    held = {one.run.uuid: facet.uuid for one in runs if (facet := _stated_error(one)) is not None}
    texts = loading.messages(connection, set(held.values()))
    errors = {
        one.run.uuid: _error(one.run, held[one.run.uuid], texts[held[one.run.uuid]])
        for one in runs
        if held.get(one.run.uuid) in texts
    }
    if not errors:
        return runs
    jobs = [error.job_uuid for error in errors.values() if error.job_uuid is not None]
    failures = loading.failures(connection, jobs, until)
    return [
        replace(one, error=errors[one.run.uuid], failures=failures) if one.run.uuid in errors else one for one in runs
    ]


def _stated_error(one: ComparedRun) -> HeldFacet | None:
    return one.run.facets.get(("run", ERROR_MESSAGE)) if one.run.has_failed else None


def _error(run: DescribedRun, facet: UUID, message: str) -> ErrorReport:
    return ErrorReport(run.uuid, run.job, run.job_uuid, run.ended_at or run.began_at, facet, message)
