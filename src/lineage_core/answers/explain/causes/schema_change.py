"""schema-change: a dataset on the way has another schema than the last good run met, by the verdict that is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lineage_core.answers.explain.described_runs import ComparedRun, SchemaVerdict
from lineage_core.answers.explain.difference import Difference, name_words
from lineage_core.answers.explain.explanation import CauseKind, Evidence, EvidenceKind
from lineage_core.evolution.rules import ChangeKind

_REFUSED, _DELETED, _NULLABLE, _ADDED = 0.85, 0.78, 0.4, 0.12
_WEIGHTS = {ChangeKind.DELETED: _DELETED, ChangeKind.MADE_NULLABLE: _NULLABLE, ChangeKind.ADDED: _ADDED}
MOST_SHOWN = 10


def found(compared: ComparedRun) -> Iterator[Difference]:
    """One difference for each schema that came between."""
    uses = {**compared.run.outputs, **compared.run.inputs}
    for verdict in compared.verdicts:
        used = uses.get(verdict.dataset)
        if used is None:
            continue
        columns = [str(one["path"]) for one in (*verdict.refusals, *verdict.changes)]
        at = verdict.current_from.isoformat()
        says = f"{used.name} became {verdict.verdict} at {at}: {'; '.join(_stated(verdict)[:MOST_SHOWN])}"
        evidence = (
            Evidence(EvidenceKind.EVENT, verdict.event, says),
            Evidence(EvidenceKind.VERSION, str(verdict.version), f"the version of {used.name} that has the schema"),
        )
        names = name_words(used.name, *columns)
        yield Difference(CauseKind.SCHEMA_CHANGE, used.name, _weight(verdict), evidence, names, verdict.written_by)


def _weight(verdict: SchemaVerdict) -> float:
    if verdict.refusals:
        return _REFUSED
    return max((_WEIGHTS.get(ChangeKind(one["kind"]), 0.0) for one in verdict.changes), default=0.0)


def _stated(verdict: SchemaVerdict) -> list[str]:
    refused = [f"{_path(one)}: {one['reason']} (rule {one['rule']})" for one in verdict.refusals]
    return refused + [f"{one['kind']}: {_path(one)}" for one in verdict.changes]


def _path(member: Mapping[str, Any]) -> str:
    return str(member["path"]) or "the schema"
