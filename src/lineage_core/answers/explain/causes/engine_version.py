"""engine-version: the engine, a library, or what surrounds them is of another version than in the last good run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lineage_core.answers.explain.described_runs import ComparedRun
from lineage_core.answers.explain.difference import Difference, of_facet
from lineage_core.answers.explain.explanation import CauseKind
from lineage_core.answers.explain.facet_kinds import is_engine, is_parameters
from lineage_core.answers.explain.member_changes import MemberChange, member_changes

MOST_SHOWN = 5

_RELEASE, _PATCH, _SURROUNDINGS, _REPORTER = 0.75, 0.65, 0.55, 0.2
_VERSION = re.compile(r"(\d+)\.(\d+)")


def found(compared: ComparedRun) -> Iterator[Difference]:
    """One difference for all that has changed of the engine."""
    changes = [*member_changes(compared, is_engine), *filter(is_version, member_changes(compared, is_parameters))]
    ranked = sorted((change for change in changes if change.steadiness > 0), key=weight, reverse=True)
    if ranked:
        evidence = tuple(of_facet(change.facet, change.says) for change in ranked[:MOST_SHOWN])
        yield Difference(CauseKind.ENGINE_VERSION, compared.run.job, weight(ranked[0]), evidence)


def is_version(change: MemberChange) -> bool:
    """Whether a member of any facet has the version of something."""
    return "version" in change.path.rpartition(".")[2].lower()


def weight(change: MemberChange) -> float:
    """How much it explains that this has changed: what only reports the run does nothing to its output."""
    if "adapter" in change.path.lower() or "openlineage" in change.path.lower():
        most = _REPORTER
    elif is_version(change) or change.facet.name == "processing_engine":
        most = _PATCH if _release(change.before) == _release(change.now) else _RELEASE
    else:
        most = _SURROUNDINGS
    return most * change.steadiness


def _release(version: Any) -> tuple[str, ...] | None:
    """The first two numbers."""
    numbers = _VERSION.search(str(version))
    return numbers.groups() if numbers else None
