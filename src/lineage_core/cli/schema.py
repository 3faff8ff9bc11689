"""`lineage schema`: how the schema of a dataset changed, and whether a new one would be permitted (seed 004)."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_core.cli.database import chosen_store
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves

if TYPE_CHECKING:
    from lineage_core.evolution import DescribedField, Judgement
    from lineage_core.schema_alerts import SchemaAlert

Dataset = Annotated[tuple[str, str], typer.Option("--dataset", metavar="NAMESPACE NAME", help="Any name of it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(application: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    group.command()(history)
    group.command()(diff)
    group.command()(check)
    group.command()(alerts)
    group.command()(acknowledge)
    application.add_typer(group, name="schema", help="Changes of the schema of a dataset.", rich_help_panel=Panel.READ)


@leaves(NOTHING_CHANGED)
def history(dataset: Dataset, as_json: AsJson = False) -> None:
    """Show the verdict on each schema that a dataset has had, the first one first."""
    from lineage_core.reading.schema_history import schema_history

    versions = schema_history(chosen_store(), *dataset)
    if as_json:
        members = (
            {
                "number": one.number,
                "version": str(one.version),
                "current_from": one.current_from.isoformat(),
                **asdict(one.judgement),
            }
            for one in versions
        )
        typer.echo(json.dumps(list(members)))
        return
    for one in versions:
        number = "-" if one.number is None else one.number
        typer.echo(f"{number:<4}  {one.current_from.isoformat()}  {one.version}  {one.judgement.verdict}")
        _print_details(one.judgement)


@leaves(NOTHING_CHANGED)
def diff(
    dataset: Dataset,
    first: Annotated[
        int | None, typer.Option("--from", metavar="N", help="Number of a schema; by default the last that differs.")
    ] = None,
    second: Annotated[int, typer.Option("--to", metavar="N", help="Number of another one; -1 is the last.")] = -1,
    as_json: AsJson = False,
) -> None:
    """Show what changed from one schema to another. By default, compares the last two schemas."""
    from lineage_core.reading.schema_history import schema_difference

    _print(schema_difference(chosen_store(), *dataset, first, second), as_json)


@leaves(NOTHING_CHANGED)
def check(
    dataset: Dataset,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON: the fields, or a schema facet.")],
    no_fencing: Annotated[bool, typer.Option("--no-fencing", help="Also exit 1 if a job is fenced.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge a schema that is to come next; exit 1 if it is refused."""
    from lineage_core.evolution import Verdict
    from lineage_core.reading.schema_history import judgement_of

    judgement = judgement_of(chosen_store(), *dataset, _fields_in(file))
    _print(judgement, as_json)
    if judgement.verdict is Verdict.REFUSED or (no_fencing and judgement.fenced):
        raise typer.Exit(1)


@leaves(NOTHING_CHANGED)
def alerts(
    closed: Annotated[bool, typer.Option("--all", help="Those that are resolved or acknowledged, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the schemas of datasets that broke a rule and are not acknowledged."""
    from lineage_core import schema_alerts

    found = schema_alerts.alerts(chosen_store(), closed=closed)
    if as_json:
        typer.echo(json.dumps([asdict(alert) for alert in found], default=_written))
        return
    for alert in found:
        _print_alert(alert)


def _written(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _print_alert(alert: SchemaAlert) -> None:
    job = f"by {alert.job}" if alert.job else "declared"
    what = f"{alert.id}  {alert.changed_at.isoformat()}  {alert.dataset_namespace} {alert.dataset_name}  {job}"
    typer.echo(harmless(what))
    for refusal in alert.refusals:
        typer.echo(harmless(f"    refused: {refusal['path']}: {refusal['reason']} (rule {refusal['rule']})"))
    if alert.resolved_at is not None:
        typer.echo(harmless(f"    resolved {alert.resolved_at.isoformat()}: {alert.resolution}"))
    elif not alert.is_open and alert.acknowledged_at is not None:
        reason = f": {alert.reason}" if alert.reason else ""
        typer.echo(harmless(f"    acknowledged {alert.acknowledged_at.isoformat()} by {alert.acknowledged_by}{reason}"))


@leaves("It took effect whole or not at all; `lineage schema alerts --all` says which.")
def acknowledge(
    ids: Annotated[list[int], typer.Argument(metavar="ID...", help="As `alerts` shows them.")],
    why: Annotated[
        str | None, typer.Option("--why", metavar="TEXT", help="The reason, which is stored with your name.")
    ] = None,
) -> None:
    """Acknowledge alerts: `lineage doctor` no longer names them."""
    from lineage_core import schema_alerts

    schema_alerts.acknowledge(chosen_store(), ids, why)
    typer.echo(f"{len(set(ids))} acknowledged.")


def _fields_in(file: Path) -> tuple[DescribedField, ...]:
    from lineage_core.evolution.dataset_history import described_fields

    try:
        value = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise WrongUsage(f"{file} is no file of JSON that can be read: {error}") from error
    fields = described_fields(value.get("fields") if isinstance(value, dict) else value)
    if not fields:
        raise WrongUsage(f"{file} has no fields: it is a list of them, or an object with one under `fields`")
    return fields


def _print(judgement: Judgement, as_json: bool) -> None:
    if as_json:
        members: dict[str, Any] = asdict(judgement)
        typer.echo(json.dumps(members))
        return
    typer.echo(judgement.verdict)
    _print_details(judgement)


def _print_details(judgement: Judgement) -> None:
    for change in judgement.changes:
        typer.echo(harmless(f"    {change.kind}: {change.path}"))
    for refusal in judgement.refusals:
        typer.echo(harmless(f"    refused: {refusal.path}: {refusal.reason} (rule {refusal.rule})"))
    for fenced in judgement.fenced:
        reads = "reads" if fenced.is_known else "may read"
        typer.echo(harmless(f"    fences {fenced.reader}, which {reads} {fenced.refusal.path}"))
