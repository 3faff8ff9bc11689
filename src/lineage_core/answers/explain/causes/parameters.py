"""parameters: the run was given other arguments, or another interval to work for, than runs of its job usually are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

from lineage_core.answers.explain.causes.engine_version import is_version
from lineage_core.answers.explain.described_runs import ComparedRun, DescribedRun, middle_of
from lineage_core.answers.explain.difference import Difference, of_facet, of_run
from lineage_core.answers.explain.explanation import CauseKind
from lineage_core.answers.explain.facet_kinds import is_parameters
from lineage_core.answers.explain.member_changes import MemberChange, member_changes

MOST_SHOWN = 5

_ARGUMENTS, _INTERVAL = 0.7, 0.75
_OF_EACH_RUN = (
    "applicationId",
    "data_interval_end",
    "data_interval_start",
    "end_date",
    "execution_date",
    "historyUrl",
    "log_url",
    "logical_date",
    "proxyUrl",
    "queued_at",
    "queued_dttm",
    "run_after",
    "run_id",
    "start_date",
    "try_number",
    "uiWebUrl",
)
"""As Airflow and Spark call them."""
_FEW = 3
_MOSTLY = 0.7
_NO_LETTERS = re.compile(r"[\W0-9a-f]+", re.IGNORECASE)
_MANY_STEPS = 5
"""A run may work for the next interval, or for one a few steps on, as some were skipped."""


def found(compared: ComparedRun) -> Iterator[Difference]:
    """One difference for all arguments, another for the interval."""
    changes = [change for change in member_changes(compared, is_parameters) if change.steadiness > 0]
    few = len(compared.history) < _FEW
    chosen = (one for one in changes if not (is_version(one) or is_of_each_run(one.path) or (few and _may_be_id(one))))
    ranked = sorted(chosen, key=lambda one: one.steadiness, reverse=True)
    if ranked:
        evidence = tuple(of_facet(change.facet, change.says) for change in ranked[:MOST_SHOWN])
        yield Difference(CauseKind.PARAMETERS, compared.run.job, _ARGUMENTS * ranked[0].steadiness, evidence)
    says = _unusual_interval(compared.run, compared.history)
    if says:
        evidence_of_time = (of_run(compared.run, says), of_run(compared.history[0], _interval(compared.history[0])))
        yield Difference(CauseKind.PARAMETERS, compared.run.job, _INTERVAL, evidence_of_time)


def is_of_each_run(path: str) -> bool:
    """Whether a member names the run itself, or says when it ran."""
    return path.rpartition(".")[2] in _OF_EACH_RUN


def _may_be_id(change: MemberChange) -> bool:
    """Whether it may be an id or a time, which differs from run to run: letters are the same."""
    return _NO_LETTERS.sub("", str(change.before)) == _NO_LETTERS.sub("", str(change.now))


def _unusual_interval(run: DescribedRun, history: tuple[DescribedRun, ...]) -> str | None:
    """What is unusual of the nominal times, None if nothing is."""
    lengths = {length for earlier in history if (length := _length(earlier)) is not None}
    length = _length(run)
    if length is not None and len(lengths) == 1 and length not in lengths and len(history) >= _FEW:
        return f"{_interval(run)}, {length} long; all good runs before were for {lengths.pop()}"
    starts = [start for earlier in history if (start := earlier.nominal_start) is not None]
    if run.nominal_start is None or len(starts) < _FEW:
        return None
    steps = [one - other for one, other in pairwise(starts)]
    usual = middle_of(steps)
    step = run.nominal_start - starts[0]
    is_regular = usual > timedelta(0) and steps.count(usual) >= _MOSTLY * len(steps)
    if not is_regular or min(steps) <= timedelta(0):
        return None
    whole = step / usual == round(step / usual) or len({*steps}) > 1
    if (step > timedelta(0) and whole and step <= _MANY_STEPS * max(steps)) or _is_as_old_as_usual(run, history, usual):
        return None
    return f"{_interval(run)}, {step} after that of the last good run; usually it is {usual}"


def _is_as_old_as_usual(run: DescribedRun, history: tuple[DescribedRun, ...], step: timedelta) -> bool:
    """Whether it began as long after its interval as the runs before did after theirs: it only ran at another time."""
    ages = [one.began_at - one.nominal_start for one in (run, *history) if one.nominal_start is not None]
    return abs(ages[0] - middle_of(ages[1:])) < step / 2


def _length(run: DescribedRun) -> timedelta | None:
    return run.nominal_end - run.nominal_start if run.nominal_start and run.nominal_end else None


def _interval(run: DescribedRun) -> str:
    start, end = (moment.isoformat() if moment else "no time" for moment in (run.nominal_start, run.nominal_end))
    return f"it works for {start} to {end}"
