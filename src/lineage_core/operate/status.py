"""What operators look at first: what waits and since when, who works, what was set aside, how large the store is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lineage_core.operate.capabilities import STATUS_TOPICS
from lineage_core.postgres.connection import connect
from lineage_core.postgres.failures import explained
from lineage_core.status_topic import AskedStore, StatusTopic

StoreStatus = Mapping[StatusTopic[Any], Any]
"""What was found of each topic, in the order in which it is shown."""


def store_status(dsn: str, topics: Sequence[StatusTopic[Any]] = STATUS_TOPICS) -> StoreStatus:
    """Only reads, for seconds at most. Raises StoreUnavailable."""
    with explained("lineage_reader"), connect(dsn, application_name="lineage status") as connection:
        store = AskedStore(dsn, connection)
        return {topic: topic.find(store) for topic in topics}
