"""From an event's commit to its rows, while `lineage normalize --follow` runs: `python benchmarks/follow.py --rate 50`.

Events come one by one, each in a transaction of its own. A look every 20 ms tells how many are in the tables. With
`--published` the stream `runs` is published again and again meanwhile, and the delay is that until an event's run is
in a part: what `lineage stream tail` sees. Each event is then of a run of its own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import servers
from generated_events import documents

from lineage_core.changelog import Operation
from lineage_core.ingest.store import insert_event
from lineage_core.local import postgres
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.settings import inherited_environment
from lineage_core.streams import reading
from lineage_core.streams.publication import publish
from lineage_core.streams.store import switches

DATABASE = "bench_follow"
LINEAGE = str(Path(sys.executable).with_name("lineage"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=50.0, help="events a second")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--published", action="store_true", help="until the stream `runs` has it, and not the table")
    arguments = parser.parse_args()
    with servers.running() as (home, server):
        server.ensure_database(DATABASE, postgres.ROLE)
        store = Store(server.dsn(database=DATABASE))
        upgrade(store)
        measure(store, arguments.rate, arguments.seconds, home / "streams" if arguments.published else None)


def measure(store: Store, rate: float, seconds: float, root: Path | None) -> None:
    starts = documents(int(rate * seconds), 0)
    events = list(documents(int(rate * seconds / 2), 0)) if root is None else [start for start, _ in batched(starts)]
    following = subprocess.Popen(
        [LINEAGE, "normalize", "--follow", "--json"],
        env={**inherited_environment(), "LINEAGE_DSN": store.dsn},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        warm(store)
        delays = delivered(store, events, rate, in_tables if root is None else published(store, root))
    finally:
        following.terminate()
        runs = [json.loads(line) for line in following.communicate()[0].splitlines()]
    print(f"{len(delays)} events at {rate:g} a second, {len(runs) - 1} runs")
    cut = statistics.quantiles(delays, n=100)
    print(f"delay, s: median {cut[49]:.2f}, p95 {cut[94]:.2f}, longest {max(delays):.2f}")
    print(f"a run, s: median {statistics.median(run['seconds'] for run in runs[1:]):.2f}")


def warm(store: Store) -> None:
    """Waits until Spark has started, and one event is through."""
    insert_event(store, next(iter(documents(1, 1_000_000))))
    with store.connect(autocommit=True) as connection:
        while not in_tables(connection):
            time.sleep(0.1)


def batched(events: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """The two events of each run."""
    return zip(events, events, strict=True)


def delivered(store: Store, events: list[bytes], rate: float, count: Callable[[Connection], int]) -> list[float]:
    """The delay of each event, in seconds, from its commit until it is counted."""
    committed: list[float] = []
    seen: list[float] = []
    watching = threading.Thread(target=watch, args=(store, len(events), seen, count))
    watching.start()
    begun = time.monotonic()
    with store.connect(autocommit=True) as connection:
        for number, event in enumerate(events):
            time.sleep(max(0.0, begun + number / rate - time.monotonic()))
            connection.execute(
                "INSERT INTO lineage_events (event_time, event) VALUES (%s, %s)",
                (json.loads(event)["eventTime"], event.decode()),
            )
            committed.append(time.monotonic())
    watching.join()
    return [at - since for since, at in zip(committed, seen, strict=True)]


def watch(store: Store, wanted: int, seen: list[float], count: Callable[[Connection], int]) -> None:
    with store.connect(autocommit=True) as connection:
        before = count(connection)
        while len(seen) < wanted:
            time.sleep(0.02)
            new = count(connection) - before - len(seen)
            seen += [time.monotonic()] * new


def in_tables(connection: Connection) -> int:
    return len(connection.execute("SELECT FROM event_ledger").fetchall())


def published(store: Store, root: Path) -> Callable[[Connection], int]:
    """Publishes the stream `runs` at each look, and counts its records of new runs."""
    switches.start(store, "runs")
    publish(store, str(root))
    counted, offset = 0, reading.next_offset(store, "runs")

    def count(_connection: Connection) -> int:
        nonlocal counted, offset
        if publish(store, str(root)).records:
            records = list(reading.records(store, str(root), "runs", offset))
            counted += sum(record["op"] == Operation.APPEND for record in records)
            offset += len(records)
        return counted

    return count


if __name__ == "__main__":
    main()
