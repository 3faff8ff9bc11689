"""The end of seed 000: leftovers removed, old and new compared, readers switched over, the old mapping dropped."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from lineage_core import cli
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.normalize.normalization import normalize
from lineage_core.operate import whole_store
from lineage_core.postgres.connection import connect
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner, ThreadRunner
from lineage_core.testing import dataset, run_event
from tests.support.lock_watch import lock_watch, readers
from tests.support.old_mappings import count, put_dataset, put_versions
from tests.support.servers import jobs_login
from tests.support.stores import put, rows

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping, pytest.mark.both_servers, pytest.mark.slow]

NAME = "schema-versions"
OLD_MAPPING = "SELECT dataset_version_uuid, dataset_field_uuid FROM dataset_versions_field_mapping ORDER BY 1, 2"
READERS_SEE = "SELECT dataset_version_uuid, dataset_field_uuid FROM dataset_version_fields ORDER BY 1, 2"


@pytest.fixture
def migrated(database: Store) -> Store:
    """A store whose migration has run: two datasets, a schema with a multiplied field among theirs."""
    with database.connect() as connection:
        orders = put_dataset(connection, "orders", [("id", "INTEGER"), ("tree", None)])
        again = put_dataset(connection, "orders", [("tree", None)])
        put_versions(connection, "orders", orders, 20)
        put_versions(connection, "orders", [*orders, *again])
        put_versions(connection, "sums", put_dataset(connection, "sums", [("total", "DECIMAL")]), 20)
        connection.execute(
            "INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)"
            " SELECT gen_random_uuid(), uuid, now() FROM datasets"
        )
    migrate(database, NAME, ThreadRunner())
    return database


@pytest.fixture
def verified(migrated: Store) -> Store:
    end.finalize(migrated, NAME)
    assert end.verify(migrated, NAME).is_good
    return migrated


def test_what_nothing_refers_to_is_removed(migrated: Store) -> None:
    """Orphans: a schema version that a crash left before its version, or that a version has left."""
    assert count(migrated, "dataset_schema_versions") == 4
    assert end.finalize(migrated, NAME) == 2
    assert end.finalize(migrated, NAME) == 0
    assert rows(migrated, "SELECT count(*) FROM dataset_versions WHERE dataset_schema_version_uuid IS NULL") == [(0,)]
    assert rows(migrated, "SELECT DISTINCT created_at::text FROM dataset_schema_versions") == [
        ("2026-01-01 00:00:00+00",)
    ]


def test_a_verification_counts_what_readers_see_and_explains_multiplied_fields(migrated: Store) -> None:
    end.finalize(migrated, NAME)
    found = end.verify(migrated, NAME)
    sums = found.sums
    assert (sums["versions"], sums["old_rows"], sums["old_columns"], sums["new_columns"]) == (41, 63, 62, 62)
    assert sums["old_checksum"] == sums["new_checksum"] != 0
    assert (sums["multiplied"], found.unexplained, found.in_quarantine) == (1, 0, 0)
    assert found.is_good


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE dataset_versions SET dataset_schema_version_uuid = NULL WHERE uuid = (SELECT min(uuid::text)::uuid FROM"
        " dataset_versions)",
        "UPDATE dataset_schema_versions SET field_uuids = changed_fields(field_uuids, ARRAY(SELECT uuid"
        " FROM dataset_fields WHERE name = 'id'), '{}')",
        "DELETE FROM dataset_versions_field_mapping WHERE dataset_version_uuid = (SELECT min(uuid::text)::uuid FROM"
        " dataset_versions)",
    ],
)
def test_a_difference_is_found_named_and_forbids_the_cut_over(verified: Store, damage: str) -> None:
    with verified.connect() as connection:
        connection.execute(damage.encode())
    found = end.verify(verified, NAME)
    assert not found.is_good
    assert found.unexplained > 0
    assert found.examples
    with pytest.raises(NeedsOperator, match="verify"):
        end.cut_over(verified, NAME)


def test_a_column_that_was_written_anew_is_explained(database: Store) -> None:
    """One version has the first of two rows of a column without a type, one the second, one both."""
    with database.connect() as connection:
        first, second = (put_dataset(connection, "orders", [("tree", None)]) for _ in range(2))
        for fields in (first, second, first + second):
            put_versions(connection, "orders", fields)
    migrate(database, NAME, ThreadRunner())
    end.finalize(database, NAME)
    found = end.verify(database, NAME)
    assert (found.sums["multiplied"], found.sums["replaced"], found.is_good) == (1, 2, True)


def test_what_differs_after_the_cut_over_is_not_dropped(verified: Store) -> None:
    end.cut_over(verified, NAME)
    with verified.connect() as connection:
        connection.execute("UPDATE dataset_versions SET dataset_schema_version_uuid = NULL")
    with pytest.raises(NeedsOperator, match="verify"):
        end.drop(verified, NAME)
    assert rows(verified, "SELECT relkind FROM pg_class WHERE relname = 'dataset_versions_field_mapping'") == [("r",)]


def test_a_rollback_while_the_drop_compares_wins(verified: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    end.cut_over(verified, NAME)
    verify = end.verify

    def verify_and_roll_back(database: Store, name: str, *others: Any) -> end.Verification:
        found = verify(database, name, *others)
        end.roll_back(database, name)
        return found

    monkeypatch.setattr(end, "verify", verify_and_roll_back)
    with pytest.raises(NeedsOperator, match="cut over first"):
        end.drop(verified, NAME)
    assert rows(verified, "SELECT relkind FROM pg_class WHERE relname = 'dataset_versions_field_mapping'") == [("r",)]


def test_no_one_waits_long_for_the_drop_while_somebody_reads_for_long(verified: Store) -> None:
    end.cut_over(verified, NAME)
    with (
        lock_watch(verified) as longest,
        readers(verified, "SELECT FROM dataset_versions LIMIT 100") as counted,
        verified.connect() as report,
    ):
        report.execute(OLD_MAPPING)
        dropping = threading.Thread(target=end.drop, args=(verified, NAME))
        dropping.start()
        time.sleep(1.5)
        assert records.status(verified, NAME).state == "cut over"
        report.rollback()
        dropping.join()
    assert records.status(verified, NAME).state == "dropped"
    assert len(counted) > 100
    assert longest.seconds < 0.2


def test_readers_are_switched_over_and_back(verified: Store) -> None:
    old = rows(verified, READERS_SEE)
    assert old == rows(verified, OLD_MAPPING)
    end.cut_over(verified, NAME)
    assert len(rows(verified, READERS_SEE)) == len(old) - 1, "the multiplied field is one"
    assert records.status(verified, NAME).readers_read == "new"
    end.roll_back(verified, NAME)
    assert rows(verified, READERS_SEE) == old
    assert records.status(verified, NAME).readers_read == "old"


def test_only_the_mapping_that_the_flag_says_is_read(verified: Store) -> None:
    end.cut_over(verified, NAME)
    plan = rows(verified, "EXPLAIN (ANALYZE, COSTS off) SELECT * FROM dataset_version_fields")
    old = [line for (line,) in plan if " on dataset_versions_field_mapping" in line]
    assert old
    assert all("never executed" in line for line in old)


def test_the_drop_waits_for_everything_before_it(migrated: Store) -> None:
    for command in (end.verify, end.cut_over, end.drop):
        with pytest.raises(NeedsOperator, match="finalized"):
            command(migrated, NAME)
    end.finalize(migrated, NAME)
    with pytest.raises(NeedsOperator, match="not verified"):
        end.cut_over(migrated, NAME)
    with pytest.raises(NeedsOperator, match="cut over first"):
        end.drop(migrated, NAME)
    assert rows(migrated, "SELECT relkind FROM pg_class WHERE relname = 'dataset_versions_field_mapping'") == [("r",)]


def test_the_finish_waits_for_what_is_in_quarantine(database: Store) -> None:
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO dataset_versions (uuid, created_at, version)"
            " VALUES (gen_random_uuid(), now(), gen_random_uuid())"
        )
    migrate(database, NAME, ThreadRunner())
    with pytest.raises(NeedsOperator, match="retry"):
        end.finalize(database, NAME)


class TestRowsThatCanNeverBeMigrated:
    """Versions without dataset: no schema version follows, and no mending helps."""

    @pytest.fixture
    def rejected(self, migrated: Store) -> Store:
        """A store with two such versions beside those that were migrated."""
        with migrated.connect() as connection:
            for _ in range(2):
                connection.execute(
                    "INSERT INTO dataset_versions (uuid, created_at, version)"
                    " VALUES (gen_random_uuid(), now(), gen_random_uuid())"
                )
        records.plan(migrated, NAME)
        migrate(migrated, NAME, ThreadRunner())
        return migrated

    def _keys(self, database: Store) -> list[str]:
        return [key for (key,) in rows(database, "SELECT key FROM migration_quarantine ORDER BY key")]

    def _counted(self, database: Store) -> tuple[int, int]:
        status = records.status(database, NAME)
        return status.quarantined, status.accepted

    def test_once_accepted_they_keep_the_end_from_no_one(self, rejected: Store) -> None:
        assert records.accept(rejected, NAME, "Marquez lost their dataset", "ann on desk") == 2
        assert self._counted(rejected) == (0, 2)
        end.finalize(rejected, NAME)
        found = end.verify(rejected, NAME)
        assert (found.is_good, found.accepted, found.in_quarantine, found.unexplained) == (True, 2, 0, 0)
        end.cut_over(rejected, NAME)
        end.drop(rejected, NAME)
        assert records.status(rejected, NAME).state == "dropped"

    def test_each_that_is_not_accepted_still_does(self, rejected: Store) -> None:
        one, other = self._keys(rejected)
        assert records.accept(rejected, NAME, "lost", "ann on desk", [one]) == 1
        assert self._counted(rejected) == (1, 1)
        with pytest.raises(NeedsOperator, match=f"^1 rows of '{NAME}' are in quarantine, such as {other}.*accept"):
            end.finalize(rejected, NAME)

    def test_one_that_is_in_quarantine_after_all_was_finalized_is_kept_apart_by_verify(self, rejected: Store) -> None:
        one, other = self._keys(rejected)
        records.accept(rejected, NAME, "lost", "ann on desk")
        end.finalize(rejected, NAME)
        with connect(rejected.dsn) as connection:
            connection.execute("DELETE FROM migration_acceptances WHERE key = %s", [other])
        found = end.verify(rejected, NAME)
        assert (found.is_good, found.accepted, found.in_quarantine, found.unexplained) == (False, 1, 1, 0)
        with connect(rejected.dsn) as connection:
            connection.execute("DELETE FROM migration_quarantine WHERE key = %s", [one])
        found = end.verify(rejected, NAME)
        assert (found.accepted, found.in_quarantine, found.unexplained) == (0, 1, 1)

    def test_who_accepted_them_when_and_why_is_kept(self, rejected: Store, postgres_server: Server) -> None:
        records.accept(jobs_login(postgres_server, rejected), NAME, "Marquez lost their dataset", "ann on desk")
        kept = rows(
            rejected,
            "SELECT DISTINCT accepted_by, accepted_from, why, error ^@ 'It has no dataset', accepted_at <= now()"
            " FROM migration_acceptances",
        )
        assert kept == [("worker", "ann on desk", "Marquez lost their dataset", True, True)]
        assert rows(rejected, "SELECT detail FROM migration_transitions WHERE event = 'accepted'") == [
            ("2 rows from ann on desk: Marquez lost their dataset",)
        ]

    def test_what_was_accepted_stays_so_when_it_is_tried_or_planned_again(self, rejected: Store) -> None:
        records.accept(rejected, NAME, "lost", "ann on desk")
        before = rows(rejected, "SELECT * FROM migration_acceptances ORDER BY key")
        assert records.accept(rejected, NAME, "again", "bob on desk") == 0
        records.retry(rejected, NAME)
        migrate(rejected, NAME, ThreadRunner())
        assert self._counted(rejected) == (0, 2)
        records.plan(rejected, NAME)
        migrate(rejected, NAME, ThreadRunner())
        assert self._counted(rejected) == (0, 2)
        assert rows(rejected, "SELECT * FROM migration_acceptances ORDER BY key") == before

    def test_what_was_accepted_for_one_error_is_not_for_another(self, rejected: Store) -> None:
        records.accept(rejected, NAME, "lost", "ann on desk")
        with connect(rejected.dsn) as connection:
            connection.execute("UPDATE migration_quarantine SET error = 'It is cursed'")
        assert self._counted(rejected) == (2, 0)
        with pytest.raises(NeedsOperator, match="cursed"):
            end.finalize(rejected, NAME)
        assert records.accept(rejected, NAME, "cursed", "bob on desk") == 2
        assert rows(rejected, "SELECT DISTINCT why, error FROM migration_acceptances") == [("cursed", "It is cursed")]

    def test_what_is_mended_counts_no_more(self, rejected: Store) -> None:
        one, _ = self._keys(rejected)
        records.accept(rejected, NAME, "lost", "ann on desk")
        with connect(rejected.dsn) as connection:
            connection.execute(
                "UPDATE dataset_versions SET dataset_uuid = (SELECT uuid FROM datasets LIMIT 1) WHERE uuid = %s",
                [one],
            )
        records.retry(rejected, NAME)
        migrate(rejected, NAME, ThreadRunner())
        assert self._counted(rejected) == (0, 1)

    @pytest.mark.parametrize("key", ["", "nothing", "00000000-0000-0000-0000-000000000000"])
    def test_a_key_that_is_not_in_quarantine_is_refused_with_all_beside_it(self, rejected: Store, key: str) -> None:
        with pytest.raises(WrongUsage, match="nothing is accepted"):
            records.accept(rejected, NAME, "lost", "ann on desk", [*self._keys(rejected), key])
        assert self._counted(rejected) == (2, 0)

    def test_without_a_reason_nothing_is_accepted(self, rejected: Store) -> None:
        with pytest.raises(WrongUsage, match="--why"):
            records.accept(rejected, NAME, " ", "ann on desk")

    def test_the_command_line_says_what_is_accepted(
        self, rejected: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("LINEAGE_DSN", rejected.dsn)
        one, _ = self._keys(rejected)
        for words in (["accept", NAME, one, "--all", "--why", "x"], ["accept", NAME, "--why", "x"]):
            assert self._exit_code(words) == 2
        for words, output in (
            (["accept", NAME, one, "--why", "lost"], f"1 rows of {NAME} are accepted as they are."),
            (["status", NAME], "1 in quarantine; 1 accepted as they are"),
            (["accept", NAME, "--all", "--why", "lost"], f"1 rows of {NAME} are accepted as they are."),
            (["finalize", NAME], "2 accepted as they are."),
            (["verify", NAME], "2 accepted as they are."),
        ):
            capsys.readouterr()
            assert self._exit_code(words) == 0
            assert output in capsys.readouterr().out

    def _exit_code(self, words: list[str]) -> int | str | None:
        with pytest.raises(SystemExit) as ended:
            cli.main(["migration", *words])
        return ended.value.code


class TestAfterTheDrop:
    @pytest.fixture
    def dropped(self, verified: Store) -> Store:
        end.cut_over(verified, NAME)
        sizes = end.drop(verified, NAME)
        assert sizes is not None
        before, after = sizes
        assert after.replaced == 0 < before.replaced
        return verified

    def test_to_drop_again_changes_nothing_and_is_no_error(
        self, dropped: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        transitions = rows(dropped, "SELECT count(*) FROM migration_transitions")
        monkeypatch.setenv("LINEAGE_DSN", dropped.dsn)
        with pytest.raises(SystemExit) as ended:
            cli.main(["migration", "drop", NAME])
        assert ended.value.code == 0
        assert capsys.readouterr().out == f"{NAME} is done already: the old is dropped.\n"
        assert rows(dropped, "SELECT count(*) FROM migration_transitions") == transitions

    def test_a_view_of_the_old_name_shows_what_readers_saw(self, dropped: Store) -> None:
        assert rows(dropped, "SELECT relkind FROM pg_class WHERE relname = 'dataset_versions_field_mapping'") == [
            ("v",)
        ]
        assert len(rows(dropped, OLD_MAPPING)) == 62
        assert rows(dropped, OLD_MAPPING) == rows(dropped, READERS_SEE)

    def test_the_store_is_still_what_the_declarations_say(self, dropped: Store) -> None:
        assert whole_store.differences(dropped) == []

    def test_an_upgrade_leaves_it_dropped(self, dropped: Store) -> None:
        whole_store.upgrade(dropped)
        assert whole_store.differences(dropped) == []

    def test_normalization_goes_on_without_the_old_mapping(self, dropped: Store) -> None:
        event = run_event("COMPLETE", outputs=[dataset("sums", fields=[("total", "DECIMAL"), ("tax", "DECIMAL")])])
        put(dropped, [event])
        assert normalize(dropped, SerialRunner()).events == 1
        assert len(rows(dropped, OLD_MAPPING)) == 64

    def test_readers_may_read_it(self, dropped: Store) -> None:
        with dropped.connect(role="lineage_reader") as connection:
            connection.execute("SELECT FROM dataset_versions_field_mapping, dataset_version_fields LIMIT 1")

    def test_nothing_more_can_be_done(self, dropped: Store) -> None:
        assert migrate(dropped, NAME, ThreadRunner()).state == "dropped"
        with pytest.raises(NeedsOperator):
            end.roll_back(dropped, NAME)


def test_only_the_owner_may_drop(verified: Store, postgres_server: Server) -> None:
    end.cut_over(verified, NAME)
    with pytest.raises(NeedsOperator, match="owns the database"):
        end.drop(jobs_login(postgres_server, verified), NAME)


def test_an_unknown_migration_is_named(database: Store) -> None:
    there = "column-pairs, column-schemas, facets, schema-fields, schema-keys, schema-versions"
    with pytest.raises(WrongUsage, match=f"'everything'; there are {there}"):
        end.finalize(database, "everything")
