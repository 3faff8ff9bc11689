"""`lineage retention`: retention policies, legal holds, and their application; `lineage db clean`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from lineage_core.capability import counted
from lineage_core.command_line.groups import STORE, CommandGroup, Panel, commands_of
from lineage_core.command_line.options import (
    AsJson,
    OnSubmittedSpark,
    Yes,
    json_option,
    moment,
    parse_age,
    refuse_empty,
    written_age,
)
from lineage_core.command_line.progress import MEGABYTES, Unit, progress
from lineage_core.command_line.results import harmless_line, megabytes, show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, all_or_nothing, leaves
from lineage_core.local.chosen_store import chosen_store
from lineage_core.retention.tables import PolicyKind

if TYPE_CHECKING:
    from lineage_core.postgres.store import Store
    from lineage_core.retention.application import RetentionOutcome
    from lineage_core.retention.plan import RawEventsPlan, RetentionPlan
    from lineage_core.retention.policies import Policy
    from lineage_core.retention.store.policies import LegalHold
    from lineage_core.retention.store.reports import RetentionReport, SpokenAgain
    from lineage_core.tasks import TaskRunner

RETENTION = CommandGroup("retention", "Set how long data is kept, and what must never be deleted.", Panel.MANAGE)
POLICIES = CommandGroup("policy", "Set how long data is kept.")
HOLDS = CommandGroup("hold", "Legal holds: what must never be deleted.")

LISTED = all_or_nothing("list")

KindOption = Annotated[PolicyKind, typer.Option("--kind", help="What the policy is about; * is all but entities.")]
Pattern = Annotated[
    str,
    typer.Option("--namespace", metavar="PATTERN", help="Namespaces; * is any characters.", callback=refuse_empty),
]


def register(application: typer.Typer) -> None:
    commands = commands_of(application, RETENTION)
    policies = commands_of(commands, POLICIES)
    policies.command("set")(set_policy)
    policies.command("list")(list_policies)
    policies.command("remove")(remove_policy)
    holds = commands_of(commands, HOLDS)
    holds.command("add")(add_hold)
    holds.command("list")(list_holds)
    holds.command("release")(release_hold)
    for command in (plan, apply, report):
        commands.command()(command)
    commands.command("restore")(restore_archive)
    commands_of(application, STORE).command()(clean)


@leaves(LISTED)
def set_policy(
    kind: KindOption,
    namespace: Pattern,
    older_than: Annotated[str, typer.Option(metavar="AGE", help="Such as 30d or 12h; `never` keeps all.")],
    keep_last: Annotated[
        int | None,
        typer.Option(min=0, help="Number of runs or versions of each job or dataset that stay, however old."),
    ] = None,
) -> None:
    """Set a policy. It replaces one of the same kind and pattern."""
    from lineage_core.retention.policies import Policy, decided_by_others
    from lineage_core.retention.store import policies

    store = chosen_store()
    policy = Policy(kind, namespace, parse_age(older_than), keep_last)
    policies.set_policy(store, policy)
    typer.echo(harmless_line(f"{kind.value} of {namespace}: older than {older_than}."))
    others = decided_by_others(policies.policies(store), policy)
    for one, other in others.items():
        first = f"{other.kind.value} of {other.namespace_pattern}"
        typer.echo(harmless_line(f"It decides nothing about {one.value}: the policy of {first} comes first."))
    if len(others) == len(policy.kinds()):
        typer.echo("So it changes nothing. Set those policies instead, or remove them.")


@leaves(NOTHING_CHANGED)
def list_policies(
    by_namespace: Annotated[
        bool, typer.Option("--by-namespace", help="What decides about each kind, for each namespace.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the policies in the order in which they count: the first that fits."""
    from lineage_core.retention.store import policies

    if by_namespace:
        decided = policies.decided(chosen_store())
        by_name = {
            name: {kind.value: policy.members for kind, policy in those.items()} for name, those in decided.items()
        }
        show(by_name, _decided_lines(decided), as_json=as_json)
        return
    listed = policies.policies(chosen_store())
    lines = (f"{one.kind.value}  {one.namespace_pattern}  {_shown_policy(one)}" for one in listed)
    show([policy.members for policy in listed], lines, as_json=as_json)


def _decided_lines(decided: Mapping[str, Mapping[PolicyKind, Policy]]) -> Iterator[str]:
    for name, those in decided.items():
        yield name
        for kind, policy in those.items():
            yield f"    {kind.value}  {_shown_policy(policy)}, by {policy.namespace_pattern}"


def _shown_policy(policy: Policy) -> str:
    kept = "" if policy.keep_last is None else f", but the last {policy.keep_last}"
    return f"older than {written_age(policy.older_than)}{kept}"


@leaves(LISTED)
def remove_policy(kind: KindOption, namespace: Pattern) -> None:
    """Remove a policy. What has no policy stays."""
    from lineage_core.retention.store import policies

    policies.remove_policy(chosen_store(), kind, namespace)
    typer.echo(harmless_line(f"There is no policy of {kind.value} for {namespace} any more."))


@leaves(LISTED)
def add_hold(
    namespace: Pattern,
    why: Annotated[str, typer.Option(help="Why it must stay.", callback=refuse_empty)],
    dataset: Annotated[str | None, typer.Option(help="Only this dataset.", callback=refuse_empty)] = None,
    job: Annotated[str | None, typer.Option(help="Only this job.", callback=refuse_empty)] = None,
    run: Annotated[UUID | None, typer.Option(help="Only this run.")] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it ends by itself, in ISO 8601.", callback=refuse_empty)
    ] = None,
) -> None:
    """Place a legal hold: retention deletes nothing that it covers."""
    from lineage_core.retention.store import policies

    if sum(one is not None for one in (dataset, job, run)) > 1:
        raise WrongUsage("A hold is about one dataset, one job or one run; place one for each")
    held = policies.HeldThing(namespace, dataset, job, run)
    store = chosen_store()
    number = policies.add_hold(store, held, why, moment("--until", until) if until else None)
    typer.echo(harmless_line(f"Hold {number} is placed: {held.described}."))
    placed = next(hold for hold in policies.holds(store) if hold.id == number)
    if not placed.is_in_force:
        typer.echo(harmless_line(f"It has ended already, at {until}, so it keeps nothing. Place one that ends later."))
    elif not placed.is_known:
        typer.echo(
            "The tables know nothing of that name. Raw events that say it are held. Look whether it is spelled so."
        )


@leaves(NOTHING_CHANGED)
def list_holds(
    every: Annotated[bool, typer.Option("--all", help="Also those that have ended.")] = False, as_json: AsJson = False
) -> None:
    """List the legal holds in force."""
    from lineage_core.retention.store import policies

    found = [hold for hold in policies.holds(chosen_store()) if every or hold.is_in_force]
    show(found, _hold_lines(found), as_json=as_json, written_time=str)


def _hold_lines(holds: Iterable[LegalHold]) -> Iterator[str]:
    for hold in holds:
        until = "" if hold.until is None else f"  until {hold.until}"
        ends = until if hold.is_in_force else f"{until}  has ended"
        if hold.is_in_force and not hold.is_known:
            ends += "  names nothing that the tables know"
        yield f"{hold.id}  {hold.held.described}  {hold.why} ({hold.placed_by}, {hold.placed_at}){ends}"


@leaves(LISTED)
def release_hold(
    hold: Annotated[int, typer.Argument(metavar="ID", help="Its number, as `list` shows it.")],
    why: Annotated[str, typer.Option(help="Why it may be deleted again.", callback=refuse_empty)],
) -> None:
    """End a legal hold. Its history stays."""
    from lineage_core.retention.store import policies

    policies.release_hold(chosen_store(), hold, why)
    typer.echo(f"Hold {hold} is released.")


@leaves("A plan is kept whole or not at all. Nothing else changed.")
def plan(
    as_json: Annotated[
        bool, json_option("Print JSON, and keep the plan, so that `apply --plan` can carry it out.")
    ] = False,
) -> None:
    """Show what would be deleted now, and what protects the rest."""
    from lineage_core.retention import application

    planned = application.plan(chosen_store(), is_kept=as_json)
    show(planned.to_json(), _plan_lines(planned), as_json=as_json)


@leaves("What was deleted is gone; `lineage retention apply` deletes the rest.")
def apply(
    planned: Annotated[
        str | None,
        typer.Option(
            "--plan",
            metavar="FILE",
            help="A plan that `plan --json` has written, or its text. Without it, a new plan.",
            callback=refuse_empty,
        ),
    ] = None,
    archive: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where raw events are archived before they are deleted. Without it they stay.",
            callback=refuse_empty,
        ),
    ] = None,
    yes: Yes = False,
    on_submitted_spark: OnSubmittedSpark = False,
    as_json: AsJson = False,
) -> None:
    """Delete what the policies no longer keep, beside live normalization."""
    from lineage_core.own_lineage.application import reported
    from lineage_core.own_lineage.datasets import outputs
    from lineage_core.retention import application
    from lineage_core.spark.application import spark_application
    from lineage_core.tasks import HERE

    with spark_application("apply_retention", None, is_submitted=on_submitted_spark) as spark, reported(spark) as job:
        store = chosen_store()
        chosen = _read_plan(planned) if planned else application.plan(store, is_kept=yes)
        runner = spark.runner if on_submitted_spark else HERE
        deleted = _carry_out(store, chosen, runner, archive=archive, yes=yes, as_json=as_json)
        job.state((), outputs(store, _gone(deleted), filled_from_events=False))


@leaves("What was deleted is gone; `lineage db clean` again deletes the rest.")
def clean(
    namespace: Annotated[
        str,
        typer.Option(metavar="PATTERN", help="Namespaces to empty; * is any characters.", callback=refuse_empty),
    ],
    archive: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where their raw events are archived before they are deleted. Without it they stay.",
            callback=refuse_empty,
        ),
    ] = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete the jobs and datasets of namespaces, but for what others need or a hold keeps."""
    from lineage_core.retention import application
    from lineage_core.tasks import HERE

    store = chosen_store()
    planned = application.plan(store, emptied=namespace, is_kept=yes)
    _carry_out(store, planned, HERE, archive=archive, yes=yes, as_json=as_json)


def _carry_out(
    store: Store, planned: RetentionPlan, runner: TaskRunner, *, archive: str | None, yes: bool, as_json: bool
) -> Mapping[str, int]:
    """Applies a plan, shows what has gone, and gives back how many rows of which table.

    Raises WrongUsage, with the plan, without `--yes`.
    """
    from lineage_core.retention import application

    if not yes:
        going = "\n".join(_plan_lines(planned))
        raise WrongUsage(f"Nothing is deleted without --yes. It would be:\n{going}")
    total = sum(planned.tables.values()) + (planned.raw_events.rows if archive else 0)
    with progress("retention", Unit("rows"), total, as_json=as_json) as shown:
        applied = application.apply(store, planned, archive=archive, runner=runner, progress=shown)
    done = {
        "tables": applied.deleted,
        "stayed": applied.stayed,
        "manifests": applied.manifests,
        "seconds": applied.seconds,
    }
    show(done, _applied_lines(applied, archive), as_json=as_json)
    return applied.deleted


def _applied_lines(applied: RetentionOutcome, archive: str | None) -> Iterator[str]:
    for manifest in applied.manifests:
        yield f"Raw events are in {archive}/{manifest}."
    yield f"{counted(sum(applied.deleted.values()), 'row')} deleted in {applied.seconds:.1f} s."
    for reason, rows in applied.stayed.items():
        yield f"{rows:,} that were planned to go stay: {reason}"


def _gone(deleted: Mapping[str, int]) -> dict[str, int]:
    """The tables of the model among those that lost rows."""
    from lineage_core.declare.tables import all_tables

    return {table.name: deleted[table.name] for table in all_tables() if deleted.get(table.name)}


@leaves(NOTHING_CHANGED)
def report(as_json: AsJson = False) -> None:
    """Show what was deleted lately, when and by whom, and which deleted runs have new events."""
    from lineage_core.retention.store.reports import reports, spoken_again

    store = chosen_store()
    found, again = reports(store), spoken_again(store)
    written = {"reports": found, "spoken_again": again}
    show(written, _report_lines(found, again), as_json=as_json, written_time=str)


def _report_lines(found: Iterable[RetentionReport], again: Iterable[SpokenAgain]) -> Iterator[str]:
    for one in found:
        ended = f"until {one.finished_at}" if one.finished_at else "not finished"
        yield f"{one.id}  {one.started_at}  {ended}  {one.applied_by}"
        for table, rows in one.deleted.items():
            yield f"    {table}: {rows:,}"
        for reason, rows in (one.stayed or {}).items():
            yield f"    planned, and stayed: {rows:,} ({reason})"
    for run in again:
        yield f"{run.uuid} of {run.job} in {run.namespace} was deleted, and began anew {run.created_at}."


def _read_plan(given: str) -> RetentionPlan:
    from lineage_core.retention.plan import RetentionPlan

    try:
        return RetentionPlan.from_json(json.loads(given if given.startswith("{") else Path(given).read_bytes()))
    except (OSError, ValueError) as error:
        raise WrongUsage(f"{given} cannot be read as a retention plan: {error}") from error


def _plan_lines(planned: RetentionPlan) -> Iterator[str]:
    tables = sorted(planned.tables.items())
    yield from [f"{table}: {counted(rows, 'row')}" for table, rows in tables] or ["nothing goes"]
    if planned.tables:
        yield f"about {megabytes(planned.bytes)}, which new rows use again"
    yield from (f"{rows:,} stay: {reason}" for reason, rows in sorted(planned.protected.items()))
    if planned.unwritten:
        yield f"{planned.unwritten:,} versions that stay lose their run, with its facets and its column lineage"
    yield from _raw_event_lines(planned.raw_events)


def _raw_event_lines(raw: RawEventsPlan) -> Iterator[str]:
    if raw.rows:
        yield f"with --archive: {raw.rows:,} raw events, {megabytes(raw.bytes)}"
    yield from (f"{rows:,} raw events stay: {reason}" for reason, rows in sorted(raw.protected.items()))


@leaves("What was restored stays, under its hold; the same command goes on.")
def restore_archive(
    manifest: Annotated[
        str, typer.Argument(metavar="MANIFEST", help="Path or URL of a manifest.json.", callback=refuse_empty)
    ],
    as_json: AsJson = False,
) -> None:
    """Restore archived raw events, under a legal hold. `lineage normalize` then reads them."""
    from lineage_core.retention.restoring import restore

    with progress("restore", MEGABYTES, as_json=as_json) as shown:
        restored = restore(chosen_store(), manifest, shown)
    line = (
        f"{restored.restored} events are restored, {restored.already_there} were there."
        f" Hold {restored.hold} keeps them until it is released."
    )
    show(restored, [line], as_json=as_json)
