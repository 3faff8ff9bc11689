"""Every stored facet is, as jsonb, the one that plain SQL takes out of the raw event; none is missing, none is more."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lineage_core.ingest import event_files
from lineage_core.ingest.ingestion import ingest
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import (
    Document,
    dataset,
    dataset_event,
    facet,
    job_event,
    named_job,
    parent,
    run_event,
    to_ndjson,
)

pytestmark = pytest.mark.postgres

SHARED = Path(__file__).parents[3] / "shared" / "data"
BY_PLAIN_SQL = (Path(__file__).parent / "facets_by_plain_sql.sql").read_text()
STORED = """
SELECT 'run', run_uuid, lineage_event_time, lineage_event_type, NULL, name, facet::text FROM run_facets
UNION ALL
SELECT 'job ' || jobs.name, run_uuid, lineage_event_time, lineage_event_type, NULL, stored.name, facet::text
FROM job_facets AS stored JOIN jobs ON jobs.uuid = stored.job_uuid
UNION ALL
SELECT
    'dataset ' || datasets.name, run_uuid, lineage_event_time, lineage_event_type, stored.type, stored.name,
    facet::text
FROM dataset_facets AS stored JOIN datasets ON datasets.uuid = stored.dataset_uuid
"""


def needs_shared_data(test: Any) -> Any:
    absent = pytest.mark.skipif(not SHARED.is_dir(), reason="shared/data, with the recorded events, is absent")
    return pytest.mark.shared_data(absent(test))


def take_in_files(store: Store, *paths: Path) -> NormalizationOutcome:
    ingest(store, event_files.find(str(path) for path in paths))
    return normalize(store, SerialRunner(tasks=2))


def differences(connection: Connection) -> tuple[list[Any], list[Any]]:
    """The facets that only plain SQL finds, and those that only the tables have."""
    expected = Counter(connection.execute(BY_PLAIN_SQL.encode()).fetchall())
    stored = Counter(connection.execute(STORED.encode()).fetchall())
    return list((expected - stored).elements()), list((stored - expected).elements())


def check_every_facet(store: Store) -> int:
    """How many facets are stored, all of them as plain SQL has them."""
    with store.connect() as connection:
        assert connection.execute("SELECT reason, path FROM quarantine").fetchall() == []
        assert differences(connection) == ([], [])
        return len(connection.execute(STORED.encode()).fetchall())


@needs_shared_data
def test_of_the_74_real_events(database: Store) -> None:
    outcome = take_in_files(database, SHARED / "openlineage-compatibility-tests")
    assert (outcome.events, outcome.quarantined) == (74, 0)
    assert check_every_facet(database) == 572


@needs_shared_data
def test_of_the_examples_of_the_specification(database: Store, tmp_path: Path) -> None:
    examples = SHARED / "openlineage-spec" / "tests"
    wrapped = list(wrapped_in_events(examples))
    (tmp_path / "wrapped.ndjson").write_bytes(to_ndjson(wrapped))
    outcome = take_in_files(database, tmp_path, examples / "example_full_event.json")
    assert (outcome.events, outcome.quarantined) == (len(wrapped) + 1, 0)
    assert len(wrapped) >= len(list(examples.glob("*/*.json"))) > 30
    assert check_every_facet(database) >= len(wrapped)


def wrapped_in_events(examples: Path) -> Iterator[Document]:
    """Each document in an event, at each place where its schema says that it may stand."""
    for file in sorted(examples.glob("*/*.json")):
        facets = json.loads(file.read_text())
        for number, event in enumerate(_events_around(file.parent.name, facets)):
            yield event | {"producer": f"https://example.com/{file.parent.name}/{file.stem}/{number}"}


def _events_around(schema: str, facets: dict[str, Document]) -> list[Document]:
    if schema == "LineageFacet":
        return [
            run_event(facets=facets),
            job_event(named_job(facets=facets)),
            dataset_event(dataset(facets=facets)),
        ]
    if schema.endswith("RunFacet"):
        return [run_event(facets=facets)]
    if schema.endswith("JobFacet"):
        return [run_event(job=named_job(facets=facets)), job_event(named_job(facets=facets))]
    if schema.endswith("InputDatasetFacet"):
        return [run_event(inputs=[dataset(input_facets=facets)])]
    if schema.endswith("OutputDatasetFacet"):
        return [run_event(outputs=[dataset(output_facets=facets)])]
    read_and_written = dataset(facets=facets)
    return [
        run_event("COMPLETE", inputs=[read_and_written], outputs=[read_and_written]),
        dataset_event(read_and_written),
    ]


ODD = facet(
    number=json.loads("12345678901234567890123"),
    list=[1, None, {"inner": None, "": "é\u2028😀"}],
    **{'quo"te\\': "\n", "Upper": {"upper": True}},
)
NO_FACET: Any = None
OWN_EVENTS = [
    run_event("START", facets={"odd": ODD, "none": NO_FACET, "spark_unknown": facet(x=1)} | parent("p", "dag")),
    run_event("START", facets={"parentRun": parent("p", "dag")["parent"]}, time="2026-01-01T00:00:01Z"),
    run_event("RUNNING", facets={"spark.logicalPlan": facet(plan=["scan"])}, time="2026-01-01T00:00:01Z"),
    run_event("OTHER", facets={"spark.logicalPlan": facet(plan=["scan", "filter"])}, time="2026-01-01T00:00:01.5Z"),
    run_event(None, job=named_job(facets={"sql": facet(query="select 'a''b'")}), time="2026-01-01T00:00:02Z"),
    run_event(
        "COMPLETE",
        time="2026-01-01T00:00:03Z",
        inputs=[
            dataset("a", fields=[("id", "INT")], input_facets={"dataQualityMetrics": facet(rowCount=1)}),
            dataset("a", facets={"tags": facet(tags=[])}),
            dataset("b", namespace="needs formatting", facets={"dataQualityMetrics": ODD, "Version": facet()}),
            dataset("a", output_facets={"ignored": ODD}),
        ],
        outputs=[
            dataset("a", facets={"outputStatistics": ODD}, output_facets={"outputStatistics": facet(size=1)}),
            dataset("c", input_facets={"ignored": ODD}),
        ],
    ),
    job_event(
        named_job(facets={"ownership": facet(owners=[])}),
        time="2026-01-01T00:00:04Z",
        inputs=[dataset("a", facets={"storage": ODD})],
        outputs=[dataset("d", facets={"storage": ODD})],
    ),
    dataset_event(
        dataset("e", facets={"symlinks": facet(identifiers=[])}, output_facets={"x": ODD}, input_facets={"y": ODD}),
        time="2026-01-01T00:00:05Z",
    ),
]


def test_of_events_with_all_that_facets_may_have(database: Store, tmp_path: Path) -> None:
    (tmp_path / "events.ndjson").write_bytes(to_ndjson([*OWN_EVENTS, *OWN_EVENTS[::2]]))
    outcome = take_in_files(database, tmp_path)
    assert (outcome.events, outcome.quarantined) == (12, 0)
    assert check_every_facet(database) == 17
    take_in_files(database, tmp_path)
    assert check_every_facet(database) == 17


@pytest.mark.parametrize(
    ("damage", "missing", "more"),
    [
        ("DELETE FROM facets WHERE uuid IN (SELECT facet_uuid FROM run_facet_contents) AND name = 'odd'", 1, 0),
        ("UPDATE facets SET facet = jsonb_set(facet, '{sql,query}', '1') WHERE name = 'sql'", 1, 1),
        (
            "UPDATE facet_sets SET facets = facets || content.uuid FROM facets AS content"
            " WHERE content.name = 'schema' AND content.uuid = ANY (facets)",
            0,
            1,
        ),
    ],
)
def test_plain_sql_notices_what_is_lost_changed_or_more(
    database: Store, tmp_path: Path, damage: str, missing: int, more: int
) -> None:
    """What shows that the tests above can fail."""
    (tmp_path / "events.ndjson").write_bytes(to_ndjson(OWN_EVENTS))
    take_in_files(database, tmp_path)
    with database.connect() as connection:
        connection.execute(damage.encode())
        assert tuple(map(len, differences(connection))) == (missing, more)
