"""Stores whose pairs of columns are kept one by one, as an earlier release has left them, and their long migration."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import LiteralString

from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.postgres.store import Store
from lineage_core.tasks import HERE, ThreadRunner
from tests.support.held_changes import while_held
from tests.support.stores import contents, rows

NAME = "column-pairs"
LINEAGE: LiteralString = "SELECT * FROM column_lineage ORDER BY 1, 2, 3, 4"
PAIRS: LiteralString = "SELECT * FROM column_lineage_pairs ORDER BY 1, 2, 3"
WAITING: LiteralString = "SELECT count(*) FROM column_pairs_to_move"
LISTS: LiteralString = "SELECT count(*) FROM column_lineage_lists"

_MOVE: LiteralString = "SELECT take_in_pairs(array_agg(pairs_uuid)) FROM column_pairs_to_move"
_SOME: LiteralString = " WHERE mod(get_byte(uuid_send(pairs_uuid), 0), 2) = %s"


def kept_singly(store: Store) -> None:
    """Leaves the pairs as the release before has kept them."""
    with store.connect() as connection:
        connection.execute(
            "INSERT INTO column_pairs_to_move SELECT * FROM column_lineage_pairs"
            " WHERE pairs_uuid IN (SELECT pairs_uuid FROM column_lineage_lists)"
        )
        connection.execute("DELETE FROM column_lineage_lists")


def some_moved(store: Store, number: int) -> None:
    """Moves the lists whose ids are even, or odd, as the number is."""
    with store.connect() as connection:
        connection.execute(_MOVE + _SOME, [number % 2])


def all_moved(store: Store) -> dict[str, list[str]]:
    """All rows after the long migration."""
    records.plan(store, NAME)
    migrate(store, NAME, HERE)
    end.finalize(store, NAME)
    assert rows(store, WAITING) == [(0,)]
    assert rows(store, "SELECT FROM migration_quarantine") == []
    return contents(store)


def while_lists_move(store: Store, act: Callable[[], object]) -> None:
    """Does it while a transaction has moved all lists; that commits as soon as it is waited for."""
    while_held(store, _MOVE, act)


@contextmanager
def moving(store: Store, after: float = 0.0) -> Iterator[Callable[[], int]]:
    """Some seconds later the long migration begins, list by list; at the end of the block it has ended.

    Gives what tells how many lists it moved, once it has.
    """
    records.plan(store, NAME)
    for setting in ("smallest_rows", "start_rows", "largest_rows"):
        records.change_setting(store, NAME, setting, "1")
    records.change_setting(store, NAME, "waits_for_vacuum", "false")
    records.change_setting(store, NAME, "nice", "5")

    def run() -> int:
        time.sleep(after)
        return migrate(store, NAME, ThreadRunner(), workers=2).changed

    with ThreadPoolExecutor(1) as threads:
        under_way = threads.submit(run)
        try:
            yield under_way.result
        finally:
            under_way.result()
