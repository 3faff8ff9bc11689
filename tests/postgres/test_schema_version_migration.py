"""Phase 2 of seed 000: each dataset version gets the schema version of the fields that its old mapping holds."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lineage_core import statements
from lineage_core.errors import NeedsOperator
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.model.meaning.schema_versions import Field, schema_version_uuid
from lineage_core.normalize.normalization import normalize
from lineage_core.own_lineage.datasets import of_the_model
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner, ThreadRunner
from lineage_core.testing import dataset, run_event
from tests.support.old_mappings import count, put_dataset, put_versions
from tests.support.servers import jobs_login
from tests.support.stores import contents, differences, put, rows

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping, pytest.mark.both_servers, pytest.mark.slow]

NAME = "schema-versions"
RECORDED = Path(__file__).parents[3] / "shared" / "data" / "marquez-recorded" / "database"
COLUMNS = [(f"column_{number}", "INTEGER") for number in range(20)]


def run(store: Store, workers: int = 1) -> records.Status:
    return migrate(store, NAME, ThreadRunner(), workers)


def schema_of(store: Store, version: str) -> list[tuple[Any, ...]]:
    """Names and types that the version has by its schema version."""
    return rows(
        store,
        "SELECT name, type FROM dataset_versions JOIN dataset_schema_versions_field_mapping"
        " USING (dataset_schema_version_uuid) JOIN dataset_fields ON dataset_fields.uuid = dataset_field_uuid"
        " WHERE dataset_versions.uuid = %s ORDER BY name, type",
        [version],
    )


def test_it_counts_the_rows_that_it_has_changed_of_each_table(database: Store) -> None:
    with database.connect() as connection:
        known = put_dataset(connection, "orders", COLUMNS)
        put_versions(connection, "orders", known, 300)
    first, second = Counter[str](), Counter[str]()
    migrate(database, NAME, ThreadRunner(), workers=2, report=lambda worker: first.update(worker.tables))
    assert of_the_model(first) == {
        "dataset_schema_versions": 1,
        "dataset_versions": 300,
    }
    with database.connect() as connection:
        connection.execute("UPDATE dataset_versions SET dataset_schema_version_uuid = NULL")
    records.plan(database, NAME)
    migrate(database, NAME, ThreadRunner(), report=lambda worker: second.update(worker.tables))
    assert of_the_model(second) == {"dataset_versions": 300}


def test_the_example_of_the_proposal_becomes_one_schema_version_with_twenty_fields(database: Store) -> None:
    """A run every ten minutes for thirty days, twenty columns: 4,320 versions, 86,400 rows."""
    with database.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS), 4_320)
    status = run(database, workers=2)
    assert (status.state, status.done, status.total, status.percent) == ("finished", 4_320, 4_320, 100)
    assert (status.changed, status.quarantined) == (4_320, 0)
    assert count(database, "dataset_versions_field_mapping") == 86_400
    assert count(database, "dataset_schema_versions") == 1
    assert count(database, "dataset_schema_versions_field_mapping") == 20
    assert end.finalize(database, NAME) == 0
    expected = schema_version_uuid("shop", "orders", [Field(name, type_, None) for name, type_ in COLUMNS])
    assert rows(database, "SELECT uuid, created_at::text FROM dataset_schema_versions") == [
        (rows(database, "SELECT %s::uuid", [expected.hex()])[0][0], "2026-01-01 00:00:00+00")
    ]
    assert rows(database, "SELECT count(*) FROM dataset_versions WHERE dataset_schema_version_uuid IS NULL") == [(0,)]


def test_a_second_run_does_nothing(database: Store) -> None:
    with database.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS[:2]), 10)
    first = run(database)
    before = contents(database)
    assert replace(run(database), rows_per_second=0) == replace(first, rows_per_second=0)
    assert differences(before, contents(database)) == {}


def test_what_is_planned_anew_finds_everything_done(database: Store) -> None:
    with database.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS[:2]), 10)
    run(database)
    end.finalize(database, NAME)
    before = contents(database)
    records.plan(database, NAME)
    assert run(database).changed == 0
    assert differences(before, contents(database)) == {}


def test_an_empty_store_is_done_at_once(database: Store) -> None:
    status = run(database)
    assert (status.state, status.done, status.total, status.percent) == ("finished", 0, 0, 100)


def test_the_migration_agrees_with_live_normalization(database: Store) -> None:
    """What normalization has written is left alone; and taken away, it comes again, the same."""
    fields = [("id", "INTEGER"), ("name", None), ("tags", "array<struct<a:int>>"), ("größe", "TEXT"), ("a:b", "C")]
    events = [
        run_event("COMPLETE", run_id=f"0190a0a0-0000-7000-8000-00000000000{number}", outputs=[dataset(fields=chosen)])
        for number, chosen in enumerate([fields, fields[:2], fields[1:], [], None, fields])
    ]
    put(database, events)
    normalize(database, SerialRunner())
    before = contents(database)
    assert run(database).changed == 0
    assert differences(before, contents(database)) == {}
    with database.connect() as connection:
        connection.execute("UPDATE dataset_versions SET dataset_schema_version_uuid = NULL")
        connection.execute("DELETE FROM dataset_schema_versions")
    records.plan(database, NAME)
    assert run(database).changed == len(before["dataset_versions"])
    end.finalize(database, NAME)
    assert differences(before, contents(database)) == {}


def test_sets_of_fields_whose_hashes_are_equal_are_kept_apart(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    script = statements.named
    hashed = "hash_array_extended(coalesce(mapped.fields, '{}'), 0)"
    assert hashed in script(f"long_migrations/{NAME}/step")
    monkeypatch.setattr(statements, "named", lambda path: script(path).replace(hashed, "0::bigint"))
    with database.connect() as connection:
        fields = put_dataset(connection, "orders", COLUMNS[:3])
        sets = {
            version: kept
            for kept in (fields, fields[:2], fields[1:])
            for version in put_versions(connection, "orders", kept, 5)
        }
        put_versions(connection, "sums", put_dataset(connection, "sums", COLUMNS[:3]), 5)
    records.plan(database, NAME)
    for setting in ("start_rows", "smallest_rows", "largest_rows"):
        records.change_setting(database, NAME, setting, "3")
    assert run(database).changed == 20
    assert count(database, "dataset_schema_versions") == 4
    assert all(len(schema_of(database, version)) == len(kept) for version, kept in sets.items())


def test_what_live_normalization_sets_meanwhile_stays(database: Store) -> None:
    """A trigger sets it between the reading of the version and its update."""
    with database.connect() as connection:
        (version,) = put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS[:2]))
        live = schema_version_uuid("shop", "orders", [])
        connection.execute(
            "INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)"
            " SELECT %s::uuid, uuid, now() FROM datasets",
            [live.hex()],
        )
        connection.execute(
            "CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE dataset_versions"
            f" SET dataset_schema_version_uuid = '{live.hex()}'; RETURN new; END $$"
        )
        connection.execute(
            "CREATE TRIGGER meanwhile AFTER INSERT ON dataset_schema_versions FOR EACH ROW EXECUTE FUNCTION meanwhile()"
        )
    assert run(database).changed == 0
    found = rows(database, "SELECT dataset_schema_version_uuid FROM dataset_versions WHERE uuid = %s", [version])
    assert found[0][0].bytes == live


class TestMessyData:
    def test_fields_that_marquez_multiplied_count_once(self, database: Store) -> None:
        """A field without a type conflicts with none, so each event made another row of it."""
        with database.connect() as connection:
            first = put_dataset(connection, "orders", [("id", "INTEGER"), ("tree", None)])
            again = put_dataset(connection, "orders", [("tree", None), ("tree", None)])
            versions = put_versions(connection, "orders", [*first, *again])
            versions += put_versions(connection, "orders", [first[0], again[1]])
        assert run(database).changed == 2
        assert count(database, "dataset_schema_versions") == 1
        assert [schema_of(database, version) for version in versions] == [[("id", "INTEGER"), ("tree", None)]] * 2

    def test_a_version_whose_input_drifted_gets_the_schema_of_all_its_fields(self, database: Store) -> None:
        """Phase 1 of Marquez adds the fields of a drifted input to the old mapping alone."""
        with database.connect() as connection:
            fields = put_dataset(connection, "orders", [("id", "INTEGER"), ("total", "DECIMAL")])
            (plain,) = put_versions(connection, "orders", fields[:1])
            (drifted,) = put_versions(connection, "orders", fields)
        run(database)
        with database.connect() as connection:
            connection.execute(
                "UPDATE dataset_versions SET dataset_schema_version_uuid = (SELECT dataset_schema_version_uuid FROM"
                " dataset_versions WHERE uuid = %s) WHERE uuid = %s",
                [plain, drifted],
            )
        records.plan(database, NAME)
        assert run(database).changed == 1
        assert schema_of(database, plain) == [("id", "INTEGER")]
        assert schema_of(database, drifted) == [("id", "INTEGER"), ("total", "DECIMAL")]

    def test_a_version_without_fields_gets_the_schema_version_of_no_fields(self, database: Store) -> None:
        with database.connect() as connection:
            put_dataset(connection, "orders", [])
            (version,) = put_versions(connection, "orders", [])
        assert run(database).changed == 1
        expected = schema_version_uuid("shop", "orders", [])
        found = rows(database, "SELECT dataset_schema_version_uuid FROM dataset_versions WHERE uuid = %s", [version])
        assert found[0][0].bytes == expected

    def test_a_schema_version_that_a_crash_left_half_written_is_completed(self, database: Store) -> None:
        with database.connect() as connection:
            fields = put_dataset(connection, "orders", COLUMNS[:3])
            (version,) = put_versions(connection, "orders", fields)
        run(database)
        with database.connect() as connection:
            connection.execute(
                "UPDATE dataset_schema_versions SET field_uuids = changed_fields(field_uuids, ARRAY[%s]::uuid[], '{}')",
                [fields[0]],
            )
        records.plan(database, NAME)
        run(database)
        assert schema_of(database, version) == COLUMNS[:3]

    def test_a_version_without_dataset_goes_to_quarantine_and_the_rest_goes_on(self, database: Store) -> None:
        with database.connect() as connection:
            put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS[:2]), 5)
            connection.execute(
                "INSERT INTO dataset_versions (uuid, created_at, version)"
                " VALUES ('00000000-0000-0000-0000-000000000000', now(), gen_random_uuid())"
            )
        status = run(database)
        assert (status.state, status.changed, status.quarantined) == ("finished", 5, 1)
        ((key, error),) = rows(database, "SELECT key, error FROM migration_quarantine")
        assert key == "00000000-0000-0000-0000-000000000000"
        assert "has no dataset" in error

    def test_fields_of_another_dataset_are_for_a_person_to_look_at(self, database: Store) -> None:
        """Readers of the new mapping see fields of the version's own dataset alone, and so does its schema version."""
        with database.connect() as connection:
            own = put_dataset(connection, "orders", [("id", "INTEGER")])
            others = put_dataset(connection, "sums", [("total", "DECIMAL")])
            versions = [*put_versions(connection, "orders", own + others), *put_versions(connection, "orders", own)]
        assert run(database).quarantined == 1
        assert [schema_of(database, version) for version in versions] == [[("id", "INTEGER")]] * 2
        assert count(database, "dataset_schema_versions") == 1
        ((key, error),) = rows(database, "SELECT key, error FROM migration_quarantine")
        assert (key, error.partition(": ")[2]) == (versions[0], "total DECIMAL")


class TestFailures:
    @pytest.fixture
    def poisoned(self, database: Store) -> tuple[Store, str]:
        """A store with one version that cannot be updated."""
        with database.connect() as connection:
            versions = put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS[:2]), 300)
            poison = sorted(versions)[137]
            connection.execute(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$"
                "BEGIN RAISE 'this version is cursed'; END $$;"
            )
            connection.execute(
                f"CREATE TRIGGER cursed BEFORE UPDATE ON dataset_versions FOR EACH ROW WHEN (old.uuid = '{poison}')"
                " EXECUTE FUNCTION refuse()"
            )
        return database, poison

    def test_a_version_that_fails_is_found_and_set_aside(self, poisoned: tuple[Store, str]) -> None:
        database, poison = poisoned
        status = run(database)
        assert (status.state, status.changed, status.done, status.quarantined) == ("finished", 299, 300, 1)
        assert rows(database, "SELECT key, error FROM migration_quarantine") == [(poison, "this version is cursed")]
        attempts = rows(
            database, "SELECT range_id, count(*) FROM migration_transitions WHERE event = 'failed' GROUP BY 1"
        )
        assert {number for _, number in attempts} == {3}
        assert rows(database, "SELECT count(*) FROM dataset_versions WHERE dataset_schema_version_uuid IS NULL") == [
            (1,)
        ]

    def test_where_all_rows_fail_a_person_is_asked(self, database: Store) -> None:
        with database.connect() as connection:
            put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS[:2]), 6)
            connection.execute(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'all are cursed'; END $$"
            )
            connection.execute(
                "CREATE TRIGGER cursed BEFORE UPDATE ON dataset_versions FOR EACH ROW EXECUTE FUNCTION refuse()"
            )
        records.plan(database, NAME)
        records.change_setting(database, NAME, "largest_quarantine", "2")
        with pytest.raises(NeedsOperator, match=r"all are cursed\. The rows are hardly the cause"):
            run(database)
        status = records.status(database, NAME)
        assert (status.state, status.quarantined) == ("cancelled", 2)

    def test_what_no_row_would_be_spared_sets_none_aside(self, database: Store, postgres_server: Server) -> None:
        with database.connect() as connection:
            put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS[:2]), 6)
            connection.execute("REVOKE INSERT ON migration_quarantine FROM lineage_jobs")
        worker = jobs_login(postgres_server, database)
        with pytest.raises(NeedsOperator, match="permission denied"):
            run(worker)
        status = records.status(database, NAME)
        assert (status.quarantined, status.ranges["pending"]) == (0, 1)
        assert rows(database, "SELECT count(*) FROM migration_transitions WHERE event = 'failed'") == [(0,)]
        with database.connect() as connection:
            connection.execute("GRANT INSERT ON migration_quarantine TO lineage_jobs")
        assert run(worker).state == "finished"

    def test_what_was_set_aside_is_tried_again_on_request(self, poisoned: tuple[Store, str]) -> None:
        database, _ = poisoned
        run(database)
        with database.connect() as connection:
            connection.execute("DROP TRIGGER cursed ON dataset_versions")
        assert records.retry(database, NAME) == 1
        status = run(database)
        assert (status.state, status.quarantined) == ("finished", 0)
        assert rows(database, "SELECT count(*) FROM dataset_versions WHERE dataset_schema_version_uuid IS NULL") == [
            (0,)
        ]


def test_a_cancelled_migration_is_not_run_on(database: Store) -> None:
    records.plan(database, NAME)
    end.cancel(database, NAME)
    with pytest.raises(NeedsOperator, match="cancelled"):
        records.pause(database, NAME)


def test_a_paused_migration_waits_for_its_operator(database: Store) -> None:
    records.plan(database, NAME)
    records.pause(database, NAME)
    with pytest.raises(NeedsOperator, match="resume"):
        run(database)
    records.resume(database, NAME)
    assert run(database).state == "finished"


@pytest.mark.long
def test_the_figure_of_the_proposal_becomes_twenty_rows_and_the_old_mapping_goes(database: Store) -> None:
    """864,000 rows take 43,200 versions of twenty columns."""
    with database.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS), 43_200)
    assert count(database, "dataset_versions_field_mapping") == 864_000
    assert run(database, workers=2).changed == 43_200
    end.finalize(database, NAME)
    assert count(database, "dataset_schema_versions") == 1
    assert count(database, "dataset_schema_versions_field_mapping") == 20
    assert end.verify(database, NAME).is_good
    end.cut_over(database, NAME)
    sizes = end.drop(database, NAME)
    assert sizes is not None
    before, after = sizes
    assert before.replaced > 50 << 20
    assert after.replaced + after.replacing < 200 << 10
    assert count(database, "dataset_versions_field_mapping") == 864_000


@pytest.mark.shared_data
@pytest.mark.skipif(not RECORDED.is_dir(), reason="shared/data, with the recordings of a live Marquez, is absent")
def test_a_marquez_database_of_three_years_is_migrated(database: Store) -> None:
    """350 of its 1,050 versions have no schema version; of the others, drifted and untyped ones have a wrong one."""
    tables = ("namespaces", "sources", "datasets", "dataset_fields", "dataset_schema_versions")
    with database.connect() as connection:
        connection.execute("DELETE FROM namespaces")
        for table in (
            *tables,
            "dataset_schema_versions_field_mapping",  # which are kept one by one
            "dataset_versions",
            "dataset_versions_field_mapping",
        ):
            _load(connection, RECORDED / "data" / f"{table}.sql.gz")
    before = dict(rows(database, "SELECT uuid, dataset_schema_version_uuid FROM dataset_versions"))
    assert list(before.values()).count(None) == 350
    status = run(database, workers=2)
    assert (status.done, status.total, status.quarantined) == (1_050, 1_050, 0)
    end.finalize(database, NAME)
    found = end.verify(database, NAME)
    assert (found.sums["versions"], found.sums["old_rows"], found.unexplained) == (1_050, 8_461, 0)
    assert found.sums["multiplied"] > 0
    after = dict(rows(database, "SELECT uuid, dataset_schema_version_uuid FROM dataset_versions"))
    kept = [version for version in before if before[version] == after[version]]
    typed = rows(
        database,
        "SELECT DISTINCT dataset_version_uuid FROM dataset_versions_field_mapping JOIN dataset_fields"
        " ON dataset_fields.uuid = dataset_field_uuid WHERE type IS NULL",
    )
    untyped = {version for (version,) in typed}
    assert len(kept) > 300
    assert not untyped.intersection(kept), "Marquez' id of an untyped schema could stand for others"
    assert len(after) == 1_050
    assert None not in after.values()


def _load(connection: Connection, path: Path) -> None:
    statement, data = gzip.decompress(path.read_bytes()).split(b"\n", 1)
    statement = statement.replace(b"dataset_schema_versions_field_mapping", b"schema_fields_to_move")
    with connection.cursor().copy(statement.rstrip(b";")) as copy:
        copy.write(data.split(b"\\.\n")[0])
