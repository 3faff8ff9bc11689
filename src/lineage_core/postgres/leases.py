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
from lineage_core.postgres.connection import Connection, refuse_other_backend
from lineage_core.postgres.migration_files import refuse_other_release
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import execute, one_value, row_or_none, value_or_none

APPLICATION = "lineage lease"
"""What the session of a holder calls itself."""

SECONDS_VALID = 60.0
"""How long a lease outlives its holder's last sign of life, unless its session is seen to have ended."""


@dataclass(frozen=True)
class Lease:
    """The right to write, until another run takes it. `epoch` grows with each holder."""

    name: str
    epoch: int


@dataclass(frozen=True)
class _Fence:
    """The epoch of a lease, and the process of the server that has met it."""

    epoch: int
    backend: int


@dataclass(frozen=True)
class _LeaseHolder:
    """Who has a lease: `presence` is the lock that the session of the holder keeps."""

    epoch: int
    presence: int | None
    has_expired: bool


@contextmanager
def held_lease(
    store: Store, name: str, *, patience: float = 2 * SECONDS_VALID, seconds_valid: float = SECONDS_VALID
) -> Iterator[Lease]:
    """Holds the lease while the block runs, renewing it; waits up to `patience` seconds for another holder.

    Raises LeaseTaken if the other one is still at work then, SchemaDiffers if the store is of another release.
    """
    with _session(store) as session:
        refuse_other_release(session)
        lease = _wait_for(session, name, patience, seconds_valid)
        with _renewed(_Presence(store, session, lease, seconds_valid)):
            yield lease


def fence(connection: Connection, lease: Lease) -> None:
    """Keeps the lease from being taken until the transaction ends. Raises LeaseLost if it has been, NeedsOperator if a
    pooler has taken the session away.

    The lock lets the holder's own renewals through, however long the transaction takes.
    """
    found = row_or_none(connection, _Fence, "postgres/fence", {"name": lease.name})
    if found is not None:
        refuse_other_backend(connection, found.backend)
    if found is None or found.epoch != lease.epoch:
        taken = "no holder" if found is None else f"epoch {found.epoch}"
        raise LeaseLost(
            f"The lease {lease.name!r} of epoch {lease.epoch} went to {taken}; this run ends without writing."
            " Do nothing: the run that holds the lease continues from the last merge"
        )


def _session(store: Store) -> Connection:
    return store.connect(application_name=APPLICATION, autocommit=True)


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
    """The lease if it is free. Its row is locked while its holder merges: then it is not, and no one waits for it."""
    with session.transaction():
        execute(session, "postgres/make_lease", {"name": name})
        held = row_or_none(session, _LeaseHolder, "postgres/lock_lease", {"name": name})
        if held is None or (not held.has_expired and _is_alive(session, held.presence)):
            return None
        return _taken(session, Lease(name, held.epoch + 1), seconds_valid)


def _is_alive(session: Connection, presence: int | None) -> bool:
    """Whether the holder's session keeps its lock: where that is free, the holder is gone."""
    if presence is None:
        return False
    return not one_value(session, bool, "postgres/is_gone", {"presence": presence})


def _taken(session: Connection, lease: Lease, seconds_valid: float) -> Lease:
    """Locks before the transaction ends, so that no one sees the new holder without its sign of life."""
    taken = {
        "name": lease.name,
        "epoch": lease.epoch,
        "holder": f"{socket.gethostname()}, {session.info.backend_pid}",
        # By chance, so that no login can hold this lock beforehand, and make a holder that is dead look alive.
        "presence": secrets.randbits(63),
        "seconds": seconds_valid,
    }
    execute(session, "postgres/take_lease", taken)
    _show_life(session, lease)
    return lease


def _show_life(session: Connection, lease: Lease) -> None:
    """Never waits: any login of the database may hold any advisory lock."""
    execute(session, "postgres/show_life", {"name": lease.name, "epoch": lease.epoch})


def _holder(session: Connection, name: str) -> str:
    return value_or_none(session, str, "postgres/lease_holder", {"name": name}) or "Another run"


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

    def __init__(self, store: Store, session: Connection, lease: Lease, seconds_valid: float) -> None:
        self._store = store
        self._session = session
        self._lease = lease
        self._seconds_valid = seconds_valid

    def renew_until(self, stop: threading.Event) -> None:
        # Thrice as often as it must be: one that fails, or comes late, does not lose the lease.
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
            self._session = _session(self._store)
            _show_life(self._session, self._lease)
        self._extend(self._seconds_valid)

    def _extend(self, seconds: float) -> None:
        own = {"name": self._lease.name, "epoch": self._lease.epoch, "seconds": seconds}
        execute(self._session, "postgres/extend_lease", own)


PAUSE_SECONDS = 0.3
"""Between attempts those go on who had to wait behind one."""


def attempts(number: int) -> Iterator[None]:
    """So many, with a pause between any two."""
    for attempt in range(number):
        if attempt:
            time.sleep(PAUSE_SECONDS)
        yield


def keep_holders_out(connection: Connection) -> None:
    """Waits until no holder of a lease writes, and lets none write until the transaction ends."""
    execute(connection, "postgres/lock_leases")


def keep_brief(connection: Connection, lock_timeout_ms: int) -> None:
    """Gives up a lock that cannot be had soon, and, should the client stand still, those that the transaction has."""
    connection.execute(
        "SELECT set_config('lock_timeout', %s, true), set_config('idle_in_transaction_session_timeout', '1s', true)",
        [f"{lock_timeout_ms}ms"],
    )
