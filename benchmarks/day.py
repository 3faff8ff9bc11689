"""A day of a platform at 1:1,000: `python benchmarks/day.py --events 1000000 --shape many`.

A billion events a day are a million here. They come in 24 hours that follow each other without a pause: the events of
each are ingested from a file, normalized on a Spark of their own, and published, with all streams on. Then the day is
archived, and its raw events leave Postgres. It prints the CPU time of each step and hour, and what is kept where, in
bytes an event.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path

import servers
from cpu import tree_seconds
from generated_events import SHAPES, documents
from kept_bytes import bytes_below, sizes

from lineage_core.declare.streams import all_streams
from lineage_core.ingest.event_files import find
from lineage_core.ingest.ingestion import ingest
from lineage_core.ingest.store import ensure_event_partitions
from lineage_core.local import postgres
from lineage_core.normalize.normalization import normalize
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.retention.archiving import archive_expired
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.store.raw_events import raw_event_namespaces
from lineage_core.retention.tables import PolicyKind
from lineage_core.spark.session import spark_context
from lineage_core.spark.tasks import SparkRunner
from lineage_core.streams.publication import publish
from lineage_core.streams.store import switches

HOURS = 24
SCALE = 1_000
STEPS = INGEST, NORMALIZE, PUBLISH = "ingest", "normalize", "publish"
DATABASE = "bench_day"


class Day:
    """One store, and what its day has cost so far."""

    def __init__(self, store: Store, home: Path, postmaster: int, events: int, shape: str) -> None:
        self.store = store
        self.home = home
        self.postmaster = postmaster
        self.events_an_hour = events // HOURS
        self.shape = shape
        self.text = 0
        self.cpu: dict[str, list[float]] = {step: [] for step in STEPS}

    def pass_hour(self, number: int) -> None:
        file = self.home / "events.ndjson"
        runs = self.events_an_hour // 2
        with file.open("wb") as written:
            written.writelines(text + b"\n" for text in documents(runs, number * runs, self.shape))
        self.text += file.stat().st_size
        self._measure(INGEST, lambda: self._ingest(file))
        self._measure(NORMALIZE, self._normalize)
        self._measure(PUBLISH, lambda: publish(self.store, str(self.home / "streams")))
        costs = ", ".join(
            f"{step} {seconds[-1] / self.events_an_hour * 1000:.2f}" for step, seconds in self.cpu.items()
        )
        print(f"hour {number + 1}: CPU-ms an event: {costs}", flush=True)

    def _ingest(self, file: Path) -> None:
        ingest(self.store, find([str(file)]))
        ensure_event_partitions(self.store, moving_seconds=inf)

    def _normalize(self) -> None:
        """As a DAG run does it, with a Spark of its own."""
        with spark_context("benchmark", "local[2]") as context:
            normalize(self.store, SparkRunner(context))

    def _measure(self, step: str, work: Callable[[], object]) -> None:
        self.cpu[step].append(self.cpu_of(work))

    def cpu_of(self, work: Callable[[], object]) -> float:
        """Seconds of CPU of Postgres and of this process, with its children."""
        before = tree_seconds(self.postmaster) + tree_seconds(os.getpid())
        work()
        time.sleep(0.5)  # until the server has waited for its ended backends, whose CPU counts only then
        return tree_seconds(self.postmaster) + tree_seconds(os.getpid()) - before

    def archive(self) -> int:
        """How many raw events left Postgres."""
        with self.store.connect() as connection:
            namespaces = raw_event_namespaces(connection)
        now = datetime.now(UTC)
        later = now + timedelta(days=3_650)
        cutoffs = [Cutoff(PolicyKind.RAW_EVENTS, name, later, 0) for name in namespaces]
        return archive_expired(self.store, str(self.home / "archive"), cutoffs, now).rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--shape", choices=SHAPES, default="many")
    arguments = parser.parse_args()
    with servers.running() as (home, server):
        server.ensure_database(DATABASE, postgres.ROLE)
        store = Store(server.dsn(database=DATABASE))
        upgrade(store)
        for stream in all_streams():
            switches.start(store, stream.name)
        publish(store, str(home / "streams"))
        postmaster = int(next(home.glob("postgres/data-*/postmaster.pid")).read_text().split()[0])
        simulate(Day(store, home, postmaster, arguments.events, arguments.shape))


def simulate(day: Day) -> None:
    empty = sizes(day.store)
    for number in range(HOURS):
        day.pass_hour(number)
    with day.store.connect(autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    full = sizes(day.store)
    archived: list[int] = []
    archiving = day.cpu_of(lambda: archived.append(day.archive()))
    events = day.events_an_hour * HOURS
    cpu = {step: sum(seconds) / events for step, seconds in day.cpu.items()} | {"archive": archiving / archived[0]}
    kept = {
        "text, as it comes": day.text,
        "lineage_events": full[0] - empty[0],
        "other tables": full[1] - empty[1],
        "streams, as published": bytes_below(day.home / "streams"),
        "event archive": bytes_below(day.home / "archive"),
    }
    print(f"{events:,} events, {archived[0]:,} archived\n\n{'':24}{'CPU-ms an event':>16}{'cores all day':>15}")
    for step, seconds in cpu.items():
        print(f"{step:24}{seconds * 1000:16.2f}{seconds * events * SCALE / timedelta(days=1).total_seconds():15.1f}")
    print(f"\n{'':24}{'bytes an event':>16}{'TB a day':>15}")
    for place, size in kept.items():
        print(f"{place:24}{size / events:16,.0f}{size * SCALE / 1e12:15.2f}")


if __name__ == "__main__":
    main()
