"""What operators look at first: what waits and since when, who works, what was set aside, how large the store is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lineage_core.operate.capabilities import STATUS_TOPICS
from lineage_core.postgres.store import Store
from lineage_core.status_topic import AskedStore, StatusTopic

StoreStatus = Mapping[StatusTopic[Any], Any]
"""What was found of each topic, in the order in which it is shown."""


def store_status(store: Store, topics: Sequence[StatusTopic[Any]] = STATUS_TOPICS) -> StoreStatus:
    """Only reads, for seconds at most. Raises StoreUnavailable."""
    with store.session("lineage_reader", application_name="lineage status") as connection:
        asked = AskedStore(store, connection)
        return {topic: topic.find(asked) for topic in topics}
