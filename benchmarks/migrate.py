"""How fast the long migration `schema-versions` is, side by side with set-based SQL that does all at once.

`python benchmarks/migrate.py --versions 1000000` makes a store with twenty columns for each version, of 5,000 schemas,
as Marquez before 0.48 would have left it. Each round takes fresh copies of it: for one worker, for two, for one whose
login may not set the index aside, and for the best plain SQL that we know, with tuned memory and parallel workers, in
one transaction. That is measured with the index on the updated column, and with the same index dropped first and built
again at the end; the faster one is what the others are compared with. What every way leaves behind is compared. Beside
the time: what was written to the log, and the longest that any transaction lasted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import servers
from cpu import tree_seconds
from psycopg.conninfo import make_conninfo

from lineage_core.local import postgres
from lineage_core.long_migrations.store.end import finalize, verify
from lineage_core.long_migrations.store.records import plan
from lineage_core.long_migrations.workers import migrate
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.connection import connect, run_script
from lineage_core.postgres.store import Store
from lineage_core.tasks import ThreadRunner

NAME = "schema-versions"
EMPTY, FILLED = "bench_empty", "bench_filled"
DATASETS, SCHEMAS, COLUMNS = 500, 10, 20

FILL = f"""
INSERT INTO namespaces (uuid, created_at, updated_at, name)
VALUES (key_uuid('namespaces', 'shop'), now(), now(), 'shop');
INSERT INTO sources (uuid, created_at, updated_at, name, connection_url, type)
VALUES (key_uuid('sources', 'default'), now(), now(), 'default', '', 'POSTGRESQL');
INSERT INTO datasets (
    uuid, type, created_at, updated_at, namespace_uuid, source_uuid, name, physical_name, namespace_name
)
SELECT key_uuid('datasets', 'shop', 'table_' || number), 'DB_TABLE', now(), now(), key_uuid('namespaces', 'shop'),
    key_uuid('sources', 'default'), 'table_' || number, 'table_' || number, 'shop'
FROM generate_series(1, {DATASETS}) AS number;
CREATE TABLE numbered_fields AS
SELECT datasets.uuid AS dataset_uuid, number, gen_random_uuid() AS uuid
FROM datasets, generate_series(1, {COLUMNS + SCHEMAS - 1}) AS number;
INSERT INTO dataset_fields (uuid, type, created_at, updated_at, dataset_uuid, name)
SELECT uuid, 'VARCHAR', now(), now(), dataset_uuid, 'column_' || number FROM numbered_fields;
CREATE TABLE numbered_versions AS
SELECT place, gen_random_uuid() AS uuid,
    key_uuid('datasets', 'shop', 'table_' || 1 + place %% {DATASETS}) AS dataset_uuid,
    1 + place * {SCHEMAS} / %(versions)s AS schema
FROM generate_series(0, %(versions)s::bigint - 1) AS place;
INSERT INTO dataset_versions (uuid, created_at, dataset_uuid, version, run_uuid, namespace_name, dataset_name, fields)
SELECT uuid, '2026-01-01Z'::timestamptz + place * interval '1 second', dataset_uuid, uuid, uuid, 'shop',
    'table_' || 1 + place %% {DATASETS}, '[]'
FROM numbered_versions ORDER BY place;
ALTER TABLE dataset_versions_field_mapping
    DROP CONSTRAINT dataset_versions_field_mapping_pkey,
    DROP CONSTRAINT dataset_versions_field_mapping_dataset_version_uuid_fkey,
    DROP CONSTRAINT dataset_versions_field_mapping_dataset_field_uuid_fkey;
DROP INDEX dataset_versions_field_mapping_index;
INSERT INTO dataset_versions_field_mapping (dataset_version_uuid, dataset_field_uuid)
SELECT version.uuid, field.uuid
FROM numbered_versions AS version
JOIN numbered_fields AS field
    ON field.dataset_uuid = version.dataset_uuid
    AND field.number BETWEEN version.schema AND version.schema + {COLUMNS - 1};
SET maintenance_work_mem = '1GB';
ALTER TABLE dataset_versions_field_mapping
    ADD PRIMARY KEY (dataset_version_uuid, dataset_field_uuid),
    ADD FOREIGN KEY (dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE,
    ADD FOREIGN KEY (dataset_field_uuid) REFERENCES dataset_fields (uuid) ON DELETE CASCADE;
CREATE INDEX dataset_versions_field_mapping_index ON dataset_versions_field_mapping (dataset_field_uuid);
DROP TABLE numbered_versions, numbered_fields;
"""

SETTINGS = """
SET work_mem = '1GB';
SET maintenance_work_mem = '1GB';
SET max_parallel_workers_per_gather = 2;
SET jit = off;
"""

AT_ONCE = """
CREATE TEMP TABLE sets AS
SELECT uuid, fields, hash_array_extended(fields, 0) AS hash
FROM (
    SELECT dataset_version_uuid AS uuid, array_agg(dataset_field_uuid) AS fields
    FROM (SELECT * FROM dataset_versions_field_mapping ORDER BY dataset_version_uuid, dataset_field_uuid) AS ordered
    GROUP BY dataset_version_uuid
) AS grouped;
ANALYZE sets;
CREATE TEMP TABLE schemas AS
SELECT one.hash, one.fields, one.uuid AS version, version.dataset_uuid, one.created_at,
    schema_version_uuid(namespaces.name, datasets.name, described.names, described.types) AS uuid
FROM (
    SELECT DISTINCT ON (hash, sets.fields) hash, sets.fields, sets.uuid, created_at
    FROM sets JOIN dataset_versions USING (uuid)
    ORDER BY hash, sets.fields, created_at
) AS one
JOIN dataset_versions AS version ON version.uuid = one.uuid
JOIN datasets ON datasets.uuid = version.dataset_uuid
JOIN namespaces ON namespaces.uuid = datasets.namespace_uuid
CROSS JOIN LATERAL (
    SELECT array_agg(name) AS names, array_agg(type) AS types
    FROM dataset_versions_field_mapping JOIN dataset_fields ON dataset_fields.uuid = dataset_field_uuid
    WHERE dataset_version_uuid = one.uuid
) AS described;
ANALYZE schemas;
INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at, field_uuids)
SELECT schemas.uuid, schemas.dataset_uuid, schemas.created_at, array_agg(dataset_field_uuid ORDER BY dataset_field_uuid)
FROM schemas JOIN dataset_versions_field_mapping ON dataset_version_uuid = schemas.version
GROUP BY schemas.uuid, schemas.dataset_uuid, schemas.created_at;
UPDATE dataset_versions SET dataset_schema_version_uuid = schemas.uuid
FROM sets JOIN schemas USING (hash, fields)
WHERE dataset_versions.uuid = sets.uuid;
"""

INDEX = "dataset_versions_schema_version_index"
WITH_INDEX = f"{SETTINGS} BEGIN; {AT_ONCE} COMMIT;"
WITHOUT_INDEX = f"""
{SETTINGS} BEGIN; DROP INDEX {INDEX};
{AT_ONCE}
CREATE INDEX {INDEX} ON dataset_versions (dataset_schema_version_uuid, created_at);
COMMIT;
"""


STATE = """
SELECT (SELECT count(*) FROM dataset_schema_versions), (SELECT count(*) FROM dataset_schema_versions_field_mapping),
    (SELECT sum(hashtextextended(uuid::text || dataset_schema_version_uuid, 0)::numeric)::text FROM dataset_versions)
"""


@dataclass(frozen=True)
class Measured:
    """Seconds of wall clock and of Postgres' CPU, bytes of log, and the longest transaction seen."""

    what: str
    seconds: float
    postgres_cpu: float
    wal_bytes: int
    longest: float


class Bench:
    def __init__(self, home: Path, versions: int) -> None:
        self.server = servers.start(home)
        self.postmaster = int(next(home.glob("postgres/data-*/postmaster.pid")).read_text().split()[0])
        self.server.ensure_database(EMPTY, postgres.ROLE)
        upgrade(Store(self.server.dsn(database=EMPTY)))
        store = self.fresh(EMPTY, FILLED)
        started = time.monotonic()
        with store.connect() as connection:
            run_script(connection, FILL.replace("%(versions)s", str(versions)).replace("%%", "%"))
        self.server.run_sql("VACUUM (ANALYZE, FREEZE);", FILLED)
        seconds = time.monotonic() - started
        print(f"{versions} versions, {versions * COLUMNS} rows of the old mapping made in {seconds:.0f} s")

    def fresh(self, template: str, name: str) -> Store:
        self.server.run_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE);")
        self.server.run_sql(f"CREATE DATABASE {name} OWNER {postgres.ROLE} TEMPLATE {template} STRATEGY FILE_COPY;")
        self.server.run_sql("CHECKPOINT;")
        return Store(self.server.dsn(database=name))

    def at_once(self, what: str, script: str) -> Measured:
        store = self.fresh(FILLED, "bench_at_once")

        def work() -> None:
            with store.connect(autocommit=True) as connection:
                run_script(connection, script)

        measured = self.measure(f"plain SQL, {what}", work)
        self.tell_state(store)
        return measured

    def migrated(self, workers: int) -> Measured:
        store = self.fresh(FILLED, "bench_migrated")
        return self._migrated(store, f"{workers} worker{'s' * (workers > 1)}", workers)

    def migrated_by_another(self) -> Measured:
        """By a login that does not own the tables, so that the index stays."""
        store = self.fresh(FILLED, "bench_migrated")
        self.server.ensure_role("bench_worker", "NOSUPERUSER")
        self.server.run_sql("GRANT lineage_jobs TO bench_worker;")
        return self._migrated(Store(make_conninfo(store.dsn, user="bench_worker")), "1 worker, with index", 1)

    def _migrated(self, store: Store, what: str, workers: int) -> Measured:
        def work() -> None:
            plan(store, NAME)
            with store.connect() as connection:
                connection.execute("""UPDATE migrations SET settings = '{"waits_for_vacuum": false}'""")
            migrate(store, NAME, ThreadRunner(), workers)
            finalize(store, NAME)

        measured = self.measure(f"migration, {what}", work)
        self.tell_state(store)
        assert verify(store, NAME).is_good
        return measured

    def tell_state(self, store: Store) -> None:
        with store.connect() as connection:
            print("  left behind:", *(connection.execute(STATE).fetchone() or ()))

    def measure(self, what: str, work: Callable[[], object]) -> Measured:
        cpu, wal, started = tree_seconds(self.postmaster), self.wal(), time.monotonic()
        work()
        seconds = time.monotonic() - started
        time.sleep(0.5)
        longest = self.longest() if "migration" in what else seconds
        return Measured(what, seconds, tree_seconds(self.postmaster) - cpu, self.wal() - wal, longest)

    def wal(self) -> int:
        with connect(self.server.dsn()) as connection:
            row = connection.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint").fetchone()
        return int(row[0]) if row else 0

    def longest(self) -> float:
        with connect(self.server.dsn(database="bench_migrated")) as connection:
            row = connection.execute("SELECT max(longest_seconds) FROM migration_workers").fetchone()
        return float(row[0]) if row and row[0] else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--versions", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        try:
            run(Bench(home, arguments.versions), arguments)
        finally:
            postgres.stop_server(home)


def run(bench: Bench, arguments: argparse.Namespace) -> None:
    measured: list[Measured] = []
    for _ in range(arguments.rounds):
        for one in (
            bench.at_once("at once", WITH_INDEX),
            bench.at_once("without index", WITHOUT_INDEX),
            bench.migrated(1),
            bench.migrated(2),
            bench.migrated_by_another(),
        ):
            measured.append(one)
            print(json.dumps(asdict(one)))
    plain = {one.what for one in measured if one.what.startswith("plain")}
    best = min(statistics.median(one.seconds for one in measured if one.what == what) for what in plain)
    print(f"\n{'':32}{'s':>8}{'times':>7}{'mapping rows/s':>16}{'CPU s':>8}{'log MB':>8}{'longest s':>11}")
    for what in dict.fromkeys(one.what for one in measured):
        of_kind = [one for one in measured if one.what == what]
        seconds = statistics.median(one.seconds for one in of_kind)
        print(
            f"{what:32}{seconds:8.1f}{seconds / best:7.2f}{arguments.versions * COLUMNS / seconds:16.0f}"
            f"{statistics.median(one.postgres_cpu for one in of_kind):8.1f}"
            f"{statistics.median(one.wal_bytes for one in of_kind) / 1e6:8.0f}"
            f"{max(one.longest for one in of_kind):11.2f}"
        )


if __name__ == "__main__":
    main()
