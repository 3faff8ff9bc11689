"""`lineage db upgrade` and `check`: the whole store; `lineage status`: how it is; `lineage doctor`: what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.groups import STORE, Panel, commands_of
from lineage_core.command_line.options import AsJson
from lineage_core.command_line.results import show
from lineage_core.errors import SchemaDiffers
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store
from lineage_core.settings import ProjectSettings, export

if TYPE_CHECKING:
    from lineage_core.capability import HealthCheck
    from lineage_core.operate.whole_store import Finding, StoreStatus


def register(application: typer.Typer) -> None:
    commands = commands_of(application, STORE)
    commands.command()(upgrade)
    commands.command()(check)
    application.command(rich_help_panel=Panel.WATCH)(status)
    application.command(rich_help_panel=Panel.WATCH)(doctor)


@leaves("An upgrade is kept whole or not at all; `lineage db upgrade` again is safe.")
def upgrade(
    role_prefix: Annotated[
        str | None,
        typer.Option(help="Prefix of the names of the group roles; kept for later upgrades."),
    ] = None,
    with_old_mapping: Annotated[
        bool,
        typer.Option(
            "--with-old-mapping",
            help="Make a new store with the table that Marquez before 0.48 reads the columns of versions from.",
        ),
    ] = False,
) -> None:
    """Create the store, or bring it up to date."""
    from lineage_core.database.store import MADE
    from lineage_core.operate.whole_store import upgrade as bring_up_to_date

    sentences = bring_up_to_date(chosen_store(), role_prefix, with_old_mapping=with_old_mapping)
    for sentence in sentences:
        if sentence != MADE:
            typer.echo(sentence, err=True)
    typer.echo(MADE if MADE in sentences else "The store is up to date.")


@leaves(NOTHING_CHANGED)
def check(
    references: Annotated[
        bool,
        typer.Option("--references", help="Also look for rows that name what is not there; reads whole tables."),
    ] = False,
) -> None:
    """Show how the database differs from the declarations; exit 1 if it does."""
    from lineage_core.database.references import broken_references
    from lineage_core.operate.whole_store import differences, what_helps

    store = chosen_store()
    found = differences(store)
    _show_each(found)
    if found:
        raise SchemaDiffers(f"Differences from the declarations: {len(found)}. {what_helps(store)}")
    broken = broken_references(store) if references else []
    _show_each(broken)
    if broken:
        raise SchemaDiffers(f"References that are broken: {len(broken)}. {_REBUILT}")
    typer.echo("The store is what the declarations say.")


def _show_each(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        typer.echo(sentence)


_REBUILT = (
    "Neither merges nor retention leave such rows: somebody has changed some by hand. `lineage db rebuild` makes a"
    " store without them of the raw events"
)


@leaves(NOTHING_CHANGED)
def status(as_json: AsJson = False) -> None:
    """Show what waits and since when, what is running, quarantine, migrations, retention and size."""
    from lineage_core.operate.whole_store import store_status

    found = store_status(chosen_store())
    by_key = {topic.key: value for topic, value in found.items()}
    show(by_key, _status_lines(found), as_json=as_json, written_time=str)


def _status_lines(found: StoreStatus) -> Iterator[str]:
    now = datetime.now(UTC)
    for topic, value in found.items():
        for title, line in topic.lines(value, now):
            yield f"{title:<14} {line}"


@leaves(NOTHING_CHANGED)
def doctor(as_json: AsJson = False) -> None:
    """Look for faults of the store and of an Airflow set up here, and say what to do; exit 1 if one needs a person."""
    from lineage_core.operate.whole_store import Finding, all_health_checks, examine
    from lineage_core.postgres.store import Store

    settings = ProjectSettings.from_environment()
    store = chosen_store()  # the demo's Airflow has its database in the same server
    of_airflow = _of_airflow(settings)
    checks = (*all_health_checks(), *of_airflow)
    ingest_store = None if settings.ingest_dsn is None else Store(settings.ingest_dsn)
    found = examine(store, settings.spool, ingest_store, checks, streams_url=settings.streams_url)
    unseen = [] if of_airflow else [Finding("airflow", _NOT_LOOKED_AT, _LOOK_THERE, needs_person=False)]
    show((*found, *unseen), _finding_lines(found, unseen, len(checks)), as_json=as_json)
    if any(finding.needs_person for finding in found):
        raise typer.Exit(1)


_NOT_LOOKED_AT = "Airflow was not looked at: this process has none of its settings"
_LOOK_THERE = "Where an Airflow runs the DAGs, run `lineage doctor` with its AIRFLOW_HOME, too."


def _finding_lines(found: Sequence[Finding], unseen: Sequence[Finding], checks: int) -> Iterator[str]:
    for finding in found:
        yield f"{finding.check}: {finding.what}."
        yield f"    {finding.advice}"
    yield f"{checks} checks found {_counted(len(found))}."
    for finding in unseen:
        yield f"{finding.what}. {finding.advice}"


def _counted(findings: int) -> str:
    return {0: "nothing", 1: "one fault"}.get(findings, f"{findings} faults")


def _of_airflow(settings: ProjectSettings) -> tuple[HealthCheck, ...]:
    """Of the Airflow whose settings this process has, or of the demo's unless `make down` has stopped all of it."""
    from lineage_core.airflow.metadata import is_set_up
    from lineage_core.local.airflow import Airflow

    demo = Airflow.below(settings.home)
    if not is_set_up() and demo.runs_in_part():
        export({name: value for name, value in demo.environment().items() if name.startswith("AIRFLOW")})
    if not is_set_up():
        return ()
    # Airflow sets up the log of whoever imports it.
    export({"AIRFLOW__LOGGING__LOGGING_LEVEL": "WARNING"})
    from lineage_core.airflow.health import airflow_health_checks

    return airflow_health_checks()
