"""The lease that lets one run at a time do a kind of work, and the epoch by which its writes are fenced."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from lineage_core.errors import LeaseLost, LeaseTaken, LineageError, StoreUnavailable
from lineage_core.store.connection import Connection, connect

SECONDS_VALID = 60.0
"""How long a lease outlives its holder's last sign of life."""


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
    lease = _wait_for(dsn, name, patience, seconds_valid)
    stop = threading.Event()
    renewing = threading.Thread(target=_renew_until, args=(dsn, lease, seconds_valid, stop), daemon=True)
    renewing.start()
    try:
        yield lease
    except BaseException:
        with suppress(StoreUnavailable):  # the lease then expires by itself, and the first error is the one to tell
            _release(dsn, lease)
        raise
    else:
        _release(dsn, lease)
    finally:
        stop.set()
        renewing.join()


def fence(connection: Connection, lease: Lease) -> None:
    """Keeps the lease from being taken until the transaction ends. Raises LeaseLost if it has been."""
    row = connection.execute("SELECT epoch FROM leases WHERE name = %s FOR UPDATE", [lease.name]).fetchone()
    if row is None or row[0] != lease.epoch:
        taken = "nobody" if row is None else f"epoch {row[0]}"
        raise LeaseLost(
            f"The lease {lease.name!r} of epoch {lease.epoch} went to {taken}; this run ends without writing."
            " Nothing is to be done: the run that holds the lease goes on from the last merge"
        )


def _wait_for(dsn: str, name: str, patience: float, seconds_valid: float) -> Lease:
    deadline = time.monotonic() + patience
    while True:
        with connect(dsn) as connection:
            lease = _take(connection, name, seconds_valid)
            holder = None if lease else _holder(connection, name)
        if lease:
            return lease
        if time.monotonic() >= deadline:
            raise LeaseTaken(f"{holder} holds the lease {name!r}: try again when it has finished")
        time.sleep(1)


def _take(connection: Connection, name: str, seconds_valid: float) -> Lease | None:
    row = connection.execute(
        """
        INSERT INTO leases AS held (name, epoch, holder, expires_at)
        VALUES (%(name)s, 1, %(holder)s, clock_timestamp() + make_interval(secs => %(valid)s))
        ON CONFLICT (name) DO UPDATE
        SET epoch = held.epoch + 1, holder = excluded.holder, expires_at = excluded.expires_at
        WHERE held.expires_at < clock_timestamp()
        RETURNING epoch
        """,
        {"name": name, "holder": f"{socket.gethostname()}, {connection.info.backend_pid}", "valid": seconds_valid},
    ).fetchone()
    return Lease(name, row[0]) if row else None


def _holder(connection: Connection, name: str) -> str:
    row = connection.execute("SELECT holder FROM leases WHERE name = %s", [name]).fetchone()
    return row[0] if row else "Another run"


def _renew_until(dsn: str, lease: Lease, seconds_valid: float, stop: threading.Event) -> None:
    """A renewal that fails is tried again; the fence, not the renewal, keeps a lost lease from being used."""
    while not stop.wait(seconds_valid / 3):
        try:
            with connect(dsn) as connection:
                _extend(connection, lease, seconds_valid)
        except LineageError:
            continue


def _extend(connection: Connection, lease: Lease, seconds_valid: float) -> None:
    connection.execute(
        "UPDATE leases SET expires_at = clock_timestamp() + make_interval(secs => %s) WHERE name = %s AND epoch = %s",
        [seconds_valid, lease.name, lease.epoch],
    )


def _release(dsn: str, lease: Lease) -> None:
    with connect(dsn) as connection:
        _extend(connection, lease, -1)
