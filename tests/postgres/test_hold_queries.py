"""Queries that hold a long migration: who may store one, what one can be, and what one can do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.decisions.settings import DEFAULTS, MigrationSettings
from lineage_core.long_migrations.declared.schema_versions import MIGRATION
from lineage_core.long_migrations.store import hold_queries, records
from lineage_core.long_migrations.store.health import Health
from lineage_core.operate import whole_store
from lineage_core.postgres.connection import connect
from lineage_core.postgres.store import Store
from tests.support.servers import jobs_login
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping]

NAME = MIGRATION.name

NOT_ONE_SELECT = {
    "the end of the transaction, and another statement": "COMMIT; CREATE TABLE planted ()",
    "a transaction's end alone": "COMMIT",
    "two statements": "SELECT 1; SELECT 2",
    "a bracket closed too early": "SELECT 1) AS a; COMMIT; CREATE TABLE planted (); SELECT * FROM (SELECT 1",
    "a write": "DELETE FROM hold_queries RETURNING 1",
    "a write within": "WITH gone AS (DELETE FROM hold_queries RETURNING 1) SELECT * FROM gone",
    "a table made": "CREATE TABLE planted ()",
    "a table made by a select": "SELECT 1 AS one INTO planted",
    "a setting": "SET transaction_read_only = off",
    "a code block": "DO 'BEGIN CREATE TABLE planted (); END'",
    "a copy": "COPY hold_queries TO STDOUT",
    "a call": "CALL nothing()",
    "an explanation": "EXPLAIN ANALYZE SELECT 1",
    "a lock of rows": "SELECT 1 FROM hold_queries FOR UPDATE",
    "a parameter": "SELECT $1",
    "nothing": "",
    "a comment": "-- nothing",
}
NOT_ONE_VALUE = {
    "two rows": "SELECT 1 UNION ALL SELECT 2",
    "two columns": "SELECT 1, 2",
    "no number": "SELECT 'soon'",
    "a bracket closed and opened again": "SELECT 1) AS a, (SELECT 2",
}
NOT_FOR_THE_READER = {
    "a number of a sequence": "SELECT nextval('staged_parts_id_seq')",
    "an alarm of another": "SELECT count(*) FROM (SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE pid <> pg_backend_pid()) AS gone",
    "a file": "SELECT length(pg_read_file('postgresql.conf'))",
    "what jobs alone may see": "SELECT count(*) FROM staging.jobs",
    "a function that writes as its owner": "SELECT count(*) FROM ensure_event_partitions(0)",
    "a write by a function that takes a query": "SELECT length(query_to_xml('DELETE FROM leases RETURNING 1', true,"
    " true, '')::text)",
    "a write once the role is given back": "SELECT length(query_to_xml(format('DELETE FROM leases RETURNING %L',"
    " set_config('role', 'none', true)), true, true, '')::text)",
    "read and write again": "SELECT length(set_config('transaction_read_only', 'off', true))",
}


@pytest.fixture
def planned(database: Store) -> Iterator[Store]:
    """A store in which a migration is planned."""
    records.plan(database, NAME)
    yield database
    assert rows(database, "SELECT to_regclass('planted')") == [(None,)]


def _asked(store: Store, name: str) -> float | None:
    with store.connect(autocommit=True) as connection:
        return Health(store, connection, MIGRATION).signals(MigrationSettings(hold_query=name)).asked


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("SELECT true", 1),
        ("SELECT false", 0),
        ("SELECT 2.5", 2.5),
        ("SELECT NULL", None),
        ("SELECT 1 WHERE false", None),
        ("  VALUES (3);\n", 3),
        ("WITH one AS (SELECT 1 AS x) SELECT x FROM one -- and no more", 1),
        ('SELECT 7 % 4 AS "100%"', 3),
        ("SELECT count(*) FROM pg_stat_activity WHERE datname = 'nothing of that name'", 0),
    ],
)
def test_one_select_of_one_value_is_stored_and_says_what_it_says(
    planned: Store, query: str, value: float | None
) -> None:
    assert hold_queries.add(planned, "mine", query) == value
    assert _asked(planned, "mine") == value
    ((login,),) = rows(planned, "SELECT stored_by FROM hold_queries")
    assert [(one.name, one.stored_by) for one in hold_queries.stored_queries(planned)] == [("mine", login)]


def test_anything_else_is_refused_when_it_is_stored(planned: Store) -> None:
    for kind, query in (NOT_ONE_SELECT | NOT_ONE_VALUE | NOT_FOR_THE_READER).items():
        with pytest.raises(WrongUsage) as refused:
            hold_queries.add(planned, "mine", query)
        assert "The query fails where it may only read" in str(refused.value), kind
        assert hold_queries.stored_queries(planned) == [], kind


def test_anything_else_does_nothing_even_if_it_is_stored_by_other_means(planned: Store) -> None:
    queries = NOT_ONE_SELECT | NOT_ONE_VALUE | NOT_FOR_THE_READER
    with planned.connect() as connection:
        connection.execute("INSERT INTO leases (name, epoch) VALUES ('kept', 1)")
        for kind, query in queries.items():
            connection.execute("INSERT INTO hold_queries (name, query) VALUES (%s, %s)", [_name(kind), query])
    for kind in queries:
        with pytest.raises(NeedsOperator) as failed:
            _asked(planned, _name(kind))
        assert f"The query '{_name(kind)}' that should hold '{NAME}' fails" in str(failed.value)
        assert rows(planned, "SELECT name, to_regclass('planted') FROM leases") == [("kept", None)], kind
    assert len(hold_queries.stored_queries(planned)) == len(queries)


def _name(kind: str) -> str:
    """Of the query that shows a kind."""
    return re.sub("[^a-z]+", "_", kind)


def test_a_query_that_takes_too_long_is_refused_when_it_is_stored(planned: Store) -> None:
    with pytest.raises(WrongUsage, match="more than 1 s"):
        hold_queries.add(planned, "mine", "SELECT 0 FROM pg_sleep(60)")


def test_what_a_query_sets_or_locks_is_gone_when_it_has_been_asked(planned: Store) -> None:
    hold_queries.add(
        planned, "mine", "SELECT length(set_config('statement_timeout', '7', false)) FROM pg_advisory_lock(42)"
    )
    with planned.connect(autocommit=True) as connection:
        health = Health(planned, connection, MIGRATION)
        assert health.signals(MigrationSettings(hold_query="mine")).asked == len("7ms")
        assert connection.execute("SELECT current_setting('statement_timeout')").fetchone() == ("0",)
        # Its session has been closed, which the server may see a moment later.
        connection.execute("SET lock_timeout = '10s'")
        connection.execute("SELECT pg_advisory_lock(42)")


def test_it_is_asked_as_the_role_that_reads_also_where_that_has_a_prefix(
    planned: Store, postgres_server: Server
) -> None:
    whole_store.upgrade(planned, "held_")
    assert hold_queries.add(planned, "mine", "SELECT (current_user = 'held_lineage_reader')::integer") == 1
    postgres_server.ensure_role("held_worker", "NOSUPERUSER")
    postgres_server.run_sql("GRANT held_lineage_jobs TO held_worker;")
    assert _asked(Store(make_conninfo(planned.dsn, user="held_worker")), "mine") == 1


@pytest.mark.parametrize("role", ["lineage_jobs", "lineage_operator", "lineage_reader", "lineage_ingest"])
def test_no_one_but_the_owner_stores_one(database: Store, role: str) -> None:
    with database.connect(role=role, autocommit=True) as connection:
        for statement in (
            "INSERT INTO hold_queries (name, query) VALUES ('mine', 'SELECT 1')",
            "UPDATE hold_queries SET query = 'SELECT 1'",
            "DELETE FROM hold_queries",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())


def test_whoever_steers_a_migration_chooses_among_them_by_name(planned: Store, postgres_server: Server) -> None:
    worker = jobs_login(postgres_server, planned)
    with pytest.raises(NeedsOperator, match="that owns the database"):
        hold_queries.add(worker, "mine", "SELECT 1")
    with pytest.raises(WrongUsage, match="No hold query is called 'mine'"):
        records.change_setting(worker, NAME, "hold_query", "mine")
    hold_queries.add(planned, "mine", "SELECT 1")
    settings = records.change_setting(worker, NAME, "hold_query", "mine")
    with connect(worker.dsn, autocommit=True) as connection:
        assert Health(worker, connection, MIGRATION).signals(settings).asked == 1


def test_a_setting_takes_no_statement(planned: Store) -> None:
    for text in filter(None, [*NOT_ONE_SELECT.values(), *NOT_FOR_THE_READER.values(), "Mine", "-", "a b"]):
        with pytest.raises(WrongUsage) as refused:
            records.change_setting(planned, NAME, "hold_query", text)
        assert "is the name of a stored query" in str(refused.value), text
        assert records.status(planned, NAME).settings["hold_query"] == "", text


def test_a_statement_that_was_written_into_the_settings_by_other_means_is_not_run(planned: Store) -> None:
    with planned.connect() as connection:
        connection.execute(
            "UPDATE migrations SET settings = %s::jsonb",
            [json.dumps({"hold_query": "COMMIT; CREATE TABLE planted ()"})],
        )
    with planned.connect(autocommit=True) as connection, pytest.raises(NeedsOperator, match="No hold query is called"):
        Health(planned, connection, MIGRATION).judge(MigrationSettings(hold_query="COMMIT; CREATE TABLE planted ()"))


def test_one_that_a_migration_asks_is_not_removed(planned: Store) -> None:
    hold_queries.add(planned, "mine", "SELECT 1")
    records.change_setting(planned, NAME, "hold_query", "mine")
    with pytest.raises(NeedsOperator, match=f"migration set {NAME} hold_query ''"):
        hold_queries.remove(planned, "mine")
    records.change_setting(planned, NAME, "hold_query", "")
    hold_queries.remove(planned, "mine")
    assert hold_queries.stored_queries(planned) == []
    with pytest.raises(WrongUsage, match="No hold query is called 'mine'"):
        hold_queries.remove(planned, "mine")


def test_without_a_name_nothing_is_asked(planned: Store) -> None:
    with planned.connect(autocommit=True) as connection:
        assert Health(Store("no address"), connection, MIGRATION).signals(DEFAULTS).asked is None
