"""Why a run failed, or why its output differs from the last good one; without a run, those that failed last."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Query

from lineage_core.answers.explain.explained_run import HOPS, MOST_CAUSES, explain_in
from lineage_core.answers.explain.side_by_side import side_by_side
from lineage_core.pages.last_runs import latest_start
from lineage_core.pages.names import evidence_of
from lineage_core.pages.page import LineagePage, Reader, Uuid
from lineage_core.pages.rows import listed
from lineage_core.reading.store import snapshot

LAST_RUNS = 1_000
"""Among which those that failed are looked for."""


def explain(
    store: Reader,
    run: Annotated[Uuid, Query(description="The `uuid` of the run.")] = None,
    hops: Annotated[int, Query(ge=0, le=20, description="How far upstream to look.")] = HOPS,
    limit: Annotated[int, Query(ge=1, le=100, description="Most causes to give.")] = MOST_CAUSES,
) -> dict[str, Any]:
    """The likely causes of a failed run, each with its evidence, the likeliest first."""
    with snapshot(store) as connection:
        if run is not None:
            answer = explain_in(connection, run, hops=hops, most=limit)
            beside = {"side_by_side": side_by_side(connection, run)}
            return asdict(answer) | beside | {"evidence": evidence_of(connection, answer)}
        failed = listed(connection, "failed_runs", last=LAST_RUNS, before=latest_start())
    return {"run": None, "complete": failed.complete, "failed": failed.rows}


PAGE = LineagePage("explain", "Failures", 5, explain)
