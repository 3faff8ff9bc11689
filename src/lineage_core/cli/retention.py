"""`lineage retention`: how long what is kept, and what must stay."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from lineage_core.cli.database import chosen_store
from lineage_core.cli.options import moment, refuse_empty
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless, megabytes
from lineage_core.declare.tables import all_tables
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.own_lineage.datasets import outputs
from lineage_core.postgres.store import Store
from lineage_core.retention.tables import PolicyKind
from lineage_core.spark.application import Application, end_with_spark_submit, spark_application

if TYPE_CHECKING:
    from lineage_core.retention.archiving import ArchivingResult, ArchivingTask, RunTasks
    from lineage_core.retention.plan import RawEventsPlan, RetentionPlan
    from lineage_core.retention.policies import Policy
    from lineage_core.retention.store.holds import HeldThing

ALL_OR_NOTHING = "It took effect whole or not at all; `list` says which."

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
KindOption = Annotated[PolicyKind, typer.Option("--kind", help="What the policy is about; * is all but entities.")]
Pattern = Annotated[
    str,
    typer.Option("--namespace", metavar="PATTERN", help="Namespaces; * is any characters.", callback=refuse_empty),
]


def register(application: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    policy = typer.Typer(no_args_is_help=True)
    policy.command("set")(set_policy)
    policy.command("list")(list_policies)
    policy.command("remove")(remove_policy)
    group.add_typer(policy, name="policy", help="How long what is kept.")
    hold = typer.Typer(no_args_is_help=True)
    hold.command("add")(add_hold)
    hold.command("list")(list_holds)
    hold.command("release")(release_hold)
    group.add_typer(hold, name="hold", help="Legal holds: what must stay, however old.")
    for command in (plan, apply, report):
        group.command()(command)
    group.command("restore")(restore_archive)
    application.add_typer(
        group, name="retention", help="How long what is kept, and what must stay.", rich_help_panel=Panel.MANAGE
    )


@leaves(ALL_OR_NOTHING)
def set_policy(
    kind: KindOption,
    namespace: Pattern,
    older_than: Annotated[str, typer.Option(metavar="AGE", help="Such as 30d or 12h; `never` keeps all.")],
    keep_last: Annotated[
        int | None, typer.Option(min=0, help="So many of each job or dataset stay, however old.")
    ] = None,
) -> None:
    """Put a policy in force, in place of one of the same kind and pattern."""
    from lineage_core.retention.policies import Policy, decided_by_others, parse_age
    from lineage_core.retention.store import policies

    store = chosen_store()
    policy = Policy(kind, namespace, parse_age(older_than), keep_last)
    policies.set_policy(store, policy)
    typer.echo(harmless(f"{kind.value} of {namespace}: older than {older_than}."))
    others = decided_by_others(policies.policies(store), policy)
    for one, other in others.items():
        first = f"{other.kind.value} of {other.namespace_pattern}"
        typer.echo(harmless(f"It decides nothing about {one.value}: the policy of {first} comes first."))
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

    store = chosen_store()
    listed = policies.policies(store)
    decided = policies.decided(store) if by_namespace else {}
    if as_json:
        written = [_written_policy(policy) for policy in listed]
        by_name = {
            name: {kind.value: _written_policy(policy) for kind, policy in those.items()}
            for name, those in decided.items()
        }
        typer.echo(json.dumps(by_name if by_namespace else written))
        return
    if not by_namespace:
        for policy in listed:
            typer.echo(harmless(f"{policy.kind.value}  {policy.namespace_pattern}  {_shown_policy(policy)}"))
    for name, those in decided.items():
        typer.echo(harmless(name))
        for kind, policy in those.items():
            typer.echo(harmless(f"    {kind.value}  {_shown_policy(policy)}, by {policy.namespace_pattern}"))


def _written_policy(policy: Policy) -> dict[str, Any]:
    from lineage_core.retention.policies import written_age

    return {
        "kind": policy.kind.value,
        "namespace": policy.namespace_pattern,
        "older_than": written_age(policy.older_than),
        "keep_last": policy.keep_last,
    }


def _shown_policy(policy: Policy) -> str:
    from lineage_core.retention.policies import written_age

    kept = "" if policy.keep_last is None else f", but the last {policy.keep_last}"
    return f"older than {written_age(policy.older_than)}{kept}"


@leaves(ALL_OR_NOTHING)
def remove_policy(kind: KindOption, namespace: Pattern) -> None:
    """End a policy. What no policy is about stays."""
    from lineage_core.retention.store import policies

    policies.remove_policy(chosen_store(), kind, namespace)
    typer.echo(harmless(f"There is no policy of {kind.value} for {namespace} any more."))


@leaves(ALL_OR_NOTHING)
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
    """Place a legal hold: retention deletes nothing of it."""
    from lineage_core.retention.store import holds

    if sum(one is not None for one in (dataset, job, run)) > 1:
        raise WrongUsage("A hold is about one dataset, one job or one run; place one for each")
    held = holds.HeldThing(namespace, dataset, job, run)
    store = chosen_store()
    number = holds.add_hold(store, held, why, moment("--until", until) if until else None)
    typer.echo(harmless(f"Hold {number} is placed: {_described(held)}."))
    placed = next(hold for hold in holds.holds(store) if hold.id == number)
    if not placed.is_in_force:
        typer.echo(harmless(f"It has ended already, at {until}, so it keeps nothing. Place one that ends later."))
    elif not placed.is_known:
        typer.echo(
            "The tables know nothing of that name. Raw events that say it are held. Look whether it is spelled so."
        )


@leaves(NOTHING_CHANGED)
def list_holds(
    every: Annotated[bool, typer.Option("--all", help="Also those that have ended.")] = False, as_json: AsJson = False
) -> None:
    """List the legal holds in force."""
    from lineage_core.retention.store import holds

    found = [hold for hold in holds.holds(chosen_store()) if every or hold.is_in_force]
    if as_json:
        typer.echo(json.dumps([asdict(hold) for hold in found], default=str))
        return
    for hold in found:
        until = "" if hold.until is None else f"  until {hold.until}"
        ends = until if hold.is_in_force else f"{until}  has ended"
        if hold.is_in_force and not hold.is_known:
            ends += "  names nothing that the tables know"
        typer.echo(
            harmless(f"{hold.id}  {_described(hold.held)}  {hold.why} ({hold.placed_by}, {hold.placed_at}){ends}")
        )


@leaves(ALL_OR_NOTHING)
def release_hold(
    hold: Annotated[int, typer.Argument(metavar="ID", help="Its number, as `list` shows it.")],
    why: Annotated[str, typer.Option(help="Why it need not stay any more.", callback=refuse_empty)],
) -> None:
    """End a legal hold. That it was placed, and by whom, stays in the history."""
    from lineage_core.retention.store import holds

    holds.release_hold(chosen_store(), hold, why)
    typer.echo(f"Hold {hold} is released.")


@leaves("A plan is kept whole or not at all. Nothing else changed.")
def plan(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, and keep the plan, so that `apply --plan` can carry it out.")
    ] = False,
) -> None:
    """Show what would be deleted now, exactly, and what protects the rest."""
    from lineage_core.retention import run

    planned = run.plan(chosen_store(), is_kept=as_json)
    typer.echo(json.dumps(planned.to_json()) if as_json else _shown(planned))


@leaves("What was deleted is gone; `lineage retention apply` deletes the rest.")
def apply(
    planned: Annotated[
        str | None,
        typer.Option(
            "--plan",
            metavar="FILE",
            help="A plan that `plan --json` has written, or its text; without it, a new one.",
            callback=refuse_empty,
        ),
    ] = None,
    archive: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where raw events are archived before they go; without it they stay.",
            callback=refuse_empty,
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete. Without it the plan is shown.")] = False,
    on_submitted_spark: Annotated[bool, typer.Option("--on-submitted-spark", hidden=True)] = False,
    as_json: AsJson = False,
) -> None:
    """Delete what the policies let go, beside live normalization."""
    from lineage_core.retention import run
    from lineage_core.retention.archiving import in_turn

    if on_submitted_spark:
        end_with_spark_submit()
    store = chosen_store()
    chosen = _read_plan(planned) if planned else run.plan(store, is_kept=yes)
    with spark_application("apply_retention", None) as spark:
        run_tasks = _on(spark) if on_submitted_spark else in_turn
        deleted = carry_out(store, chosen, run_tasks, archive=archive, yes=yes, as_json=as_json)
        spark.state((), outputs(store, _gone(deleted), filled_from_events=False))


def carry_out(
    store: Store, planned: RetentionPlan, run_tasks: RunTasks, *, archive: str | None, yes: bool, as_json: bool
) -> Mapping[str, int]:
    """Applies a plan, shows what has gone, and gives back how many rows of which table.

    Raises WrongUsage, with the plan, unless somebody has said `--yes`.
    """
    from lineage_core.retention import run

    if not yes:
        raise WrongUsage(f"Nothing is deleted without --yes. It would be:\n{_shown(planned)}")
    applied = run.apply(store, planned, archive=archive, run_tasks=run_tasks)
    if as_json:
        done = {"tables": applied.deleted, "stayed": applied.stayed, "manifests": applied.manifests}
        typer.echo(json.dumps(done | {"seconds": applied.seconds}))
        return applied.deleted
    for manifest in applied.manifests:
        typer.echo(harmless(f"Raw events are in {archive}/{manifest}."))
    typer.echo(f"{sum(applied.deleted.values()):,} rows deleted in {applied.seconds:.1f} s.")
    for reason, rows in applied.stayed.items():
        typer.echo(f"{rows:,} that were planned to go stay: {reason}")
    return applied.deleted


def _on(spark: Application) -> RunTasks:
    """Spark writes the parts of an archive. It starts when there is one to write."""

    def run_tasks(tasks: Sequence[ArchivingTask]) -> list[ArchivingResult]:
        from lineage_core.spark.archive_tasks import SparkArchiving

        return SparkArchiving(spark.session)(tasks) if tasks else []

    return run_tasks


def _gone(deleted: Mapping[str, int]) -> dict[str, int]:
    """The tables of the model among those that lost rows."""
    return {table.name: deleted[table.name] for table in all_tables() if deleted.get(table.name)}


@leaves(NOTHING_CHANGED)
def report(as_json: AsJson = False) -> None:
    """Show what was deleted lately, when and by whom, and which deleted runs have begun anew."""
    from lineage_core.retention.store.reports import reports, spoken_again

    store = chosen_store()
    found, again = reports(store), spoken_again(store)
    if as_json:
        written = {"reports": [asdict(one) for one in found], "spoken_again": [asdict(one) for one in again]}
        typer.echo(json.dumps(written, default=str))
        return
    for one in found:
        ended = f"until {one.finished_at}" if one.finished_at else "not finished"
        typer.echo(harmless(f"{one.id}  {one.started_at}  {ended}  {one.applied_by}"))
        for table, rows in one.deleted.items():
            typer.echo(f"    {table}: {rows:,}")
        for reason, rows in (one.stayed or {}).items():
            typer.echo(harmless(f"    planned, and stayed: {rows:,} ({reason})"))
    for run in again:
        typer.echo(
            harmless(f"{run.uuid} of {run.job} in {run.namespace} was deleted, and began anew {run.created_at}.")
        )


def _read_plan(given: str) -> RetentionPlan:
    from lineage_core.retention.plan import RetentionPlan

    try:
        return RetentionPlan.from_json(json.loads(given if given.startswith("{") else Path(given).read_bytes()))
    except (OSError, ValueError) as error:
        raise WrongUsage(f"{given} cannot be read as a retention plan: {error}") from error


def _shown(planned: RetentionPlan) -> str:
    going = [f"{table}: {rows:,} rows" for table, rows in sorted(planned.tables.items())] or ["nothing goes"]
    staying = [f"{rows:,} stay: {reason}" for reason, rows in sorted(planned.protected.items())]
    size = [f"about {megabytes(planned.bytes)}, which new rows use again"] if planned.tables else []
    losing = [f"{planned.unwritten:,} versions that stay lose their run, with its facets and its column lineage"]
    return "\n".join([*going, *size, *staying, *losing[: planned.unwritten], *_shown_raw_events(planned.raw_events)])


def _shown_raw_events(raw: RawEventsPlan) -> list[str]:
    going = [f"with --archive: {raw.rows:,} raw events, {megabytes(raw.bytes)}"] if raw.rows else []
    return [*going, *(f"{rows:,} raw events stay: {reason}" for reason, rows in sorted(raw.protected.items()))]


@leaves("What was restored stays, under its hold; the same command goes on.")
def restore_archive(
    manifest: Annotated[
        str, typer.Argument(metavar="MANIFEST", help="Path or URL of a manifest.json.", callback=refuse_empty)
    ],
    as_json: AsJson = False,
) -> None:
    """Bring archived raw events back, as they came, under a legal hold. `lineage normalize` then reads them."""
    from lineage_core.retention.archiving import restore

    restored = restore(chosen_store(), manifest)
    if as_json:
        typer.echo(json.dumps(asdict(restored)))
        return
    typer.echo(
        f"{restored.restored} events are restored, {restored.already_there} were there."
        f" Hold {restored.hold} keeps them until it is released."
    )


def _described(held: HeldThing) -> str:
    if held.manifest is not None:
        return f"what was restored from {held.manifest}"
    things = (("dataset", held.dataset), ("job", held.job), ("run", held.run))
    which = ", ".join(f"{word} {thing}" for word, thing in things if thing is not None)
    return f"{which or 'all'} of {held.namespace_pattern}"
