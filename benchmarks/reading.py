"""What the views of facets and of column lineage cost who reads them: `python benchmarks/reading.py --events 1000000`.

A store is fed as in `growth.py`. Ordinary tables of the same rows as the views, with the indexes that Marquez has for
them, are made beside it, in a schema of their own. Each statement is then read from both, in turns, with keys that no
round before it had: once as it comes, and once more, when all that it touches is in the server's memory. That is done
twice: with a quarter of the machine's memory as shared_buffers, and with so little that neither has room there. The
files of both are read before, so that the operating system has them, if its memory suffices.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

import growth
import servers
from psycopg import sql

from lineage_core.local import postgres
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.queries.store import named_queries

VIEWS, PLAIN = "views", "plain"
AIM = 3.0
"""Reading a view may take so many times as long as reading a table; what takes longer is explained."""

LONG_ENOUGH = 15.0
"""Seconds of one query after which there is no further round."""

FILES = """
SELECT pg_relation_filepath(part.oid)
FROM unnest(%s::text[]) AS name
JOIN pg_class AS own ON own.oid = name::regclass
JOIN pg_class AS part
    ON part.oid IN (own.oid, own.reltoastrelid)
    OR part.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = own.oid)
"""
"""The files of tables, and of what belongs to them. Those above 1 GB have more, of the same name and a number."""

INDEXES: dict[str, tuple[str, ...]] = {
    "run_facets": ("run_uuid",),
    "job_facets": ("job_uuid", "job_uuid, run_uuid", "job_version_uuid", "run_uuid"),
    "dataset_facets": ("dataset_uuid", "dataset_version_uuid", "run_uuid"),
    "column_lineage": (
        "input_dataset_field_uuid",
        "input_dataset_version_uuid",
        "output_dataset_field_uuid",
        "output_dataset_version_uuid",
    ),
}
"""Marquez' tables, and what it indexes of them."""

LINEAGE_IS_UNIQUE = """
CREATE UNIQUE INDEX ON plain.column_lineage (
    output_dataset_version_uuid, output_dataset_field_uuid, input_dataset_version_uuid, input_dataset_field_uuid
)
"""

BEHIND_THE_VIEWS = (
    "event_ledger",
    "dataset_mentions",
    "facet_sets",
    "facets",
    "run_facets_kept_once",
    "column_lineage_versions",
    "column_lineage_lists",
)

ONE_STEP: LiteralString = """
WITH RECURSIVE steps AS (
    SELECT 0 AS step, uuid AS field_uuid FROM dataset_fields WHERE dataset_uuid = %(key)s
    UNION
    SELECT steps.step + 1, lineage.{there}
    FROM steps
    JOIN column_lineage AS lineage ON lineage.{here} = steps.field_uuid
    WHERE steps.step < 2
)
SELECT step, field_uuid FROM steps
"""

JOBS = """
WITH page AS (
    SELECT job.uuid, job.name, job.updated_at, last_run.uuid AS run_uuid, last_run.current_run_state
    FROM (SELECT * FROM jobs_view ORDER BY updated_at DESC, uuid LIMIT 100) AS job
    LEFT JOIN LATERAL (
        SELECT uuid, current_run_state FROM runs WHERE job_uuid = job.uuid ORDER BY transitioned_at DESC LIMIT 1
    ) AS last_run ON true
),
facets AS (
    SELECT mention.run_uuid, jsonb_agg(mention.facet ORDER BY mention.lineage_event_time) AS facets
    FROM page
    JOIN job_facets_view AS mention ON mention.run_uuid = page.run_uuid
    GROUP BY mention.run_uuid
)
SELECT page.*, facets.facets FROM page LEFT JOIN facets USING (run_uuid) ORDER BY page.updated_at DESC, page.uuid
"""

LAST_RUNS = """
WITH page AS (
    SELECT uuid, transitioned_at FROM runs WHERE job_uuid = %(key)s ORDER BY transitioned_at DESC LIMIT 100
)
SELECT page.uuid, jsonb_agg(mention.facet ORDER BY mention.lineage_event_time) AS facets
FROM page
LEFT JOIN run_facets AS mention ON mention.run_uuid = page.uuid
GROUP BY page.uuid, page.transitioned_at
ORDER BY page.transitioned_at DESC
"""

RUNS = "SELECT uuid AS key FROM runs"
VERSIONS = "SELECT uuid AS key FROM dataset_versions WHERE run_uuid IS NOT NULL"
READ = "SELECT DISTINCT input_dataset_version_uuid AS key FROM column_lineage_versions"
JOB_VERSIONS = "SELECT uuid AS key FROM job_versions"
WRITTEN = "SELECT DISTINCT dataset_uuid AS key FROM dataset_versions WHERE run_uuid IS NOT NULL"
SOURCES = "SELECT DISTINCT dataset_uuid AS key FROM dataset_versions WHERE run_uuid IS NULL"
NAMES = "SELECT DISTINCT dataset_name AS key FROM dataset_versions WHERE run_uuid IS NOT NULL"


@dataclass(frozen=True)
class Query:
    """A statement, and among which keys it is asked for some."""

    name: str
    text: LiteralString
    keys: LiteralString
    keys_at_a_time: int = 1


def of_facets(table: LiteralString, condition: LiteralString) -> LiteralString:
    return f"SELECT name, lineage_event_time, lineage_event_type, facet FROM {table} WHERE {condition}"


QUERIES = (
    Query("facets of a run", of_facets("run_facets", "run_uuid = %(key)s"), RUNS),
    Query("facets of a dataset version", of_facets("dataset_facets", "dataset_version_uuid = %(key)s"), VERSIONS),
    Query(
        "facets of 20 dataset versions",
        of_facets("dataset_facets", "dataset_version_uuid = ANY (%(keys)s)"),
        VERSIONS,
        keys_at_a_time=20,
    ),
    Query("facets of a version that many read", of_facets("dataset_facets", "dataset_version_uuid = %(key)s"), READ),
    Query("facets of a job version", of_facets("job_facets", "job_version_uuid = %(key)s"), JOB_VERSIONS),
    Query(
        "column lineage of a version",
        "SELECT * FROM column_lineage WHERE output_dataset_version_uuid = %(key)s",
        VERSIONS,
    ),
    Query(
        "column lineage, two steps up",
        ONE_STEP.format(here="output_dataset_field_uuid", there="input_dataset_field_uuid"),
        WRITTEN,
    ),
    Query(
        "column lineage, two steps down",
        ONE_STEP.format(here="input_dataset_field_uuid", there="output_dataset_field_uuid"),
        SOURCES,
    ),
    Query("100 jobs, last runs, facets", JOBS, RUNS),
    Query("100 last runs of a job, facets", LAST_RUNS, "SELECT uuid AS key FROM jobs"),
    *(
        Query(f"queries/{query.name}.sql", query.statement, NAMES)
        for query in named_queries()
        if query.parameters == ("dataset",)
    ),
)


@dataclass(frozen=True)
class Read:
    """Milliseconds until all rows had come, and how many there were."""

    milliseconds: float
    rows: int


class Readers:
    """A session that reads the views, and one that reads the plain tables of the same names."""

    def __init__(self, store: Store) -> None:
        self._sessions = {VIEWS: store.connect(autocommit=True), PLAIN: store.connect(autocommit=True)}
        self._sessions[PLAIN].execute("SET search_path = plain, public")

    def close(self) -> None:
        for session in self._sessions.values():
            session.close()

    def read(self, where: str, query: Query, keys: list[Any]) -> Read:
        """Prepared, as drivers do with what they send again and again."""
        started = time.perf_counter()
        cursor = self._sessions[where].execute(query.text, named(keys), prepare=True)
        return Read((time.perf_counter() - started) * 1000, cursor.rowcount)

    def plan(self, query: Query, keys: list[Any]) -> str:
        """How the views were read."""
        explained = self._sessions[VIEWS].execute(f"EXPLAIN (ANALYZE, BUFFERS) {query.text}", named(keys))
        return "\n".join(str(line) for (line,) in explained)

    def keys(self, query: Query, rounds: int, seed: str) -> Iterator[list[Any]]:
        """Keys at random, the same for each seed; those of a small table come again."""
        order = sql.SQL("SELECT key FROM ({}) AS found ORDER BY md5(key::text || {}) LIMIT {}").format(
            sql.SQL(query.keys), seed, rounds * query.keys_at_a_time
        )
        found = [key for (key,) in self._sessions[VIEWS].execute(order)]
        for number in range(rounds):
            yield [found[(number * query.keys_at_a_time + one) % len(found)] for one in range(query.keys_at_a_time)]


def named(keys: list[Any]) -> dict[str, Any]:
    return {"key": keys[0], "keys": keys, "dataset": keys[0], "namespace": ""}


def make_plain(connection: Connection) -> None:
    """The same rows as ordinary tables. Unlogged ones are read like others, and take no room in the log."""
    connection.execute("SET maintenance_work_mem = '1GB'")
    connection.execute("CREATE SCHEMA plain")
    for table, indexes in INDEXES.items():
        name = sql.Identifier("plain", table)
        connection.execute(sql.SQL("CREATE UNLOGGED TABLE {} AS SELECT * FROM {}").format(name, sql.Identifier(table)))
        for index in indexes:
            columns = sql.SQL(", ").join(map(sql.Identifier, index.split(", ")))
            connection.execute(sql.SQL("CREATE INDEX ON {} ({})").format(name, columns))
    connection.execute(LINEAGE_IS_UNIQUE)
    connection.execute("CREATE VIEW plain.job_facets_view AS SELECT * FROM plain.job_facets")


def gigabytes(connection: Connection, tables: list[str]) -> float:
    query = "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%s::text[]) AS name"
    (size,) = connection.execute(query, [tables]).fetchone() or (0,)
    return float(size) / 1e9


def compare(store: Store, rounds: int, seed: str) -> None:
    """Prints a table of the medians, and the plans of what the views take too long for."""
    readers = Readers(store)
    plans = []
    print(f"{'':36}{'rows':>7}{'as it comes: views, plain, times':>36}{'once more: views, plain, times':>36}")
    try:
        for query in QUERIES:
            first, again, rows = measured(readers, query, rounds, seed)
            print(f"{query.name:36}{rows:7.0f}{side_by_side(first)}{side_by_side(again)}", flush=True)
            if again[VIEWS] > AIM * again[PLAIN]:
                keys = next(readers.keys(query, 1, seed))
                plans.append(f"\n{query.name}\n{readers.plan(query, keys)}")
    finally:
        readers.close()
    print("".join(plans), flush=True)


def side_by_side(medians: dict[str, float]) -> str:
    return f"{medians[VIEWS]:14.2f}{medians[PLAIN]:12.2f}{medians[VIEWS] / medians[PLAIN]:10.2f}"


def measured(
    readers: Readers, query: Query, rounds: int, seed: str
) -> tuple[dict[str, float], dict[str, float], float]:
    """Medians as the keys come, and once more; rows."""
    first: dict[str, list[Read]] = {VIEWS: [], PLAIN: []}
    again: dict[str, list[Read]] = {VIEWS: [], PLAIN: []}
    started = time.monotonic()
    for keys in readers.keys(query, 6, f"{seed}, not counted"):  # until the server has settled on a plan
        for where in (VIEWS, PLAIN):
            readers.read(where, query, keys)
        if time.monotonic() - started > LONG_ENOUGH:
            break
    started = time.monotonic()
    for number, keys in enumerate(readers.keys(query, rounds, seed)):
        if number >= 3 and time.monotonic() - started > LONG_ENOUGH:
            break
        turns = (VIEWS, PLAIN) if number % 2 else (PLAIN, VIEWS)
        for where in turns:
            first[where].append(readers.read(where, query, keys))
        for where in turns:
            again[where].append(readers.read(where, query, keys))
        assert first[VIEWS][-1].rows == first[PLAIN][-1].rows, f"{query.name} finds other rows in the views"
    return medians(first), medians(again), statistics.median(read.rows for read in first[VIEWS])


def medians(reads: dict[str, list[Read]]) -> dict[str, float]:
    return {where: statistics.median(one.milliseconds for one in found) for where, found in reads.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--shared-buffers", default="256MB", help="of the second case, where tables have no room")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        growing = growth.Growing(home)
        try:
            growth.run(growing, arguments.events)
            prepare(home, growing.store)
            run(home, growing.store, arguments.rounds, arguments.shared_buffers)
        finally:
            postgres.stop_server(home)


def prepare(home: Path, store: Store) -> None:
    """Both kinds of tables as a store has them that autovacuum has seen."""
    with store.connect() as connection:
        make_plain(connection)
    postgres.start(home).run_sql("VACUUM ANALYZE; CHECKPOINT;", growth.DATABASE)
    with store.connect() as connection:
        behind = gigabytes(connection, list(BEHIND_THE_VIEWS))
        plain = gigabytes(connection, [f"plain.{table}" for table in INDEXES])
    print(f"GB of the tables behind the views: {behind:.2f}, of plain tables: {plain:.2f}", flush=True)


def run(home: Path, store: Store, rounds: int, shared_buffers: str) -> None:
    read_files(home, store)
    print("\nA quarter of the memory as shared_buffers; ms")
    compare(store, rounds, "much")
    servers.restart(home, shared_buffers)
    read_files(home, store)
    print(f"\n{shared_buffers} of shared_buffers; ms")
    compare(store, rounds, "little")


def read_files(home: Path, store: Store) -> None:
    """What the server had in its own memory the operating system need not have: a server that has restarted would read
    some of it from disk, and the rest not."""
    (folder,) = home.glob("postgres/data-*")
    with store.connect() as connection:
        tables = [*(f"plain.{table}" for table in INDEXES), *BEHIND_THE_VIEWS]
        names = [name for (name,) in connection.execute(FILES, [tables])]
    for path in (path for name in names for path in (folder / name).parent.glob(f"{(folder / name).name}*")):
        with path.open("rb") as file:
            while file.read(1 << 24):
                pass


if __name__ == "__main__":
    main()
