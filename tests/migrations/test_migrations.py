"""Migrations make what the tables declare, once, whoever runs them and however many do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.database import migrations
from lineage_core.database.references import kept_references
from lineage_core.database.store import MADE
from lineage_core.declare.database_names import STAGING_SCHEMAS
from lineage_core.declare.tables import all_tables
from lineage_core.errors import NeedsOperator, SchemaDiffers
from lineage_core.local.postgres import Server
from lineage_core.operate import whole_store
from lineage_core.postgres.leases import fence, held_lease
from lineage_core.postgres.migration_files import VERSION_TABLE, migration_files
from lineage_core.postgres.store import Store
from tests.support.held_changes import is_waited_for
from tests.support.waiting import until

pytestmark = pytest.mark.both_servers

COUNT_CHILDREN = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'lineage_events'::regclass"
VERSION = f"SELECT version_num FROM {VERSION_TABLE}"


def _rows(database: Store, query: str) -> list[tuple[object, ...]]:
    with database.connect() as connection:
        return connection.execute(query.encode()).fetchall()


def _newest() -> str:
    return migration_files()[-1].stem.partition("_")[0]


@pytest.fixture
def later_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the project's migrations and room for one more."""
    for path in migration_files():
        (tmp_path / path.name).write_text(path.read_text())
    monkeypatch.setattr(migrations, "migration_files", lambda: migration_files(tmp_path))
    return tmp_path / f"{int(_newest()) + 1:04}_add_a_moon.sql"


@pytest.mark.postgres
def test_the_migrations_make_what_the_tables_declare(empty_database: Store) -> None:
    assert whole_store.upgrade(empty_database)[0] == MADE
    assert whole_store.differences(empty_database) == []
    assert MADE not in whole_store.upgrade(empty_database)


@pytest.mark.postgres
def test_an_empty_database_lacks_everything(empty_database: Store) -> None:
    found = whole_store.differences(empty_database)
    assert "migration 0001_create_the_store has not run" in found
    assert "table jobs is missing; declared is table" in found
    assert "table staging.jobs is missing; declared is table, unlogged" in found
    assert not [difference for difference in found if difference.startswith("column jobs.")]


@pytest.mark.postgres
def test_a_repeated_upgrade_changes_nothing(database: Store) -> None:
    before = _rows(database, COUNT_CHILDREN)
    whole_store.upgrade(database)
    assert _rows(database, COUNT_CHILDREN) == before
    assert _rows(database, VERSION) == [(_newest(),)]
    assert whole_store.differences(database) == []


@pytest.mark.postgres
def test_upgrades_at_once_are_one_upgrade(empty_database: Store) -> None:
    failed: list[BaseException] = []

    def attempt() -> None:
        try:
            whole_store.upgrade(empty_database)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=attempt) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert whole_store.differences(empty_database) == []


@pytest.mark.postgres
def test_a_later_migration_runs_after_those_that_ran(database: Store, later_migration: Path) -> None:
    later_migration.write_text("CREATE TABLE moons (name text);\nINSERT INTO moons VALUES ('100%s');\n")
    assert f"migration {later_migration.stem} has not run" in whole_store.differences(database)
    whole_store.upgrade(database)
    assert _rows(database, "SELECT * FROM moons") == [("100%s",)]
    assert whole_store.differences(database) == []


@pytest.mark.postgres
def test_a_migration_that_fails_leaves_nothing(database: Store, later_migration: Path) -> None:
    later_migration.write_text("CREATE TABLE moons (name text);\nSELECT 1 / 0;\n")
    with pytest.raises(Exception, match="division by zero"):
        whole_store.upgrade(database)
    assert _rows(database, "SELECT to_regclass('moons')") == [(None,)]
    assert _rows(database, VERSION) == [(_newest(),)]


@pytest.mark.postgres
def test_an_upgrade_waits_for_a_merge_that_is_at_work(database: Store, later_migration: Path) -> None:
    """Without waiting for each other, though they lock the same tables in different orders."""
    later_migration.write_text("ALTER TABLE jobs ADD COLUMN moon text;\nALTER TABLE runs ADD COLUMN moon text;\n")
    with ThreadPoolExecutor(1) as threads, held_lease(database, "normalize") as lease, database.connect() as merge:
        fence(merge, lease)
        merge.execute("LOCK TABLE runs IN ROW EXCLUSIVE MODE")
        upgrading = threads.submit(whole_store.upgrade, database)
        until(lambda: upgrading.done() or is_waited_for(database))
        merge.execute("LOCK TABLE jobs IN ROW EXCLUSIVE MODE")
        merge.commit()
        upgrading.result()
    assert _rows(database, "SELECT moon FROM runs") == []
    assert _rows(database, VERSION) == [(f"{int(_newest()) + 1:04}",)]


@pytest.mark.postgres
def test_a_database_of_a_newer_release_is_left_alone(database: Store) -> None:
    with database.connect() as connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '9999'".encode())
    for use in (whole_store.upgrade, whole_store.differences):
        with pytest.raises(SchemaDiffers, match="9999"):
            use(database)


@pytest.mark.postgres
def test_a_database_in_another_encoding_is_refused(postgres_server: Server) -> None:
    postgres_server.run_sql("CREATE DATABASE latin OWNER lineage ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C';")
    with pytest.raises(NeedsOperator, match="LATIN1"):
        whole_store.upgrade(Store(postgres_server.dsn(database="latin")))
    postgres_server.run_sql("DROP DATABASE latin;")


@pytest.mark.postgres
def test_a_database_that_holds_tables_of_the_same_names_is_left_alone(empty_database: Store) -> None:
    with empty_database.connect() as connection:
        connection.execute("CREATE TABLE jobs (theirs text)")
    with pytest.raises(NeedsOperator, match=r'"jobs" already exists.*its own database'):
        whole_store.upgrade(empty_database)
    assert _rows(empty_database, "SELECT to_regclass('tags'), to_regnamespace('staging')") == [(None, None)]


@pytest.mark.postgres
@pytest.mark.parametrize("use", [whole_store.upgrade, whole_store.differences])
def test_whoever_may_not_learns_who_may(
    empty_database: Store, postgres_server: Server, use: Callable[[Store], object]
) -> None:
    postgres_server.ensure_role("passer_by")
    database = Store(make_conninfo(empty_database.dsn, user="passer_by"))
    with pytest.raises(NeedsOperator, match="owns the database") as refused:
        use(database)
    causes = [error for error in islice(_causes(refused.value), 10)]
    assert len(causes) < 10, "whoever walks over the causes comes to an end"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


EARLIER_STATES = {
    "a table of now is missing": "DROP TABLE streams CASCADE",
    "a column of now is missing": "ALTER TABLE stream_schemas DROP COLUMN key",
    "a column of now has another type": "ALTER TABLE stream_heads ALTER next_offset TYPE integer",
}
FROM_BEFORE = (
    *(
        f"ALTER TABLE {table.name} ADD CONSTRAINT {table.name}_{column.name}_fkey"
        f" FOREIGN KEY ({column.name}) REFERENCES {to.table} ({to.column}) ON DELETE {to.on_delete.value}"
        for table, column, to in kept_references()
    ),
    "ALTER TABLE dataset_schemas DROP COLUMN field_keys, ALTER COLUMN keyed_fields SET NOT NULL",
    *(
        f"ALTER TABLE {staging}.dataset_schemas DROP COLUMN field_keys, ADD COLUMN keyed_fields jsonb NOT NULL"
        for staging in STAGING_SCHEMAS
    ),
    "CREATE INDEX runs_start_run_state_uuid_index ON runs (start_run_state_uuid)",
    "CREATE INDEX runs_end_run_state_uuid_index ON runs (end_run_state_uuid)",
    "DROP INDEX runs_open_index",
    "DROP TABLE schema_scripts, receiver_tokens, receiver_hours, receiver_processes, discarded_documents",
    "DROP TABLE operator_acts",
    "DROP TABLE job_version_timeline, job_edges, changes.job_edges, column_lineage_inputs",
    "DROP TABLE stream_publications, changes.identity_map, changes.job_version_timeline, changes.dataset_endings",
    "DROP TABLE dataset_endings, staging.dataset_endings, staging_2.dataset_endings",
    "DROP VIEW dataset_schema_versions_field_mapping CASCADE",
    "ALTER TABLE dataset_schema_versions DROP COLUMN field_uuids",
    "ALTER TABLE changes.dataset_schema_versions DROP COLUMN field_uuids",
    "ALTER TABLE schema_fields_to_move RENAME CONSTRAINT schema_fields_to_move_dataset_field_uuid_fkey TO of_field",
    "ALTER TABLE schema_fields_to_move"
    " RENAME CONSTRAINT schema_fields_to_move_dataset_schema_version_uuid_fkey TO of_schema_version",
    "ALTER TABLE schema_fields_to_move RENAME TO dataset_schema_versions_field_mapping",
    "ALTER TABLE changes.schema_fields_to_move RENAME TO dataset_schema_versions_field_mapping",
    "ALTER INDEX schema_fields_to_move_pkey RENAME TO dataset_schema_versions_field_mapping_pkey",
    "ALTER INDEX schema_fields_to_move_field_index RENAME TO dataset_schema_versions_field_mapping_field_index",
    "CREATE VIEW dataset_versions_field_mapping AS SELECT version.uuid AS dataset_version_uuid, dataset_field_uuid"
    " FROM dataset_versions AS version JOIN dataset_schema_versions_field_mapping USING (dataset_schema_version_uuid)",
    "ALTER TABLE dataset_fields DROP COLUMN schema_uuid",
    "DROP VIEW column_lineage, column_lineage_pairs",
    "DROP TABLE column_lineage_lists, changes.column_lineage_lists",
    "ALTER TABLE column_pairs_to_move RENAME TO column_lineage_pairs",
    "ALTER TABLE changes.column_pairs_to_move RENAME TO column_lineage_pairs",
    "ALTER INDEX column_pairs_to_move_pkey RENAME TO column_lineage_pairs_pkey",
    "ALTER INDEX column_pairs_to_move_output_index RENAME TO column_lineage_pairs_output_index",
    "ALTER INDEX column_pairs_to_move_input_index RENAME TO column_lineage_pairs_input_index",
    f"UPDATE {VERSION_TABLE} SET version_num = '0001'",
)
OTHER_DIGEST = f"COMMENT ON TABLE {VERSION_TABLE} IS 'of another text'"


@pytest.mark.postgres
@pytest.mark.parametrize("change", EARLIER_STATES.values(), ids=EARLIER_STATES)
def test_a_store_from_before_migrations_were_history_is_left_alone(database: Store, change: str) -> None:
    _run(database, change, *FROM_BEFORE, OTHER_DIGEST)
    with pytest.raises(SchemaDiffers, match=r"before its migrations.*lineage db carry-over"):
        whole_store.upgrade(database)
    assert _rows(database, "SELECT to_regclass('schema_scripts')") == [(None,)]
    assert "lineage db carry-over" in whole_store.what_helps(database)


@pytest.mark.postgres
def test_one_that_has_the_tables_of_now_is_upgraded(database: Store) -> None:
    _run(database, *FROM_BEFORE, "DROP FUNCTION judged_raw_events CASCADE", OTHER_DIGEST)
    with pytest.raises(SchemaDiffers, match="before its migrations"), held_lease(database, "normalize"):
        pass
    whole_store.upgrade(database)
    assert whole_store.differences(database) == []
    with held_lease(database, "normalize"):
        pass


@pytest.mark.postgres
def test_what_helps_depends_on_how_a_store_came_to_differ(
    database: Store, empty_database: Store, later_migration: Path
) -> None:
    assert "`lineage db upgrade` makes it" in whole_store.what_helps(empty_database)
    _run(database, "ALTER TABLE jobs ADD COLUMN ours text")
    assert "Somebody has changed the database" in whole_store.what_helps(database)
    later_migration.write_text("CREATE TABLE moons (name text)")
    assert "`lineage db upgrade` runs what is waiting" in whole_store.what_helps(database)


@pytest.mark.postgres
def test_pages_leave_room_as_declared(database: Store) -> None:
    declared = {one.name: one for one in all_tables()}
    packed = _rows(database, "SELECT relname, reloptions FROM pg_class WHERE reloptions IS NOT NULL")
    found = [(name, options) for name, options in packed if name in declared]
    assert dict(found) == {
        name: [f"fillfactor={one.fillfactor}"] for name, one in declared.items() if one.fillfactor is not None
    }


@pytest.mark.postgres
def test_partitions_that_are_put_back_are_named(database: Store) -> None:
    query = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'lineage_events_arrived'::regclass"
    dropped = [name for (name,) in _rows(database, f"{query} ORDER BY 1") if str(name)[-2:].isdigit()][-2:]
    _run(database, *(f"DROP TABLE {name}" for name in dropped))
    (made,) = (sentence for sentence in whole_store.upgrade(database) if sentence.startswith("Partitions"))
    assert made.startswith("Partitions of lineage_events were missing, and are made: ")
    assert len(dropped) == 2
    assert all(str(name) in made for name in dropped)
    assert not any(sentence.startswith("Partitions") for sentence in whole_store.upgrade(database))


def _run(database: Store, *statements: str) -> None:
    with database.connect() as connection:
        for statement in statements:
            connection.execute(statement.encode())


@pytest.mark.postgres
def test_airflows_own_migrations_may_live_beside(database: Store) -> None:
    with database.connect() as connection:
        connection.execute("CREATE TABLE alembic_version (version_num varchar(32))")
        connection.execute("INSERT INTO alembic_version VALUES ('29ce7909c52b')")
    whole_store.upgrade(database)
    assert whole_store.differences(database) == []


def test_migrations_are_numbered_without_gaps() -> None:
    numbers = [path.name[:5] for path in migration_files()]
    assert numbers == [f"{place:04}_" for place in range(1, len(numbers) + 1)]


@pytest.mark.parametrize("names", [["0001_a", "0003_b"], ["0001_a", "0001_b"], ["0002_a"], ["1_a"]])
def test_a_gap_or_a_repeat_is_refused(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / f"{name}.sql").touch()
    with pytest.raises(SchemaDiffers, match="numbered without gaps"):
        migration_files(tmp_path)
