"""`lineage migration`: long migrations, run and steered while the store is in use."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_core.cli.database import chosen_dsn
from lineage_core.errors import NeedsOperator

if TYPE_CHECKING:
    from lineage_core.migration import Crew
    from lineage_core.store.long_migration.ledger import Status

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The migration, such as schema-versions.")]


def register(application: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    for command in (plan, run, status, pause, resume, cancel, retry, finalize, verify, cutover, rollback, drop):
        group.command()(command)
    group.command("set")(change)
    application.add_typer(group, name="migration", help="Long migrations, which go on while the store is in use.")


def plan(name: Name) -> None:
    """Divide the work into ranges. `run` does it if nobody has."""
    from lineage_core.store.long_migration import ledger

    ledger.plan(chosen_dsn(), name)
    typer.echo(f"{name} is planned: {ledger.status(chosen_dsn(), name).total:,} rows.")


def run(
    name: Name,
    workers: Annotated[int, typer.Option(min=1, help="How many ranges are worked on at a time.")] = 1,
    master: Annotated[str | None, typer.Option(help="The Spark to run on; a local one otherwise.")] = None,
    on_submitted_spark: Annotated[bool, typer.Option("--on-submitted-spark", hidden=True)] = False,
    as_json: AsJson = False,
) -> None:
    """Run a migration to its end, from wherever it stands; exit 0 only when that is reached."""
    from lineage_core.migration import migrate

    dsn = chosen_dsn()
    with _spark(None if on_submitted_spark else master or f"local[{workers},4]") as crew, _progress(dsn, name):
        reached = migrate(dsn, name, crew, workers)
    typer.echo(_as_json(reached) if as_json else _line(reached))


def status(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The migration; all without.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say how far migrations are, how fast, and what holds them."""
    from lineage_core.store.long_migration import ledger

    dsn = chosen_dsn()
    if name is not None:
        found = ledger.status(dsn, name)
        typer.echo(_as_json(found) if as_json else _described(found))
        return
    every = ledger.statuses(dsn)
    if as_json:
        typer.echo(json.dumps([_plain(one) for one in every]))
        return
    for one in every:
        typer.echo(_described(one))
    if not every:
        typer.echo("No migration is planned.")


def pause(name: Name) -> None:
    """Let the workers wait, each after its transaction."""
    from lineage_core.store.long_migration import ledger

    ledger.pause(chosen_dsn(), name)
    typer.echo(f"{name} is paused.")


def resume(name: Name) -> None:
    """Let the workers go on."""
    from lineage_core.store.long_migration import ledger

    ledger.resume(chosen_dsn(), name)
    typer.echo(f"{name} goes on.")


def change(
    name: Name,
    setting: Annotated[str, typer.Argument(metavar="SETTING", help="Such as target_seconds.")],
    value: Annotated[str, typer.Argument(metavar="VALUE")],
) -> None:
    """Change a setting; workers follow it from their next transaction on."""
    from lineage_core.store.long_migration import ledger

    ledger.change_setting(chosen_dsn(), name, setting, value)
    typer.echo(f"{setting} of {name} is {value!r}.")


def cancel(name: Name) -> None:
    """End a migration; what is done stays done."""
    from lineage_core.store.long_migration import end

    end.cancel(chosen_dsn(), name)
    typer.echo(f"{name} is cancelled; `lineage migration plan {name}` begins anew.")


def retry(name: Name) -> None:
    """Put what is in quarantine, or waits after a failure, back to work."""
    from lineage_core.store.long_migration import ledger

    typer.echo(f"{ledger.retry(chosen_dsn(), name):,} ranges are worked on again by the next run.")


def finalize(name: Name) -> None:
    """Remove what the migration left behind, once every row is done."""
    from lineage_core.store.long_migration import end

    typer.echo(f"{name} is finalized; {end.finalize(chosen_dsn(), name):,} leftovers removed.")


def verify(name: Name, as_json: AsJson = False) -> None:
    """Compare what readers see, old against new; exit 1 if a difference is not explained."""
    from lineage_core.store.long_migration import end

    found = end.verify(chosen_dsn(), name)
    if as_json:
        typer.echo(json.dumps(asdict(found)))
    else:
        typer.echo(
            f"{found.versions:,} versions: {found.old_rows:,} old rows are {found.old_columns:,} columns with checksum"
            f" {found.old_checksum}; the new mapping gives {found.new_columns:,} with checksum {found.new_checksum}.\n"
            f"Explained: {found.multiplied:,} versions had columns more than once, and {found.replaced:,} get another"
            " row of a column of the same name and type."
        )
    if not found.is_good:
        raise NeedsOperator(
            f"{found.unexplained:,} versions differ, such as {', '.join(found.examples) or 'none'}, and"
            f" {found.in_quarantine:,} in quarantine. Plan {name!r} anew and run it again"
        )


def cutover(name: Name) -> None:
    """Let readers read the new; `rollback` turns it back."""
    from lineage_core.store.long_migration import end

    end.cut_over(chosen_dsn(), name)
    typer.echo(f"{name} is cut over: readers read the new mapping.")


def rollback(name: Name) -> None:
    """Let readers read the old again."""
    from lineage_core.store.long_migration import end

    end.roll_back(chosen_dsn(), name)
    typer.echo(f"{name} is rolled back: readers read the old mapping.")


def drop(name: Name) -> None:
    """Drop the old, and put a view of its name in its place. This cannot be turned back."""
    from lineage_core.store.long_migration import end

    before, after = end.drop(chosen_dsn(), name)
    typer.echo(f"{name} is done: {_size(sum(vars(before).values()))} before, {_size(sum(vars(after).values()))} now.")


@contextmanager
def _spark(master: str | None) -> Iterator[Crew]:
    from lineage_core.spark.migration_crew import SparkCrew
    from lineage_core.spark.session import spark_session

    with spark_session("migrate", master) as session:
        yield SparkCrew(session)


@contextmanager
def _progress(dsn: str, name: str) -> Iterator[None]:
    """A bar on a terminal, nothing elsewhere."""
    from lineage_core.migration import watch

    if not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    watching = threading.Thread(target=watch, args=(dsn, name, _draw, over.is_set), daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()
        typer.echo(err=True)


def _draw(one: Status) -> None:
    filled = int(one.percent * 0.3)
    typer.echo(f"\r\x1b[K[{'#' * filled}{'.' * (30 - filled)}] {_line(one)}", err=True, nl=False)


def _line(one: Status) -> str:
    """State, progress, rate and end, in one line."""
    rate = "" if one.rows_per_second is None else f", {one.rows_per_second:,.0f} rows/s"
    end = ""
    if one.eta_seconds and one.eta_seconds_least is not None and one.eta_seconds_most is not None:
        end = f", {one.eta_seconds_least:,.0f} to {one.eta_seconds_most:,.0f} s to go"
    held = "".join(f"; held: {hold.detail}" for hold in one.holds)
    aside = f"; {one.quarantined:,} in quarantine" if one.quarantined else ""
    return f"{one.name} {one.state}: {one.done:,} of {one.total:,} ({one.percent:g} %){rate}{end}{held}{aside}"


def _described(one: Status) -> str:
    """The line, and what an operator looks at when it is slow."""
    holds = [f"  held since {hold.since:%H:%M:%S} until {hold.until:%H:%M:%S}: {hold.detail}" for hold in one.holds]
    batch = f", the last one {one.batch_rows:,} rows in {one.batch_seconds or 0:.3f} s" if one.batch_rows else ""
    waiting = ", ".join(f"{number} {kind}" for kind, number in one.ranges.items())
    work = f"  {one.workers} workers{batch}; ranges: {waiting}; readers read the {one.readers_read}"
    if one.started_at and one.finished_at:
        work += f"; it took {(one.finished_at - one.started_at).total_seconds():,.1f} s"
    held = [f"  held by {signal} for {seconds:,.1f} s in all" for signal, seconds in one.held_seconds.items()]
    aside = [f"  set aside until `finalize` or `cancel` builds it again: {index}" for index in one.indexes_set_aside]
    return "\n".join([_line(one), work, *aside, *held, *holds])


def _as_json(one: Status) -> str:
    return json.dumps(_plain(one))


def _plain(one: Status) -> dict[str, Any]:
    return {name: _value(value) for name, value in asdict(one).items()}


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [_value(part) for part in value]
    if isinstance(value, dict):
        return {name: _value(part) for name, part in value.items()}
    return value


def _size(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MiB"
