"""`lineage schema alerts` and `acknowledge`: schemas of datasets that broke a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.groups import SCHEMA, commands_of
from lineage_core.command_line.options import AsJson
from lineage_core.command_line.results import show
from lineage_core.interrupts import NOTHING_CHANGED, all_or_nothing, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.schema_alerts import SchemaAlert


def register(application: typer.Typer) -> None:
    commands = commands_of(application, SCHEMA)
    commands.command()(alerts)
    commands.command()(acknowledge)


@leaves(NOTHING_CHANGED)
def alerts(
    closed: Annotated[bool, typer.Option("--all", help="Those that are resolved or acknowledged, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the schemas of datasets that broke a rule and are not acknowledged."""
    from lineage_core import schema_alerts

    found = schema_alerts.alerts(chosen_store(), closed=closed)
    show(found, _lines(found), as_json=as_json)


@leaves(all_or_nothing("lineage schema alerts --all"))
def acknowledge(
    ids: Annotated[list[int], typer.Argument(metavar="ID", help="As `alerts` shows them.")],
    why: Annotated[
        str | None, typer.Option("--why", metavar="TEXT", help="The reason, which is stored with your name.")
    ] = None,
) -> None:
    """Acknowledge alerts: `lineage doctor` no longer names them."""
    from lineage_core import schema_alerts

    schema_alerts.acknowledge(chosen_store(), ids, why)
    typer.echo(f"{len(set(ids))} acknowledged.")


def _lines(alerts: Iterable[SchemaAlert]) -> Iterator[str]:
    for alert in alerts:
        job = f"by {alert.job}" if alert.job else "declared"
        yield f"{alert.id}  {alert.changed_at.isoformat()}  {alert.dataset_namespace} {alert.dataset_name}  {job}"
        for refusal in alert.refusals:
            yield f"    refused: {refusal['path']}: {refusal['reason']} (rule {refusal['rule']})"
        if alert.resolved_at is not None:
            yield f"    resolved {alert.resolved_at.isoformat()}: {alert.resolution}"
        elif not alert.is_open and alert.acknowledged_at is not None:
            reason = f": {alert.reason}" if alert.reason else ""
            yield f"    acknowledged {alert.acknowledged_at.isoformat()} by {alert.acknowledged_by}{reason}"
