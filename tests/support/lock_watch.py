"""How long sessions wait for each other's locks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lineage_core.postgres.store import Store

_LONGEST = """
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float
FROM pg_locks
JOIN pg_stat_activity USING (pid)
WHERE NOT granted
  AND locktype <> 'virtualxid'
  AND mode <> 'ShareUpdateExclusiveLock'
  AND application_name <> 'lineage migration'
  AND pg_stat_activity.datname = current_database()
"""
"""Of all but the migration's workers. Who makes an index beside others, and waits for them, is in no one's way."""


class Longest:
    """The longest wait that was seen, in seconds."""

    seconds: float = 0.0


@contextmanager
def lock_watch(store: Store) -> Iterator[Longest]:
    """Looks at all waits until the block ends, some two hundred times a second."""
    longest, over = Longest(), threading.Event()

    def look() -> None:
        with store.connect(autocommit=True, application_name="lock watch") as connection:
            while not over.is_set():
                row = connection.execute(_LONGEST).fetchone()
                longest.seconds = max(longest.seconds, row[0] if row else 0.0)
                time.sleep(0.005)

    with _beside(look, over):
        yield longest


@contextmanager
def readers(store: Store, query: str) -> Iterator[list[int]]:
    """Reads again and again until the block ends; the number of rows of each reading."""
    over = threading.Event()
    counted: list[int] = []

    def read() -> None:
        with store.connect(autocommit=True, application_name="reader") as connection:
            while not over.is_set():
                counted.append(len(connection.execute(query.encode()).fetchall()))

    with _beside(read, over):
        yield counted


@contextmanager
def _beside(act: Callable[[], None], over: threading.Event) -> Iterator[None]:
    thread = threading.Thread(target=act)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
