"""The views: what Marquez reads, and the facets of versions as proposal 2078 lists them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta

import psycopg
import pytest

from lineage_core import statements
from lineage_core.declare.views import all_views
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, named_job, run_event
from tests.support.stores import take_in

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping, pytest.mark.both_servers]

COLUMNS = """
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 ORDER BY attnum
"""
A, B, C = (uuid.UUID(int=number) for number in (10, 11, 12))


@pytest.fixture
def connection(database: Store) -> Iterator[Connection]:
    with database.connect() as opened:
        yield opened
        opened.rollback()


def _insert(connection: Connection, table: str, **values: object) -> None:
    """A row with what is given; what must not be null and is not given is made up."""
    required = connection.execute(
        "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = %s::regclass"
        " AND attnum > 0 AND attnotnull AND NOT atthasdef",
        [table],
    )
    made_up: dict[str, object] = {"uuid": uuid.uuid4(), "jsonb": "{}", "character varying": "x"}
    row = {name: made_up.get(type_, "2026-01-01Z") for name, type_ in required} | values
    columns, places = ", ".join(row), ", ".join(["%s"] * len(row))
    connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})".encode(), list(row.values()))


@pytest.mark.parametrize("entity", ["dataset", "job"])
def test_version_facets_have_the_columns_of_the_proposal(connection: Connection, entity: str) -> None:
    found = connection.execute(COLUMNS, [f"{entity}_version_facets"]).fetchall()
    assert [(name, type_.partition("(")[0]) for name, type_ in found] == [
        (f"{entity}_version_uuid", "uuid"),
        ("name", "character varying"),
        ("facet", "jsonb"),
    ]


def test_version_facets_are_the_last_word_of_each_facet(database: Store, connection: Connection) -> None:
    words = [
        ("START", TIME, {"note": facet(n=1), "size": facet(n=3)}),
        ("COMPLETE", TIME + timedelta(hours=1), {"note": facet(n=2)}),
    ]
    take_in(
        database,
        [run_event(kind, time=time, outputs=[dataset("d", facets=facets)]) for kind, time, facets in words],
    )
    found = connection.execute("SELECT name, facet FROM dataset_version_facets ORDER BY name").fetchall()
    assert found == [("note", {"note": facet(n=2)}), ("size", {"size": facet(n=3)})]


def test_jobs_view_shows_the_parent_and_hides_what_is_hidden_or_replaced(connection: Connection) -> None:
    _insert(connection, "jobs", uuid=A, name="dag", simple_name="dag", is_hidden=False)
    _insert(connection, "jobs", uuid=B, name="dag.task", simple_name="task", parent_job_uuid=A, is_hidden=False)
    _insert(connection, "jobs", name="hidden", is_hidden=True)
    _insert(connection, "jobs", name="old", symlink_target_uuid=A, is_hidden=False)
    found = connection.execute("SELECT name, parent_job_name, parent_job_uuid_string FROM jobs_view ORDER BY name")
    assert found.fetchall() == [("dag", None, None), ("dag.task", "dag", str(A))]


def test_runs_view_names_the_job_that_took_the_place(connection: Connection) -> None:
    _insert(connection, "jobs", uuid=A, name="new", namespace_name="n", is_hidden=False)
    _insert(connection, "jobs", uuid=B, name="old", namespace_name="o", symlink_target_uuid=A, is_hidden=False)
    _insert(connection, "runs", uuid=C, job_uuid=B)
    _insert(connection, "runs", job_uuid=None)
    assert connection.execute("SELECT uuid, job_name, namespace_name FROM runs_view").fetchall() == [(C, "new", "n")]


def test_datasets_view_shows_a_dataset_under_each_of_its_names(connection: Connection) -> None:
    raw, formatted = uuid.uuid4(), uuid.uuid4()
    _insert(connection, "namespaces", uuid=formatted, name="n_s")
    _insert(connection, "namespaces", uuid=raw, name="n;s")
    _insert(connection, "datasets", uuid=A, name="d", namespace_uuid=formatted, namespace_name="n_s", is_hidden=False)
    _insert(connection, "dataset_symlinks", dataset_uuid=A, namespace_uuid=formatted, name="d", is_primary=True)
    _insert(connection, "dataset_symlinks", dataset_uuid=A, namespace_uuid=raw, name="alias")
    query = "SELECT namespace_uuid, namespace_name, name FROM datasets_view ORDER BY name"
    assert connection.execute(query).fetchall() == [(raw, "n;s", "alias"), (formatted, "n_s", "d")]
    pair = "SELECT uuid FROM datasets_view WHERE CAST((%s, %s) AS dataset_name) = ANY (dataset_symlinks)"
    assert connection.execute(pair, ["n;s", "alias"]).fetchall() == [(A,)]
    connection.execute("UPDATE datasets SET is_hidden = true")
    assert connection.execute(query).fetchall() == []


def test_facet_views_show_the_facets_under_both_names(database: Store, connection: Connection) -> None:
    facets = {"first": facet(n=1)}
    take_in(
        database,
        [run_event(facets=facets, job=named_job(facets=facets), outputs=[dataset(facets=facets)])],
    )
    for view in (f"{entity}_{name}" for entity in ("run", "job", "dataset") for name in ("facets", "facets_view")):
        found = connection.execute(f"SELECT name, facet, created_at FROM {view}".encode()).fetchall()
        assert found == [("first", facets, TIME)], view


@pytest.mark.parametrize("written", ["INSERT INTO {} DEFAULT VALUES", "UPDATE {0} SET {1} = {1}", "DELETE FROM {}"])
def test_facets_are_not_written_through_their_view(database: Store, written: str) -> None:
    facets = {"first": facet(n=1)}
    take_in(database, [run_event(facets=facets, job=named_job(facets=facets), outputs=[dataset(facets=facets)])])
    for view in ("run_facets", "job_facets", "dataset_facets"):
        with database.connect() as connection, pytest.raises(psycopg.Error) as refused:
            connection.execute(written.format(view, "name").encode())
        diagnostics = refused.value.diag
        why = f"{view} is a view: its rows follow from events, so it cannot be written"
        assert diagnostics.message_primary == why
        assert "lineage ingest" in (diagnostics.message_hint or ""), view


def test_who_writes_into_a_view_learns_why_he_cannot(connection: Connection) -> None:
    for view in all_views():
        why = "cannot change materialized view" if view.is_materialized else f"{view.name} is a view: its rows follow"
        with pytest.raises(psycopg.Error) as refused:
            connection.execute(f"INSERT INTO {view.name} DEFAULT VALUES".encode())
        assert why in str(refused.value)
        connection.rollback()


def test_the_hourly_view_counts_events_by_type(connection: Connection) -> None:
    for minute, event_type in [("05", "START"), ("06", "START"), ("50", "COMPLETE"), ("51", "complete"), ("52", None)]:
        connection.execute(
            "INSERT INTO lineage_events (event_time, event) VALUES (%s, jsonb_build_object('eventType', %s::text))",
            [f"2026-01-01T07:{minute}Z", event_type],
        )
    connection.execute("REFRESH MATERIALIZED VIEW lineage_events_by_type_hourly_view")
    found = connection.execute(
        "SELECT start_interval = '2026-01-01T07:00Z', fail, start, complete, abort"
        " FROM lineage_events_by_type_hourly_view"
    )
    assert found.fetchall() == [(True, 0, 2, 1, 0)]


READS = """
SELECT DISTINCT other.relname
FROM pg_rewrite AS rule
JOIN pg_depend AS need ON need.classid = 'pg_rewrite'::regclass AND need.objid = rule.oid
    AND need.refclassid = 'pg_class'::regclass AND need.refobjid <> rule.ev_class
JOIN pg_class AS other ON other.oid = need.refobjid
WHERE rule.ev_class = %s::regclass
"""


def test_every_view_reads_what_it_declares(connection: Connection) -> None:
    reads = {view.name: {name for (name,) in connection.execute(READS, [view.name])} for view in all_views()}
    assert reads == {view.name: set(view.reads) for view in all_views()}


def test_every_view_is_declared(connection: Connection) -> None:
    found = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')"
    )
    assert (
        {name for (name,) in found}
        == {view.name for view in all_views()}
        == set(map(statements.own_name, statements.in_each_room("views")))
    )
