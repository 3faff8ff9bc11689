"""What Marquez asks of the views, and what our own queries ask, is found by index, however many keys at a time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from lineage_core import statements
from lineage_core.answers.search.facet_values import AT_ONCE
from lineage_core.answers.search.place import SearchPlace
from lineage_core.answers.search.search import MOST_USES, PUT_IN_ORDER, found_statement
from lineage_core.own_lineage.datasets import OWN_NAMESPACE
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, named_job, run_event
from tests.support.query_plans import plan_nodes, tables_read_whole
from tests.support.servers import Databases
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

RUNS = 6_000
JOBS = 600
COLUMNS = [("id", "INT"), ("total", "INT")]
LARGE = {
    "event_ledger",
    "dataset_mentions",
    "facet_sets",
    "facets",
    "column_lineage_versions",
    "dataset_versions",
    "runs",
}
"""Tables that grow with the events, so that no one who asks for a few of their rows may read them all."""

SOME = {
    "run": "SELECT uuid FROM runs ORDER BY created_at LIMIT {}",
    "dataset_version": "SELECT uuid FROM dataset_versions ORDER BY created_at LIMIT {}",
    "job_version": "SELECT uuid FROM job_versions ORDER BY created_at LIMIT {}",
    "read_version": "SELECT DISTINCT input_dataset_version_uuid FROM column_lineage_versions ORDER BY 1 LIMIT {}",
    "output_field": "SELECT output_dataset_field_uuid FROM column_lineage_pairs ORDER BY 1 LIMIT {}",
    "input_field": "SELECT input_dataset_field_uuid FROM column_lineage_pairs ORDER BY 1 LIMIT {}",
}
ASKED = {
    "facets of runs": ("run", "SELECT * FROM run_facets WHERE run_uuid = ANY (%s)"),
    "facets that runs gave their jobs": ("run", "SELECT * FROM job_facets WHERE run_uuid = ANY (%s)"),
    "facets of runs, joined": (
        "run",
        "SELECT * FROM unnest(%s::uuid[]) AS run (uuid) JOIN run_facets_view AS mention ON mention.run_uuid = run.uuid",
    ),
    "facets that runs gave their jobs, joined": (
        "run",
        "SELECT * FROM unnest(%s::uuid[]) AS run (uuid) JOIN job_facets_view AS mention ON mention.run_uuid = run.uuid",
    ),
    "facets of dataset versions, joined": (
        "dataset_version",
        "SELECT * FROM unnest(%s::uuid[]) AS version (uuid)"
        " JOIN dataset_facets_view AS mention ON mention.dataset_version_uuid = version.uuid",
    ),
    "facets that runs gave datasets": ("run", "SELECT * FROM dataset_facets WHERE run_uuid = ANY (%s)"),
    "facets of dataset versions": (
        "dataset_version",
        "SELECT * FROM dataset_facets WHERE dataset_version_uuid = ANY (%s)",
    ),
    "facets of job versions": ("job_version", "SELECT * FROM job_facets WHERE job_version_uuid = ANY (%s)"),
    "origins of versions": (
        "dataset_version",
        "SELECT * FROM column_lineage WHERE output_dataset_version_uuid = ANY (%s)",
    ),
    "what was made of versions": (
        "read_version",
        "SELECT * FROM column_lineage WHERE input_dataset_version_uuid = ANY (%s)",
    ),
    "origins of columns": ("output_field", "SELECT * FROM column_lineage WHERE output_dataset_field_uuid = ANY (%s)"),
    "what was made of columns": (
        "input_field",
        "SELECT * FROM column_lineage WHERE input_dataset_field_uuid = ANY (%s)",
    ),
    "columns of versions by the old mapping": (
        "dataset_version",
        "SELECT * FROM dataset_versions_field_mapping WHERE dataset_version_uuid = ANY (%s)",
    ),
}
"""Whose keys, and what is asked of them."""
JOINED = {
    f"{asked}, joined": (
        keys,
        query.replace(" WHERE ", " JOIN unnest(%s::uuid[]) AS key (uuid) ON ").replace("= ANY (%s)", "= key.uuid"),
    )
    for asked, (keys, query) in ASKED.items()
    if "= ANY" in query
}
"""The same by a join, as of runs that a query has found itself."""


def events() -> Iterator[dict[str, Any]]:
    """Each run has facets that no other has, and its datasets are those of one of a few jobs."""
    for run in range(RUNS):
        job = run % JOBS
        own = {"own": facet(n=run)}
        made_of = {"total": {"inputFields": [{"namespace": "shop", "name": f"orders {job}", "field": "id"}]}}
        yield run_event(
            "COMPLETE",
            run_id=f"0190a0a0-0000-7000-8000-{run:012}",
            time=TIME + timedelta(minutes=run),
            job=named_job(f"job {job}", facets=own),
            facets=own,
            inputs=[dataset(f"orders {job}", namespace="shop", fields=COLUMNS, facets=own)],
            outputs=[
                dataset(
                    f"sums {job}",
                    namespace="shop",
                    fields=COLUMNS,
                    facets={"columnLineage": facet(fields=made_of)},
                    output_facets={"outputStatistics": facet(rowCount=run)},
                )
            ],
        )


@pytest.fixture(scope="module")
def filled(databases: Databases, _template: str) -> Iterator[Store]:
    with databases.copied(_template) as store:
        take_in(store, events())
        with store.connect(autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        yield store


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 10])
@pytest.mark.parametrize("asked", ASKED | JOINED)
def test_no_large_table_is_read_whole(filled: Store, asked: str, number: int) -> None:
    keys, query = (ASKED | JOINED)[asked]
    with filled.connect() as connection:
        # As where data is in memory, or on a fast disk: so few rows would else be read whole with good reason.
        connection.execute("SET random_page_cost = 1")
        chosen = [uuid for (uuid,) in connection.execute(SOME[keys].format(number).encode())]
        read_whole = tables_read_whole(plan_of(connection, query, chosen))
        assert len(chosen) == number
        assert connection.execute(query.encode(), [chosen]).fetchone() is not None
    assert read_whole & LARGE == set()


FROM_STORE = object()
PAGES: dict[str, dict[str, Any]] = {
    "datasets": {"namespace": None, "name": "orders 3", "after": "shop"},
    "dataset": {"dataset": FROM_STORE},
    "names_of_dataset": {"dataset": FROM_STORE},
    "versions_of_dataset": {"dataset": FROM_STORE},
    "jobs": {"namespace": None, "name": "job 3", "after": "shop"},
    "job": {"job": FROM_STORE},
    "versions_of_job": {"job": FROM_STORE},
    "runs_of_job": {"job": FROM_STORE},
    "last_runs": {"before": None, "created_at": datetime(2026, 1, 2, tzinfo=UTC), "behind": UUID(int=1)},
    "run": {"run": FROM_STORE},
    "versions_of_run": {"run": FROM_STORE},
    "children_of_run": {"run": FROM_STORE},
    "jobs_of_dag": {"dag": "job 3"},
    "runs_of_dag_run": {"dag": "job 3", "run": "manual", "last": 1_000},
    "last_runs_of_jobs": {"jobs": FROM_STORE},
    "failed_runs": {"last": 1_000, "before": datetime(2026, 1, 2, tzinfo=UTC)},
    "with_tag": {"text": "gold"},
    "of_owner": {"text": "team"},
    "moments_of_dataset": {"dataset": FROM_STORE},
    "moments_of_job": {"job": FROM_STORE},
    "parents_of_jobs": {"jobs": FROM_STORE},
    "ancestors_of_run": {"run": FROM_STORE, "steps": 20},
    "descendants_of_run": {"run": FROM_STORE, "steps": 8},
    "statistics_of_dataset": {
        "dataset": FROM_STORE,
        "looked_at": 400,
        "names": ["outputStatistics"],
        "largest": 64_000,
    },
    "named_runs": {"runs": [UUID(int=1)]},
    "named_events": {"events": [b"\x01"]},
    "named_versions": {"versions": [UUID(int=1)]},
    "owners_of": {"uuids": [UUID(int=1)]},
    "things": {"uuids": [UUID(int=1)]},
    "facets_by_id": {"facets": [UUID(int=1)], "largest": 64_000},
    "uses_of_job_versions": {"versions": [UUID(int=1)]},
    "rows_about": {"tables": ["public.facets"]},
    "facets_as_stated": {"of_events": 1.0, "of_mentions": 1.0, "of_kept_once": 1.0},
    "columns_as_listed": {"of_versions": 1.0, "of_schemas": 1.0},
    "retention_plans": {},
    "persons_of_holds": {"holds": ["hold 1"]},
    "known_things": {"pattern": "shop", "job": "job 3", "dataset": None, "run": None},
}
"""Every statement of the pages but `hours`, which reads a view that is filled once an hour, and what it is asked."""


KEYS = {
    "dataset": "SELECT uuid FROM datasets WHERE name = 'sums 3'",
    "job": "SELECT uuid FROM jobs WHERE name = 'job 3'",
    "run": "SELECT uuid FROM runs ORDER BY created_at LIMIT 1",
    "jobs": "SELECT array_agg(uuid) FROM (SELECT uuid FROM jobs ORDER BY name LIMIT 10) AS few",
}


@pytest.mark.slow
def test_no_page_reads_a_large_table_whole(filled: Store) -> None:
    assert set(PAGES) == {*statements.names("pages")} - {"hours"}
    with filled.connect() as connection:
        connection.execute("SET random_page_cost = 1")
        keys = {name: connection.execute(query.encode()).fetchall()[0][0] for name, query in KEYS.items()}
        for name, asked in PAGES.items():
            given = {part: keys.get(part) if value is FROM_STORE else value for part, value in asked.items()}
            query = f"EXPLAIN (FORMAT JSON) {statements.named(f'pages/{name}')}".encode()
            ((plan,),) = connection.execute(query, given | {"most": 101}).fetchall()
            assert (name, tables_read_whole(plan) & LARGE) == (name, set())


NAMES = {"dataset_symlinks", "jobs", "dataset_fields"}
"""A search reads the names in these, and looks up by index what it wants to know of a few of them."""


@pytest.mark.slow
@pytest.mark.parametrize("text", ["orders 3", "s"])
@pytest.mark.parametrize("kinds", [["dataset", "job"], ["column"]])
def test_a_search_reads_nothing_whole_but_names_and_looks_up_a_bounded_number(
    filled: Store, text: str, kinds: list[str]
) -> None:
    asked = SearchPlace().parameters() | {
        "text": text,
        "kinds": kinds,
        "left_out": OWN_NAMESPACE,
        "window": PUT_IN_ORDER,
        "most_uses": MOST_USES,
        "most": 51,
    }
    query = f"EXPLAIN (ANALYZE, FORMAT JSON) {found_statement(None).as_string()}".encode()
    with filled.connect() as connection:
        connection.execute("SET random_page_cost = 1")
        ((plan,),) = connection.execute(query, asked).fetchall()
    # The datasets of the store's own namespace, once, for their columns: where namespaces are two, an index has no use.
    assert tables_read_whole(plan) <= NAMES | {"namespaces"} | ({"datasets"} if kinds == ["column"] else set())
    looked_up = [
        node["Actual Loops"]
        for node in plan_nodes(plan)
        if node.get("Relation Name") in {"datasets", "runs", "job_edges"}
    ]
    assert 0 < max(looked_up) <= PUT_IN_ORDER


@pytest.mark.slow
def test_a_search_of_facets_reads_the_events_of_a_window_by_index_and_what_these_name(filled: Store) -> None:
    asked: dict[str, Any] = {"behind": b"\xff", "behind_kind": "", "behind_uuid": UUID(int=0)}
    with filled.connect() as connection:
        connection.execute("SET random_page_cost = 1")
        window = f"EXPLAIN (ANALYZE, FORMAT JSON) {statements.named('answers/search/window_of_events')}".encode()
        first = connection.execute(
            statements.named("answers/search/window_of_events").encode(), asked | {"most": AT_ONCE}
        ).fetchall()[0][1]
        values = f"EXPLAIN (ANALYZE, FORMAT JSON) {statements.named('answers/search/facet_values')}".encode()
        of_values: dict[str, Any] = {"kinds": ["dataset", "job", "run"]}
        of_values |= {"text": "a", "facet": "ownership", "first": first, "most": 51, "largest": 256_000, "longest": 200}
        for query, more in ((window, {"most": AT_ONCE}), (values, of_values | {"left_out": OWN_NAMESPACE})):
            ((plan,),) = connection.execute(query, asked | more).fetchall()
            assert tables_read_whole(plan) & LARGE == set()
            of_events = [node for node in plan_nodes(plan) if node.get("Relation Name") == "event_ledger"]
            assert 0 < max(node["Actual Rows"] * node["Actual Loops"] for node in of_events) <= AT_ONCE


def plan_of(connection: Connection, query: str, keys: list[Any]) -> Any:
    ((plan,),) = connection.execute(f"EXPLAIN (FORMAT JSON) {query}".encode(), [keys]).fetchall()
    return plan


@pytest.mark.slow
def test_job_events_of_a_version_are_not_searched_among_those_of_its_runs(filled: Store) -> None:
    keys, query = ASKED["facets of job versions"]
    with filled.connect() as connection:
        chosen = [uuid for (uuid,) in connection.execute(SOME[keys].format(1).encode())]
        searched = {node.get("Index Name") for node in plan_nodes(plan_of(connection, query, chosen))}
    assert "event_ledger_job_event_index" in searched
    assert "event_ledger_job_version_index" not in searched


def test_a_table_that_is_read_whole_is_found(filled: Store) -> None:
    with filled.connect() as connection:
        plan = plan_of(connection, "SELECT * FROM facets WHERE uuid <> ALL (%s)", [])
    assert tables_read_whole(plan) == {"facets"}
