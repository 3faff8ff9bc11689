"""The lease that lets one run at a time do a kind of work, and the epoch by which its writes are fenced."""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psycopg

from lineage_core.errors import LeaseLost, LeaseTaken, StoreUnavailable
from lineage_core.postgres.connection import Connection, connect, refuse_other_backend

SECONDS_VALID = 60.0
"""How long a lease outlives its holder's last sign of life, unless its session is seen to have ended."""


@dataclass(frozen=True)
class Lease:
    """The right to write, until another run takes it. `epoch` grows with each holder."""

    name: str
    epoch: int


@contextmanager
def held_lease(
    dsn: str, name: str, *, patience: float = 2 * SECONDS_VALID, seconds_valid: float = SECONDS_VALID
) -> Iterator[Lease]:
    """Holds the lease while the block runs, renewing it; waits up to `patience` seconds for another holder.

    Raises LeaseTaken if the other one is still at work then.
    """
    with _session(dsn) as session:
        lease = _wait_for(session, name, patience, seconds_valid)
        with _renewed(_Presence(dsn, session, lease, seconds_valid)):
            yield lease


def fence(connection: Connection, lease: Lease) -> None:
    """Keeps the lease from being taken until the transaction ends. Raises LeaseLost if it has been, NeedsOperator if a
    pooler has taken the session away.

    The lock lets the holder's own renewals through, however long the transaction takes.
    """
    row = connection.execute(
        "SELECT epoch, pg_backend_pid() FROM leases WHERE name = %s FOR KEY SHARE", [lease.name]
    ).fetchone()
    if row is not None:
        refuse_other_backend(connection, row[1])
    if row is None or row[0] != lease.epoch:
        taken = "nobody" if row is None else f"epoch {row[0]}"
        raise LeaseLost(
            f"The lease {lease.name!r} of epoch {lease.epoch} went to {taken}; this run ends without writing."
            " Do nothing: the run that holds the lease continues from the last merge"
        )


def _session(dsn: str) -> Connection:
    return connect(dsn, application_name="lineage lease", autocommit=True)


def _wait_for(session: Connection, name: str, patience: float, seconds_valid: float) -> Lease:
    deadline = time.monotonic() + patience
    while True:
        lease = _take(session, name, seconds_valid)
        if lease:
            return lease
        if time.monotonic() >= deadline:
            raise LeaseTaken(f"{_holder(session, name)} holds the lease {name!r}: try again when it has finished")
        time.sleep(1)


def _take(session: Connection, name: str, seconds_valid: float) -> Lease | None:
    """The lease if it is free. Its row is locked while its holder merges: then it is not, and nobody waits for it."""
    with session.transaction():
        session.execute("INSERT INTO leases (name, epoch) VALUES (%s, 0) ON CONFLICT (name) DO NOTHING", [name])
        found = session.execute(
            "SELECT epoch, presence, coalesce(expires_at < clock_timestamp(), true) FROM leases WHERE name = %s"
            " FOR UPDATE SKIP LOCKED",
            [name],
        ).fetchone()
        if found is None:
            return None
        epoch, presence, has_expired = found
        if not has_expired and _is_alive(session, presence):
            return None
        return _taken(session, Lease(name, epoch + 1), seconds_valid)


def _is_alive(session: Connection, presence: int | None) -> bool:
    """Whether the holder's session keeps its lock: where that is free, the holder is gone."""
    if presence is None:
        return False
    locked = session.execute("SELECT pg_try_advisory_xact_lock(%s)", [presence]).fetchone()
    return locked is None or not locked[0]


def _taken(session: Connection, lease: Lease, seconds_valid: float) -> Lease:
    """Locks before the transaction ends, so that nobody sees the new holder without its sign of life."""
    session.execute(
        "UPDATE leases SET epoch = %s, holder = %s, presence = %s,"
        " expires_at = clock_timestamp() + make_interval(secs => %s) WHERE name = %s",
        [
            lease.epoch,
            f"{socket.gethostname()}, {session.info.backend_pid}",
            secrets.randbits(63),
            seconds_valid,
            lease.name,
        ],
    )
    _show_life(session, lease)
    return lease


def _show_life(session: Connection, lease: Lease) -> None:
    """Never waits: any login of the database may hold any advisory lock."""
    session.execute(
        "SELECT pg_try_advisory_lock_shared(presence) FROM leases WHERE name = %s AND epoch = %s",
        [lease.name, lease.epoch],
    )


def _holder(session: Connection, name: str) -> str:
    row = session.execute("SELECT holder FROM leases WHERE name = %s", [name]).fetchone()
    return row[0] if row and row[0] else "Another run"


@contextmanager
def _renewed(presence: _Presence) -> Iterator[None]:
    stop = threading.Event()
    renewing = threading.Thread(target=presence.renew_until, args=(stop,), daemon=True)
    renewing.start()
    try:
        yield
    finally:
        stop.set()
        renewing.join()
        presence.end()


class _Presence:
    """The session that shows that the holder lives. It renews the lease too, for where its end would not be seen.

    A renewal that fails is tried again; the fence, not the renewal, keeps a lost lease from being used.
    """

    def __init__(self, dsn: str, session: Connection, lease: Lease, seconds_valid: float) -> None:
        self._dsn = dsn
        self._session = session
        self._lease = lease
        self._seconds_valid = seconds_valid

    def renew_until(self, stop: threading.Event) -> None:
        while not stop.wait(self._seconds_valid / 3):
            with suppress(StoreUnavailable, psycopg.OperationalError):
                self._renew()

    def end(self) -> None:
        """Gives the lease back; if the server is away, it is free anyway, for the session has ended."""
        with suppress(psycopg.OperationalError):
            self._extend(-1)
        self._session.close()

    def _renew(self) -> None:
        if self._session.closed:
            self._session = _session(self._dsn)
            _show_life(self._session, self._lease)
        self._extend(self._seconds_valid)

    def _extend(self, seconds: float) -> None:
        self._session.execute(
            "UPDATE leases SET expires_at = clock_timestamp() + make_interval(secs => %s)"
            " WHERE name = %s AND epoch = %s",
            [seconds, self._lease.name, self._lease.epoch],
        )
