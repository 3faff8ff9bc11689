"""Why a run failed, or why its output differs from the last good one; without a run, those that failed last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from typing_extensions import TypedDict

from lineage_core.answers.explain.explained_run import HOPS, MOST_CAUSES, explain_in
from lineage_core.answers.explain.side_by_side import SideBySide, side_by_side
from lineage_core.pages.last_runs import latest_start
from lineage_core.pages.members import members_of
from lineage_core.pages.names import ExplainedRun, with_evidence
from lineage_core.pages.page import LineagePage, Reader, Uuid
from lineage_core.pages.rows import listed
from lineage_core.pages.run_rows import ListedRun
from lineage_core.reading.store import snapshot

LAST_RUNS = 1_000
"""Among which those that failed are looked for."""


class LastFailures(TypedDict):
    """Where no run is asked for: those that failed last, the last first."""

    run: None
    complete: bool
    failed: Sequence[ListedRun]


@dataclass(frozen=True, kw_only=True)
class ExplainPage(ExplainedRun):
    """The causes, the likeliest first.

    complete: whether all was looked at that could be; else `cut` says what was not, and `next` has runs upstream to be
    explained by themselves. compared_with: the last good run. waiting_since: since when an event waits that is in no
    table. runs: how many were compared. side_by_side: what differs from the last good run of the job, whatever it
    explains; null if there is none.
    """

    side_by_side: SideBySide | None


def explain(
    store: Reader,
    run: Annotated[Uuid, Query(description="The `uuid` of the run.")] = None,
    hops: Annotated[int, Query(ge=0, le=20, description="How far upstream to look.")] = HOPS,
    limit: Annotated[int, Query(ge=1, le=100, description="Most causes to give.")] = MOST_CAUSES,
) -> ExplainPage | LastFailures:
    """The likely causes of a failed run, each with its evidence, the likeliest first."""
    with snapshot(store) as connection:
        if run is not None:
            explained = with_evidence(connection, explain_in(connection, run, hops=hops, most=limit))
            return ExplainPage(**members_of(explained), side_by_side=side_by_side(connection, run))
        failed = listed(connection, ListedRun, "failed_runs", last=LAST_RUNS, before=latest_start())
    return {"run": None, "complete": failed.complete, "failed": failed.rows}


PAGE = LineagePage("explain", "Failures", 5, explain)
