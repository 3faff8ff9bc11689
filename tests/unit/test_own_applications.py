"""A Spark application of ours as OpenLineage events: below its task, by the specification, without secrets."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

from lineage_core.declare.streams import all_streams
from lineage_core.declare.tables import normalized_tables
from lineage_core.errors import NeedsOperator
from lineage_core.local.ports import HOST
from lineage_core.openlineage.parsing import parse
from lineage_core.own_lineage import application
from lineage_core.own_lineage.application import KEPT_CHARACTERS, ApplicationRun
from lineage_core.own_lineage.datasets import (
    OWN_NAMESPACE,
    dataset_of_stream,
    inputs,
    outputs,
    published_streams,
    tables_of_streams,
)
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.spark.application import spark_application

SPEC = PROJECT.parent / "shared" / "data" / "openlineage-spec"
DSN = "postgresql://jobs:hunter2@db/store"
TASK, DAG_RUN = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
SUBMITTED = {
    "spark.openlineage.parentJobNamespace": "airflow",
    "spark.openlineage.parentJobName": "normalize_lineage.normalize",
    "spark.openlineage.parentRunId": TASK,
    "spark.openlineage.rootParentJobNamespace": "airflow",
    "spark.openlineage.rootParentJobName": "normalize_lineage",
    "spark.openlineage.rootParentRunId": DAG_RUN,
}


def _run(settings: dict[str, str] = SUBMITTED) -> ApplicationRun:
    found = ApplicationRun.of(settings, "normalize_lineage", "4.2.0")
    assert found is not None
    return found


def test_an_application_is_below_its_task_and_the_dag_run_is_the_root() -> None:
    event = _run().started()
    parent = event["run"]["facets"]["parent"]
    assert parent["run"]["runId"] == TASK
    assert parent["job"] == {"namespace": "airflow", "name": "normalize_lineage.normalize"}
    assert parent["root"]["run"]["runId"] == DAG_RUN
    assert parent["root"]["job"] == {"namespace": "airflow", "name": "normalize_lineage"}
    assert event["job"]["namespace"] == "airflow"
    assert event["job"]["name"] == "normalize_lineage.normalize.normalize_lineage"


def test_its_events_agree_on_the_run_and_the_next_try_of_the_task_is_another() -> None:
    run, again = _run(), _run(SUBMITTED | {"spark.openlineage.parentRunId": str(uuid.UUID(int=3))})
    ids = {event["run"]["runId"] for event in (run.started(), run.completed([], []), run.failed("wrong"))}
    assert ids == {run.run_id}
    assert again.run_id != run.run_id


@pytest.mark.parametrize("missing", [name for name in SUBMITTED if ".parent" in name])
def test_an_application_that_no_task_has_submitted_is_no_ones_run(missing: str) -> None:
    assert ApplicationRun.of({name: value for name, value in SUBMITTED.items() if name != missing}, "x", "4") is None


def test_a_task_without_a_dag_run_is_the_root_itself() -> None:
    run = _run({name: value for name, value in SUBMITTED.items() if ".parent" in name})
    assert run.root == run.parent


def test_a_table_that_events_fill_says_which_columns_come_from_them() -> None:
    (datasets,) = outputs(Store(DSN), {"datasets": 3}, filled_from_events=True)
    fields = datasets["facets"]["columnLineage"]["fields"]
    assert fields["name"]["inputFields"][0] | {"transformations": []} == {
        "namespace": OWN_NAMESPACE,
        "name": "store.public.lineage_events",
        "field": "event",
        "transformations": [],
    }
    assert "is_hidden" not in fields, "people hide a dataset, no event does"
    assert datasets["outputFacets"]["outputStatistics"]["rowCount"] == 3


@pytest.mark.parametrize(
    ("root", "namespace", "name"),
    [
        ("/data/streams", "file", "/data/streams/runs"),
        ("file:///data/streams/", "file", "/data/streams/runs"),
        ("s3://bucket/streams", "s3://bucket", "streams/runs"),
        ("s3://bucket", "s3://bucket", "runs"),
        ("ftp://me:hunter2@host/streams", "ftp://host", "streams/runs"),
    ],
)
def test_a_stream_is_named_as_openlineage_names_folders(root: str, namespace: str, name: str) -> None:
    stream = dataset_of_stream(root, "runs")
    assert (stream["namespace"], stream["name"]) == (namespace, name)


def test_the_stream_of_a_view_names_the_tables_that_it_reads_and_claims_no_columns() -> None:
    (stream,) = published_streams(Store(DSN), "/data", {"run_facets": 3})
    assert stream["outputFacets"]["outputStatistics"]["rowCount"] == 3
    assert "columnLineage" not in stream["facets"]
    read = tables_of_streams(["run_facets", "runs"])
    assert "facets" in read
    assert "run_facets" not in read
    assert read[-1] == "runs"


def test_a_table_that_other_tables_fill_claims_no_column_of_the_events() -> None:
    (versions,) = outputs(Store(DSN), {"dataset_versions": 2}, filled_from_events=False)
    assert versions["outputFacets"]["outputStatistics"]["rowCount"] == 2
    assert "columnLineage" not in versions["facets"]


def test_a_long_error_of_a_failed_driver_keeps_its_end() -> None:
    message = _run().failed("x" * 10 * KEPT_CHARACTERS + " the cause")["run"]["facets"]["errorMessage"]["message"]
    assert message.endswith(" the cause")
    assert len(message) == KEPT_CHARACTERS


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The events of what the block does, as if spark-submit had started it for a task."""
    events: list[dict[str, Any]] = []
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    monkeypatch.setenv("LINEAGE_DSN", DSN)
    monkeypatch.setattr("lineage_core.spark.application._submitted_settings", lambda: SUBMITTED)
    monkeypatch.setattr(application, "deliver", lambda raw: events.append(json.loads(raw)))
    return events


def test_a_job_that_changed_something_without_spark_is_reported_too(reported: list[dict[str, Any]]) -> None:
    with spark_application("apply_retention", None) as spark, application.reported(spark) as job:
        job.state([], outputs(Store(DSN), {"runs": 7}, filled_from_events=False))
    assert [event["eventType"] for event in reported] == ["START", "COMPLETE"]
    assert [dataset["name"] for dataset in reported[-1]["outputs"]] == ["store.public.runs"]


def test_a_job_that_changed_nothing_is_not_reported(reported: list[dict[str, Any]]) -> None:
    with spark_application("apply_retention", None) as spark, application.reported(spark) as job:
        job.state([], [])
    assert not reported


def test_a_job_of_the_command_line_is_not_reported(
    reported: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT")
    with spark_application("apply_retention", None) as spark, application.reported(spark) as job:
        job.state([], outputs(Store(DSN), {"runs": 7}, filled_from_events=False))
    assert not reported


def test_a_failure_is_reported_without_its_secrets(reported: list[dict[str, Any]]) -> None:
    with (
        pytest.raises(NeedsOperator),
        spark_application("apply_retention", None) as spark,
        application.reported(spark) as job,
    ):
        job.state([], outputs(Store(DSN), {"runs": 7}, filled_from_events=False))
        raise NeedsOperator(f"{DSN} is wrong")
    error = reported[-1]["run"]["facets"]["errorMessage"]["message"]
    assert reported[-1]["eventType"] == "FAIL"
    assert "is wrong" in error
    assert "hunter2" not in json.dumps(reported)


def test_work_that_is_done_does_not_fail_because_no_one_can_learn(
    reported: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(raw: bytes) -> None:
        raise NeedsOperator("there is no room")

    monkeypatch.setattr(application, "deliver", refuse)
    with spark_application("apply_retention", None) as spark, application.reported(spark) as job:
        job.state([], outputs(Store(DSN), {"runs": 7}, filled_from_events=False))
    assert "not complete. there is no room" in caplog.text


@pytest.mark.shared_data
@pytest.mark.skipif(not SPEC.is_dir(), reason="the OpenLineage specification is not beside this checkout")
def test_every_event_is_as_the_specification_wants_it() -> None:
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    def retrieve(uri: str) -> Resource[Any]:
        name = Path(uri.partition("#")[0]).name
        file = SPEC / name if (SPEC / name).exists() else SPEC / "facets" / name
        return Resource.from_contents(json.loads(file.read_text()))

    registry: Registry[Any] = Registry(retrieve=retrieve)  # type: ignore[call-arg]

    def check(document: dict[str, Any], url: str) -> None:
        Draft202012Validator({"$ref": url}, registry=registry).validate(document)

    changed = {table.name: 1 for table in normalized_tables()}
    read, written = inputs(Store(DSN), ["lineage_events"]), outputs(Store(DSN), changed, filled_from_events=True)
    streams = [stream.name for stream in all_streams()]
    read += inputs(Store(DSN), tables_of_streams(streams))
    written += published_streams(Store(DSN), "/data", dict.fromkeys(streams, 1))
    for event in (_run().started(), _run().completed(read, written), _run().failed("wrong")):
        parse(json.dumps(event).encode())
        check(event, event["schemaURL"])
        carriers = [event["run"], event["job"], *event["inputs"], *event["outputs"]]
        for carrier in carriers:
            for facet in [*carrier["facets"].values(), *carrier.get("outputFacets", {}).values()]:
                check(facet, facet["_schemaURL"])


DRIVER = """
from lineage_core.spark.application import spark_application

with spark_application("normalize_lineage", None, is_submitted=True):
    print("goes on")
"""


def _driver(port: int) -> subprocess.CompletedProcess[str]:
    surroundings = inherited_environment() | {"PYSPARK_GATEWAY_PORT": str(port)}
    return subprocess.run([sys.executable, "-c", DRIVER], env=surroundings, capture_output=True, text=True, check=False)


def test_a_driver_whose_jvm_has_ended_before_it_looked_ends() -> None:
    """Another process is its parent then, which does not end."""
    with socket.create_server((HOST, 0)) as gateway:
        port = gateway.getsockname()[1]
        assert _driver(port).stdout == "goes on\n"
    ended = _driver(port)
    assert (ended.returncode, ended.stdout) == (-signal.SIGTERM, "")
