"""What it costs to ask who a dropped column reaches: `python benchmarks/impact.py`.

`impact_store.sql` makes 21 layers of 4,800 datasets of ten columns: 100,800 datasets and 1,008,000 columns. Each
question drops a column of another dataset of the first layer, and goes through all layers, twenty hops: in a store in
which what a change reaches grows by half with each hop, and in one in which it doubles. Given are the seconds of the
whole, with a session of its own, and the memory of the asking process.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from pathlib import Path

import servers

from lineage_core.answers.impact.impact import impact_of
from lineage_core.answers.impact.model import SchemaToCome
from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store

LAYERS = 21
"""One more than hops."""

GROWTH = {"grows by a half": (2, 20), "doubles": (1, 3)}
"""In one of how many places a job reads a second dataset, and how many questions are asked."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=4_800, help="datasets of a layer")
    arguments = parser.parse_args()
    with servers.running() as (_, server):
        for growth, (every, rounds) in GROWTH.items():
            store = filled(server, f"bench_impact_{every}", arguments.width, every)
            measure(growth, store, arguments.width, rounds)
    print(f"resident of this process at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")


def filled(server: Server, database: str, width: int, every: int) -> Store:
    store = Store(server.dsn(database=database))
    server.ensure_database(database, postgres.ROLE)
    upgrade(store)
    script = Path(__file__).with_name("impact_store.sql").read_text()
    started = time.monotonic()
    server.run_sql(f"\\set layers {LAYERS}\n\\set width {width}\n\\set every {every}\n{script}", database)
    print(f"made in {time.monotonic() - started:.0f} s", flush=True)
    return store


def measure(growth: str, store: Store, width: int, rounds: int) -> None:
    taken, reached = [], []
    for place in random.Random(1).sample(range(width), rounds):
        started = time.perf_counter()
        found = impact_of(store, "bench", f"table_0_{place}", SchemaToCome(dropped=("column_3",)))
        taken.append(time.perf_counter() - started)
        reached.append(found.counts.broken)
        if found.cut or found.counts.unknown or found.counts.safe:
            raise SystemExit(f"the answer is not what the store was made for: {found.counts}, cut {found.cut}")
    ordered = sorted(taken)
    print(
        f"{growth}: {statistics.median(reached):,.0f} consumers broken ({min(reached):,} to {max(reached):,});"
        f" {statistics.median(taken):.2f} s in the median, p95 {ordered[int(len(ordered) * 0.95)]:.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
