"""How fast retention deletes, beside live ingest: `python benchmarks/retention.py --events 1000000`.

A store is fed with events, and half of them expire. On a copy of the store the same rows go by one statement for each
table, in one transaction: that is the measure. While retention works on the store itself, an event arrives twenty times
a second; how long its insert takes is measured before and meanwhile.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import generated_events
import servers
from growth import DATABASE, Growing

from lineage_core.errors import LeaseTaken
from lineage_core.local import postgres
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import Lease, held_lease
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.plan import RetentionPlan
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.store import purge
from lineage_core.settings import inherited_environment

COPY = "bench_retention_copy"
DAYS_KEPT = timedelta(days=30)
PAUSE = 0.05
EVERYTHING = 1 << 40


class Ingesting:
    """Inserts an event again and again, and keeps how long each took, in milliseconds."""

    def __init__(self, database: Store) -> None:
        self._store = database
        self._stop = threading.Event()
        self.taken: list[float] = []
        self._thread = threading.Thread(target=self._insert)

    def __enter__(self) -> Ingesting:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _insert(self) -> None:
        (text,) = list(generated_events.documents(1, 10_000_000))[:1]
        with self._store.connect(autocommit=True) as connection:
            while not self._stop.wait(PAUSE):
                started = time.monotonic()
                connection.execute(
                    "INSERT INTO lineage_events (event_time, event) VALUES (%s, %s::jsonb)",
                    [datetime.now(UTC), text.decode()],
                )
                self.taken.append((time.monotonic() - started) * 1000)


class Following:
    """`lineage normalize --follow` beside the block."""

    def __init__(self, database: Store, *, is_on: bool) -> None:
        self._environment = inherited_environment() | {"LINEAGE_DSN": database.dsn}
        self._is_on = is_on

    def __enter__(self) -> Following:
        command = [str(Path(sys.executable).with_name("lineage")), "normalize", "--follow", "--master", "local[1,4]"]
        self._process = subprocess.Popen(command, env=self._environment) if self._is_on else None
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)


def _applied(database: Store, planned: RetentionPlan) -> retention.RetentionOutcome:
    """As a retry of the DAG does: normalization may have the lease."""
    while True:
        try:
            return retention.apply(database, planned)
        except LeaseTaken:
            time.sleep(1)


class Timed:
    """Seconds of each look for what goes, and of each transaction that deletes, while it is entered."""

    def __init__(self) -> None:
        self.looks: list[float] = []
        self.transactions: list[float] = []

    def __enter__(self) -> Timed:
        self._find, self._chunks = purge.find, purge.chunks
        purge.find, purge.chunks = self._timed_find, self._timed_chunks
        return self

    def __exit__(self, *_: object) -> None:
        purge.find, purge.chunks = self._find, self._chunks

    def _timed_find(
        self, connection: Connection, as_of: datetime, cutoffs: Sequence[Cutoff], plan: int | None = None
    ) -> purge.LeavingRows:
        started = time.monotonic()
        found = self._find(connection, as_of, cutoffs, plan)
        self.looks.append(time.monotonic() - started)
        return found

    def _timed_chunks(
        self, connection: Connection, lease: Lease, note: Callable[[Counter[str]], None]
    ) -> Iterator[Counter[str] | None]:
        started = time.monotonic()
        for gone in self._chunks(connection, lease, note):
            self.transactions.append(time.monotonic() - started)
            yield gone
            started = time.monotonic()


def by_one_statement_a_table(database: Store, as_of: datetime) -> Timed:
    """The same rows in one transaction for each kind, found once."""
    with held_lease(database, "normalize") as lease, database.connect() as connection, Timed() as timed:
        purge.prepare(connection)
        purge.find(connection, as_of, purge.cutoffs(connection, as_of))
        connection.commit()
        purge.CHUNK = EVERYTHING
        for _ in purge.chunks(connection, lease, lambda _gone: None):
            pass
    return timed


def megabytes(database: Store) -> float:
    with database.connect() as connection:
        ((size,),) = connection.execute("SELECT pg_database_size(current_database())").fetchall()
    return float(size) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--chunk", type=int, default=purge.CHUNK, help="Rows of a phase in a transaction.")
    parser.add_argument("--follow", action="store_true", help="Normalize what arrives meanwhile, as it arrives.")
    parser.add_argument("--share", type=float, default=0.5, help="Of the events that expire.")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        growing = Growing(home)
        try:
            measure(growing, home, arguments)
        finally:
            postgres.stop_server(home)


def measure(growing: Growing, home: Path, arguments: argparse.Namespace) -> None:
    growing.grow(arguments.events)
    with growing.store.connect(autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    print("The store is there; what is measured begins.", flush=True)
    server = servers.restart(home, "4GB")
    server.run_sql(f"CREATE DATABASE {COPY} TEMPLATE {DATABASE};")
    as_of = generated_events.BEGIN + timedelta(seconds=arguments.events * arguments.share / 2) + DAYS_KEPT
    plain = by_one_statement_a_table(Store(server.dsn(database=COPY)), as_of)
    purge.CHUNK = arguments.chunk
    database = Store(server.dsn(database=DATABASE))
    with Ingesting(database) as before:
        time.sleep(10)
    sizes = [megabytes(database)]
    planned = retention.plan(database, as_of)
    with Following(database, is_on=arguments.follow), Ingesting(database) as meanwhile, Timed() as timed:
        applied = _applied(database, planned)
    sizes.append(megabytes(database))
    with database.connect(autocommit=True) as connection:
        connection.execute("VACUUM")
    sizes.append(megabytes(database))
    rows, deleting = sum(applied.deleted.values()), sum(timed.transactions)
    print(f"{rows:,} rows in {applied.seconds:.1f} s: {len(timed.looks)} looks {sum(timed.looks):.1f} s", end=", ")
    print(f"{len(timed.transactions)} transactions {deleting:.1f} s, the longest {max(timed.transactions):.2f} s")
    print(f"by one statement for each table: {sum(plain.looks):.1f} and {sum(plain.transactions):.1f} s", end="; ")
    print(f"in chunks {deleting / sum(plain.transactions):.2f} times, looks included", end=" ")
    print(f"{applied.seconds / (sum(plain.looks) + sum(plain.transactions)):.2f} times")
    print("MB before, after, and after VACUUM: " + ", ".join(f"{size:,.0f}" for size in sizes))
    for name, taken in (("before", before.taken), ("meanwhile", meanwhile.taken)):
        p95 = statistics.quantiles(taken, n=20, method="inclusive")[-1]
        print(f"insert {name}: median {statistics.median(taken):.1f} ms, p95 {p95:.1f}, at most {max(taken):.1f}")


if __name__ == "__main__":
    main()
