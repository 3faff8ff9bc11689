"""input-missing: an input that the last good run read is not read, was dropped, or has no version that was written."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.answers.explain.described_runs import DROPPED, ComparedRun, UsedDataset
from lineage_core.answers.explain.difference import Difference, name_words, of_run, of_version
from lineage_core.answers.explain.explanation import CauseKind, Evidence

_DROPPED, _NOT_READ, _NEVER_WRITTEN, _NAMES_NONE = 0.9, 0.8, 0.6, 0.3
_MOSTLY = 0.8


def found(compared: ComparedRun) -> Iterator[Difference]:
    yield from _without_content(compared)
    yield from _not_read(compared)


def _without_content(compared: ComparedRun) -> Iterator[Difference]:
    for used in compared.run.inputs.values():
        dropped = [version for version in used.versions if version.lifecycle_state.upper() in DROPPED]
        if dropped:
            state = dropped[0].lifecycle_state
            says = f"the version of {used.name} that it read is one of {state}, at {dropped[0].came_at.isoformat()}"
            yield _finding(used, _DROPPED, (of_version(dropped[0], says), of_run(compared.run, f"it read {used.name}")))
        elif not used.version.is_written and _was_written(used, compared):
            says = f"no run has written {used.name} before it was read"
            yield _finding(used, _NEVER_WRITTEN, (of_version(used.version, says),))


def _was_written(used: UsedDataset, compared: ComparedRun) -> bool:
    """Whether the last good run read what had been written."""
    before = compared.baseline.inputs.get(used.uuid) if compared.baseline else None
    return before is not None and before.version.is_written


def _not_read(compared: ComparedRun) -> Iterator[Difference]:
    if compared.baseline is None or not compared.is_whole:
        return
    for used in compared.baseline.inputs.values():
        usual = sum(used.uuid in run.inputs for run in compared.history) / len(compared.history)
        if used.uuid in compared.run.inputs or usual < _MOSTLY:
            continue
        evidence = (
            of_version(used.version, f"the last good run read this version of {used.name}"),
            of_run(compared.run, f"it does not name {used.name} among what it read"),
        )
        yield _finding(used, _NOT_READ if compared.run.inputs else _NAMES_NONE, evidence)


def _finding(used: UsedDataset, weight: float, evidence: tuple[Evidence, ...]) -> Difference:
    return Difference(CauseKind.INPUT_MISSING, used.name, weight, evidence, name_words(used.name))
