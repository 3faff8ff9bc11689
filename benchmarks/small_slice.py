"""From spark-submit to commit for a few new events: `python benchmarks/small_slice.py --events 500`.

In turns: spark-submit as it comes, with what the DAG tells Spark, with a class archive besides, and that with nothing
new to do.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import servers
from generated_events import documents

from lineage_core.local import postgres
from lineage_core.local.java import make_class_archive
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.submission import short_runs

DATABASE = "bench_small"
JOB = PROJECT / "spark_jobs" / "normalize_lineage.py"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with servers.running() as (home, server):
        server.ensure_database(DATABASE, postgres.ROLE)
        store = Store(server.dsn(database=DATABASE))
        upgrade(store)
        without, archived = of_the_dag(home), home / "archived"
        make_class_archive(archived)
        measure(store, without, of_the_dag(archived), arguments.events, arguments.rounds)


def of_the_dag(home: Path) -> list[str]:
    return [word for name, value in short_runs(home).items() for word in ("--conf", f"{name}={value}")]


def measure(store: Store, without: list[str], archived: list[str], events: int, rounds: int) -> None:
    seconds: dict[str, list[float]] = {}
    runs = 0
    for _ in range(rounds):
        for what, options in (("as it comes", []), ("as the DAG has it", without), ("with archive", archived)):
            load(store, documents(events // 2, runs))
            runs += events // 2
            seconds.setdefault(what, []).append(submitted(store, options))
        seconds.setdefault("with nothing new", []).append(submitted(store, archived))
    for what, taken in seconds.items():
        print(f"{what:20}{statistics.median(taken):6.1f} s, between {min(taken):.1f} and {max(taken):.1f}")


def load(store: Store, texts: Iterable[bytes]) -> None:
    columns = "COPY lineage_events (event_time, event, created_at) FROM STDIN"
    with store.connect() as connection, connection.cursor().copy(columns) as copy:
        for text in texts:
            copy.write_row((json.loads(text)["eventTime"], text.decode(), "2026-06-01"))


def submitted(store: Store, options: list[str]) -> float:
    """Seconds until spark-submit has ended."""
    started = time.monotonic()
    submit = str(Path(sys.executable).with_name("spark-submit"))
    subprocess.run(
        [submit, "--master", "local[2]", *options, str(JOB)],
        env={**inherited_environment(), "LINEAGE_DSN": store.dsn, "PYSPARK_PYTHON": sys.executable},
        check=True,
        capture_output=True,
    )
    return time.monotonic() - started


if __name__ == "__main__":
    main()
