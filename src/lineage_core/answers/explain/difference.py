"""What the comparison of one run finds, before it is weighed against what is found elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from lineage_core.answers.explain.described_runs import DescribedRun, HeldFacet, UsedVersion
from lineage_core.answers.explain.explanation import CauseKind, Evidence, EvidenceKind


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs, and how much it would explain by itself: `weight`, from 0 to 1.

    names: what an error message would name if this was its cause. about: the run, if it is another than the one that
    was compared.
    """

    kind: CauseKind
    subject: str
    weight: float
    evidence: tuple[Evidence, ...]
    names: frozenset[str] = field(default=frozenset())
    about: UUID | None = None


def of_run(run: DescribedRun, says: str) -> Evidence:
    return Evidence(EvidenceKind.RUN, str(run.uuid), says)


def of_version(version: UsedVersion, says: str) -> Evidence:
    return Evidence(EvidenceKind.VERSION, str(version.uuid), says)


def of_facet(facet: HeldFacet, says: str) -> Evidence:
    return Evidence(EvidenceKind.FACET, str(facet.uuid), says)


def name_words(*names: str) -> frozenset[str]:
    """The last parts of names of datasets, jobs and columns: an error seldom names more."""
    lasts = (name.rpartition("/")[2].rpartition(".")[2] for name in names)
    return frozenset(last.lower() for last in lasts if len(last) >= _TELLING)


_TELLING = 3
"""Letters: shorter names are in any text."""
