"""Whether the main job slows down as the store grows: `python benchmarks/growth.py --events 1000000`.

The events are fed in tenths, each loaded and then normalized; a tenth's cost is the CPU time of Postgres and of the
job, which other work on the machine changes less than the time that passes. When the store holds 10,000 events, and
again at the end, slices of 100 more are normalized, and the pages that they touched are counted.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import generated_events
import servers
from cpu import tree_seconds
from generated_events import documents

from lineage_core.local import postgres
from lineage_core.normalize.normalization import normalize
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner

DATABASE = "bench_growth"
SMALL, EARLY = 100, 10_000
SLICES = 3
PAGES = "SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()"


class Growing:
    """One store that is fed more and more."""

    def __init__(self, home: Path) -> None:
        server = servers.start(home)
        server.ensure_database(DATABASE, postgres.ROLE)
        self.store = Store(server.dsn(database=DATABASE))
        upgrade(self.store)
        self.events = 0
        self._postmaster = int(next(home.glob("postgres/data-*/postmaster.pid")).read_text().split()[0])

    def grow(self, events: int) -> float:
        """Milliseconds of CPU an event that it took to normalize that many more."""
        self._load(documents(events // 2, self.events // 2))
        self.events += events
        before = self._cpu_seconds()
        normalize(self.store, SerialRunner(2))
        time.sleep(0.5)  # until the server has waited for its ended backends, whose CPU counts only then
        return (self._cpu_seconds() - before) / events * 1000

    def pages_of_a_small_slice(self) -> int:
        """Pages that were touched to normalize a slice of `SMALL` events: the fewest of some, as Postgres counts those
        of a vacuum beside it, too.
        """
        return min(self._pages_of_a_slice() for _ in range(SLICES))

    def _pages_of_a_slice(self) -> int:
        self._load(documents(SMALL // 2, self.events // 2))
        self.events += SMALL
        before = self._pages()
        normalize(self.store, SerialRunner())
        return self._pages() - before

    def _load(self, texts: Iterable[bytes]) -> None:
        columns = "COPY lineage_events (event_time, event, created_at) FROM STDIN"
        with self.store.connect() as connection, connection.cursor().copy(columns) as copy:
            for text in texts:
                copy.write_row((json.loads(text)["eventTime"], text.decode(), "2027-06-01"))

    def _cpu_seconds(self) -> float:
        return tree_seconds(self._postmaster) + tree_seconds(os.getpid())

    def _pages(self) -> int:
        with self.store.connect(autocommit=True) as connection:
            time.sleep(1.5)  # until the ended sessions have handed in their counts
            row = connection.execute(PAGES).fetchone()
            return int(row[0]) if row else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=generated_events.COLUMNS)
    arguments = parser.parse_args()
    generated_events.COLUMNS = arguments.columns
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        store = Growing(home)
        try:
            run(store, arguments.events)
        finally:
            postgres.stop_server(home)


def run(store: Growing, events: int) -> None:
    store.grow(EARLY)
    print(f"pages of {SMALL} events behind {store.events}: {store.pages_of_a_small_slice()}", flush=True)
    costs = []
    for tenth in range(1, 11):
        costs.append(store.grow(events // 10))
        print(f"tenth {tenth}: {costs[-1]:.3f} CPU-ms an event, {costs[-1] / costs[0]:.2f} times the first", flush=True)
    print(f"pages of {SMALL} events behind {store.events}: {store.pages_of_a_small_slice()}", flush=True)


if __name__ == "__main__":
    main()
