"""What read something bad, and what to do again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Query

from lineage_core.answers.affected.borders import affected_over_borders
from lineage_core.answers.affected.question import affected_by
from lineage_core.answers.affected.reruns import airflow_commands
from lineage_core.answers.graph.borders import other_stores
from lineage_core.pages.downstream import downstream
from lineage_core.pages.page import After, Limit, LineagePage, Reader, Uuid
from lineage_core.pages.spreadsheets import Spreadsheet


def affected(
    store: Reader,
    run: Annotated[Uuid, Query(description="A run that wrote something bad.")] = None,
    version: Annotated[Uuid, Query(description="A dataset version that is bad.")] = None,
    limit: Limit = 1_000,
    after: After = None,
) -> dict[str, Any]:
    """The runs, versions and columns that read something bad, whose they are, and what to do again, in order."""
    if run is None and version is None:
        return {"run": None, "version": None}
    here = affected_by(store, run=run, version=version, limit=limit, after=after)
    found = affected_over_borders(store, here, other_stores())
    commands = [] if "reruns" in found.cut else airflow_commands(found)
    return asdict(found) | {"commands": commands} | downstream(store, here)


def _spreadsheet(document: dict[str, Any]) -> Spreadsheet:
    if "evidence" not in document:
        return Spreadsheet(_COLUMNS, (), complete=True)
    owners = {(one["namespace"], one["name"]): one["owner"] for one in document["jobs"]}
    rows = [_cells(document, owners, one) for one in document["evidence"]]
    return Spreadsheet(_COLUMNS, rows, document["complete"])


_COLUMNS = ("run", "version_read", "hops", "job_namespace", "job", "state", "owner", "dataset_namespace", "dataset")


def _cells(document: dict[str, Any], owners: dict[tuple[str, str], str | None], read: dict[str, Any]) -> list[Any]:
    """Of a run that read something bad; a version that retention has deleted has no name."""
    run = document["named_runs"].get(str(read["run"]), {})
    version = document["named_versions"].get(str(read["version"]), {})
    job = (run.get("namespace"), run.get("name"))
    return [
        read["run"],
        read["version"],
        run.get("hops"),
        *job,
        run.get("state"),
        owners.get(job),
        version.get("namespace"),
        version.get("name"),
    ]


PAGE = LineagePage("affected", None, 9, affected, spreadsheet=_spreadsheet)
