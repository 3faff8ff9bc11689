"""`lineage normalize`: raw events become tables, on Spark; `lineage db rebase`: every event, in another cluster."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from lineage_core.capability import counted
from lineage_core.command_line.groups import STORE, Panel, commands_of
from lineage_core.command_line.logs import log_with_times
from lineage_core.command_line.options import AsJson, OnSubmittedSpark, OutcomeFile, moment, refuse_empty
from lineage_core.command_line.progress import Unit, progress
from lineage_core.command_line.results import json_text, show
from lineage_core.errors import StoreUnavailable, WrongUsage
from lineage_core.interrupts import interruption_point, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.normalize.followers import FollowersFound
    from lineage_core.normalize.normalization import NormalizationOutcome
    from lineage_core.normalize.store.event_choices import EventsByTime
    from lineage_core.own_lineage.application import OwnJobs
    from lineage_core.postgres.store import Store
    from lineage_core.spark.application import Application

_log = logging.getLogger(__name__)


def register(application: typer.Typer) -> None:
    application.command(name="normalize", rich_help_panel=Panel.START)(normalize_events)
    commands_of(application, STORE).command()(rebase)


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
        int | None,
        typer.Option(
            min=1,
            help="Bytes of event text that one transaction merges. Without it, 64 MiB, and up to 256 while merges are"
            " short.",
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Keep running, and normalize new events within seconds.")
    ] = False,
    check_follower: Annotated[
        bool,
        typer.Option(
            "--check-follower", help="Only ask whether --follow on this machine is alive; exit 1 if it is not."
        ),
    ] = False,
    master: Annotated[str, typer.Option(help="The Spark to run on.", callback=refuse_empty)] = "local[*,4]",
    on_submitted_spark: OnSubmittedSpark = False,
    own_namespace: Annotated[str | None, typer.Option(hidden=True, help="Where Airflow reports our own DAGs.")] = None,
    outcome_file: OutcomeFile = None,
    as_json: AsJson = False,
) -> None:
    """Bring the tables up to date with all events that have arrived, or with those of an interval of event time."""
    if check_follower:
        if follow or namespace or (from_, to) != (None, None):
            raise WrongUsage("--check-follower only asks, so it stands alone, or with --json")
        _check_follower(as_json=as_json)
        return
    from lineage_core.model.tables.lineage_events import TABLE as EVENTS
    from lineage_core.normalize.normalization import normalize
    from lineage_core.normalize.operation import waiting_events
    from lineage_core.own_lineage.application import reported
    from lineage_core.own_lineage.datasets import inputs, of_the_model, outputs
    from lineage_core.spark.application import spark_application

    chosen = _chosen_interval(from_, to, tuple(namespace or ()))
    if follow and chosen is not None:
        raise WrongUsage("--follow takes what arrives, so --from and --to have no place beside it")
    own = None if own_namespace is None else own_jobs_in(own_namespace)
    with (
        spark_application("normalize_lineage", master, is_submitted=on_submitted_spark) as spark,
        reported(spark) as job,
    ):
        store = chosen_store()
        work = partial(normalize, store, spark.runner, interval=chosen, slice_bytes=slice_bytes, own=own)
        if follow:
            _follow(store, spark, work, partial(_show, as_json=True) if as_json else _log_outcome)
        left = partial(waiting_events, store) if chosen is None else None
        with progress("normalize", Unit("events"), left, as_json=as_json) as shown:
            outcome = work(progress=lambda _, so_far: shown(so_far.taken))
        if not outcome.is_own:  # what the platform reports of itself is taken in, and not reported again
            job.state(
                inputs(store, [EVENTS.name]), outputs(store, of_the_model(outcome.changed), filled_from_events=True)
            )
    if outcome_file is not None:
        outcome_file.write_text(json_text(outcome))
    _show(outcome, as_json=as_json)


@leaves("A rebase is kept whole or not at all; `lineage db rebase` again is safe.")
def rebase() -> None:
    """Mark every event for replay, after a dump was restored into another cluster; do nothing otherwise."""
    from lineage_core.normalize.store.rebase import rebase

    done = rebase(chosen_store())
    if not done.was_needed:
        typer.echo("The watermark is of this cluster; there is nothing to do.")
        return
    typer.echo(
        f"Every event is marked for replay, {done.renumbered:,} under a new number. Run `lineage normalize` next."
    )


def _check_follower(*, as_json: bool) -> None:
    """As a supervisor asks it each minute: it starts no Spark."""
    from lineage_core.normalize.followers import followers_on
    from lineage_core.normalize.following import RETRY_SECONDS

    try:
        found = followers_on(chosen_store(), socket.gethostname())
    except StoreUnavailable as away:
        waits = f"One that follows waits for it, and looks again every {RETRY_SECONDS:.0f} s"
        raise StoreUnavailable(f"{away}. {waits}") from away
    followers = [vars(follower) | {"fault": follower.fault} for follower in found.followers]
    shown = {"machine": found.machine, "is_healthy": found.is_healthy, "followers": followers}
    show(shown, _follower_lines(found), as_json=as_json)
    if not found.is_healthy:
        raise typer.Exit(1)


def _follower_lines(found: FollowersFound) -> Iterator[str]:
    if not found.followers:
        yield (
            f"Nothing follows on {found.machine}: `lineage normalize --follow` does not run there, or cannot reach this"
            " store, as its log then says."
        )
    for follower in found.followers:
        silent = "" if follower.silent_seconds is None else f"; last sign of life {follower.silent_seconds:.0f} s ago"
        work = ", which is at work" if follower.is_at_work else ""
        fault = "" if follower.fault is None else f"; {follower.fault}"
        yield f"followed by {found.machine}, {follower.session}{work}{silent}{fault}"


def _follow(
    store: Store,
    spark: Application,
    work: Callable[..., NormalizationOutcome],
    show_outcome: Callable[[NormalizationOutcome], None],
) -> NoReturn:
    """Until a signal comes: it is heeded between two runs, and between two slices of a run."""
    from lineage_core.normalize.following import PATIENCE_SECONDS, follow

    def run() -> None:
        outcome = work(progress=lambda *_: interruption_point(), patience=PATIENCE_SECONDS)
        if outcome.slices:  # another one may have been sooner
            show_outcome(outcome)

    log_with_times()
    _ = spark.context  # before the first event comes, which would have to wait for it
    follow(store, run)


def own_jobs_in(namespace: str) -> OwnJobs:
    """Those of this project's DAGs, as an Airflow of that namespace reports them."""
    from lineage_core.long_migrations.declared import all_migrations
    from lineage_core.own_lineage.application import own_jobs

    return own_jobs(namespace, (migration.dag_id for migration in all_migrations().values()))


def _chosen_interval(since: str | None, until: str | None, namespaces: tuple[str, ...]) -> EventsByTime | None:
    from lineage_core.normalize.store.event_choices import interval
    from lineage_core.openlineage.instants import FIRST, LAST, microseconds

    if since is None and until is None:
        if namespaces:
            raise WrongUsage("--namespace needs --from or --to: what arrives is always normalized as a whole")
        return None
    first = FIRST if since is None else microseconds(moment("--from", since))
    behind = LAST + 1 if until is None else microseconds(moment("--to", until))
    if first >= behind:
        raise WrongUsage(f"--from {since or 'the first instant'} must be before --to {until or 'the last'}")
    return interval(first, behind, namespaces)


def _show(outcome: NormalizationOutcome, *, as_json: bool) -> None:
    show(outcome, _lines(outcome), as_json=as_json)


def _log_outcome(outcome: NormalizationOutcome) -> None:
    for line in _lines(outcome):
        _log.info("%s", line)


def _lines(outcome: NormalizationOutcome) -> Iterator[str]:
    unreadable = outcome.unreadable_facets
    facets = counted(unreadable, "facet")
    faults = f", {facets} could not be read (see `lineage facets unreadable`)" if unreadable else ""
    expired = f", {outcome.expired} expired" if outcome.expired else ""
    known = outcome.events - outcome.new
    repeats = f" ({outcome.new:,} new, {known:,} known before)" if known else ""
    yield (
        f"{counted(outcome.events, 'event')} normalized{repeats}, {outcome.quarantined:,} quarantined{expired}{faults},"
        f" in {counted(outcome.slices, 'slice')} and {outcome.seconds:.1f} s"
    )
    if outcome.renumbered:
        yield f"{counted(outcome.renumbered, 'event')} had arrival numbers from elsewhere: they have new ones."
