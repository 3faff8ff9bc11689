"""Whether an event lay ahead of its receipt is judged once: the verdict of its first normalized copy stands."""

from __future__ import annotations

from dataclasses import replace

from lineage_core.events import Event
from lineage_core.store.connection import Connection

_NOT_AHEAD = b"\x01"


class Verdicts:
    """Those of the events in the ledger. Events that lay ahead are few, so they are kept here; others are looked up."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        ahead = connection.execute("SELECT event_order FROM event_ledger WHERE event_order < %s", [_NOT_AHEAD])
        self._ahead = {order[1:] for (order,) in ahead}

    def settled(self, event: Event) -> Event:
        """The event, with the verdict under which the ledger knows it, if it does."""
        identity = event.order[1:]
        if identity in self._ahead:
            return replace(event, is_ahead=True)
        if event.is_ahead and self._is_known_as_not_ahead(identity):
            return replace(event, is_ahead=False)
        return event

    def _is_known_as_not_ahead(self, identity: bytes) -> bool:
        found = self._connection.execute(
            "SELECT EXISTS (SELECT FROM event_ledger WHERE event_order = %s)", [_NOT_AHEAD + identity]
        ).fetchone()
        return found == (True,)
