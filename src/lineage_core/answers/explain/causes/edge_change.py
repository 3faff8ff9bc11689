"""edge-change: the job read or wrote other datasets than in the good runs before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from uuid import UUID

from lineage_core.answers.explain.described_runs import COMPLETED, ComparedRun, UsedDataset
from lineage_core.answers.explain.difference import Difference, name_words, of_run, of_version
from lineage_core.answers.explain.explanation import CauseKind, Evidence

MOST_SHOWN = 5

_GONE_OUTPUT, _NEW_INPUT, _NEW_OUTPUT, _GONE_INPUT = 0.72, 0.7, 0.6, 0.5
"""An input that is gone is `input-missing` first."""
_MOSTLY = 0.8
_USUALLY = 0.6


def found(compared: ComparedRun) -> Iterator[Difference]:
    """One difference for all edges of the job. A run that has not completed may not have come to name all of them."""
    if compared.baseline is None or not compared.is_whole:
        return
    changes = [*_new(compared, "reads"), *_new(compared, "writes")]
    if compared.run.state == COMPLETED:
        changes += [*_gone(compared, "reads"), *_gone(compared, "writes")]
    ranked = sorted(changes, key=lambda change: change[0], reverse=True)[:MOST_SHOWN]
    if ranked and _is_steady(compared):
        names = name_words(*(used.name for _, used, _ in ranked))
        evidence = tuple(evidence for *_, evidence in ranked)
        yield Difference(CauseKind.EDGE_CHANGE, compared.run.job, ranked[0][0], evidence, names)


def _is_steady(compared: ComparedRun) -> bool:
    """Whether most good runs before had the same edges. A job that reads whatever it is given has no usual ones."""
    edges = [(frozenset(run.inputs), frozenset(run.outputs)) for run in compared.history]
    return max(map(edges.count, edges)) >= _USUALLY * len(edges)


_Change = tuple[float, UsedDataset, Evidence]


def _uses(run: object, verb: str) -> Mapping[UUID, UsedDataset]:
    uses: Mapping[UUID, UsedDataset] = getattr(run, "inputs" if verb == "reads" else "outputs")
    return uses


def _new(compared: ComparedRun, verb: str) -> Iterator[_Change]:
    for uuid, used in _uses(compared.run, verb).items():
        if not any(uuid in _uses(run, verb) for run in compared.history):
            weight = _NEW_INPUT if verb == "reads" else _NEW_OUTPUT
            says = f"{compared.run.job} {verb} {used.name}, as no good run before did"
            yield weight, used, of_version(used.version, says)


def _gone(compared: ComparedRun, verb: str) -> Iterator[_Change]:
    for uuid, used in _uses(compared.history[0], verb).items():
        usual = sum(uuid in _uses(run, verb) for run in compared.history) / len(compared.history)
        if uuid not in _uses(compared.run, verb) and usual >= _MOSTLY:
            weight = _GONE_INPUT if verb == "reads" else _GONE_OUTPUT
            says = f"{compared.run.job} no longer {verb} {used.name}, as the good runs before did"
            yield weight, used, of_run(compared.run, says)
