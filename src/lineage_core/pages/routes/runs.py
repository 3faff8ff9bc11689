"""A run, or the runs that began last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Query
from typing_extensions import TypedDict

from lineage_core.errors import NotInStore
from lineage_core.pages.cursors import next_of_runs, run_behind
from lineage_core.pages.facets import LastFacet, last_facets
from lineage_core.pages.last_runs import has_later_runs, latest_start
from lineage_core.pages.page import After, Limit, LineagePage, Reader, Uuid
from lineage_core.pages.rows import MOST_ROWS, RowList, listed, row
from lineage_core.pages.run_rows import DescendantRun, LastRun, ListedRun, WholeRun
from lineage_core.pages.run_trees import runs_above, runs_below
from lineage_core.pages.volumes import VersionUse, VersionVolume, with_volumes
from lineage_core.postgres.store import Store
from lineage_core.reading.facets import run_facets
from lineage_core.reading.store import snapshot

MOST_MENTIONS = 2_000
"""Of datasets by the run, among which rows and bytes are looked for."""


class LastRuns(TypedDict):
    """next: `after` of the next page. later: whether events state runs of a time to come, which are listed only where
    `before` is."""

    run: None
    complete: bool
    next: str | None
    later: bool
    runs: Sequence[LastRun]


class RunDocument(WholeRun):
    """versions: those that it read and wrote. children: what it started. ancestors: what started it, itself or by
    others, the first one first; descendants: what it started so, the nearest first. facets: by name."""

    versions: RowList[VersionVolume]
    children: RowList[ListedRun]
    ancestors: list[ListedRun]
    descendants: RowList[DescendantRun]
    facets: dict[str, LastFacet]


class RunPage(TypedDict):
    """Where one is asked for."""

    run: RunDocument


def runs(
    store: Reader,
    run: Annotated[Uuid, Query(description="The `uuid` of a run.")] = None,
    limit: Limit = MOST_ROWS,
    after: After = None,
    before: Annotated[datetime | None, Query(description="Only runs that began before this moment.")] = None,
) -> RunPage | LastRuns:
    """The run of a uuid; without one, the runs that began last."""
    if run is not None:
        return {"run": _run(store, run)}
    until = before or latest_start()
    with snapshot(store) as connection:
        created_at, behind = run_behind(after)
        found = listed(connection, LastRun, "last_runs", limit, before=until, created_at=created_at, behind=behind)
        later = before is None and has_later_runs(connection, until)
    return {"run": None, "complete": found.complete, "next": next_of_runs(found), "later": later, "runs": found.rows}


def _run(store: Store, run: UUID) -> RunDocument:
    with snapshot(store) as connection:
        found = row(connection, WholeRun, "run", run=run)
        if found is None:
            raise NotInStore(f"The store knows no run {run}. It may wait to be normalized, or retention deleted it.")
        used = listed(connection, VersionUse, "versions_of_run", run=run)
        return {
            **found,
            "versions": RowList(used.complete, with_volumes(connection, run, used.rows, MOST_MENTIONS)),
            "children": listed(connection, ListedRun, "children_of_run", run=run),
            "ancestors": runs_above(connection, run),
            "descendants": runs_below(connection, run),
            "facets": last_facets(run_facets(connection, run)),
        }


PAGE = LineagePage("runs", "Runs", 4, runs)
