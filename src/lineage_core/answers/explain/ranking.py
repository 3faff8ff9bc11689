"""Puts differences in order: what explains others comes before what follows from them.

A difference at a run weighs as its kind does. What may follow from something farther upstream, or from another
difference of the same run, weighs less where there is such a thing. A difference weighs more where its effect is seen,
and where an error message names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from lineage_core.answers.explain.causes import CAUSES
from lineage_core.answers.explain.described_runs import ComparedRun
from lineage_core.answers.explain.difference import Difference
from lineage_core.answers.explain.explanation import Cause, CauseKind

LEAST_WEIGHT = 0.05

_FOLLOWS = 0.8
"""How much of its weight a difference loses to what it surely follows from."""
_SEEN, _NAMED = 0.1, 0.12
_FADES = 0.985
"""Of each hop: of two that are alike, the nearer one is likelier."""

_CHANGES = frozenset({CauseKind.CODE_CHANGE, CauseKind.ENGINE_VERSION, CauseKind.PARAMETERS})
"""What people do to a job."""
_INPUTS = frozenset(
    {
        CauseKind.INPUT_MISSING,
        CauseKind.INPUT_VERSION,
        CauseKind.SCHEMA_CHANGE,
        CauseKind.EDGE_CHANGE,
        CauseKind.INPUT_LATE,
    }
)
_ENDINGS = frozenset({CauseKind.UPSTREAM_FAILED, CauseKind.UPSTREAM_OPEN})
_ALL = frozenset(CauseKind)

_FROM_SAME_RUN: Mapping[CauseKind, frozenset[CauseKind]] = {
    CauseKind.VOLUME: _CHANGES | _INPUTS | _ENDINGS,
    CauseKind.ERROR_MESSAGE: _CHANGES | _INPUTS | _ENDINGS | {CauseKind.VOLUME},
    CauseKind.INPUT_LATE: _ENDINGS | {CauseKind.INPUT_MISSING},
    CauseKind.INPUT_VERSION: _ENDINGS | {CauseKind.INPUT_MISSING, CauseKind.INPUT_LATE},
    CauseKind.EDGE_CHANGE: _CHANGES | {CauseKind.INPUT_MISSING},
    CauseKind.INPUT_MISSING: _ENDINGS,
}
"""What each kind may follow from, at the same run."""

_FROM_UPSTREAM: Mapping[CauseKind, frozenset[CauseKind]] = {
    CauseKind.VOLUME: _ALL - {CauseKind.ERROR_MESSAGE},
    CauseKind.ERROR_MESSAGE: _ALL,
    CauseKind.UPSTREAM_FAILED: _ALL,
    CauseKind.UPSTREAM_OPEN: _ALL,
    CauseKind.INPUT_LATE: _ENDINGS | {CauseKind.INPUT_LATE, CauseKind.INPUT_MISSING},
    CauseKind.INPUT_MISSING: _CHANGES | {CauseKind.EDGE_CHANGE, CauseKind.INPUT_MISSING} | _ENDINGS,
    CauseKind.INPUT_VERSION: _CHANGES | {CauseKind.INPUT_VERSION},
    CauseKind.SCHEMA_CHANGE: frozenset({CauseKind.CODE_CHANGE, CauseKind.SCHEMA_CHANGE}),
}
"""What each kind may follow from, at a run farther upstream."""

_SYMPTOMS = frozenset({CauseKind.VOLUME, CauseKind.ERROR_MESSAGE})


@dataclass(frozen=True, slots=True)
class _LocatedDifference:
    """A difference, and the run where it was found."""

    difference: Difference
    at: ComparedRun


def ranked(compared: Iterable[ComparedRun]) -> tuple[Cause, ...]:
    """The causes, the likeliest first. What is found at several runs is there once."""
    runs = {one.run.uuid: one for one in compared}
    placed = [
        _LocatedDifference(difference, one) for one in runs.values() for find in CAUSES for difference in find(one)
    ]
    by_run: dict[UUID, list[Difference]] = {}
    for one in placed:
        by_run.setdefault(one.at.run.uuid, []).append(one.difference)
    errors = " ".join(one.error.message.lower() for one in runs.values() if one.error)
    words = frozenset(re.findall(r"[^\W_](?:\w|-)*", errors))
    beyond = {uuid: _beyond(uuid, runs) for uuid in runs}
    causes = [_cause(one, _weight(one, by_run, beyond, words)) for one in placed]
    return _once(sorted(causes, key=lambda cause: (-cause.weight, cause.hops, cause.kind, cause.subject, cause.run)))


def _beyond(start: UUID, runs: Mapping[UUID, ComparedRun]) -> frozenset[UUID]:
    """Every run upstream of one."""
    seen: set[UUID] = set()
    waiting = list(runs[start].upstream)
    while waiting:
        uuid = waiting.pop()
        if uuid in runs and uuid not in seen and uuid != start:
            seen.add(uuid)
            waiting += runs[uuid].upstream
    return frozenset(seen)


def _weight(
    one: _LocatedDifference,
    by_run: Mapping[UUID, list[Difference]],
    beyond: Mapping[UUID, frozenset[UUID]],
    words: frozenset[str],
) -> float:
    difference, at = one.difference, one.at
    same = _strongest(_others(by_run[at.run.uuid], difference), _FROM_SAME_RUN.get(difference.kind, frozenset()))
    farther = _strongest(
        (other for uuid in beyond[at.run.uuid] for other in by_run.get(uuid, ())),
        _FROM_UPSTREAM.get(difference.kind, frozenset()),
    )
    weight = difference.weight * (1 - _FOLLOWS * max(same, farther))
    if _is_seen(one, by_run):
        weight += _SEEN * difference.weight
    if difference.names & words:
        weight += _NAMED * difference.weight
    return max(0.0, min(1.0, weight * _FADES**at.hops))


def _others(differences: Iterable[Difference], but: Difference) -> Iterator[Difference]:
    return (one for one in differences if one is not but)


def _strongest(differences: Iterable[Difference], kinds: frozenset[CauseKind]) -> float:
    return max((one.weight for one in differences if one.kind in kinds), default=0.0)


def _is_seen(one: _LocatedDifference, by_run: Mapping[UUID, list[Difference]]) -> bool:
    """Whether the run where it was found shows an effect: it failed, or what it wrote is far off."""
    if one.difference.kind in _SYMPTOMS:
        return False
    return one.at.run.has_failed or any(other.kind is CauseKind.VOLUME for other in by_run[one.at.run.uuid])


def _cause(one: _LocatedDifference, weight: float) -> Cause:
    run = one.at.run
    return Cause(
        one.difference.kind,
        one.difference.subject,
        run.uuid,
        run.job,
        one.at.hops,
        round(weight, 4),
        one.difference.evidence,
    )


def _once(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Of a kind and a subject the first, which is the one that weighs most."""
    found: dict[tuple[CauseKind, str], Cause] = {}
    for cause in causes:
        if cause.weight >= LEAST_WEIGHT:
            found.setdefault((cause.kind, cause.subject), cause)
    return tuple(found.values())
