"""Pages of runs: the tree of those that started each other, what they read and wrote, and how that was over time."""

from __future__ import annotations

import html
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from lineage_core.pages.facet_tables import facet_table, facet_text
from lineage_core.pages.rows import RowList
from lineage_core.pages.run_trees import nested
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, named_job, parent, run_event
from tests.support.served_pages import client
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

WAREHOUSE = "postgres://warehouse:5432"


def uuid(number: int) -> str:
    return f"0190a0a0-0000-7000-8000-{number:012}"


def as_json(asking: TestClient, page: str, **asked: Any) -> Any:
    return asking.get(f"/api/{page}", params=asked).raise_for_status().json()


def started(number: int, name: str, by: tuple[int, str] | None, state: str = "COMPLETE") -> list[dict[str, Any]]:
    facets = parent(uuid(by[0]), by[1]) if by else None
    described: dict[str, Any] = {"run_id": uuid(number), "job": named_job(name), "facets": facets}
    began = TIME + timedelta(minutes=number)
    return [
        run_event("START", time=began, **described),
        run_event(state, time=began + timedelta(minutes=1), **described),
    ]


def test_a_run_stands_in_the_tree_of_those_that_started_each_other(database: Store) -> None:
    take_in(
        database,
        [
            *started(1, "nightly", None),
            *started(2, "nightly.load", (1, "nightly")),
            *started(3, "nightly.load.spark", (2, "nightly.load")),
            *started(4, "nightly.load.spark.step", (3, "nightly.load.spark"), "FAIL"),
            *started(5, "nightly.report", (1, "nightly")),
        ],
    )
    asking = client(database)
    top = as_json(asking, "runs", run=uuid(1))["run"]
    assert top["ancestors"] == []
    assert [one["name"] for one in top["children"]["rows"]] == ["nightly.load", "nightly.report"]
    assert [(one["name"], one["steps"]) for one in top["descendants"]["rows"]] == [
        ("nightly.load", 1),
        ("nightly.report", 1),
        ("nightly.load.spark", 2),
        ("nightly.load.spark.step", 3),
    ]
    step = as_json(asking, "runs", run=uuid(4))["run"]
    assert [one["name"] for one in step["ancestors"]] == ["nightly", "nightly.load", "nightly.load.spark"]
    assert step["descendants"]["rows"] == []
    shown = asking.get("/runs", params={"run": uuid(2)}).text
    assert shown.count('<ul class="tree">') == shown.count("</ul>") == 4
    assert shown.index('title="' + uuid(1)) < shown.index('title="' + uuid(3)) < shown.index('title="' + uuid(4))
    assert f"/explain?run={uuid(4)}" in shown


def test_runs_that_say_they_started_each_other_are_each_there_once(database: Store) -> None:
    one, other = started(1, "one", (2, "other")), started(2, "other", (1, "one"))
    take_in(database, [*one, *other])
    found = as_json(client(database), "runs", run=uuid(1))["run"]
    assert [each["run"] for each in found["descendants"]["rows"]] == [uuid(2)]
    assert [each["run"] for each in found["ancestors"]] == [uuid(2)]


def test_runs_are_nested_below_what_started_them() -> None:
    rows = [{"run": "b", "parent_run": "a"}, {"run": "c", "parent_run": "b"}, {"run": "d", "parent_run": "a"}]
    below = nested(RowList(True, rows), "a")  # type: ignore[arg-type]
    assert [(one["run"], [child["run"] for child in one["children"]]) for one in below] == [("b", ["c"]), ("d", [])]


def wrote(day: int, rows: int, nulls: int) -> dict[str, Any]:
    counts = facet(rowCount=rows, size=1_000 * rows)
    metrics = facet(columnMetrics={"id": {"nullCount": nulls}, "total": {"nullCount": 0}})
    return run_event(
        "COMPLETE",
        run_id=uuid(day),
        time=TIME + timedelta(days=day),
        job=named_job("sum"),
        inputs=[dataset("orders", WAREHOUSE, input_facets={"inputStatistics": facet(rowCount=7, size=2_500_000)})],
        outputs=[
            dataset(
                "sums", WAREHOUSE, facets={"dataQualityMetrics": metrics}, output_facets={"outputStatistics": counts}
            )
        ],
    )


def test_rows_and_bytes_are_on_the_pages_of_runs_jobs_and_datasets(database: Store) -> None:
    take_in(database, [wrote(day, rows=100 + day, nulls=day) for day in range(3)])
    asking = client(database)
    versions = as_json(asking, "runs", run=uuid(2))["run"]["versions"]["rows"]
    assert [(one["uses"], one["name"], one["rows"], one["bytes"]) for one in versions] == [
        ("reads", "orders", 7, 2_500_000),
        ("writes", "sums", 102, 102_000),
    ]
    assert "2.5 MB" in asking.get("/runs", params={"run": uuid(2)}).text
    job = {"namespace": "shop", "name": "sum"}
    runs = as_json(asking, "jobs", **job)["job"]["runs"]["rows"]
    assert [(one["rows_written"], one["bytes_written"]) for one in runs] == [
        (102, 102_000),
        (101, 101_000),
        (100, 100_000),
    ]
    assert "<figcaption>Rows that each run wrote</figcaption>" in asking.get("/jobs", params=job).text
    named = {"namespace": WAREHOUSE, "name": "sums"}
    series = {one["name"]: one["points"] for one in as_json(asking, "datasets", **named)["dataset"]["statistics"]}
    assert list(series) == ["bytes", "rows", "id nullCount"]  # what never changed of a column is left out
    assert [point["value"] for point in series["rows"]] == [100, 101, 102]
    assert [point["run"] for point in series["id nullCount"]] == [uuid(0), uuid(1), uuid(2)]
    shown = asking.get("/datasets", params=named).text
    assert shown.count("<polyline") == 3
    assert "style=" not in shown


def test_of_several_events_of_a_run_the_last_word_counts(database: Store) -> None:
    running = wrote(1, rows=10, nulls=0) | {"eventType": "RUNNING", "eventTime": TIME.isoformat()}
    take_in(database, [running, wrote(1, rows=50, nulls=0)])
    (rows,) = (
        one["points"]
        for one in as_json(client(database), "datasets", namespace=WAREHOUSE, name="sums")["dataset"]["statistics"]
        if one["name"] == "rows"
    )
    assert [point["value"] for point in rows] == [50]


def test_words_code_and_where_columns_come_from_are_shown_as_such(database: Store) -> None:
    made_of = {"namespace": WAREHOUSE, "name": "orders", "field": "amount", "transformations": [{"subtype": "SUM"}]}
    facets = {
        "documentation": facet(description="Sums of a day.\nOf <all> shops."),
        "columnLineage": facet(fields={"total": {"inputFields": [made_of]}}),
    }
    job = named_job("sum", facets={"sql": facet(query="SELECT sum(amount)\nFROM orders")})
    take_in(database, [run_event("COMPLETE", job=job, outputs=[dataset("sums", WAREHOUSE, facets=facets)])])
    asking = client(database)
    shown = asking.get("/datasets", params={"namespace": WAREHOUSE, "name": "sums"}).text
    assert ">Sums of a day.\nOf &lt;all&gt; shops.</pre>" in shown
    assert '<td class="name">SUM</td>' in shown
    query = asking.get("/jobs", params={"namespace": "shop", "name": "sum"}).text
    assert ">SELECT sum(amount)\nFROM orders</pre>" in html.unescape(query)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("columnLineage", {"fields": []}),
        ("columnLineage", {"fields": {"a": {"inputFields": ["b"]}}}),
        ("columnLineage", {"fields": {"a": {"inputFields": [{"transformations": [3]}]}}}),
        ("columnLineage", {"fields": {"a": {"inputFields": [{"transformations": [{"type": ["x"]}]}]}}}),
        ("nominalTime", {"nominalStartTime": ["x"]}),
    ],
)
def test_a_facet_that_is_not_as_it_should_be_is_no_table(name: str, content: Any) -> None:
    assert facet_table(content, name) is None


@pytest.mark.parametrize("content", [None, [], "text", {"description": ["x"]}, {"description": ""}, {"other": "x"}])
def test_a_facet_that_does_not_say_its_words_is_no_text(content: Any) -> None:
    assert facet_text(content, "documentation") is None
    assert facet_text({"description": "x"}, "unknown") is None
