"""`lineage doctor`: what is wrong with the store, and what to do."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.cli.database import chosen_dsn
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.settings import ProjectSettings, export

if TYPE_CHECKING:
    from lineage_core.database.health_check import HealthCheck


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.WATCH)(doctor)


@leaves(NOTHING_CHANGED)
def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Look for faults of the store, and of Airflow where it is set up here, and say what to do; exit 1 if one needs a
    person."""
    from lineage_core.database.doctor import all_health_checks, examine

    settings = ProjectSettings.from_environment()
    checks = (*all_health_checks(), *_of_airflow(settings))
    found = examine(chosen_dsn(), settings.spool, settings.ingest_dsn, checks)
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in found]))
    else:
        for finding in found:
            typer.echo(harmless(f"{finding.check}: {finding.what}.\n    {finding.advice}"))
        typer.echo(
            f"{len(found)} findings by {len(checks)} checks." if found else f"{len(checks)} checks found nothing."
        )
    if any(finding.needs_person for finding in found):
        raise typer.Exit(1)


def _of_airflow(settings: ProjectSettings) -> tuple[HealthCheck, ...]:
    """Of the Airflow whose settings this process has, or of the demo's while it runs; none if there is neither."""
    from lineage_core.airflow.metadata import is_set_up
    from lineage_core.local.airflow import Airflow

    demo = Airflow.below(settings.home)
    if not is_set_up() and demo.is_running():
        export({name: value for name, value in demo.environment().items() if name.startswith("AIRFLOW")})
    if not is_set_up():
        return ()
    # Airflow sets up the log of whoever imports it.
    export({"AIRFLOW__LOGGING__LOGGING_LEVEL": "WARNING"})
    from lineage_core.airflow.health import airflow_health_checks

    return airflow_health_checks()
