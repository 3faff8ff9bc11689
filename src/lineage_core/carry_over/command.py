"""`lineage db carry-over`: an earlier store, which no upgrade fits, becomes one of this release."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.groups import STORE, commands_of
from lineage_core.command_line.options import refuse_empty
from lineage_core.command_line.results import harmless, megabytes
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.carry_over.procedure import CarriedOver, CarryPlan
    from lineage_core.tasks import TaskRunner


def register(application: typer.Typer) -> None:
    commands_of(application, STORE).command("carry-over")(carry_over)


@leaves("The earlier store is as it was; `lineage db carry-over` again goes on.")
def carry_over(
    into: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The database beside it that the new store is made in; its own name with _new behind it, otherwise.",
            callback=refuse_empty,
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Carry over. Without it the plan is shown.")] = False,
    swap: Annotated[
        bool, typer.Option("--swap", help="Then let the new store have the name of the earlier one, with --yes.")
    ] = False,
    master: Annotated[str, typer.Option(help="The Spark to normalize on.", callback=refuse_empty)] = "local[*,4]",
) -> None:
    """Make a store of this release out of an earlier one that no upgrade fits, and that stays as it is."""
    from lineage_core.carry_over import procedure

    if swap and not yes:
        raise WrongUsage("--swap changes the names of databases, so it needs --yes")
    stores = procedure.chosen(chosen_store(), into)
    planned = procedure.plan(stores)
    _show_plan(planned)
    if not yes:
        typer.echo("Nothing was changed; --yes carries over.")
        return
    with _runner(planned.events.number, master) as runner:
        if stores.is_in_place:
            done = procedure.finish(stores, runner, _tell)
        else:
            done = procedure.swap(stores, runner, _tell) if swap else procedure.carry_over(stores, runner, _tell)
    _show(done)
    if not (swap or stores.is_in_place):
        typer.echo(
            f"The new store is in the database {stores.into}. Stop what works on {stores.name}; then --yes --swap"
            " takes what has come since, and lets it have that name."
        )


@contextmanager
def _runner(events: int, master: str) -> Iterator[TaskRunner]:
    """Spark starts when there is more than one process does sooner."""
    from lineage_core.spark.application import spark_application
    from lineage_core.tasks import FEW_ROWS, HERE

    if events <= FEW_ROWS:
        yield HERE
        return
    with spark_application("carry_over", master) as spark:
        yield spark.runner


def _tell(sentence: str) -> None:
    typer.echo(harmless(sentence), err=True)


def _show_plan(planned: CarryPlan) -> None:
    typer.echo(
        f"{planned.database}: {planned.events.number:,} raw events of {megabytes(planned.events.bytes).strip()}, a"
        f" database of {megabytes(planned.database_bytes).strip()}."
    )
    typer.echo(
        f"{planned.into}, beside it, takes about as much disk again, {megabytes(planned.database_bytes).strip()}, and"
        f" as much for the log of Postgres. It takes about {_duration(planned.seconds)}, at 1,500 events a second."
    )
    if planned.archived_months:
        typer.echo(
            f"Raw events of {', '.join(planned.archived_months)} were archived and deleted. What the tables hold of"
            " them alone stays behind, until `lineage retention restore` brings the archives into the new store."
        )
    for sentence in planned.left_behind:
        typer.echo(harmless(sentence))


def _show(done: CarriedOver) -> None:
    typer.echo(
        f"{done.events:,} events copied; {done.quarantined:,} of them went to quarantine, {done.expired:,} are expired."
    )
    if done.too_long:
        typer.echo(f"{done.too_long:,} documents are longer than any table takes, and stay behind.")
    for sentence in done.remarks:
        typer.echo(harmless(sentence))
    for counted in done.tables:
        mark = "" if counted.earlier == counted.new else "   differs"
        typer.echo(f"{counted.earlier:>12,} {counted.new:>12,}  {counted.table}{mark}")
    if done.differing:
        typer.echo(
            "Tables differ where the earlier store had events that were not normalized yet, where retention had deleted"
            " versions and left their events, and where a later release understands events in another way."
        )


def _duration(seconds: float) -> str:
    if seconds < 2 * 60:
        return "two minutes"
    return f"{seconds / 3_600:.1f} hours" if seconds >= 2 * 3_600 else f"{seconds / 60:.0f} minutes"
