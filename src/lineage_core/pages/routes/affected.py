"""What read something bad, and what to do again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Query
from pydantic import with_config
from typing_extensions import TypedDict

from lineage_core.answers.affected.answer import AffectedAnswer, AffectedRead
from lineage_core.answers.affected.borders import affected_over_borders
from lineage_core.answers.affected.question import affected_by
from lineage_core.answers.affected.reruns import airflow_commands
from lineage_core.answers.graph.borders import other_stores
from lineage_core.pages.description import WHOLE
from lineage_core.pages.downstream import DatasetDownstream, JobDownstream, RunDownstream, VersionDownstream, downstream
from lineage_core.pages.members import members_of
from lineage_core.pages.page import After, Limit, LineagePage, Reader, Uuid
from lineage_core.pages.spreadsheets import Spreadsheet


class NothingBad(TypedDict):
    """Where nothing is asked for."""

    run: None
    version: None


@with_config(WHOLE)
@dataclass(frozen=True, kw_only=True)
class AffectedPage(AffectedAnswer):
    """What read something bad, and what to do again.

    complete: whether all is here; else `cut` says what is not, `next` is `after` of the next page, and `purged` says
    what may be gone. runs, versions: in the order in which they are reached. reruns: DAG runs of Airflow, what feeds
    before what reads; others: what is to be done again by other means. started: runs that this one started, whose
    versions name them: ask of each. elsewhere: datasets that jobs of other stores read; null where there is one store.
    commands: for Airflow's command line, in order; empty if some are missing. named_runs, named_versions: job and
    dataset of each id, by the id. jobs, datasets: these, the nearest first.
    """

    commands: list[str]
    named_runs: dict[str, RunDownstream]
    named_versions: dict[str, VersionDownstream]
    jobs: list[JobDownstream]
    datasets: list[DatasetDownstream]


def affected(
    store: Reader,
    run: Annotated[Uuid, Query(description="A run that wrote something bad.")] = None,
    version: Annotated[Uuid, Query(description="A dataset version that is bad.")] = None,
    limit: Limit = 1_000,
    after: After = None,
) -> AffectedPage | NothingBad:
    """The runs, versions and columns that read something bad, whose they are, and what to do again, in order."""
    if run is None and version is None:
        return {"run": None, "version": None}
    here = affected_by(store, run=run, version=version, limit=limit, after=after)
    found = affected_over_borders(store, here, other_stores())
    commands = [] if "reruns" in found.cut else airflow_commands(found)
    return AffectedPage(**members_of(found), commands=commands, **downstream(store, here))


def _spreadsheet(document: AffectedPage | NothingBad) -> Spreadsheet:
    if not isinstance(document, AffectedPage):
        return Spreadsheet(_COLUMNS, (), complete=True)
    owners = {(one["namespace"], one["name"]): one["owner"] for one in document.jobs}
    rows = [_cells(document, owners, one) for one in document.evidence]
    return Spreadsheet(_COLUMNS, rows, document.complete)


_COLUMNS = ("run", "version_read", "hops", "job_namespace", "job", "state", "owner", "dataset_namespace", "dataset")


def _cells(
    document: AffectedPage, owners: Mapping[tuple[str | None, str | None], str | None], read: AffectedRead
) -> list[Any]:
    """Of a run that read something bad; a version that retention has deleted has no name."""
    run: Mapping[str, Any] = document.named_runs.get(str(read.run)) or {}
    version: Mapping[str, Any] = document.named_versions.get(str(read.version)) or {}
    job = (run.get("namespace"), run.get("name"))
    return [
        read.run,
        read.version,
        run.get("hops"),
        *job,
        run.get("state"),
        owners.get(job),
        version.get("namespace"),
        version.get("name"),
    ]


PAGE = LineagePage("affected", None, 9, affected, spreadsheet=_spreadsheet)
