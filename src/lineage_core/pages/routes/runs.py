"""A run, or the runs that began last."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query

from lineage_core.errors import NotInStore
from lineage_core.pages.cursors import next_of_runs, run_behind
from lineage_core.pages.facets import last_facets
from lineage_core.pages.last_runs import has_later_runs, latest_start
from lineage_core.pages.page import After, Limit, LineagePage, Reader, Uuid
from lineage_core.pages.rows import MOST_ROWS, RowList, listed, row
from lineage_core.pages.run_trees import runs_above, runs_below
from lineage_core.pages.volumes import with_volumes
from lineage_core.postgres.store import Store
from lineage_core.reading.facets import run_facets
from lineage_core.reading.store import snapshot

MOST_MENTIONS = 2_000
"""Of datasets by the run, among which rows and bytes are looked for."""


def runs(
    store: Reader,
    run: Annotated[Uuid, Query(description="The `uuid` of a run.")] = None,
    limit: Limit = MOST_ROWS,
    after: After = None,
    before: Annotated[datetime | None, Query(description="Only runs that began before this moment.")] = None,
) -> dict[str, Any]:
    """The run of a uuid; without one, the runs that began last. `later` says whether events state runs of a time to
    come, which are listed only where `before` is."""
    if run is not None:
        return {"run": _run(store, run)}
    until = before or latest_start()
    with snapshot(store) as connection:
        created_at, behind = run_behind(after)
        found = listed(connection, "last_runs", limit, before=until, created_at=created_at, behind=behind)
        later = before is None and has_later_runs(connection, until)
    return {"run": None, "complete": found.complete, "next": next_of_runs(found), "later": later, "runs": found.rows}


def _run(store: Store, run: UUID) -> dict[str, Any]:
    with snapshot(store) as connection:
        found = row(connection, "run", run=run)
        if found is None:
            raise NotInStore(f"The store knows no run {run}. It may wait to be normalized, or retention deleted it.")
        used = listed(connection, "versions_of_run", run=run)
        lists = {
            "versions": RowList(used.complete, with_volumes(connection, run, used.rows, MOST_MENTIONS)),
            "children": listed(connection, "children_of_run", run=run),
            "ancestors": runs_above(connection, run),
            "descendants": runs_below(connection, run),
            "facets": last_facets(run_facets(connection, run)),
        }
    return found | lists


PAGE = LineagePage("runs", "Runs", 4, runs)
