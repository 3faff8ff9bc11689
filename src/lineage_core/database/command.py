"""`lineage db size`: how large the store is. Other capabilities add what they do with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from lineage_core.command_line.groups import STORE, commands_of
from lineage_core.command_line.options import AsJson
from lineage_core.command_line.results import megabytes, show
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.database.sizes import StoreSize


def register(application: typer.Typer) -> None:
    commands_of(application, STORE).command()(size)


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
        yield ""
        yield (
            f"{once.content}: the views show {once.shown_rows:,} rows of {megabytes(once.shown_bytes)},"
            f" {once.stored_rows:,} rows of {megabytes(once.stored_bytes)} are stored"
        )
