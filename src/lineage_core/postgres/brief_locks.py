"""Locks that keep everybody else out: asked for a moment only, again and again, until they can be had."""

from __future__ import annotations

import time
from collections.abc import Iterator

from lineage_core.postgres.connection import Connection

PAUSE_SECONDS = 0.3
"""Between attempts those go on who had to wait behind one."""


def attempts(number: int) -> Iterator[None]:
    """So many, with a pause between any two."""
    for attempt in range(number):
        if attempt:
            time.sleep(PAUSE_SECONDS)
        yield


def keep_brief(connection: Connection, lock_timeout_ms: int) -> None:
    """Gives up a lock that cannot be had soon, and, should the client stand still, those that the transaction has."""
    connection.execute(
        "SELECT set_config('lock_timeout', %s, true), set_config('idle_in_transaction_session_timeout', '1s', true)",
        [f"{lock_timeout_ms}ms"],
    )
