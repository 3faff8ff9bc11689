"""`lineage db carry-over`: an earlier store, which no upgrade fits, becomes one of this release.

`lineage db rebuild`: so does one of this release, and the two are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.capability import counted
from lineage_core.command_line.groups import STORE, commands_of
from lineage_core.command_line.options import refuse_empty
from lineage_core.command_line.progress import StepProgress, Unit, step_progress
from lineage_core.command_line.results import harmless_line, megabytes
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.interrupts import leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.carry_over.procedure import CarriedOver, CarriedStore, CarryPlan, CarryStep, ShownWork
    from lineage_core.carry_over.rebuild import RebuildPlan, RebuiltStore
    from lineage_core.carry_over.store.row_differences import RowDifference
    from lineage_core.tasks import TaskRunner


Into = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Database for the new store, beside this one. By default its name with _new behind it.",
        callback=refuse_empty,
    ),
]
Master = Annotated[str, typer.Option(help="The Spark to normalize on.", callback=refuse_empty)]

EVERYWHERE = "local[*,4]"


def register(application: typer.Typer) -> None:
    commands = commands_of(application, STORE)
    commands.command("carry-over")(carry_over)
    commands.command()(rebuild)


@leaves("The earlier store is as it was; `lineage db carry-over` again goes on.")
def carry_over(
    into: Into = None,
    yes: Annotated[bool, typer.Option("--yes", help="Carry over. Without it the plan is shown.")] = False,
    swap: Annotated[
        bool, typer.Option("--swap", help="Then give the new store the name of the earlier one; needs --yes.")
    ] = False,
    master: Master = EVERYWHERE,
) -> None:
    """Make a store of this release from an earlier one that no upgrade fits. The earlier one stays as it is."""
    from lineage_core.carry_over import procedure

    if swap and not yes:
        raise WrongUsage("--swap changes the names of databases, so it needs --yes")
    stores = procedure.chosen(chosen_store(), into)
    planned = procedure.plan(stores)
    _show_plan(planned)
    if not yes:
        typer.echo("Nothing was changed; --yes carries over.")
        return
    with _runner(planned.events.number, master) as runner, _shown_work() as shown:
        if stores.is_in_place:
            done = procedure.finish(stores, runner, shown)
        else:
            done = procedure.swap(stores, runner, shown) if swap else procedure.carry_over(stores, runner, shown)
    _show(done)
    if not (swap or stores.is_in_place):
        typer.echo(
            f"The new store is in the database {stores.into}. Stop what works on {stores.name}; then --yes --swap"
            " takes what has come since, and lets it have that name."
        )


@leaves("The live store is as it was; `lineage db rebuild` again goes on.")
def rebuild(
    archives: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="ARCHIVE",
            help="An archive of raw events, or a manifest.json of one, to take beside the events of the store itself.",
        ),
    ] = None,
    from_events: Annotated[
        bool, typer.Option("--from-events", help="Take only the events of the store itself, though some are archived.")
    ] = False,
    into: Into = None,
    yes: Annotated[bool, typer.Option("--yes", help="Rebuild. Without it the plan is shown.")] = False,
    swap: Annotated[
        bool, typer.Option("--swap", help="Then give the new store the name of the live one; needs --yes.")
    ] = False,
    accept_differences: Annotated[
        bool,
        typer.Option("--accept-differences", help="Go on though the new store differs, as it does from a damaged one."),
    ] = False,
    end_sessions: Annotated[
        bool, typer.Option("--end-sessions", help="With --swap: end the sessions of others, who connect again.")
    ] = False,
    master: Master = EVERYWHERE,
) -> None:
    """Make an equal store of the raw events, beside the live one, and compare every table."""
    from lineage_core.carry_over import rebuild as rebuilding
    from lineage_core.retention.archived_sets import archived_sets

    if swap and not yes:
        raise WrongUsage("--swap changes the names of databases, so it needs --yes")
    if end_sessions and not swap:
        raise WrongUsage("--end-sessions is about the exchange of names, so it needs --swap")
    if archives and from_events:
        raise WrongUsage("--from-events does without archives, so it goes with no --from")
    if "" in (archives or ()):
        raise WrongUsage("--from needs the URL or path of an archive")
    stores = rebuilding.chosen(chosen_store(), into)
    if stores.is_in_place:
        _finish(stores, yes=yes, master=master)
        return
    archived = archived_sets(archives or ())
    planned = rebuilding.plan(stores, archived)
    _show_rebuild_plan(planned)
    if planned.archived_months and not from_events:
        raise WrongUsage(
            f"Raw events of {', '.join(planned.archived_months)} are in archives alone. Name these by --from, or do"
            " without what the tables hold of them, by --from-events"
        )
    if not yes:
        typer.echo("Nothing was changed; --yes rebuilds.")
        return
    with _runner(planned.events.number + planned.archived_events, master) as runner:
        with _shown_work() as shown:
            done = rebuilding.rebuild(stores, archived, runner, shown)
        _show_rebuilt(stores, done)
        if done.differences and not accept_differences:
            raise NeedsOperator(_differing(stores, done.differences))
        if swap:
            with _shown_work() as shown:
                finished = rebuilding.switch(stores, runner, shown, ends_sessions=end_sessions)
            typer.echo(_taken_meanwhile(finished.events))
        else:
            typer.echo(
                f"The new store is in the database {stores.into}. --yes --swap lets it have the name {stores.name}."
            )


def _finish(stores: CarriedStore, *, yes: bool, master: str) -> None:
    """When the new store is in place already, and whoever put it there was interrupted."""
    from lineage_core.carry_over import procedure

    typer.echo(f"{stores.into} is the new store already; what came into {stores.name} meanwhile is to be taken in.")
    if not yes:
        typer.echo("Nothing was changed; --yes takes it in.")
        return
    with _runner(procedure.plan(stores).events.number, master) as runner, _shown_work() as shown:
        done = procedure.finish(stores, runner, shown)
    typer.echo(_taken_meanwhile(done.events))


def _taken_meanwhile(events: int) -> str:
    return f"Taken in of what had come meanwhile: {counted(events, 'event')}."


def _show_rebuild_plan(planned: RebuildPlan) -> None:
    size = megabytes(planned.database_bytes).strip()
    typer.echo(
        f"{planned.database}: {planned.events.number:,} raw events of {megabytes(planned.events.bytes).strip()}, and"
        f" {planned.archived_events:,} of archives. A database of {size}."
    )
    typer.echo(
        f"{planned.into}, beside it, takes about as much disk again, {size}, and as much for the log of Postgres. It"
        f" takes about {_duration(planned.seconds)}, at 1,500 events a second."
    )
    for sentence in planned.left_behind:
        typer.echo(harmless_line(sentence))


def _show_rebuilt(stores: CarriedStore, done: RebuiltStore) -> None:
    typer.echo(f"{done.events:,} events copied, and {done.archived:,} taken of archives.")
    if done.waiting:
        typer.echo(f"{done.waiting:,} events waited in {stores.name}. The new store takes them once it is in place.")
    for sentence in done.remarks:
        typer.echo(harmless_line(sentence))
    if done.differences:
        for one in done.differences:
            typer.echo(harmless_line(_difference(stores, one)))
    else:
        typer.echo(f"{done.tables} tables were compared. None differs.")


def _differing(stores: CarriedStore, differences: Sequence[RowDifference]) -> str:
    return (
        f"The new store in {stores.into} differs from {stores.name} in {counted(len(differences), 'table')}:"
        f" {'; '.join(_difference(stores, one) for one in differences)}. Nothing was switched. If {stores.name} is"
        f" damaged, --accept-differences goes on; else drop {stores.into}, and rebuild"
    )


def _difference(stores: CarriedStore, one: RowDifference) -> str:
    if one.is_lost:
        return f"{one.table}: {stores.name} has no such table"
    return (
        f"{one.table}: {counted(one.only_earlier, 'row')} only in {stores.name}, {counted(one.only_new, 'row')} only in"
        f" {stores.into}"
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


class _ShownWork:
    """Each step in a sentence, and how far it is."""

    def __init__(self, shown: StepProgress) -> None:
        self._shown = shown

    def tell(self, sentence: str) -> None:
        self._shown.clear()
        typer.echo(harmless_line(sentence), err=True)

    def count(self, step: CarryStep, done: float, total: float | None = None) -> None:
        self._shown(step, done, total)


@contextmanager
def _shown_work() -> Iterator[ShownWork]:
    from lineage_core.carry_over.procedure import CarryStep

    units: dict[str, Unit] = {
        CarryStep.COPY: Unit("events"),
        CarryStep.NORMALIZE: Unit("events"),
        CarryStep.COMPARE: Unit("tables"),
    }
    with step_progress(units) as shown:
        yield _ShownWork(shown)


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
        typer.echo(harmless_line(sentence))


def _show(done: CarriedOver) -> None:
    typer.echo(
        f"{done.events:,} events copied; {done.quarantined:,} of them went to quarantine, {done.expired:,} are expired."
    )
    if done.too_long:
        typer.echo(f"{done.too_long:,} documents are longer than any table takes, and stay behind.")
    for sentence in done.remarks:
        typer.echo(harmless_line(sentence))
    for one in done.tables:
        mark = "" if one.earlier == one.new else "   differs"
        typer.echo(f"{one.earlier:>12,} {one.new:>12,}  {one.table}{mark}")
    if done.differing:
        typer.echo(
            "Tables differ where the earlier store had events that were not normalized yet, where retention had deleted"
            " versions and left their events, and where a later release understands events in another way."
        )


def _duration(seconds: float) -> str:
    if seconds < 2 * 60:
        return "two minutes"
    return f"{seconds / 3_600:.1f} hours" if seconds >= 2 * 3_600 else f"{seconds / 60:.0f} minutes"
