"""How fast retention deletes, beside live ingest: `python benchmarks/retention.py --events 1000000`.

A store is fed with events, and half of them expire. On a copy of the store the same rows go by one statement for each
table, in one transaction: that is the measure. While retention works on the store itself, an event arrives twenty times
a second; how long its insert takes is measured before and meanwhile.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import generated_events
import servers
from growth import DATABASE, Growing

from lineage_core.local import postgres
from lineage_core.postgres.connection import connect
from lineage_core.postgres.leases import held_lease
from lineage_core.retention import run as retention
from lineage_core.retention.store import purge

COPY = "bench_retention_copy"
DAYS_KEPT = timedelta(days=30)
PAUSE = 0.05
EVERYTHING = 1 << 40


class Ingesting:
    """Inserts an event again and again, and keeps how long each took, in milliseconds."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
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
        with connect(self._dsn, autocommit=True) as connection:
            while not self._stop.wait(PAUSE):
                started = time.monotonic()
                connection.execute(
                    "INSERT INTO lineage_events (event_time, event) VALUES (%s, %s::jsonb)",
                    [datetime.now(UTC), text.decode()],
                )
                self.taken.append((time.monotonic() - started) * 1000)


def by_one_statement_a_table(dsn: str, as_of: datetime) -> float:
    """Seconds that the same rows take in one transaction; to find them is not counted."""
    with held_lease(dsn, "normalize") as lease, connect(dsn) as connection:
        purge.prepare(connection)
        purge.find(connection, as_of)
        connection.commit()
        purge.CHUNK = EVERYTHING
        started = time.monotonic()
        for _ in purge.chunks(connection, lease):
            pass
        return time.monotonic() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    events = parser.parse_args().events
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        store = Growing(home)
        try:
            measure(store, home, events)
        finally:
            postgres.stop_server(home)


def measure(store: Growing, home: Path, events: int) -> None:
    store.grow(events)
    with connect(store.dsn, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    server = servers.restart(home, "4GB")
    server.run_sql(f"CREATE DATABASE {COPY} TEMPLATE {DATABASE};")
    as_of = generated_events.BEGIN + timedelta(seconds=events / 4) + DAYS_KEPT
    chunk = purge.CHUNK
    plain = by_one_statement_a_table(server.dsn(database=COPY), as_of)
    purge.CHUNK = chunk
    dsn = server.dsn(database=DATABASE)
    with Ingesting(dsn) as before:
        time.sleep(10)
    started = time.monotonic()
    planned = retention.plan(dsn, as_of)
    looked = time.monotonic() - started
    with Ingesting(dsn) as meanwhile:
        applied = retention.apply(dsn, planned.without(retention.RAW))
    rows = sum(applied.deleted.values())
    print(f"{rows:,} rows: planned in {looked:.1f} s, deleted in {applied.seconds:.1f} s, searches included")
    print(f"one statement a table, searches not included: {plain:.1f} s; {applied.seconds / plain:.2f} times")
    for name, taken in (("before", before.taken), ("meanwhile", meanwhile.taken)):
        p95 = statistics.quantiles(taken, n=20, method="inclusive")[-1]
        print(f"insert {name}: median {statistics.median(taken):.1f} ms, p95 {p95:.1f}, at most {max(taken):.1f}")


if __name__ == "__main__":
    main()
