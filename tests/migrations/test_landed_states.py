"""Every state that has landed can be upgraded to the next: a store of it, with data, is kept in `landed/`."""

from __future__ import annotations

import hashlib
import json
import lzma
import threading
from pathlib import Path

import pytest

from lineage_core.errors import NeedsOperator
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.store import records
from lineage_core.long_migrations.workers import migrate
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store.rebase import rebase
from lineage_core.operate import whole_store
from lineage_core.postgres.connection import run_script
from lineage_core.postgres.migration_files import migration_files
from lineage_core.postgres.store import Store
from lineage_core.retention.store.policies import holds
from lineage_core.tasks import SerialRunner
from tests.support.graphs_by_hand import misdrawn
from tests.support.named_migrations import named_by_upgrade
from tests.support.stores import contents, rows

pytestmark = [pytest.mark.both_servers, pytest.mark.slow]

LANDED = Path(__file__).parent / "landed"
DUMPS = sorted(LANDED.glob("*.sql.xz"))
DIGESTS = {
    "0001_create_the_store": "d5a78eef1039069b34b3f724d6a5dd74ed03d09c27ccc955965271ef6b49710e",
    "0002_know_the_scripts": "c47a86171fbeae9d513f46c3b6a9b8b484298242912fe4b4bdccf46f81552213",
    "0003_keep_tokens": "a9b8099ce976dad45de83b57b0abeac976e7776e24c5006989e2d041e1853208",
    "0004_report_the_receiver": "a151992d401fffd04121ffbe1f4f3ae7818f3a6b7503880e32d2a84d1ab87dc5",
    "0005_know_when_edges_held": "fb700aae0268731804363e630ad7f4bf6111cf047f5b533a090033f04176b437",
    "0006_count_what_is_discarded": "f9ff3ffb6a368ed41944fb15c7f716f1f14a7bdb0c8ff75f7a5ff37e25b680a5",
    "0007_know_what_was_known": "5ea7de83fb41bc5e0a80f51ddca7dd8baec4ad603b547f888cc27188a99493df",
    "0008_keep_fields_with_their_schema_version": "01eed21afff2bdd94c8b552a3a5c35d6c56e48d5f8a020ab0d82fe388eac1f9e",
    "0009_record_acts": "e33fbd35125301f0a20429425ae38011818684a3f81ab1bd2626726c7f3bab3b",
    "0010_keep_pairs_of_columns_with_their_list": "9e5e8e21b75932cf9b62a85622179286913f7dcef169739f2e01d4034be09ab5",
    "0011_name_the_schema_of_a_column": "7c5951a8b91ba10eb6a30eb0f8806ae70b454d5a257d6edf750a2ce881cfc5a5",
    "0012_find_writers_beside_readers": "6d628bf59f593e733aa1fb789e47d945408fe9ddd9e4aa87c57398e33c38d216",
    "0013_look_up_no_row_by_itself": "b2996193ab5e557fb0a59acba0c108f0109b6977030395e6eea1c12a4b37bb39",
    "0014_leave_room_for_changes": "c66cc23f54bd8d7c2def93eebd0a0a25b219dcada86904b01546287ccaad28ac",
    "0015_keep_states_with_their_runs": "ff7a9683607b9f56c6d40720e2a3371e4d912f00446ff9c2133ab8a8d0b7f45e",
    "0016_keep_the_keys_of_fields_as_an_array": "68f6c4e58e66e72601330e63119080a274863047f33023dc8f19e25ab1242af6",
}
"""SHA-256 of each migration. One that has landed never changes: write the next, and add a line here."""


OF_EDGES = {"job_version_timeline", "job_edges"}
"""An upgrade fills them from events that were there before it knew them."""

TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')"

FUNCTIONS_OF_EACH_TABLE = """
SELECT proname
FROM pg_proc
JOIN pg_class ON proname = 'capture_' || relname
WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
"""
"""What captured changes before one function did for all."""


MAPPING = "SELECT * FROM dataset_schema_versions_field_mapping ORDER BY 1, 2"
PAIRS = "SELECT * FROM column_lineage_pairs ORDER BY 1, 2, 3"
LINEAGE = "SELECT * FROM column_lineage ORDER BY 1, 2, 3, 4"
SOME_PAIRS = """
WITH pairs AS (
    INSERT INTO column_lineage_pairs (
        pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid, transformation_type
    )
    SELECT output.dataset_uuid, output.uuid, input.uuid, 'IDENTITY'
    FROM dataset_fields AS output
    CROSS JOIN (SELECT * FROM dataset_fields ORDER BY uuid LIMIT 1) AS input
    RETURNING pairs_uuid
)
INSERT INTO column_lineage_versions
SELECT DISTINCT gen_random_uuid(), gen_random_uuid(), pairs_uuid, now(), now() FROM pairs
"""
"""Lists of pairs of columns, one for each dataset."""

COLUMNS = "SELECT uuid, name, description FROM dataset_fields WHERE first_event IS NOT NULL ORDER BY uuid"
COLUMNS_OF_SCHEMAS = """
SELECT field.uuid, described.name, described.description
FROM dataset_fields AS field
JOIN dataset_schemas AS schema ON schema.uuid = field.schema_uuid AND schema.created_at = field.updated_at
CROSS JOIN LATERAL schema_fields(schema.fields, schema.field_keys, schema.keyed_fields) AS described
WHERE described.name = field.name AND described.type IS NOT DISTINCT FROM field.type
ORDER BY field.uuid
"""

ADDED = {
    "dataset_schema_versions": {"field_uuids": None},
    "dataset_fields": {"schema_uuid": None},
    "dataset_schemas": {"field_keys": None},
}
"""Columns of today that tables of then lack, and what an upgrade leaves in them."""


def _without(table: str, found: list[str]) -> list[str]:
    """The rows, as then."""
    added = ADDED.get(table, {})
    if not added:
        return found
    lacking = [{column: value for column, value in json.loads(row).items() if column not in added} for row in found]
    assert all(json.loads(row).items() >= added.items() for row in found)
    return sorted(json.dumps(row) for row in lacking)


def restored(database: Store, dump: Path) -> Store:
    with database.connect() as connection:
        run_script(connection, lzma.decompress(dump.read_bytes()).decode())
    return database


def test_no_migration_changes_once_it_has_landed() -> None:
    found = {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in migration_files()}
    assert found == DIGESTS


@pytest.mark.postgres
@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.name)
def test_a_landed_state_becomes_what_is_declared_and_keeps_its_rows(dump: Path, empty_database: Store) -> None:
    restored(empty_database, dump)
    there = {name for (name,) in rows(empty_database, TABLES)}
    before, mapped = contents(empty_database, there), rows(empty_database, MAPPING)
    assert before["runs"]
    assert mapped
    whole_store.upgrade(empty_database)
    assert whole_store.differences(empty_database) == []
    after = contents(empty_database)
    seen = rows(empty_database, MAPPING)
    assert seen == mapped
    assert {table: _without(table, after[table]) for table in before} == before
    assert {table for table in after.keys() - before.keys() if after[table]} == OF_EDGES | {"schema_fields_to_move"}
    assert misdrawn(empty_database) == []
    assert [hold.why for hold in holds(empty_database)] == ["an audit"]
    assert rows(empty_database, "SELECT reason FROM quarantine") == [("not JSON",)]
    assert rows(empty_database, "SELECT name FROM tags WHERE name = 'PII'") == [("PII",)]
    assert rows(empty_database, FUNCTIONS_OF_EACH_TABLE) == []


@pytest.mark.postgres
@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.name)
def test_pairs_of_columns_are_seen_after_an_upgrade_and_after_their_move(dump: Path, empty_database: Store) -> None:
    restored(empty_database, dump)
    with empty_database.connect() as connection:
        connection.execute(SOME_PAIRS)
    before = [rows(empty_database, query) for query in (PAIRS, LINEAGE)]
    assert all(before)
    whole_store.upgrade(empty_database)
    assert [rows(empty_database, query) for query in (PAIRS, LINEAGE)] == before
    with empty_database.connect() as connection:
        connection.execute("SELECT take_in_pairs(array_agg(pairs_uuid)) FROM column_pairs_to_move")
    assert rows(empty_database, "SELECT FROM column_pairs_to_move") == []
    assert [rows(empty_database, query) for query in (PAIRS, LINEAGE)] == before


@pytest.mark.postgres
@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.name)
def test_each_column_of_an_upgraded_store_gets_the_schema_that_describes_it(dump: Path, empty_database: Store) -> None:
    whole_store.upgrade(restored(empty_database, dump))
    described = rows(empty_database, COLUMNS)
    assert described
    assert "column-schemas" in named_by_upgrade(empty_database)
    records.plan(empty_database, "column-schemas")
    migrate(empty_database, "column-schemas", SerialRunner())
    assert rows(empty_database, COLUMNS) == described
    assert rows(empty_database, COLUMNS_OF_SCHEMAS) == described
    assert "column-schemas" not in named_by_upgrade(empty_database)


@pytest.mark.postgres
@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.name)
def test_an_upgraded_store_takes_in_what_waited(dump: Path, empty_database: Store) -> None:
    whole_store.upgrade(restored(empty_database, dump))
    before = rows(empty_database, "SELECT count(*) FROM runs")
    rebase(empty_database)
    normalize(empty_database, SerialRunner())
    assert rows(empty_database, "SELECT count(*) FROM runs") == [(before[0][0] + 1,)]
    assert whole_store.differences(empty_database) == []


CHANGES: dict[str, tuple[str, ...]] = {
    "a function has another text": ("CREATE OR REPLACE FUNCTION output_role() RETURNS integer RETURN 7",),
    "a function has another result": (
        "DROP FUNCTION names_of_dataset",
        "CREATE FUNCTION names_of_dataset(dataset uuid) RETURNS integer RETURN 1",
    ),
    "a function has other arguments": (
        "DROP FUNCTION names_of_dataset",
        "CREATE FUNCTION names_of_dataset(dataset uuid, deep boolean) RETURNS uuid[] RETURN NULL::uuid[]",
    ),
    "a view has other columns": ("DROP VIEW run_facets CASCADE", "CREATE VIEW run_facets AS SELECT 1 AS one"),
    "a trigger does something else": (
        "CREATE OR REPLACE TRIGGER runs_capture_insert AFTER INSERT ON runs EXECUTE FUNCTION refuse_changes()",
    ),
    "a trigger captures other columns": (
        "CREATE OR REPLACE TRIGGER tags_capture_insert AFTER INSERT ON tags REFERENCING NEW TABLE AS new_rows"
        " FOR EACH STATEMENT EXECUTE FUNCTION capture_changes('{tags}', '{uuid}', '{}')",
    ),
    "a trigger of raw events does something else": (
        "CREATE OR REPLACE TRIGGER lineage_events_2_describe BEFORE INSERT ON lineage_events"
        " FOR EACH ROW EXECUTE FUNCTION refuse_changes()",
    ),
    "a materialized view counts something else": (
        "DROP MATERIALIZED VIEW lineage_events_by_type_hourly_view",
        "CREATE MATERIALIZED VIEW lineage_events_by_type_hourly_view AS SELECT 1 AS start_interval",
    ),
}
FORGET = "UPDATE schema_scripts SET digest = 'of another text'"


@pytest.mark.postgres
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_has_changed_is_made_anew(change: tuple[str, ...], database: Store) -> None:
    with database.connect() as connection:
        for statement in (*change, FORGET):
            connection.execute(statement.encode())
    assert whole_store.differences(database) != []
    whole_store.upgrade(database)
    assert whole_store.differences(database) == []


TRIGGERS = """
SELECT tgname, pg_trigger.xmin::text
FROM pg_trigger
JOIN pg_class ON pg_class.oid = tgrelid
WHERE relkind IN ('r', 'p') AND NOT tgisinternal
ORDER BY tgname, tgrelid
"""
"""Those of tables, each with the transaction that wrote it: one that is made anew keeps its oid."""


@pytest.mark.postgres
def test_what_has_not_changed_is_left_alone_and_writers_go_on(database: Store) -> None:
    before = rows(database, TRIGGERS), rows(database, "SELECT path, applied_at FROM schema_scripts")
    with database.connect() as connection:
        connection.execute(FORGET + " WHERE path = 'functions/output_role'")
    with database.connect() as writer:
        writer.execute("LOCK TABLE runs, lineage_events, datasets, dataset_versions IN ROW EXCLUSIVE MODE")
        upgrade = threading.Thread(target=whole_store.upgrade, args=[database], daemon=True)
        upgrade.start()
        upgrade.join(timeout=60)
        assert not upgrade.is_alive()
    assert rows(database, TRIGGERS) == before[0]
    applied = dict(rows(database, "SELECT path, applied_at FROM schema_scripts"))
    assert [path for path, moment in before[1] if applied[path] != moment] == ["functions/output_role"]


@pytest.mark.postgres
def test_what_has_no_file_any_more_goes(database: Store) -> None:
    with database.connect() as connection:
        connection.execute("CREATE FUNCTION forgotten(one integer) RETURNS integer RETURN 1")
        connection.execute("CREATE VIEW forgotten_view AS SELECT forgotten(1) AS one")
        connection.execute("INSERT INTO schema_scripts VALUES ('functions/forgotten', 'x', now())")
        connection.execute("INSERT INTO schema_scripts VALUES ('views/forgotten_view', 'x', now())")
    whole_store.upgrade(database)
    left = "SELECT to_regproc('forgotten'), to_regclass('forgotten_view')"
    assert rows(database, left) == [(None, None)]
    assert rows(database, "SELECT count(*) FROM schema_scripts WHERE path LIKE '%%forgotten%%'") == [(0,)]


@pytest.mark.postgres
def test_what_others_were_granted_on_a_view_stays(database: Store, postgres_server: Server) -> None:
    role = "a_team"
    postgres_server.ensure_role(role)
    granted = f"SELECT has_table_privilege('{role}', 'run_facets', 'SELECT')"
    with database.connect() as connection:
        connection.execute(f"GRANT SELECT ON run_facets TO {role}".encode())
        connection.execute(FORGET + " WHERE path = 'views/run_facets'")
    whole_store.upgrade(database)
    assert rows(database, granted) == [(True,)]


@pytest.mark.postgres
def test_a_view_of_somebody_else_is_named_and_nothing_is_changed(database: Store) -> None:
    with database.connect() as connection:
        connection.execute("CREATE VIEW of_theirs AS SELECT * FROM run_facets")
        connection.execute(FORGET + " WHERE path = 'views/run_facets'")
    with pytest.raises(NeedsOperator, match=r"view of_theirs depends on view run_facets"):
        whole_store.upgrade(database)
    assert rows(database, "SELECT digest FROM schema_scripts WHERE path = 'views/run_facets'") == [("of another text",)]
