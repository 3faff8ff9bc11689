"""The group roles: what each may do, and what it may not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege

from lineage_core.declare.database_names import INGEST, JOBS, MARQUEZ, OPERATORS, READER, ROLES
from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import DEFAULT, OPERATOR, OWNER, UNFILLED
from lineage_core.ingest.store import insert_event
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.operate import whole_store
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import dataset, run_event, to_json
from tests.support.servers import Databases

pytestmark = pytest.mark.postgres

EVENT = "INSERT INTO lineage_events (event_time, event) VALUES (now(), '{}')"
LATE_EVENT = "INSERT INTO lineage_events (event_time, event) VALUES ('2001-01-01Z', '{}')"
REFUSED_DOCUMENT = (
    "INSERT INTO quarantine (reason, path, raw, source) VALUES ('no JSON', '$', 'x', 'a file') ON CONFLICT DO NOTHING"
)
WRITTEN_BY_INGEST = {"lineage_events": {"event_time", "event"}, "quarantine": {"reason", "path", "raw", "source"}}
NAMESPACE = "INSERT INTO namespaces (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), 'n')"
OWNERSHIP = "INSERT INTO namespace_ownerships (uuid, started_at) VALUES (gen_random_uuid(), now())"
TAG = "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), 't')"
READ_ALL = [f"SELECT * FROM {table.name}" for table in all_tables()]
VIEWS = ["jobs_view", "datasets_view", "runs_view", "dataset_version_facets", "job_version_facets", "run_facets_view"]

MAKING_PARTITIONS = [
    "SELECT create_event_partition('2001-01-01Z', true)",
    "SELECT attach_event_partition('2001-01-01Z', true)",
    "SELECT move_events('2001-01-01Z', '2001-02-01Z')",
]
DISCARDING = "SELECT discard_documents('{1}', 'w')"
RECORDING = "SELECT record_act('stream stop', 'runs', 'off', NULL)"
STEERING = "SELECT lock_migration('facets')"
TAKING_IN = ["SELECT lock_document(1)", "SELECT take_in_document(1, 0)", "SELECT refuse_document_again(1, 'r', '$')"]
FORGING = [
    "INSERT INTO operator_acts (login, what, subject, outcome) VALUES ('ann', 'w', 's', 'o')",
    "UPDATE operator_acts SET person = 'ann'",
    "DELETE FROM operator_acts",
]
CROWDED = "SELECT crowded_event_times(0)"
RESTORING = """SELECT restore_events(1, '{"{}"}', '{2001-01-01Z}', '{2001-01-01Z}', '{1}')"""
RESTORING_UNDER_A_HOLD = """DO $$
DECLARE hold bigint;
BEGIN
    INSERT INTO retention_holds (namespace_pattern, manifest, why) VALUES ('*', 'm', 'w') RETURNING id INTO hold;
    PERFORM restore_events(hold, '{"{}"}', '{2001-01-01Z}', '{2001-01-01Z}', '{1}');
END
$$"""
DELETING = [
    "SELECT delete_archived_events('{1}', '{1}', '{2001-01-01Z}')",
    "SELECT drop_event_partition('lineage_events_2001_01', 0, 0)",
]

ALLOWED = {
    INGEST: [EVENT, LATE_EVENT, REFUSED_DOCUMENT, "SELECT java_uuid('x')"],
    JOBS: [
        *READ_ALL,
        REFUSED_DOCUMENT,
        "DELETE FROM quarantine",
        NAMESPACE,
        "UPDATE namespaces SET description = 'd'",
        "DELETE FROM namespaces",
        "SELECT FROM leases FOR UPDATE",
        "INSERT INTO staged_parts (epoch, slice, partition, rows) VALUES (1, 1, 1, '{}')",
        "INSERT INTO staging.namespaces (part_id) VALUES (1)",
        "SELECT * FROM staging.namespaces",
        "TRUNCATE staging.namespaces",
        "SELECT create_event_partition('2001-01-01Z', true), attach_event_partition('2001-01-01Z', true)",
        CROWDED,
        "SELECT move_events('2001-01-01Z', '2001-02-01Z')",
        "SELECT guard_event_partitions()",
        "SELECT renumber_foreign_events()",
        *DELETING,
        RECORDING,
        STEERING,
        "SELECT key_uuid('x', 'y')",
    ],
    OPERATORS: [
        OWNERSHIP,
        "DELETE FROM namespace_ownerships",
        "INSERT INTO owners (uuid, created_at, name) VALUES (gen_random_uuid(), now(), 'ann')",
        "SELECT name, current_owner_name FROM namespaces FOR UPDATE",
        "UPDATE namespaces SET current_owner_name = 'ann', description = 'd', is_hidden = true",
        "UPDATE datasets SET is_hidden = true",
        "UPDATE jobs SET is_hidden = true, symlink_target_uuid = NULL",
        TAG,
        "UPDATE tags SET description = 'd'",
        "DELETE FROM datasets_tag_mapping",
        RESTORING_UNDER_A_HOLD,
        "SELECT FROM discarded_documents",
        DISCARDING,
        "SELECT FROM operator_acts",
        RECORDING,
        STEERING,
        *TAKING_IN,
    ],
    MARQUEZ: [*READ_ALL, TAG, "UPDATE jobs SET is_hidden = true", "SELECT utf16_order('x')"],
    READER: [*READ_ALL, *(f"SELECT * FROM {view}" for view in VIEWS), "SELECT utf16_order('x')", CROWDED],
}

FORBIDDEN = {
    INGEST: [
        *READ_ALL,
        "UPDATE lineage_events SET event = '{}'",
        "DELETE FROM lineage_events",
        "TRUNCATE lineage_events",
        "DELETE FROM quarantine",
        NAMESPACE,
        "INSERT INTO lineage_events_default (event_time, event) VALUES (now(), '{}')",
        "SELECT nextval('lineage_events_arrival_seq')",
        "SELECT setval('lineage_events_arrival_seq', 1)",
        "SELECT nextval('quarantine_id_seq')",
        "SELECT guard_event_partitions()",
        "SELECT renumber_foreign_events()",
        "SELECT * FROM staging.namespaces",
        *MAKING_PARTITIONS,
        CROWDED,
        *DELETING,
        RESTORING,
        "CREATE TABLE mine ()",
        "CREATE SCHEMA mine",
    ],
    JOBS: [
        EVENT,
        "UPDATE lineage_events SET event = '{}'",
        "DELETE FROM lineage_events",
        "TRUNCATE namespaces",
        OWNERSHIP,
        "DELETE FROM namespace_ownerships",
        "DROP TABLE namespaces",
        "ALTER TABLE namespaces ADD COLUMN mine text",
        "CREATE TABLE mine ()",
        "CREATE TABLE staging.mine ()",
        "INSERT INTO lineage_events_moved (event_time, event, is_moved) VALUES ('1969-01-01Z', '{}', true)",
        "SELECT setval('quarantine_id_seq', 1)",
        RESTORING,
        DISCARDING,
        "DELETE FROM discarded_documents",
        *TAKING_IN,
        *FORGING,
    ],
    OPERATORS: [
        *FORGING,
        "SELECT FROM migrations",
        "UPDATE migrations SET state = 'dropped'",
        "UPDATE discarded_documents SET why = 'w'",
        "DELETE FROM discarded_documents",
        EVENT,
        NAMESPACE,
        "SELECT FROM lineage_events",
        "SELECT FROM quarantine",
        "UPDATE namespaces SET name = 'n'",
        "UPDATE jobs SET description = 'd'",
        "UPDATE owners SET name = 'n'",
        "DELETE FROM datasets",
        "INSERT INTO jobs_fqn (job_fqn) VALUES ('j')",
        *DELETING,
        "SELECT * FROM staging.namespaces",
        "CREATE TABLE mine ()",
    ],
    MARQUEZ: [
        EVENT,
        REFUSED_DOCUMENT,
        NAMESPACE,
        "DELETE FROM tags",
        "UPDATE jobs SET name = 'j'",
        "SELECT * FROM staging.namespaces",
        "SELECT refresh_hourly_counts()",
        *MAKING_PARTITIONS,
        *DELETING,
        RESTORING,
        "CREATE TABLE mine ()",
    ],
    READER: [
        RECORDING,
        STEERING,
        *TAKING_IN,
        *FORGING,
        EVENT,
        REFUSED_DOCUMENT,
        NAMESPACE,
        "DELETE FROM runs",
        "UPDATE jobs SET is_hidden = true",
        "SELECT * FROM staging.namespaces",
        "SELECT nextval('quarantine_id_seq')",
        *MAKING_PARTITIONS,
        *DELETING,
        RESTORING,
        "CREATE TABLE mine ()",
    ],
}


@pytest.fixture(scope="module")
def upgraded(databases: Databases, _template: str) -> Iterator[Store]:
    """One database for all that is tried, since each rolls back."""
    with databases.copied(_template) as database:
        yield database


@contextmanager
def _acting_as(database: Store, role: str) -> Iterator[Connection]:
    with database.connect(role=role) as connection:
        yield connection
        connection.rollback()


def _failures(database: Store, statements: dict[str, list[str]]) -> Iterator[tuple[str, str, str | None]]:
    """By role, each statement and the error that it ends with, if any; none sees what another did."""
    for role, wanted in statements.items():
        with database.connect(role=role) as connection:
            for statement in wanted:
                try:
                    connection.execute(statement.encode())
                    yield role, statement, None
                except psycopg.Error as error:
                    yield role, statement, type(error).__name__
                connection.rollback()


def test_each_role_may_do_what_is_its_work(upgraded: Store) -> None:
    assert [failed for failed in _failures(upgraded, ALLOWED) if failed[-1] is not None] == []


def test_no_role_may_do_what_is_the_work_of_others(upgraded: Store) -> None:
    found = list(_failures(upgraded, FORBIDDEN))
    assert [one for one in found if one[-1] != InsufficientPrivilege.__name__] == []


def test_jobs_write_every_table_but_raw_events_and_what_only_people_fill(upgraded: Store) -> None:
    by_no_event = {
        table.name
        for table in all_tables()
        if all(column.rule in (OPERATOR, OWNER, UNFILLED, DEFAULT) for column in table.columns)
    }
    names = [table.name for table in all_tables()]
    with _acting_as(upgraded, JOBS) as connection:
        written = connection.execute(
            "SELECT name FROM unnest(%s::text[]) AS name WHERE has_table_privilege('public.' || name, 'UPDATE')",
            [names],
        ).fetchall()
    assert {name for (name,) in written} == {*names} - by_no_event - {"lineage_events"}


def test_who_ingests_writes_what_he_hands_in_and_no_other_column(upgraded: Store) -> None:
    with upgraded.connect() as connection:
        found = connection.execute(
            "SELECT name, array_agg(attname::text) FROM unnest(%s::text[]) AS name"
            " JOIN pg_attribute ON attrelid = name::regclass AND attnum > 0 AND"
            " has_column_privilege('lineage_ingest', attrelid, attname, 'INSERT, SELECT, UPDATE, REFERENCES')"
            " GROUP BY name",
            [[table.name for table in all_tables()]],
        ).fetchall()
    assert {table: {*columns} for table, columns in found} == WRITTEN_BY_INGEST


def test_a_partition_made_later_gives_no_one_more_than_its_table_does(database: Store) -> None:
    with database.connect(autocommit=True) as connection:
        connection.execute("ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO lineage_ingest")
        whole_store.upgrade(database)
        connection.execute(
            "SELECT create_event_partition('2001-01-01Z', false), attach_event_partition('2001-01-01Z', false)"
        )
    with _acting_as(database, INGEST) as connection, pytest.raises(InsufficientPrivilege):
        connection.execute("INSERT INTO lineage_events_2001_01 (event_time, event) VALUES ('2001-01-01Z', '{}')")


def test_the_roles_cannot_log_in(upgraded: Store) -> None:
    with upgraded.connect() as connection:
        found = connection.execute(
            "SELECT rolname, rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles"
            " WHERE rolname = ANY(%s) ORDER BY rolname",
            [list(ROLES)],
        ).fetchall()
    assert found == [(role, *[False] * 5) for role in ROLES]


def test_an_upgrade_takes_back_what_is_not_declared(database: Store) -> None:
    with database.connect() as connection:
        connection.execute("GRANT DELETE ON jobs TO lineage_reader")
    whole_store.upgrade(database)
    with _acting_as(database, READER) as connection, pytest.raises(InsufficientPrivilege):
        connection.execute("DELETE FROM jobs")


def test_two_databases_of_a_cluster_share_the_roles(database: Store, empty_database: Store) -> None:
    whole_store.upgrade(empty_database)
    for one in (database, empty_database):
        with _acting_as(one, READER) as connection:
            connection.execute("SELECT FROM jobs")


def test_another_owner_may_upgrade_his_database_with_roles_that_are_not_his(postgres_server: Server) -> None:
    postgres_server.ensure_role("somebody", "NOSUPERUSER CREATEROLE")
    postgres_server.ensure_database("somebodys", "somebody")
    database = Store(postgres_server.dsn("somebody", "somebodys"))
    whole_store.upgrade(database)
    assert whole_store.differences(database) == []
    postgres_server.run_sql("DROP DATABASE somebodys WITH (FORCE);")


def test_a_plain_member_works_with_what_his_group_may(upgraded: Store, postgres_server: Server) -> None:
    postgres_server.ensure_role("producer", "NOSUPERUSER")
    postgres_server.run_sql("GRANT lineage_ingest TO producer;")
    with connect(make_conninfo(upgraded.dsn, user="producer")) as connection:
        connection.execute(EVENT)
        connection.rollback()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT FROM lineage_events")
        connection.rollback()


def test_plain_members_do_the_whole_work(database: Store, postgres_server: Server) -> None:
    """One ingests, another normalizes, a third reads; no one owns anything."""
    for name, group in (("producer", INGEST), ("worker", JOBS), ("analyst", READER)):
        postgres_server.ensure_role(name, "NOSUPERUSER")
        postgres_server.run_sql(f"GRANT {group} TO {name};")
    past = dataset("orders", fields=[("id", "INT")])
    for event in (run_event("START", inputs=[past]), run_event("COMPLETE", outputs=[dataset("sums")])):
        insert_event(Store(make_conninfo(database.dsn, user="producer")), to_json(event))
    outcome = normalize(Store(make_conninfo(database.dsn, user="worker")), SerialRunner())
    assert (outcome.events, outcome.quarantined) == (2, 0)
    with connect(make_conninfo(database.dsn, user="analyst")) as connection:
        found = connection.execute("SELECT name FROM datasets_view ORDER BY name").fetchall()
    assert found == [("orders",), ("sums",)]
