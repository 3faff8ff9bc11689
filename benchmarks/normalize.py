"""How fast the main job is, side by side with what bounds it: `python benchmarks/normalize.py --events 100000`.

Three rounds, in each: the job on Spark; (a) plain COPY of the rows that it made into equal tables with the same
indexes, keys and durability; (b) set-based SQL that only extracts the facets. Spark is started once, and its start told
apart.
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
from pathlib import Path

import servers
from cpu import tree_seconds
from generated_events import SHAPES, documents
from psycopg import sql

from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.model.tables import normalized_tables
from lineage_core.normalize.run import SLICE_BYTES, normalize
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.replaced_tables import replaced_tables
from lineage_core.postgres.store import Store
from lineage_core.spark.runner import SparkRunner
from lineage_core.spark.session import spark_session

RAW, EMPTY = "bench_raw", "bench_empty"

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
    """Wall-clock seconds, and seconds of CPU of Postgres and of the rest."""

    what: str
    seconds: float
    postgres_cpu: float
    other_cpu: float


class Bench:
    """One server with the raw events, and copies of it for each measured run."""

    def __init__(self, home: Path, events: int, *, has_column_lineage: bool, shape: str) -> None:
        self.server: Server = servers.start(home)
        self.postmaster = int(next(home.glob("postgres/data-*/postmaster.pid")).read_text().split()[0])
        self.events = events
        self.has_column_lineage = has_column_lineage
        self.shape = shape
        self.folder = home / "rows"
        self.folder.mkdir()
        self._prepare()

    def _prepare(self) -> None:
        self.server.ensure_database(EMPTY, postgres.ROLE)
        upgrade(Store(self.server.dsn(database=EMPTY)))
        self.fresh(EMPTY, RAW)
        columns = "COPY lineage_events (event_time, event, created_at) FROM STDIN"
        with connect(self.server.dsn(database=RAW)) as connection, connection.cursor().copy(columns) as copy:
            for document in documents(self.events // 2, shape=self.shape):
                text = document.decode()
                kept = text if self.has_column_lineage else text.replace('"columnLineage":', '"unknownFacet_":')
                copy.write_row((json.loads(document)["eventTime"], kept, "2026-06-01"))
        self.server.run_sql("VACUUM ANALYZE;", RAW)

    def fresh(self, template: str, name: str) -> Store:
        self.server.run_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE);")
        self.server.run_sql(f"CREATE DATABASE {name} OWNER {postgres.ROLE} TEMPLATE {template};")
        self.server.run_sql("CHECKPOINT;")
        return Store(self.server.dsn(database=name))

    def measure(self, what: str, work: Callable[[], object]) -> Measured:
        postgres_before, own_before, started = (
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
        )

    def normalized(self, runner: SparkRunner, slice_bytes: int) -> Measured:
        store = self.fresh(RAW, "bench_normalized")
        return self.measure("normalize", lambda: normalize(store, runner, slice_bytes=slice_bytes))

    def keep_rows(self) -> dict[str, int]:
        """Writes every table that the job filled to a file; rows a table."""
        with connect(self.server.dsn(database="bench_normalized")) as connection:
            views = replaced_tables(connection)
            names = [table.name for table in normalized_tables() if table.name not in views]
            return {name: self._keep(connection, name) for name in names}

    def megabytes(self) -> float:
        """The whole database that the job has filled, vacuumed."""
        self.server.run_sql("VACUUM;", "bench_normalized")
        with connect(self.server.dsn(database="bench_normalized")) as connection:
            (size,) = connection.execute("SELECT pg_database_size(current_database())").fetchone() or (0,)
        return float(size) / 1e6

    def _keep(self, connection: Connection, name: str) -> int:
        with (self.folder / name).open("wb") as file:
            query = sql.SQL("COPY {} TO STDOUT (FORMAT BINARY)").format(sql.Identifier(name))
            with connection.cursor() as cursor, cursor.copy(query) as copy:
                for data in copy:
                    file.write(data)
                return cursor.rowcount

    def copied(self) -> Measured:
        store = self.fresh(EMPTY, "bench_copied")
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
    parser.add_argument("--slice-bytes", type=int, default=SLICE_BYTES)
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
    with spark_session("benchmark", "local[2]") as session:
        runner = SparkRunner(session)
        session.range(1).count()
        print(f"Spark's start: {time.monotonic() - started:.1f} s")
        measured: list[Measured] = []
        for number in range(arguments.rounds):
            measured.append(bench.normalized(runner, arguments.slice_bytes))
            if number == 0:
                print(json.dumps(bench.keep_rows()))
                print(f"The database, vacuumed: {bench.megabytes():.0f} MB")
            measured += [bench.copied(), bench.extracted()]
            for one in measured[-3:]:
                print(json.dumps(asdict(one)))
    report(measured, bench.events)


def report(measured: list[Measured], events: int) -> None:
    kinds = list(dict.fromkeys(one.what for one in measured))
    medians = {kind: statistics.median(one.seconds for one in measured if one.what == kind) for kind in kinds}
    copied = medians["(a) COPY of the same rows"]
    print(f"\n{'':28}{'s':>8}{'events/s':>10}{'x (a)':>7}{'CPU-ms/event: Postgres':>24}{'rest':>7}")
    for kind in kinds:
        of_kind = [one for one in measured if one.what == kind]
        postgres_cpu = statistics.median(one.postgres_cpu for one in of_kind) / events * 1000
        other_cpu = statistics.median(one.other_cpu for one in of_kind) / events * 1000
        seconds = medians[kind]
        print(
            f"{kind:28}{seconds:8.1f}{events / seconds:10.0f}{seconds / copied:7.2f}"
            f"{postgres_cpu:24.2f}{other_cpu:7.2f}"
        )


if __name__ == "__main__":
    main()
