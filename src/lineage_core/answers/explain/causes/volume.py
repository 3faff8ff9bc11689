"""volume: what was read or written is far from what the good runs before read and wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log, sqrt
from statistics import median

from lineage_core.answers.explain.described_runs import ComparedRun, DescribedRun, Measure
from lineage_core.answers.explain.difference import Difference, name_words, of_run
from lineage_core.answers.explain.explanation import CauseKind, Evidence, EvidenceKind

MOST_SHOWN = 3

_LEAST, _MOST = 0.55, 0.7
_NOTHING_LEFT = 0.75
_FOLLOWS = 0.5
"""What is written follows from what is read, where that is far off, too."""
_FEW = 5
_NORMAL = 1.4826
"""Times the median deviation, this is the standard deviation of what is normally distributed."""
_DEVIATIONS = 5
_LEAST_RATIO, _RATIO_OF_FEW = log(1.6), log(3)
_COUNTED = 3
"""Standard deviations of a count, below which small numbers differ by chance."""


@dataclass(frozen=True, slots=True)
class Outlier:
    """A number that is far from its history. excess: 1 at the edge of what is usual, and more beyond it."""

    measure: Measure
    usual: float
    of_runs: int
    excess: float


def found(compared: ComparedRun) -> Iterator[Difference]:
    """One difference for each dataset and direction, by its number that is farthest off."""
    by_use: dict[tuple[object, bool], list[Outlier]] = {}
    for measure in compared.run.measures.values():
        outlier = far_off(measure, compared.history)
        if outlier is not None:
            by_use.setdefault((measure.dataset, measure.is_output), []).append(outlier)
    is_read_off = any(not is_output for _, is_output in by_use)
    for (_, is_output), outliers in by_use.items():
        farthest = sorted(outliers, key=lambda one: one.excess, reverse=True)[:MOST_SHOWN]
        name = _name(compared.run, farthest[0].measure)
        verb = "wrote" if is_output else "read"
        evidence = (*(_evidence(one, verb, name) for one in farthest), of_run(compared.run, f"it {verb} {name}"))
        weight = _weight(farthest[0]) * (_FOLLOWS if is_output and is_read_off else 1)
        yield Difference(CauseKind.VOLUME, name, weight, evidence, name_words(name))


def far_off(measure: Measure, history: tuple[DescribedRun, ...]) -> Outlier | None:
    """By the median and the median deviation of logarithms, so that a few runs that were far off count little."""
    past = [run.measures[measure.key].value for run in history if measure.key in run.measures]
    if not past:
        return None
    usual = median(past)
    logs = [log(value + 1) for value in past]
    middle = median(logs)
    spread = _NORMAL * median(abs(one - middle) for one in logs)
    edge = max(_DEVIATIONS * spread, _LEAST_RATIO) if len(past) >= _FEW else max(_DEVIATIONS * spread, _RATIO_OF_FEW)
    off = abs(log(measure.value + 1) - middle)
    if off <= edge or abs(measure.value - usual) <= _COUNTED * sqrt(usual + 1):
        return None
    return Outlier(measure, usual, len(past), off / edge)


def _weight(outlier: Outlier) -> float:
    if outlier.measure.value == 0:
        return _NOTHING_LEFT
    return min(_MOST, _LEAST + (outlier.excess - 1) / 20)


def _name(run: DescribedRun, measure: Measure) -> str:
    used = (run.outputs if measure.is_output else run.inputs).get(measure.dataset)
    return used.name if used else str(measure.dataset)


def _evidence(outlier: Outlier, verb: str, name: str) -> Evidence:
    measure = outlier.measure
    says = (
        f"{verb} {name}: {measure.name} {measure.value:,.12g}, the median of the {outlier.of_runs} good runs before is"
        f" {outlier.usual:,.12g}"
    )
    return Evidence(EvidenceKind.FACET, str(measure.facet), says)
