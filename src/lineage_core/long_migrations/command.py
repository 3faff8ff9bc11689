"""`lineage migration`: long migrations, run and steered while the store is in use."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.capability import counted
from lineage_core.command_line.groups import CommandGroup, Panel, commands_of
from lineage_core.command_line.options import AsJson, OnSubmittedSpark, refuse_empty
from lineage_core.command_line.progress import Unit, progress, progress_line
from lineage_core.command_line.results import show
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, all_or_nothing, leaves
from lineage_core.local.chosen_store import chosen_store, who_works_here

if TYPE_CHECKING:
    from lineage_core.long_migrations.store.records import Status
    from lineage_core.own_lineage.application import ReportedApplication
    from lineage_core.postgres.store import Store

MIGRATIONS = CommandGroup(
    "migration",
    "Long migrations, which run while the store is in use. Repeating pause, resume, cancel or drop is harmless.",
    Panel.MANAGE,
)
HOLD_QUERIES = CommandGroup("hold-query", "Stored queries that may hold a migration.")

ROWS = Unit("rows")

SHOWN_BY_STATUS = all_or_nothing("lineage migration status")

MigrationName = Annotated[str, typer.Argument(metavar="NAME", help="The migration, such as schema-versions.")]


def register(application: typer.Typer) -> None:
    commands = commands_of(application, MIGRATIONS)
    for command in (plan, run, status, pause, resume, cancel, retry, accept, finalize, verify, cutover, rollback, drop):
        commands.command()(command)
    commands.command("set")(change)
    queries = commands_of(commands, HOLD_QUERIES)
    queries.command("add")(add_hold_query)
    queries.command("list")(list_hold_queries)
    queries.command("remove")(remove_hold_query)


@leaves(SHOWN_BY_STATUS)
def plan(name: MigrationName) -> None:
    """Divide the work into ranges. `run` does it if there is no plan."""
    from lineage_core.long_migrations.store import records

    records.plan(chosen_store(), name)
    typer.echo(f"{name} is planned: {counted(records.status(chosen_store(), name).total, 'row')}.")


@leaves("What was done stays done; `lineage migration run` continues from there.")
def run(
    name: MigrationName,
    workers: Annotated[int, typer.Option(min=1, help="How many ranges are worked on at a time.")] = 1,
    master: Annotated[
        str | None, typer.Option(help="The Spark to run on; a local one otherwise.", callback=refuse_empty)
    ] = None,
    on_submitted_spark: OnSubmittedSpark = False,
    as_json: AsJson = False,
) -> None:
    """Run a migration to its end, from its present state; exit 0 only when it has ended."""
    from lineage_core.long_migrations.workers import migrate
    from lineage_core.own_lineage.application import reported
    from lineage_core.spark.application import spark_application

    master = master or f"local[{workers},4]"
    with spark_application("migrate", master, is_submitted=on_submitted_spark) as spark, reported(spark) as job:
        store = chosen_store()
        with _progress(store, name, as_json=as_json):
            changed = Counter[str]()
            reached = migrate(store, name, spark.runner, workers, report=lambda outcome: changed.update(outcome.tables))
            _state_lineage(job, store, name, changed)
    show(reached, [_line(reached)], as_json=as_json)


@leaves(NOTHING_CHANGED)
def status(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The migration; without it, all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show how far migrations are, how fast, and what holds them."""
    from lineage_core.long_migrations.store import records

    store = chosen_store()
    if name is not None:
        found = records.status(store, name)
        show(found, _described(found), as_json=as_json)
        return
    every = records.statuses(store)
    lines = (line for one in every for line in _described(one))
    show(every, lines if every else ["No migration is planned."], as_json=as_json)


@leaves(SHOWN_BY_STATUS)
def pause(name: MigrationName) -> None:
    """Make the workers wait, each after its transaction."""
    from lineage_core.long_migrations.store import records

    is_new = records.pause(chosen_store(), name)
    typer.echo(f"{name} is paused{_already(is_new)}.")


@leaves(SHOWN_BY_STATUS)
def resume(name: MigrationName) -> None:
    """Make the workers continue."""
    from lineage_core.long_migrations.store import records

    is_new = records.resume(chosen_store(), name)
    typer.echo(f"{name} goes on{_already(is_new)}.")


@leaves(SHOWN_BY_STATUS)
def change(
    name: MigrationName,
    setting: Annotated[str, typer.Argument(metavar="SETTING", help="Such as target_seconds.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Such as 0.5; an empty one removes a hold query.")],
) -> None:
    """Change a setting; workers use it from their next transaction on."""
    from lineage_core.long_migrations.store import records

    records.change_setting(chosen_store(), name, setting, value)
    typer.echo(f"{setting} of {name} is {value!r}.")


@leaves("What was done stays done; `lineage migration cancel` again ends the rest.")
def cancel(name: MigrationName) -> None:
    """End a migration; what is done stays done."""
    from lineage_core.long_migrations.store import end

    with progress("cancel", ROWS, as_json=False) as shown:
        end.cancel(chosen_store(), name, shown)
    typer.echo(f"{name} is cancelled; `lineage migration plan {name}` starts over.")


@leaves(SHOWN_BY_STATUS)
def retry(name: MigrationName) -> None:
    """Try the rows in quarantine, or those that wait after a failure, again."""
    from lineage_core.long_migrations.store import records

    typer.echo(f"{records.retry(chosen_store(), name):,} ranges are worked on again by the next run.")


@leaves(SHOWN_BY_STATUS)
def accept(
    name: MigrationName,
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEY", help="Keys of rows in the table migration_quarantine.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Accept all rows that are there.")] = False,
    why: Annotated[str, typer.Option(metavar="TEXT", help="The reason, which is stored with your name.")] = "",
) -> None:
    """Accept rows that can never be migrated, so that the migration can be finished."""
    from lineage_core.long_migrations.store import records

    if bool(keys) == everything:
        raise WrongUsage("Name the rows to accept by their keys, or all of them by --all.")
    accepted = records.accept(chosen_store(), name, why, who_works_here(), keys or None)
    typer.echo(f"{accepted:,} rows of {name} are accepted as they are.")


@leaves("What was done stays done; `lineage migration finalize` again does the rest.")
def finalize(name: MigrationName) -> None:
    """Remove what the migration left behind, once every row is done."""
    from lineage_core.long_migrations.store import end, records

    with progress("finalize", ROWS, as_json=False) as shown:
        removed = end.finalize(chosen_store(), name, shown)
    accepted = records.status(chosen_store(), name).accepted
    typer.echo(f"{name} is finalized; {removed:,} leftovers removed{_left_as_they_are(accepted)}.")


@leaves("No verdict was kept; `lineage migration verify` compares again.")
def verify(name: MigrationName, as_json: AsJson = False) -> None:
    """Compare what readers see, old against new; exit 1 if a difference is not explained."""
    from lineage_core.long_migrations.store import end

    with progress("verify", ROWS, as_json=as_json) as shown:
        found = end.verify(chosen_store(), name, shown)
    show(found.to_json(), [f"{found.sentences}{_left_as_they_are(found.accepted)}."], as_json=as_json)
    if not found.is_good:
        raise NeedsOperator(
            f"{found.unexplained:,} {found.compared.rows} differ, such as {', '.join(found.examples) or 'none'}, and"
            f" {found.in_quarantine:,} that were in quarantine. The table migration_quarantine says of each what"
            f" differs. Plan {name!r} again, run and finalize it. What differs still may stay as it is by"
            f" `lineage migration accept {name} KEY --why TEXT`; then verify it again"
        )


@leaves(SHOWN_BY_STATUS)
def cutover(name: MigrationName) -> None:
    """Make readers read the new; `rollback` reverts it."""
    from lineage_core.long_migrations.store import end

    end.cut_over(chosen_store(), name)
    typer.echo(f"{name} is cut over: readers read the new.")


@leaves(SHOWN_BY_STATUS)
def rollback(name: MigrationName) -> None:
    """Make readers read the old again."""
    from lineage_core.long_migrations.store import end

    end.roll_back(chosen_store(), name)
    typer.echo(f"{name} is rolled back: readers read the old.")


@leaves(SHOWN_BY_STATUS)
def drop(name: MigrationName) -> None:
    """Drop the old, and put a view of its name in its place. This cannot be reverted."""
    from lineage_core.long_migrations.store import end

    with progress("verify", ROWS, as_json=False) as shown:
        sizes = end.drop(chosen_store(), name, shown)
    if sizes is None:
        typer.echo(f"{name} is done already: the old is dropped.")
        return
    before, after = sizes
    typer.echo(f"{name} is done: {_size(sum(vars(before).values()))} before, {_size(sum(vars(after).values()))} now.")


@leaves(SHOWN_BY_STATUS)
def add_hold_query(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Such as backup-runs.")],
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT of one value.")],
) -> None:
    """Store a query; it replaces one of that name. For the owner."""
    from lineage_core.long_migrations.store import hold_queries

    result = hold_queries.add(chosen_store(), name, query)
    typer.echo(f"{name} is stored; now it {'holds' if result and result > 0 else 'does not hold'}.")


@leaves(NOTHING_CHANGED)
def list_hold_queries(as_json: AsJson = False) -> None:
    """List the stored queries, with who stored each, and when."""
    from lineage_core.long_migrations.store import hold_queries

    every = hold_queries.stored_queries(chosen_store())
    lines = (f"{one.name} by {one.stored_by}, {one.stored_at:%Y-%m-%d %H:%M}: {one.query}" for one in every)
    show(every, lines if every else ["No query is stored."], as_json=as_json)


@leaves(SHOWN_BY_STATUS)
def remove_hold_query(name: Annotated[str, typer.Argument(metavar="NAME", help="As `list` shows it.")]) -> None:
    """Remove a stored query, if no migration uses it. For the owner."""
    from lineage_core.long_migrations.store import hold_queries

    hold_queries.remove(chosen_store(), name)
    typer.echo(f"{name} is removed.")


def _state_lineage(job: ReportedApplication, store: Store, name: str, changed: Mapping[str, int]) -> None:
    """The tables of the model that the run has changed; nothing if it has changed none."""
    from lineage_core.long_migrations.declared import long_migration
    from lineage_core.own_lineage.datasets import inputs, of_the_model, outputs

    declared = long_migration(name)
    filled = of_the_model(changed)
    if filled:
        read = inputs(store, [declared.table, *declared.reads])
        job.state(read, outputs(store, filled, filled_from_events=declared.normalizes))


@contextmanager
def _progress(store: Store, name: str, *, as_json: bool) -> Iterator[None]:
    """What `status` shows first, while the work goes on."""
    from lineage_core.long_migrations.workers import watch

    if as_json:
        yield
        return
    over = threading.Event()
    with progress_line(as_json=as_json) as line:

        def tell(one: Status) -> None:
            line.show(lambda: _line(one))

        watching = threading.Thread(target=watch, args=(store, name, tell, over.is_set), daemon=True)
        watching.start()
        try:
            yield
        finally:
            over.set()
            watching.join()


def _line(one: Status) -> str:
    """State, progress, rate and end, in one line."""
    rate = "" if one.rows_per_second is None else f", {one.rows_per_second:,.0f} rows/s"
    end = ""
    if one.eta_seconds and one.eta_seconds_least is not None and one.eta_seconds_most is not None:
        end = f", {one.eta_seconds_least:,.0f} to {one.eta_seconds_most:,.0f} s to go"
    held = "".join(f"; held: {hold.detail}" for hold in one.holds)
    aside = f"; {one.quarantined:,} in quarantine" if one.quarantined else ""
    aside += _left_as_they_are(one.accepted)
    return f"{one.name} {one.state}: {one.done:,} of {one.total:,} ({one.percent:g} %){rate}{end}{held}{aside}"


def _already(is_new: bool) -> str:
    return "" if is_new else " already"


def _left_as_they_are(accepted: int) -> str:
    return f"; {accepted:,} accepted as they are" if accepted else ""


def _described(one: Status) -> list[str]:
    """The line, and what an operator looks at when it is slow."""
    holds = [f"  held since {hold.since:%H:%M:%S} until {hold.until:%H:%M:%S}: {hold.detail}" for hold in one.holds]
    batch = f", the last one {one.batch_rows:,} rows in {one.batch_seconds or 0:.3f} s" if one.batch_rows else ""
    waiting = ", ".join(f"{number} {kind}" for kind, number in one.ranges.items())
    work = f"  {one.workers} workers{batch}; ranges: {waiting}; readers read the {one.readers_read}"
    if one.started_at and one.finished_at:
        work += f"; it took {(one.finished_at - one.started_at).total_seconds():,.1f} s"
    held = [f"  held by {signal} for {seconds:,.1f} s in all" for signal, seconds in one.held_seconds.items()]
    aside = [f"  set aside until `finalize` or `cancel` builds it again: {index}" for index in one.indexes_set_aside]
    return [_line(one), work, *aside, *held, *holds]


def _size(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MiB"
