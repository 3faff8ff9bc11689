"""Which events are expired: retention has deleted what happened at their time, and they would bring some of it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lineage_core.normalize.store.event_choices import prefer_indexes
from lineage_core.openlineage.events import AHEAD, NOT_AHEAD, Event
from lineage_core.openlineage.instants import instant
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_value, value_or_none


class Horizons:
    """Up to which time retention has deleted. It does not move while a run holds the lease."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last = value_or_none(connection, int, "normalize/last_horizon")

    def expired(self, events: Sequence[tuple[bytes, Event]]) -> set[bytes]:
        """The identities of those that are expired; each comes with its text. The server is asked only for those from
        before the last horizon, and the ledger only for those behind one."""
        old = [(text, event) for text, event in events if self._last is not None and event.time < self._last]
        behind = self._behind(old) if old else set()
        return behind - self._held(behind) if behind else set()

    def _behind(self, events: Sequence[tuple[bytes, Event]]) -> set[bytes]:
        asked = {
            "identities": [event.identity for _, event in events],
            "events": [text.decode() for text, _ in events],
            "event_times": [instant(event.time) for _, event in events],
        }
        return set(every_value(self._connection, bytes, "normalize/behind_horizons", asked, binary=True))

    def _held(self, identities: Iterable[bytes]) -> set[bytes]:
        asked = [verdict + identity for identity in identities for verdict in (AHEAD, NOT_AHEAD)]
        prefer_indexes(self._connection)
        known = every_value(self._connection, bytes, "normalize/held_orders", {"orders": asked}, binary=True)
        return {order[1:] for order in known}
