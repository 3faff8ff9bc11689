"""Why a run failed, or why its output differs from the last good one."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query

from lineage_core.answers.explain.explained_run import HOPS, MOST_CAUSES
from lineage_core.answers.explain.explained_run import explain as explained
from lineage_core.answers.explain.explanation import Explanation
from lineage_core.pages.page import LineagePage, Reader


def explain(
    store: Reader,
    run: Annotated[UUID, Query(description="The `uuid` of the run.")],
    hops: Annotated[int, Query(ge=0, le=20, description="How far upstream to look.")] = HOPS,
    limit: Annotated[int, Query(ge=1, le=100, description="Most causes to give.")] = MOST_CAUSES,
) -> Explanation:
    """The likely causes of a failed run, each with its evidence, the likeliest first."""
    return explained(store, run, hops=hops, most=limit)


PAGE = LineagePage("explain", None, 8, explain)
