"""`lineage normalize`: raw events become tables, on Spark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from lineage_core.cli.database import chosen_dsn
from lineage_core.errors import WrongUsage
from lineage_core.normalization import SLICE_BYTES, Late, Outcome, Runner, normalize
from lineage_core.plans.slices import Slice
from lineage_core.store.readings import Interval, interval


def register(application: typer.Typer) -> None:
    application.command(name="normalize")(normalize_events)


def normalize_events(
    from_: Annotated[str | None, typer.Option("--from", metavar="T", help="First instant of event time.")] = None,
    to: Annotated[str | None, typer.Option("--to", metavar="T", help="First instant after it.")] = None,
    namespace: Annotated[
        list[str] | None, typer.Option(help="Only events of this job namespace, with --from and --to; may be repeated.")
    ] = None,
    slice_bytes: Annotated[int, typer.Option(min=1, help="Text of events that one commit takes in.")] = SLICE_BYTES,
    master: Annotated[str, typer.Option(help="The Spark to run on.")] = "local[*,4]",
    on_submitted_spark: Annotated[bool, typer.Option("--on-submitted-spark", hidden=True)] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as one JSON object.")] = False,
) -> None:
    """Bring the tables up to date with all events that have arrived, or with those of a span of event time."""
    chosen = _chosen_interval(from_, to, tuple(namespace or ()))
    dsn = chosen_dsn()
    with _spark(None if on_submitted_spark else master) as runner:
        outcome = normalize(dsn, runner, interval=chosen, slice_bytes=slice_bytes, progress=_tell)
    typer.echo(json.dumps(asdict(outcome)) if as_json else _summary(outcome))


@contextmanager
def _spark(master: str | None) -> Iterator[Runner]:
    with ExitStack() as ending:
        yield Late(lambda: _spark_runner(ending, master))


def _spark_runner(ending: ExitStack, master: str | None) -> Runner:
    from lineage_core.spark.runner import SparkRunner
    from lineage_core.spark.session import spark_session

    return SparkRunner(ending.enter_context(spark_session("normalize_lineage", master)))


def _chosen_interval(since: str | None, until: str | None, namespaces: tuple[str, ...]) -> Interval | None:
    if since is None and until is None:
        if namespaces:
            raise WrongUsage("--namespace needs --from and --to: what arrives is always normalized as a whole")
        return None
    if since is None or until is None:
        raise WrongUsage("--from and --to belong together")
    first, last = _instant("--from", since), _instant("--to", until)
    if first >= last:
        raise WrongUsage(f"--from {since} must be before --to {until}")
    return interval(first, last, namespaces)


def _instant(option: str, text: str) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise WrongUsage(f"{option} {text!r} is not an ISO 8601 date and time, such as 2026-11-21T06:00:00Z") from error
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def _tell(done: Slice, so_far: Outcome) -> None:
    typer.echo(f"slice {done.number}: {done.events} events merged, {so_far.events} so far", err=True)


def _summary(outcome: Outcome) -> str:
    return (
        f"{outcome.events} events normalized, {outcome.quarantined} quarantined,"
        f" in {outcome.slices} slices and {outcome.seconds:.1f} s"
    )
