"""The builders of events make events that this project, and so the specification, takes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from lineage_core.openlineage.events import Kind
from lineage_core.openlineage.facets import schema
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import (
    dataset,
    dataset_event,
    facet,
    job_event,
    named_job,
    parent,
    run_event,
    to_json,
    to_ndjson,
)


def test_each_kind_of_event_is_read_as_what_it_is() -> None:
    events = [run_event(), job_event(), dataset_event()]
    assert [parse(to_json(event)).kind for event in events] == [Kind.RUN, Kind.JOB, Kind.DATASET]


def test_a_run_event_says_what_it_was_given() -> None:
    event = parse(
        to_json(
            run_event(
                "COMPLETE",
                run_id="r",
                job=named_job("j", "n", facets={"sql": facet(query="select 1")}),
                time=datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC),
                inputs=[dataset("a", input_facets={"inputStatistics": facet(rowCount=1)})],
                outputs=[dataset("b", fields=[("id", "BIGINT"), ("note", None, "free text")])],
                facets=parent("p", "dag"),
            )
        )
    )
    assert event.run and event.job
    assert (event.event_type, event.run.id, event.job.namespace, event.job.name) == ("COMPLETE", "r", "n", "j")
    assert event.time == int(datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC).timestamp()) * 1_000_000 + 789
    assert (set(event.run.facets), set(event.job.facets)) == ({"parent"}, {"sql"})
    (read,), (written,) = event.inputs, event.outputs
    assert (read.name, set(read.io_facets), written.name) == ("a", {"inputStatistics"}, "b")
    assert schema.FACET.read(written.facets, "$") == schema.DatasetSchema(
        [schema.SchemaField("id", "BIGINT"), schema.SchemaField("note", None, "free text")]
    )


def test_what_is_not_stated_is_absent_and_what_is_empty_is_there() -> None:
    assert "eventType" not in run_event(None)
    assert "facets" not in dataset()
    assert dataset(fields=[])["facets"]["schema"]["fields"] == []


def test_lines_are_one_event_each() -> None:
    events = [run_event(), run_event("COMPLETE", job=named_job("zählen\n"))]
    assert [json.loads(line) for line in to_ndjson(events).decode().split("\n")[:-1]] == events
