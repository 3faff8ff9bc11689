"""Points in the order of events, and the times that they stand for. See `Event.order`."""

from __future__ import annotations

from datetime import datetime

from lineage_core.openlineage.events import NOT_AHEAD
from lineage_core.openlineage.instants import instant, microseconds

END = b"\xff"
"""Behind all events: where an edge ends that holds."""

_SIGN = 1 << 63


def order_behind(moment: datetime) -> bytes:
    """The first place behind all events of a moment and before; of those that were not ahead of their receipt."""
    return _place(microseconds(moment) + 1)


def order_of(moment: datetime) -> bytes:
    """The first place of events of a moment, of those that were not ahead of their receipt."""
    return _place(microseconds(moment))


def time_of(order: bytes) -> datetime:
    """When the event of a place happened, in UTC."""
    return instant(int.from_bytes(order[1:9]) - _SIGN)


def _place(since_epoch: int) -> bytes:
    return NOT_AHEAD + (since_epoch + _SIGN).to_bytes(8)
