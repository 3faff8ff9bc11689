"""Streams in a real Airflow: a normalization starts a publication by its asset, and what it published is compacted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lineage_core.ingest.store import insert_event
from lineage_core.postgres.store import Store
from lineage_core.streams import reading
from lineage_core.streams.store import switches
from lineage_core.testing import dataset, named_job, run_event, to_json
from tests.airflow.conftest import Platform

pytestmark = [pytest.mark.airflow, pytest.mark.postgres]

NORMALIZE, PUBLISH, COMPACT = "normalize_lineage", "publish_streams", "compact_streams"


@pytest.fixture(scope="module")
def run(platform: Platform) -> str:
    """A run of the DAG that publishes, which a normalization has started."""
    switches.start(Store(platform.logins.owner), "datasets")
    insert_event(
        Store(platform.logins.ingest), to_json(run_event(job=named_job("fill"), outputs=[dataset("streamed")]))
    )
    for dag in (NORMALIZE, PUBLISH):
        platform.wait(lambda dag=dag: platform.api.knows_dag(dag), f"the DAG {dag}")  # type: ignore[misc]
        platform.api.unpause(dag)
    normalization = platform.api.trigger(NORMALIZE, {})
    assert platform.state_at_end(NORMALIZE, normalization) == "success", platform.log(NORMALIZE, normalization)
    platform.wait(lambda: bool(_started_by_the_asset(platform)), "a run that an asset has started")
    return str(_started_by_the_asset(platform)[0]["dag_run_id"])


def _started_by_the_asset(platform: Platform) -> list[dict[str, Any]]:
    return [run for run in platform.api.runs(PUBLISH) if run["run_type"] == "asset_triggered"]


def test_what_a_normalization_has_changed_is_published_after_it(platform: Platform, run: str) -> None:
    assert platform.state_at_end(PUBLISH, run) == "success", platform.log(PUBLISH, run)
    root = str(platform.airflow.home.path.parent / "streams")
    names = [record["name"] for record in reading.records(Store(platform.logins.reader), root, "datasets")]
    assert "streamed" in names


def test_a_publication_makes_an_event_of_its_asset(platform: Platform, run: str) -> None:
    (event, *_) = platform.api._call("GET", f"/api/v2/assets/events?source_dag_id={PUBLISH}")["asset_events"]
    assert event["name"] == "lineage_published"
    assert event["extra"]["next_offset"]["datasets"] > 0


def test_a_publication_reports_the_tables_that_it_read_and_the_streams_that_it_wrote(
    platform: Platform, run: str
) -> None:
    """By its Spark application, which stands below its task. The first run has published what is there."""
    query = (
        "SELECT event FROM lineage_events WHERE job_name = 'publish_streams.publish.publish_streams'"
        " AND event ->> 'eventType' = 'COMPLETE' AND event -> 'outputs' <> '[]' ORDER BY event_time LIMIT 1;"
    )
    platform.wait(lambda: bool(platform.server.run_sql(query, "lineage", "lineage")), "the report of a publication")
    event = json.loads(platform.server.run_sql(query, "lineage", "lineage"))
    assert event["run"]["facets"]["parent"]["job"]["name"] == "publish_streams.publish"
    assert [one["name"] for one in event["inputs"]] == ["lineage.public.datasets"]
    (stream,) = event["outputs"]
    assert stream["name"].endswith("/streams/datasets")
    assert stream["outputFacets"]["outputStatistics"]["rowCount"] > 0


def test_a_compaction_makes_a_checkpoint_of_what_was_published(platform: Platform, run: str) -> None:
    platform.api.unpause(COMPACT)
    compaction = platform.api.trigger(COMPACT, {})
    assert platform.state_at_end(COMPACT, compaction) == "success", platform.log(COMPACT, compaction)
    made = "SELECT stream FROM stream_checkpoints;"
    assert platform.server.run_sql(made, "lineage", "lineage").splitlines() == ["datasets"]
