"""Which events are expired: retention has deleted what happened at their time, and they would bring some of it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lineage_core.normalize.store.event_choices import prefer_indexes
from lineage_core.openlineage.events import AHEAD, NOT_AHEAD, Event, Kind
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row, every_value


@dataclass(frozen=True)
class _Horizon:
    """In microseconds since 1970."""

    kind: str
    namespace: str
    before: int


@dataclass(frozen=True)
class _RestoredSpan:
    """Microseconds since 1970: events since the one and before the other were restored."""

    since: int
    until: int


class Horizons:
    """Up to which time retention has deleted, of each namespace. It does not move while a run holds the lease."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        found = every_row(connection, _Horizon, "normalize/horizons")
        self._before = {(horizon.kind, horizon.namespace): horizon.before for horizon in found}
        self._restored = every_row(connection, _RestoredSpan, "normalize/restored_spans")

    def expired(self, events: Sequence[Event]) -> set[bytes]:
        """The identities of those that are expired. The ledger is asked only for those behind a horizon."""
        behind = [event for event in events if self._is_behind(event)]
        return {event.identity for event in behind} - self._held(behind) if behind else set()

    def _is_behind(self, event: Event) -> bool:
        before = self._before.get(_namespace(event))
        return before is not None and event.time < before and not self._was_restored(event.time)

    def _was_restored(self, time: int) -> bool:
        return any(span.since <= time < span.until for span in self._restored)

    def _held(self, events: Iterable[Event]) -> set[bytes]:
        asked = [verdict + event.identity for event in events for verdict in (AHEAD, NOT_AHEAD)]
        prefer_indexes(self._connection)
        known = every_value(self._connection, bytes, "normalize/held_orders", {"orders": asked}, binary=True)
        return {order[1:] for order in known}


def _namespace(event: Event) -> tuple[str, str]:
    """What a horizon is about that counts for the event: versions of its dataset, or runs of its job."""
    if event.kind is Kind.DATASET:
        return "versions", event.datasets[0].formatted
    return "runs", event.job.formatted if event.job else ""
