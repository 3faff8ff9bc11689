"""Whether `lineage normalize --follow` is alive and makes progress, as its own session with the store shows it.

Nothing is written for that, by neither side: Postgres knows who is connected, and when each last asked for something.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from lineage_core.normalize.following import session_name
from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.session_settings import set_for_transaction
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row

PATIENCE_SECONDS = 10
"""For the server to answer, and for the question."""

LONGEST_SILENCE_SECONDS = 60.0
"""Between two looks: many times what it waits for the lease, or for a store that was away."""

LONGEST_SLICE_SECONDS = 1_800.0
"""Between two slices of its run. Most take seconds, one that is merged anew by halves takes far longer."""

RECONNECT_SECONDS = 1.0
"""Within which one that has just met another run at work is connected again."""


@dataclass(frozen=True)
class Follower:
    """Its session, whether it has a run at work, and how long ago its last sign of life was; None if that is not to be
    seen."""

    session: int
    is_at_work: bool
    silent_seconds: float | None

    @property
    def fault(self) -> str | None:
        """What is wrong with it, and what helps."""
        if self.silent_seconds is None:
            return "when it last looked is not to be seen: ask by the login that it has, or GRANT pg_monitor"
        limit, sign = (LONGEST_SLICE_SECONDS, "slice") if self.is_at_work else (LONGEST_SILENCE_SECONDS, "look")
        if self.silent_seconds <= limit:
            return None
        return f"it stands still, as no {sign} may take more than {limit:.0f} s: end it, and start it again"


@dataclass(frozen=True)
class FollowersFound:
    """Those of a machine."""

    machine: str
    followers: tuple[Follower, ...]

    @property
    def is_healthy(self) -> bool:
        """Whether there is one, and none that stands still."""
        return bool(self.followers) and not any(follower.fault for follower in self.followers)


def followers_on(store: Store, machine: str, pause: Callable[[float], object] = time.sleep) -> FollowersFound:
    """Who follows there. Where no one does, it looks again after a moment.

    Raises StoreUnavailable if the store does not answer within seconds.
    """
    with (
        explained("lineage_reader"),
        store.connect_for_transactions(patience=PATIENCE_SECONDS) as connection,
    ):
        found = _followers(connection, machine)
        if not found:
            pause(RECONNECT_SECONDS)
            found = _followers(connection, machine)
    return FollowersFound(machine, tuple(found))


def _followers(connection: Connection, machine: str) -> list[Follower]:
    parameters = {"name": WATERMARK, "machine": machine, "session_name": session_name(machine)}
    with connection.transaction():
        set_for_transaction(connection, statement_timeout=connection.statement_timeout)
        return every_row(connection, Follower, "normalize/status/followers", parameters)
