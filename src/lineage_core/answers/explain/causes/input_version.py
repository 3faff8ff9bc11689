"""input-version: an input is of another version than one would expect of the good runs before."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.answers.explain.described_runs import COMPLETED, ComparedRun, UsedDataset, freshness
from lineage_core.answers.explain.difference import Difference, name_words, of_run, of_version
from lineage_core.answers.explain.explanation import CauseKind, Evidence

_OTHER_WRITER, _OLDER, _SELDOM, _NOT_REPLACED = 0.8, 0.7, 0.6, 0.5
_SELDOM_CHANGED = 0.3
_FEW = 3


def found(compared: ComparedRun) -> Iterator[Difference]:
    """One difference for each input: the strangest thing about its version."""
    baseline = compared.baseline
    for used in compared.run.inputs.values() if baseline else ():
        before = baseline.inputs.get(used.uuid) if baseline else None
        if before is not None:
            yield from _strangest(compared, used, before)


def _strangest(compared: ComparedRun, used: UsedDataset, before: UsedDataset) -> Iterator[Difference]:
    now = used.version
    was = of_version(before.version, f"the last good run read this version of {used.name}")
    past = [run.inputs[used.uuid].version for run in compared.history if used.uuid in run.inputs]
    writers = {version.writer_job for version in past}
    is_new = now.uuid != before.version.uuid
    if is_new and now.writer_job not in writers and len(past) >= _FEW and now.written_by is not None:
        says = f"this version of {used.name} was written by run {now.written_by}, of a job that wrote none before"
        yield _finding(used, _OTHER_WRITER, (of_version(now, says), was))
    elif is_new and now.came_at < before.version.came_at and now.is_written:
        says = f"this version of {used.name} came at {now.came_at.isoformat()}, before that of the last good run"
        yield _finding(used, _OLDER, (of_version(now, says), was))
    elif is_new and len(past) >= _FEW and freshness(used.uuid, compared.history) <= _SELDOM_CHANGED:
        versions = len({version.uuid for version in past})
        says = f"{used.name} has a new version since {now.came_at.isoformat()}; {len(past)} good runs read {versions}"
        yield _finding(used, _SELDOM, (of_version(now, says), was))
    elif used in compared.stale:
        yield from _not_replaced(compared, used)


def _not_replaced(compared: ComparedRun, used: UsedDataset) -> Iterator[Difference]:
    """A run upstream completed in time, and wrote no new version."""
    for awaited in compared.awaited:
        ended = awaited.run.ended_at
        if awaited.dataset != used.uuid or awaited.run.state != COMPLETED or ended is None:
            continue
        if ended <= compared.run.began_at and used.uuid not in awaited.run.outputs:
            says = f"{awaited.run.job} completed at {ended.isoformat()} without a new version of {used.name}"
            read = of_version(used.version, f"{compared.run.job} read this version, as the last good run did")
            yield _finding(used, _NOT_REPLACED, (of_run(awaited.run, says), read))
            return


def _finding(used: UsedDataset, weight: float, evidence: tuple[Evidence, ...]) -> Difference:
    return Difference(CauseKind.INPUT_VERSION, used.name, weight, evidence, name_words(used.name))
