"""What waits for a transaction that has changed rows, and has not ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, LiteralString, TypeVar

from lineage_core.postgres.store import Store
from tests.support.stores import rows
from tests.support.waiting import until

Result = TypeVar("Result")

_WAITS: LiteralString = """
SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def is_waited_for(store: Store) -> bool:
    """Whether a session of the database waits for what another has locked."""
    return rows(store, _WAITS) != []


def while_held(
    store: Store, change: LiteralString, act: Callable[[], Result], parameters: Mapping[str, Any] | None = None
) -> Result:
    """Acts while a transaction has made the change; that commits as soon as it is waited for."""
    with ThreadPoolExecutor(1) as threads, store.connect() as holder:
        holder.execute(change, parameters)
        acting = threads.submit(act)
        until(lambda: acting.done() or is_waited_for(store))
        assert not acting.done(), "nothing was waited for"
        holder.commit()
        return acting.result()
