"""Runs as a tree: what a run was started by, and what it started, itself or through others."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from lineage_core.pages.rows import MOST_ROWS, RowList, listed
from lineage_core.pages.run_rows import DescendantRun, ListedRun
from lineage_core.postgres.connection import Connection

MOST_STEPS = 8
"""From a run to what it started."""

MOST_BELOW = 3 * MOST_ROWS
"""Runs of one tree."""

MOST_ABOVE = 20


def runs_above(connection: Connection, run: UUID) -> list[ListedRun]:
    """The first of them is what nothing else started; the last one has started the run."""
    found = listed(connection, ListedRun, "ancestors_of_run", MOST_ABOVE, run=run, steps=MOST_ABOVE)
    once = {one["run"]: one for one in found.rows if one["run"] != run}
    return list(reversed(once.values()))


def runs_below(connection: Connection, run: UUID) -> RowList[DescendantRun]:
    """Each has `parent_run` and how many `steps` it is from the run, the nearest first."""
    found = listed(connection, DescendantRun, "descendants_of_run", MOST_BELOW, run=run, steps=MOST_STEPS)
    once = {one["run"]: one for one in reversed(found.rows) if one["run"] != run}
    return RowList(found.complete, [one for one in found.rows if once.get(one["run"]) is one])


def nested(rows: RowList[DescendantRun], run: UUID) -> list[dict[str, Any]]:
    """The runs that a run started, each with what it started itself as `children`."""
    below: dict[UUID | None, list[dict[str, Any]]] = {}
    for row in rows.rows:
        below.setdefault(row["parent_run"], []).append({**row, "children": []})
    for children in below.values():
        for child in children:
            child["children"] = below.get(child["run"], [])
    return below.get(run, [])
