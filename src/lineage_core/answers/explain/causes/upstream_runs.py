"""upstream-failed and upstream-open: a run that should have written an input failed, or has not ended."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.answers.explain.described_runs import COMPLETED, AwaitedRun, ComparedRun
from lineage_core.answers.explain.difference import Difference, name_words, of_run, of_version
from lineage_core.answers.explain.explanation import CauseKind, Evidence, EvidenceKind

_WEIGHT = 0.7
_STARTED_LATER = 0.6


def found(compared: ComparedRun) -> Iterator[Difference]:
    """One for each job upstream, about its last run. A job that has written the input in the end is only late."""
    done = {one.run.job for one in compared.awaited if one.run.state == COMPLETED}
    last: dict[str, AwaitedRun] = {}
    for awaited in compared.awaited:
        if awaited.run.job not in done:
            last.setdefault(awaited.run.job, awaited)
    for awaited in last.values():
        yield _finding(compared, awaited)


def _finding(compared: ComparedRun, awaited: AwaitedRun) -> Difference:
    run = awaited.run
    if run.has_failed:
        kind, ended = CauseKind.UPSTREAM_FAILED, run.ended_at
        says = f"{run.job}: {(run.state or '').lower()} at {ended.isoformat() if ended else 'an unknown time'}"
    else:
        kind = CauseKind.UPSTREAM_OPEN
        says = f"{run.job}: began at {run.began_at.isoformat()}, and has not ended"
    in_time = run.began_at <= (compared.run.ended_at or run.began_at)
    weight = _WEIGHT if in_time else _STARTED_LATER
    return Difference(
        kind, run.job, weight, (of_run(run, says), *_what_was_read(compared, awaited)), name_words(run.job), run.uuid
    )


def _what_was_read(compared: ComparedRun, awaited: AwaitedRun) -> Iterator[Evidence]:
    used = compared.run.inputs.get(awaited.dataset)
    if used is not None:
        says = f"{compared.run.job} read this version of {used.name}, of {used.version.came_at.isoformat()}"
        yield of_version(used.version, says)
    else:
        yield Evidence(EvidenceKind.DATASET, str(awaited.dataset), f"{compared.run.job} usually reads it")
