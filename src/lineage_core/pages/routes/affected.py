"""What read something bad, and what to do again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query

from lineage_core.answers.affected.question import affected_by_run, affected_by_version
from lineage_core.answers.affected.reruns import airflow_commands
from lineage_core.errors import WrongUsage
from lineage_core.pages.page import After, Limit, LineagePage, Reader


def affected(
    store: Reader,
    run: Annotated[UUID | None, Query(description="A run that wrote something bad.")] = None,
    version: Annotated[UUID | None, Query(description="A dataset version that is bad.")] = None,
    limit: Limit = 1_000,
    after: After = None,
) -> dict[str, Any]:
    """The runs, versions and columns that read something bad, and what to do again, in order."""
    if run is None and version is None:
        return {"run": None, "version": None}
    if run is not None and version is None:
        found = affected_by_run(store, run, limit=limit, after=after)
    elif version is not None and run is None:
        found = affected_by_version(store, version, limit=limit, after=after)
    else:
        raise WrongUsage("Name a run by `run`, or a dataset version by `version`, and not both.")
    commands = [] if "reruns" in found.cut else airflow_commands(found)
    return asdict(found) | {"commands": commands}


PAGE = LineagePage("affected", None, 9, affected)
