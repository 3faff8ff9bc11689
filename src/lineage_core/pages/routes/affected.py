"""What read something bad, and what to do again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Query

from lineage_core.answers.affected.borders import affected_over_borders
from lineage_core.answers.affected.question import affected_by
from lineage_core.answers.affected.reruns import airflow_commands
from lineage_core.answers.graph.borders import other_stores
from lineage_core.pages.page import After, Limit, LineagePage, Reader, Uuid
from lineage_core.pages.spreadsheets import Spreadsheet


def affected(
    store: Reader,
    run: Annotated[Uuid, Query(description="A run that wrote something bad.")] = None,
    version: Annotated[Uuid, Query(description="A dataset version that is bad.")] = None,
    limit: Limit = 1_000,
    after: After = None,
) -> dict[str, Any]:
    """The runs, versions and columns that read something bad, and what to do again, in order."""
    if run is None and version is None:
        return {"run": None, "version": None}
    here = affected_by(store, run=run, version=version, limit=limit, after=after)
    found = affected_over_borders(store, here, other_stores())
    commands = [] if "reruns" in found.cut else airflow_commands(found)
    return asdict(found) | {"commands": commands}


def _spreadsheet(document: dict[str, Any]) -> Spreadsheet:
    rows = [(one["run"], one["version"]) for one in document.get("evidence", ())]
    return Spreadsheet(("run", "version_read"), rows, document.get("complete", True))


PAGE = LineagePage("affected", None, 9, affected, spreadsheet=_spreadsheet)
