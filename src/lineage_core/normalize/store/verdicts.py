"""Whether an event lay ahead of its receipt is judged once: the verdict of its first normalized copy stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lineage_core.normalize.store.event_choices import prefer_indexes
from lineage_core.openlineage.events import AHEAD, NOT_AHEAD, Event
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_value


def settled(connection: Connection, events: Sequence[Event]) -> list[Event]:
    """The events, each with the verdict under which the ledger knows it, if it does.

    Only these are looked up: the ledger may have any number that lay ahead.
    """
    known = _known(connection, events)
    return [_judged(event, known) for event in events]


def _judged(event: Event, known: set[bytes]) -> Event:
    identity = event.identity
    if AHEAD + identity in known:
        return event if event.is_ahead else replace(event, is_ahead=True)
    if event.is_ahead and NOT_AHEAD + identity in known:
        return replace(event, is_ahead=False)
    return event


def _known(connection: Connection, events: Sequence[Event]) -> set[bytes]:
    """Those orders of the events, as they are and as they would be under the other verdict, that the ledger has."""
    asked = [AHEAD + event.identity for event in events]
    asked += [NOT_AHEAD + event.identity for event in events if event.is_ahead]
    prefer_indexes(connection)
    return set(every_value(connection, bytes, "normalize/known_orders", {"orders": asked}, binary=True))
