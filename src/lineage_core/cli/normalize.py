"""`lineage normalize`: raw events become tables, on Spark."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from lineage_core.cli.database import chosen_store
from lineage_core.cli.options import moment, refuse_empty
from lineage_core.cli.panels import Panel
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import interruption_point, leaves
from lineage_core.long_migrations.declared import all_migrations
from lineage_core.model.tables.lineage_events import TABLE as EVENTS
from lineage_core.normalize.following import PATIENCE_SECONDS
from lineage_core.normalize.following import follow as follow_arrivals
from lineage_core.normalize.normalization import SLICE_BYTES, NormalizationOutcome, normalize
from lineage_core.normalize.slices import Slice
from lineage_core.normalize.store.event_choices import EventsByTime, interval
from lineage_core.openlineage.instants import FIRST, LAST, microseconds
from lineage_core.own_lineage.datasets import inputs, of_the_model, outputs
from lineage_core.own_lineage.jobs import OwnJobs, own_jobs
from lineage_core.postgres.store import Store
from lineage_core.spark.application import Application, end_with_spark_submit, spark_application


def register(application: typer.Typer) -> None:
    application.command(name="normalize", rich_help_panel=Panel.START)(normalize_events)


@leaves("What was merged stays; `lineage normalize` continues from there.")
def normalize_events(
    *,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="T", help="Start (inclusive), by event time. Without it, all before --to."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="T", help="End (exclusive), by event time. Without it, all since --from."),
    ] = None,
    namespace: Annotated[
        list[str] | None,
        typer.Option(
            help="Only events of this job namespace, with --from or --to; may be repeated.", callback=refuse_empty
        ),
    ] = None,
    slice_bytes: Annotated[
        int, typer.Option(min=1, help="Bytes of event text that one transaction merges.")
    ] = SLICE_BYTES,
    follow: Annotated[
        bool, typer.Option("--follow", help="Keep running, and normalize new events within seconds.")
    ] = False,
    master: Annotated[str, typer.Option(help="The Spark to run on.", callback=refuse_empty)] = "local[*,4]",
    on_submitted_spark: Annotated[bool, typer.Option("--on-submitted-spark", hidden=True)] = False,
    own_namespace: Annotated[str | None, typer.Option(hidden=True, help="Where Airflow reports our own DAGs.")] = None,
    outcome_file: Annotated[Path | None, typer.Option(hidden=True, help="Where Airflow reads the outcome.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as one JSON object.")] = False,
) -> None:
    """Bring the tables up to date with all events that have arrived, or with those of an interval of event time."""
    if on_submitted_spark:
        end_with_spark_submit()
    chosen = _chosen_interval(from_, to, tuple(namespace or ()))
    if follow and chosen is not None:
        raise WrongUsage("--follow takes what arrives, so --from and --to have no place beside it")
    store = chosen_store()
    own = None if own_namespace is None else own_jobs_in(own_namespace)
    with spark_application("normalize_lineage", None if on_submitted_spark else master) as spark:
        work = partial(normalize, store, spark.runner, interval=chosen, slice_bytes=slice_bytes, own=own)
        if follow:
            _follow(store, spark, work, _json if as_json else _summary)
        outcome = work(progress=_tell)
        if not outcome.is_own:  # what the platform reports of itself is taken in, and not reported again
            spark.state(
                inputs(store, [EVENTS.name]), outputs(store, of_the_model(outcome.changed), filled_from_events=True)
            )
    if outcome_file is not None:
        outcome_file.write_text(_json(outcome))
    typer.echo(_json(outcome) if as_json else _summary(outcome))


def _follow(
    store: Store,
    spark: Application,
    work: Callable[..., NormalizationOutcome],
    shown: Callable[[NormalizationOutcome], str],
) -> NoReturn:
    """Until a signal comes: it is heeded between two runs, and between two slices of a run."""

    def run() -> None:
        outcome = work(progress=lambda *_: interruption_point(), patience=PATIENCE_SECONDS)
        if outcome.slices:  # another one may have been sooner
            typer.echo(shown(outcome))

    _ = spark.session  # before the first event comes, which would have to wait for it
    follow_arrivals(store, run)


def _json(outcome: NormalizationOutcome) -> str:
    return json.dumps(asdict(outcome))


def own_jobs_in(namespace: str) -> OwnJobs:
    """Those of this project's DAGs, as an Airflow of that namespace reports them."""
    return own_jobs(namespace, (migration.dag_id for migration in all_migrations().values()))


def _chosen_interval(since: str | None, until: str | None, namespaces: tuple[str, ...]) -> EventsByTime | None:
    if since is None and until is None:
        if namespaces:
            raise WrongUsage("--namespace needs --from or --to: what arrives is always normalized as a whole")
        return None
    first = FIRST if since is None else microseconds(moment("--from", since))
    behind = LAST + 1 if until is None else microseconds(moment("--to", until))
    if first >= behind:
        raise WrongUsage(f"--from {since or 'the first instant'} must be before --to {until or 'the last'}")
    return interval(first, behind, namespaces)


def _tell(done: Slice, so_far: NormalizationOutcome) -> None:
    typer.echo(f"slice {done.number}: {done.events} events merged, {so_far.events} so far", err=True)


def _summary(outcome: NormalizationOutcome) -> str:
    unreadable = outcome.unreadable_facets
    faults = f", {unreadable} facets could not be read (see `lineage facets unreadable`)" if unreadable else ""
    expired = f", {outcome.expired} expired" if outcome.expired else ""
    done = (
        f"{outcome.events} events normalized, {outcome.quarantined} quarantined{expired}{faults},"
        f" in {outcome.slices} slices and {outcome.seconds:.1f} s"
    )
    if not outcome.renumbered:
        return done
    return f"{done}\n{outcome.renumbered} events had arrival numbers from elsewhere, and were numbered again."
