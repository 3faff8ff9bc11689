"""input-late: an input came after the run began, has not come at all, or came later than it usually does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

from lineage_core.answers.explain.described_runs import COMPLETED, ComparedRun, UsedDataset, middle_of
from lineage_core.answers.explain.difference import Difference, name_words, of_run, of_version
from lineage_core.answers.explain.explanation import CauseKind, Evidence

_CAME_AFTER, _NOT_COME, _LATER = 0.7, 0.6, 0.4
_FEW = 5
_DEVIATIONS = 8
_LEAST_SHARE = 0.1
"""Of the time between two versions: less is no delay."""


def found(compared: ComparedRun) -> Iterator[Difference]:
    stale = {used.uuid for used in compared.stale}
    for used in compared.run.inputs.values():
        if used.uuid in stale:
            yield from _stale(compared, used)
        else:
            yield from _later_than_usual(compared, used)


def _stale(compared: ComparedRun, used: UsedDataset) -> Iterator[Difference]:
    awaited = [one.run for one in compared.awaited if one.dataset == used.uuid]
    late = [run for run in awaited if run.state == COMPLETED and run.ended_at and run.ended_at > compared.run.began_at]
    began = compared.run.began_at.isoformat()
    says = f"{compared.run.job} began with this version of {used.name}, as the last good run did"
    read = of_version(used.version, says)
    if late:
        ended = late[-1].ended_at
        came = of_run(late[-1], f"{late[-1].job} wrote the next one at {ended and ended.isoformat()}, after {began}")
        yield _finding(used, _CAME_AFTER, (came, read))
    elif not awaited and used.version.writer_job is not None:
        says = f"until {began} no new version of {used.name} had come, as one does before each good run"
        yield _finding(used, _NOT_COME, (read, of_run(compared.run, says)))


def _later_than_usual(compared: ComparedRun, used: UsedDataset) -> Iterator[Difference]:
    """By the times between versions, of which some may have been left out."""
    came = [run.inputs[used.uuid].version.came_at for run in compared.history if used.uuid in run.inputs]
    if len(came) < _FEW:
        return
    steps = [one - other for one, other in pairwise(came)]
    usual = middle_of(steps)
    if usual <= timedelta(0):
        return
    off = [abs(_remainder(step, usual)) for step in steps]
    step = used.version.came_at - came[0]
    delay = _remainder(step, usual)
    if delay > max(_DEVIATIONS * middle_of(off), _LEAST_SHARE * usual):
        says = f"this version of {used.name} came {delay} later than usual, {step} after the one before"
        yield _finding(used, _LATER, (of_version(used.version, says),))


def _remainder(step: timedelta, usual: timedelta) -> timedelta:
    return step - max(1, round(step / usual)) * usual


def _finding(used: UsedDataset, weight: float, evidence: tuple[Evidence, ...]) -> Difference:
    return Difference(CauseKind.INPUT_LATE, used.name, weight, evidence, name_words(used.name))
