"""`lineage db`: create, upgrade, check and measure the store. Other capabilities add what they do with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.groups import STORE, commands_of
from lineage_core.command_line.options import AsJson
from lineage_core.command_line.results import show
from lineage_core.command_line.terminal import megabytes
from lineage_core.errors import SchemaDiffers
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.database.sizes import StoreSize


def register(application: typer.Typer) -> None:
    commands = commands_of(application, STORE)
    for command in (upgrade, check, size):
        commands.command()(command)


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
    from lineage_core.database.store import upgrade as bring_up_to_date

    for sentence in bring_up_to_date(chosen_store(), role_prefix, with_old_mapping=with_old_mapping):
        typer.echo(sentence, err=True)
    typer.echo("The store is up to date.")


@leaves(NOTHING_CHANGED)
def check() -> None:
    """Show how the database differs from the declarations; exit 1 if it does."""
    from lineage_core.database.store import differences, what_helps

    store = chosen_store()
    found = differences(store)
    for difference in found:
        typer.echo(difference)
    if found:
        raise SchemaDiffers(f"Differences from the declarations: {len(found)}. {what_helps(store)}")
    typer.echo("The store is what the declarations say.")


@leaves(NOTHING_CHANGED)
def size(as_json: AsJson = False) -> None:
    """Show the size of the tables, and how much space deduplication saves."""
    from lineage_core.database.sizes import store_size

    found = store_size(chosen_store())
    show(found, _lines(found), as_json=as_json)


def _lines(found: StoreSize) -> Iterator[str]:
    for table in found.tables:
        if table.rows:
            yield f"{megabytes(table.table_bytes + table.index_bytes):>13}  {table.rows:>12,} rows  {table.table}"
    yield f"{megabytes(found.database_bytes):>13}  the whole database"
    for once in found.stored_once:
        yield (
            f"\n{once.content}: the views show {once.shown_rows:,} rows of {megabytes(once.shown_bytes)},"
            f" {once.stored_rows:,} rows of {megabytes(once.stored_bytes)} are stored"
        )
