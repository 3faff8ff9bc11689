"""code-change: the text of the code, its SQL, or where it lies is another than in the last good run."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.answers.explain.described_runs import ComparedRun
from lineage_core.answers.explain.difference import Difference, of_facet, of_run
from lineage_core.answers.explain.explanation import CauseKind
from lineage_core.answers.explain.facet_kinds import is_code
from lineage_core.answers.explain.member_changes import MemberChange, member_changes

MOST_SHOWN = 5

_TEXT, _PLACE, _COMMIT, _COMMIT_OF_SAME_TEXT, _OTHER = 0.85, 0.75, 0.55, 0.2, 0.4
_TEXTS = ("sql", "sourceCode")
_COMMITS = ("version", "tag", "branch")
"""Members of a place that change with every deployment, whatever that has changed."""


def found(compared: ComparedRun) -> Iterator[Difference]:
    """One difference for all that has changed of the code."""
    changes = [change for change in member_changes(compared, is_code) if change.steadiness > 0]
    has_text = any(facet.name in _TEXTS for facet in compared.run.facets.values())
    ranked = sorted(changes, key=lambda change: weight(change, has_text), reverse=True)
    if ranked:
        evidence = tuple(of_facet(change.facet, change.says) for change in ranked[:MOST_SHOWN])
        yield Difference(CauseKind.CODE_CHANGE, compared.run.job, weight(ranked[0], has_text), evidence)
    elif compared.baseline and compared.run.location != compared.baseline.location and compared.run.location:
        lay = {run.location for run in compared.history}
        says = f"its source code lies at {compared.run.location}, before at {compared.baseline.location or 'no place'}"
        if len(lay) == 1:
            yield Difference(CauseKind.CODE_CHANGE, compared.run.job, _PLACE, (of_run(compared.run, says),))


def weight(change: MemberChange, has_text: bool) -> float:
    """How much it explains that this has changed. A commit says little where the text of the code is known."""
    if change.facet.name in _TEXTS:
        most = _TEXT
    elif change.facet.name != "sourceCodeLocation":
        most = _OTHER
    elif change.path in _COMMITS:
        most = _COMMIT_OF_SAME_TEXT if has_text else _COMMIT
    else:
        most = _PLACE
    return most * change.steadiness
