"""How fast the main job is, side by side with what bounds it: `python benchmarks/normalize.py --events 100000`.

Three rounds, in each: `ingest` of a file of events; `move`, out of the default partition to those of their months; the
job on Spark; (a) plain COPY of the rows that it made into equal tables with the same indexes, keys and durability; (b)
set-based SQL that only extracts the facets. Spark is started once, and its start is counted apart. An event costs what
the first three take together.
Figures of one run stand side by side; those of different runs, on a machine that others share, do not.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path

import servers
from cpu import tree_seconds
from generated_events import SHAPES, documents
from psycopg import sql

from lineage_core.declare.tables import normalized_tables
from lineage_core.ingest.event_files import find
from lineage_core.ingest.ingestion import ingest
from lineage_core.ingest.store import ensure_event_partitions
from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.replaced_tables import replaced_tables
from lineage_core.postgres.store import Store
from lineage_core.spark.session import spark_context
from lineage_core.spark.tasks import SparkRunner

RAW, EMPTY = "bench_raw", "bench_empty"
INGEST, MOVE, NORMALIZE = TAKEN_IN = "ingest", "move", "normalize"

UNKNOWN = b'"unknownFacet_":'
"""A name of the same length, of a facet that is only kept."""

LOGGED = "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"

SIZES = """
SELECT CASE WHEN relname LIKE 'lineage_events%' THEN 'raw events' ELSE 'the rest' END, sum(pg_total_relation_size(oid))
FROM pg_class
WHERE relnamespace = ANY (ARRAY['public', 'changes']::regnamespace[]) AND relkind IN ('r', 'm')
GROUP BY 1
"""

EXTRACT = """
CREATE TABLE extracted AS
SELECT run_uuid, event_time, facet.*
FROM lineage_events,
LATERAL (
    SELECT 'run' AS kind, NULL AS namespace, NULL AS name, key, value FROM jsonb_each(event->'run'->'facets')
    UNION ALL
    SELECT 'job', event->'job'->>'namespace', event->'job'->>'name', key, value FROM jsonb_each(event->'job'->'facets')
    UNION ALL
    SELECT 'input', d->>'namespace', d->>'name', f.key, f.value
    FROM jsonb_array_elements(event->'inputs') AS d, jsonb_each(d->'facets') AS f
    UNION ALL
    SELECT 'output', d->>'namespace', d->>'name', f.key, f.value
    FROM jsonb_array_elements(event->'outputs') AS d, jsonb_each(d->'facets') AS f
) AS facet
"""


@dataclass(frozen=True)
class Measured:
    """Wall-clock seconds, seconds of CPU of Postgres and of the rest, and what Postgres logged."""

    what: str
    seconds: float
    postgres_cpu: float
    other_cpu: float
    wal: int
    """Bytes of Postgres' write-ahead log."""


class Bench:
    """One server with the raw events, and copies of it for each measured run."""

    def __init__(self, home: Path, events: int, *, has_column_lineage: bool, shape: str) -> None:
        self.server: Server = servers.start(home)
        self.postmaster = int(next(home.glob("postgres/data-*/postmaster.pid")).read_text().split()[0])
        self.events = events
        self.has_column_lineage = has_column_lineage
        self.shape = shape
        self.file = home / "events.ndjson"
        self.folder = home / "rows"
        self.folder.mkdir()
        self._prepare()

    def _prepare(self) -> None:
        self.server.ensure_database(EMPTY, postgres.ROLE)
        upgrade(Store(self.server.dsn(database=EMPTY)))
        with self.file.open("wb") as file:
            for document in documents(self.events // 2, shape=self.shape):
                kept = (
                    document if self.has_column_lineage else document.replace(b'"columnLineage":', b'"unknownFacet_":')
                )
                file.write(kept + b"\n")
        ingest(self.fresh(EMPTY, RAW), find([str(self.file)]))
        self.server.run_sql("VACUUM ANALYZE;", RAW)

    def fresh(self, template: str, name: str) -> Store:
        self.server.run_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE);")
        self.server.run_sql(f"CREATE DATABASE {name} OWNER {postgres.ROLE} TEMPLATE {template};")
        self.server.run_sql("CHECKPOINT;")
        return Store(self.server.dsn(database=name))

    def measure(self, what: str, work: Callable[[], object]) -> Measured:
        logged, postgres_before, own_before, started = (
            self._logged(),
            tree_seconds(self.postmaster),
            tree_seconds(os.getpid()),
            time.monotonic(),
        )
        work()
        seconds = time.monotonic() - started
        time.sleep(0.5)  # until the server has waited for its ended backends, whose CPU counts only then
        return Measured(
            what,
            seconds,
            tree_seconds(self.postmaster) - postgres_before,
            tree_seconds(os.getpid()) - own_before,
            self._logged() - logged,
        )

    def _logged(self) -> int:
        with Store(self.server.dsn(database=EMPTY)).connect() as connection:
            (logged,) = connection.execute(LOGGED).fetchone() or (0,)
        return int(logged)

    def taken_in(self, runner: SparkRunner, slice_bytes: int | None) -> list[Measured]:
        """What an event costs from its file to the tables, in three steps."""
        store = self.fresh(EMPTY, "bench_normalized")
        return [
            self.measure(INGEST, lambda: ingest(store, find([str(self.file)]))),
            self.measure(MOVE, lambda: ensure_event_partitions(store, moving_seconds=inf)),
            self.measure(NORMALIZE, lambda: normalize(store, runner, slice_bytes=slice_bytes)),
        ]

    def keep_rows(self) -> dict[str, int]:
        """Writes every table that the job filled to a file; rows a table."""
        with connect(self.server.dsn(database="bench_normalized")) as connection:
            views = replaced_tables(connection)
            names = [table.name for table in normalized_tables() if table.name not in views]
            return {name: self._keep(connection, name) for name in names}

    def bytes_an_event(self) -> dict[str, float]:
        """Of the vacuumed tables with their indexes, without the system catalogs: raw events, and all that is made."""
        self.server.run_sql("VACUUM;", "bench_normalized")
        with connect(self.server.dsn(database="bench_normalized")) as connection:
            return {kind: float(size) / self.events for kind, size in connection.execute(SIZES)}

    def _keep(self, connection: Connection, name: str) -> int:
        with (self.folder / name).open("wb") as file:
            query = sql.SQL("COPY {} TO STDOUT (FORMAT BINARY)").format(sql.Identifier(name))
            with connection.cursor() as cursor, cursor.copy(query) as copy:
                for data in copy:
                    file.write(data)
                return cursor.rowcount

    def copied(self) -> Measured:
        store = self.fresh(EMPTY, "bench_copied")
        with store.connect() as connection:
            connection.execute("TRUNCATE namespaces CASCADE")  # An upgrade makes one, which is among the rows.
        return self.measure("(a) COPY of the same rows", lambda: self._copy_all(store))

    def _copy_all(self, store: Store) -> None:
        with store.connect() as connection:
            for path in [self.folder / table.name for table in normalized_tables()]:
                if not path.exists():
                    continue
                query = sql.SQL("COPY {} FROM STDIN (FORMAT BINARY)").format(sql.Identifier(path.name))
                with connection.cursor().copy(query) as copy, path.open("rb") as file:
                    while data := file.read(1 << 20):
                        copy.write(data)

    def extracted(self) -> Measured:
        store = self.fresh(RAW, "bench_extracted")

        def extract() -> None:
            with store.connect() as connection:
                connection.execute(EXTRACT)

        return self.measure("(b) facets by SQL", extract)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--without-column-lineage",
        action="store_true",
        help="give the facet another name, so that it is only kept: the difference is what column lineage costs",
    )
    parser.add_argument("--shape", choices=SHAPES, default="repeating", help="how much events say again")
    parser.add_argument("--slice-bytes", type=int, help="as they grow, if not given")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        bench = Bench(
            home, arguments.events, has_column_lineage=not arguments.without_column_lineage, shape=arguments.shape
        )
        try:
            run(bench, arguments)
        finally:
            postgres.stop_server(home)


def run(bench: Bench, arguments: argparse.Namespace) -> None:
    started = time.monotonic()
    with spark_context("benchmark", "local[2]") as context:
        runner = SparkRunner(context)
        context.range(1).count()
        print(f"Spark's start: {time.monotonic() - started:.1f} s")
        measured: list[Measured] = []
        for number in range(arguments.rounds):
            measured += bench.taken_in(runner, arguments.slice_bytes)
            if number == 0:
                print(json.dumps(bench.keep_rows()))
                print("Bytes an event:", json.dumps(bench.bytes_an_event()))
            measured += [bench.copied(), bench.extracted()]
            for one in measured[-len((*TAKEN_IN, "copied", "extracted")) :]:
                print(json.dumps(asdict(one)))
    report(measured, bench.events)


def report(measured: list[Measured], events: int) -> None:
    kinds = list(dict.fromkeys(one.what for one in measured))
    copied = _medians(measured, "(a) COPY of the same rows").seconds
    print(f"\n{'':28}{'s':>8}{'events/s':>10}{'x (a)':>7}{'CPU-ms/event: Postgres':>24}{'rest':>7}{'WAL, B/event':>14}")
    for kind in kinds:
        _print(_medians(measured, kind), events, copied)
    _print(_together([_medians(measured, kind) for kind in TAKEN_IN]), events, copied)


def _medians(measured: list[Measured], kind: str) -> Measured:
    of_kind = [one for one in measured if one.what == kind]
    return Measured(
        kind,
        statistics.median(one.seconds for one in of_kind),
        statistics.median(one.postgres_cpu for one in of_kind),
        statistics.median(one.other_cpu for one in of_kind),
        statistics.median_low(one.wal for one in of_kind),
    )


def _together(steps: list[Measured]) -> Measured:
    return Measured(
        "an event, in all",
        sum(one.seconds for one in steps),
        sum(one.postgres_cpu for one in steps),
        sum(one.other_cpu for one in steps),
        sum(one.wal for one in steps),
    )


def _print(one: Measured, events: int, copied: float) -> None:
    print(
        f"{one.what:28}{one.seconds:8.1f}{events / one.seconds:10.0f}{one.seconds / copied:7.2f}"
        f"{one.postgres_cpu / events * 1000:24.2f}{one.other_cpu / events * 1000:7.2f}{one.wal / events:14.0f}"
    )


if __name__ == "__main__":
    main()
