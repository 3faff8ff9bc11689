"""What a real Marquez expects of its tables is there: columns, types, order, keys and references."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from lineage_core.declare.views import all_views
from lineage_core.ingest import event_files
from lineage_core.ingest.ingestion import ingest
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres import postgres_catalog
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.postgres_catalog import Fact
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from lineage_core.tasks import SerialRunner
from tests.support.servers import Databases
from tests.support.stores import rows

RECORDED = PROJECT.parent / "shared" / "data" / "marquez-recorded" / "database"

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.old_mapping,
    pytest.mark.shared_data,
    pytest.mark.skipif(not RECORDED.exists(), reason=f"the recorded Marquez database is absent: {RECORDED}"),
]

DIFFERENT_COLUMNS = {
    Fact("default of", "lineage_events.created_at"): "now(): theirs is off by the zone unless the session is in UTC",
    Fact("column", "job_versions.location"): "of any length: a long address must not refuse a whole event",
    Fact("column", "owners.name"): "of any length: a long name of an owner must not refuse a whole event",
    Fact("column", "namespaces.current_owner_name"): "as owners.name",
    Fact("nullability of", "dataset_symlinks.namespace_uuid"): "a name without namespace would be found by no one",
}
"""Columns that are not as in Marquez, and why."""

DIFFERENT_CONSTRAINTS = {
    ("dataset_fields", "UNIQUE (dataset_uuid, name, type)"): "a long type does not fit into an index; the uuid says it",
    ("dataset_symlinks", "UNIQUE (namespace_uuid, name)"): "the primary key says it",
    ("dataset_versions", "UNIQUE (dataset_uuid, version)"): "UNIQUE (version) says it",
    ("job_versions", "UNIQUE (job_uuid, version)"): "UNIQUE (version) says it",
    ("runs", "FOREIGN KEY (parent_run_uuid) REFERENCES runs(uuid) ON DELETE CASCADE"): "deferred:"
    " a parent may be written behind its child",
    **{
        (table, f"FOREIGN KEY ({column}) REFERENCES {to}(uuid) ON DELETE CASCADE"): "merges and retention keep it"
        for table, column, to in (
            ("dataset_fields", "dataset_uuid", "datasets"),
            ("dataset_versions", "dataset_uuid", "datasets"),
            ("job_versions_io_mapping", "dataset_uuid", "datasets"),
            ("job_versions_io_mapping", "job_uuid", "jobs"),
            ("run_states", "run_uuid", "runs"),
            ("runs", "start_run_state_uuid", "run_states"),
            ("runs", "end_run_state_uuid", "run_states"),
            ("runs_input_mapping", "run_uuid", "runs"),
        )
    },
}
"""Keys and references that are not as in Marquez, and why."""

VIEWS = {view.name for view in all_views()}
"""Views, some of tables of Marquez: they have its columns, but no keys, and say nothing of nulls."""

COLUMN_TYPES = """
SELECT attrelid::regclass::text, attname::text, format_type(atttypid, atttypmod) FROM pg_attribute
JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = 'public'::regnamespace AND relname = ANY (%s) AND attnum > 0 AND NOT attisdropped
"""

COLUMN_NAMES = """
SELECT attrelid::regclass::text, array_agg(attname::text ORDER BY attnum) FROM pg_attribute
JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND attnum > 0 AND NOT attisdropped
GROUP BY attrelid
"""


@pytest.fixture
def marquez(empty_database: Store) -> Store:
    """A database with the tables of the recorded Marquez."""
    with empty_database.connect() as connection:
        for name in ("tables.sql", "foreign_keys.sql"):
            run_script(connection, _read(RECORDED / name))
    return empty_database


def _read(path: Path) -> str:
    return path.read_text()


def _columns(connection: Connection) -> dict[str, list[str]]:
    return {table: names for table, names in connection.execute(COLUMN_NAMES.encode())}


def test_every_table_begins_with_the_columns_of_marquez(database: Store, marquez: Store) -> None:
    with database.connect() as ours, marquez.connect() as theirs:
        stored, expected = _columns(ours), _columns(theirs)
    assert expected.keys() <= stored.keys()
    assert {table: stored[table][: len(names)] for table, names in expected.items()} == expected


def test_every_column_is_as_in_marquez(database: Store, marquez: Store) -> None:
    with database.connect() as ours, marquez.connect() as theirs:
        stored, expected = postgres_catalog.read(ours, "public"), postgres_catalog.read(theirs, "public")
    kinds = {"column", "nullability of", "default of"}
    wanted = {fact for fact, table in expected.tables.items() if fact.kind in kinds and table not in VIEWS}
    different = {fact for fact in wanted if stored.definitions.get(fact) != expected.definitions[fact]}
    assert different == DIFFERENT_COLUMNS.keys()


def test_every_column_of_a_view_has_the_type_that_it_has_in_marquez(database: Store, marquez: Store) -> None:
    with database.connect() as ours, marquez.connect() as theirs:
        stored, expected = (set(one.execute(COLUMN_TYPES, [list(VIEWS)])) for one in (ours, theirs))
    assert {table for table, *_ in expected} >= {"run_facets", "job_facets", "dataset_facets"}
    assert expected - stored == set()


def test_every_key_and_reference_is_as_in_marquez(database: Store, marquez: Store) -> None:
    with database.connect() as ours, marquez.connect() as theirs:
        stored, expected = (
            _constraints(postgres_catalog.read(ours, "public")),
            _constraints(postgres_catalog.read(theirs, "public")),
        )
    assert expected - stored == DIFFERENT_CONSTRAINTS.keys()


def _constraints(read: postgres_catalog.PostgresCatalog) -> set[tuple[str | None, str]]:
    """By table and meaning; their names are no one's business."""
    constraints = [(read.tables[fact], text) for fact, text in read.definitions.items() if fact.kind == "constraint"]
    return {(table, text) for table, text in constraints if table not in VIEWS}


@pytest.fixture(scope="module")
def filled(databases: Databases, _template: str) -> Iterator[Store]:
    """What we make of the events of the recorded database."""
    with databases.copied(_template) as store:
        ingest(store, event_files.find([str(RECORDED / "events.ndjson.gz")]))
        normalize(store, SerialRunner())
        yield store


DIFFERENTLY_NULL = {
    "dataset_versions.dataset_schema_version_uuid": "a third of the recorded versions wait for their schema version",
    "facet_migration_lock.created_at": "Marquez locks its own migration of facets; ours has no lock",
    "job_versions_io_mapping.made_current_at": "null here of a version that is not current any more",
    "runs.nominal_end_time": "the nominal times of runs stay null in Marquez, but for the start of some",
    "runs.start_run_state_uuid": "a parent made from the end of its child has no start in Marquez",
    "runs.started_at": "a parent made from the end of its child has no start in Marquez",
}
"""Columns that are null in no row, in some, or in all, and it is otherwise in Marquez; and why."""


def test_columns_are_null_in_no_row_in_some_or_in_all_as_in_marquez(filled: Store) -> None:
    found = set()
    for file in sorted((RECORDED / "data").glob("*.sql.gz")):
        table = file.name.removesuffix(".sql.gz")
        theirs = nulls_of_dump(gzip.decompress(file.read_bytes()).decode())
        if not theirs:
            continue
        ours = nulls_of_table(filled, table, theirs)
        found |= {f"{table}.{column}" for column in theirs if theirs[column] != ours[column]}
    assert found == set(DIFFERENTLY_NULL)


def nulls_of_dump(dump: str) -> dict[str, str]:
    """Of each column, whether `none`, `some` or `all` of its rows are null; nothing of a table without rows."""
    header, *lines = dump.splitlines()
    columns = header.partition("(")[2].partition(")")[0].split(", ")
    kept = [line.split("\t") for line in lines if line and line != "\\."]
    return {column: _share([row[place] == "\\N" for row in kept]) for place, column in enumerate(columns) if kept}


def nulls_of_table(store: Store, table: str, columns: Iterable[str]) -> dict[str, str]:
    tests = ", ".join(f"{column} IS NULL" for column in columns)
    of_rows = rows(store, f"SELECT {tests} FROM {table}")
    return {column: _share([row[place] for row in of_rows]) for place, column in enumerate(columns)}


def _share(are_null: list[bool]) -> str:
    return "all" if all(are_null) else "some" if any(are_null) else "none"


def test_its_server_finds_the_migrations_that_it_looks_for(database: Store) -> None:
    """Those that a live Marquez had run: it starts where all of its own are there, with the same checksums."""
    history = gzip.decompress((RECORDED / "data" / "flyway_schema_history.sql.gz").read_bytes()).decode()
    recorded = [line.split("\t")[:6] for line in history.splitlines() if line[:1].isdigit()]
    assert len(recorded) == 91
    kept = rows(
        database,
        "SELECT installed_rank, version, description, type, script, checksum FROM flyway_schema_history ORDER BY 1",
    )
    assert [["\\N" if value is None else str(value) for value in row] for row in kept] == recorded
    assert rows(database, "SELECT DISTINCT success FROM flyway_schema_history") == [(True,)]
