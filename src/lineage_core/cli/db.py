"""`lineage db`: create, upgrade, check, measure and clean the store, and settle it in another cluster."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from lineage_core.cli.carry_over import carry_over
from lineage_core.cli.database import chosen_store
from lineage_core.cli.options import refuse_empty
from lineage_core.cli.panels import Panel
from lineage_core.cli.retention import carry_out
from lineage_core.cli.terminal import megabytes
from lineage_core.errors import SchemaDiffers
from lineage_core.interrupts import NOTHING_CHANGED, leaves


def register(application: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    group.command()(upgrade)
    group.command()(check)
    group.command()(size)
    group.command("carry-over")(carry_over)
    group.command()(rebase)
    group.command()(clean)
    application.add_typer(
        group, name="db", help="Create, upgrade, check, measure, move and clean the store.", rich_help_panel=Panel.START
    )


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
    from lineage_core.operate.whole_store import upgrade as bring_up_to_date

    for sentence in bring_up_to_date(chosen_store(), role_prefix, with_old_mapping=with_old_mapping):
        typer.echo(sentence, err=True)
    typer.echo("The store is up to date.")


@leaves(NOTHING_CHANGED)
def check() -> None:
    """Show how the database differs from the declarations; exit 1 if it does."""
    from lineage_core.operate.whole_store import differences, what_helps

    store = chosen_store()
    found = differences(store)
    for difference in found:
        typer.echo(difference)
    if found:
        raise SchemaDiffers(f"Differences from the declarations: {len(found)}. {what_helps(store)}")
    typer.echo("The store is what the declarations say.")


@leaves(NOTHING_CHANGED)
def size(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show how much the tables take on disk, and what is saved by storing once what is said again."""
    from lineage_core.database.sizes import store_size

    found = store_size(chosen_store())
    if as_json:
        typer.echo(json.dumps(asdict(found)))
        return
    for table in found.tables:
        if table.rows:
            typer.echo(f"{megabytes(table.table_bytes + table.index_bytes):>13}  {table.rows:>12,} rows  {table.table}")
    typer.echo(f"{megabytes(found.database_bytes):>13}  the whole database")
    for once in found.stored_once:
        typer.echo(
            f"\n{once.content}: the views show {once.shown_rows:,} rows of {megabytes(once.shown_bytes)},"
            f" {once.stored_rows:,} rows of {megabytes(once.stored_bytes)} are stored"
        )


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
            help="Where their raw events are archived before they go; without it they stay, and are not read again.",
            callback=refuse_empty,
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete. Without it the plan is shown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Empty namespaces: jobs and datasets go, with all that is theirs, but for what others need or a hold keeps."""
    from lineage_core.retention import run
    from lineage_core.retention.archiving import in_turn

    store = chosen_store()
    planned = run.plan(store, emptied=namespace, is_kept=yes)
    carry_out(store, planned, in_turn, archive=archive, yes=yes, as_json=as_json)
