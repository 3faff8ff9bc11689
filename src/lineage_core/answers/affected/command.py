"""`lineage affected`: what a bad run or dataset version has affected, and what to do again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from lineage_core.answers.affected.answer import MOST_RUNS, STARTED
from lineage_core.answers.snapshots import waiting_lines
from lineage_core.capability import counted
from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import AsJson, refuse_empty
from lineage_core.command_line.results import harmless_line, show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.answers.affected.answer import AffectedAnswer


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.READ)(affected)


@leaves(NOTHING_CHANGED)
def affected(
    run: Annotated[UUID | None, typer.Option(metavar="UUID", help="A run that wrote something bad.")] = None,
    version: Annotated[UUID | None, typer.Option(metavar="UUID", help="A dataset version that is bad.")] = None,
    *,
    airflow: Annotated[bool, typer.Option("--airflow", help="Print commands that do the DAG runs again.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="Most runs of the answer.")] = MOST_RUNS,
    after: Annotated[
        str | None, typer.Option(metavar="CURSOR", help="Go on there: `next` of a cut answer.", callback=refuse_empty)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the runs, versions and columns that read something bad, and what to do again, in order."""
    from lineage_core.answers.affected.borders import affected_over_borders
    from lineage_core.answers.affected.question import affected_by
    from lineage_core.answers.affected.reruns import airflow_commands
    from lineage_core.answers.graph.borders import border_lines, other_stores

    found = affected_by(chosen_store(), run=run, version=version, limit=limit, after=after)
    found = affected_over_borders(chosen_store(), found, other_stores())
    if not airflow:
        show(found, _lines(found), as_json=as_json)
        return
    if "reruns" in found.cut:
        raise WrongUsage(f"More than {limit:,} runs are affected. --airflow needs all of them: give a higher --limit.")
    commands = airflow_commands(found)
    for line in border_lines(found.elsewhere or (), found.unasked_stores, "affected"):
        typer.echo(harmless_line(line), err=True)
    show(asdict(found) | {"commands": commands}, commands, as_json=as_json)


def _lines(found: AffectedAnswer) -> Iterator[str]:
    """The answer for people: how much there is first, what is to be done next, then all ids."""
    versions = counted(len(found.versions), "version")
    yield f"{counted(len(found.runs), 'run')}, {versions}, as of {found.as_of.isoformat()}"
    yield from _missing(found)
    for number, rerun in enumerate(found.reruns, 1):
        yield f"again {number}  {rerun.dag}  {rerun.run}" + ("  (feeds what it reads)" if rerun.is_circular else "")
    for other in found.others:
        yield f"again, not by Airflow  {other.run}  {other.namespace} {other.job}"
    for read in found.evidence:
        yield f"run {read.run}  read {read.version}"
    for version in found.versions:
        yield f"version {version}"
    for column in found.columns:
        which = column.column or "every column"
        yield f"column {column.version}  {which}" + ("" if column.is_stated else "  (not stated, may be bad)")


def _missing(found: AffectedAnswer) -> Iterator[str]:
    """What the answer does not have, and where to look for it."""
    cut = [member for member in found.cut if member != STARTED]
    if cut:
        yield f"Cut: {', '.join(cut)}. A higher --limit has all at once."
    if found.next is not None:
        yield f"It goes on with --after {found.next}"
    from lineage_core.answers.graph.borders import border_lines

    yield from border_lines(found.elsewhere or (), found.unasked_stores, "affected")
    yield from waiting_lines(found.waiting_since)
    yield from _purged_lines(found)
    if found.started:
        yield f"The run started others, whose versions name them: ask of each. {', '.join(map(str, found.started))}"
    if STARTED in found.cut:
        yield f"It started more than these {len(found.started)}: the table runs has all, by parent_run_uuid."


def _purged_lines(found: AffectedAnswer) -> Iterator[str]:
    purged = found.purged
    if purged.before is not None:
        yield f"Retention has deleted up to {purged.before.isoformat()}: what was affected before then may be missing."
    for run in purged.runs:
        yield f"purged run {run}"
    for version in purged.versions:
        yield f"purged version {version}"
    for archive in purged.archives:
        yield f"archived: {archive}"
