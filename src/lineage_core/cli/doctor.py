"""`lineage doctor`: what is wrong with the store, and what to do."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from lineage_core.cli.database import chosen_dsn
from lineage_core.cli.terminal import harmless
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.settings import ProjectSettings


def register(application: typer.Typer) -> None:
    application.command()(doctor)


@leaves(NOTHING_CHANGED)
def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Look for faults of the store, and say what to do; exit 1 if one needs a person."""
    from lineage_core.database.doctor import all_health_checks, examine

    settings = ProjectSettings.from_environment()
    found = examine(chosen_dsn(), settings.spool, settings.ingest_dsn)
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in found]))
    else:
        for finding in found:
            typer.echo(harmless(f"{finding.check}: {finding.what}.\n    {finding.advice}"))
        checks = len(all_health_checks())
        typer.echo(f"{len(found)} findings by {checks} checks." if found else f"{checks} checks found nothing.")
    if any(finding.needs_person for finding in found):
        raise typer.Exit(1)
