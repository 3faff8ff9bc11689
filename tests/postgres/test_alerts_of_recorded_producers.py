"""The alerts that recorded producers raise: each has been looked at, and each is of a schema that did change."""

from __future__ import annotations

import gzip
import json
from itertools import groupby
from typing import Any

from lineage_core.evolution import EvolutionRule, Verdict
from lineage_core.evolution.dataset_history import judged, recorded_fields
from lineage_core.postgres.store import Store
from tests.support.recordings import NEEDS_RECORDINGS, RECORDED, SHARED
from tests.support.stores import rows, take_in

pytestmark = NEEDS_RECORDINGS

EVENTS = [
    *sorted(SHARED.glob("openlineage-compatibility-tests/*/events/*.json")),
    RECORDED / "marquez-seed" / "events.ndjson",
    RECORDED / "database" / "events.ndjson.gz",
]
"""Spark, Airflow and BigQuery as they reported, Marquez' own example, and three years of a generated pipeline."""

JUDGED, REFUSED = 73, 8
"""Datasets, and alerts: 11 a hundred. All are of one kind, which the pipeline makes every so often: a column that was
deleted comes back under its name, and another one, which was a number or a time, is a TEXT."""

_REFUSED = "SELECT dataset_uuid, refusals FROM dataset_schema_verdicts WHERE verdict = 'refused'"
_SCHEMAS = """
SELECT place.dataset_uuid, version.fields::text
FROM dataset_version_timeline AS place
JOIN dataset_versions AS version ON version.uuid = place.version_uuid
WHERE place.is_written
ORDER BY place.dataset_uuid, place.event_order
"""


def _events() -> list[Any]:
    events = []
    for file in EVENTS:
        text = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()
        lines = [text] if file.suffix == ".json" else text.splitlines()
        events += [json.loads(line) for line in lines if line.strip()]
    return events


def _with_less(fields: str | None) -> list[str | None]:
    """The fields, then as dbt without a catalog says them, then an empty list."""
    if fields is None:
        return [None]
    return [fields, json.dumps([field | {"type": None} for field in json.loads(fields)]), "[]"]


def test_each_alert_is_of_a_change_and_none_comes_of_what_says_less(database: Store) -> None:
    take_in(database, _events())
    refused = rows(database, _REFUSED)
    assert rows(database, "SELECT count(DISTINCT dataset_uuid) FROM dataset_schema_verdicts") == [(JUDGED,)]
    assert len(refused) == len({dataset for dataset, _ in refused}) == REFUSED
    for _, refusals in refused:
        assert [refusal["rule"] for refusal in refusals] == [EvolutionRule.DELETED_BEFORE, EvolutionRule.TYPE_CHANGED]
        assert refusals[0]["path"].startswith("added_")
        assert 'cannot become "TEXT"' in refusals[1]["reason"]
    alerts = 0
    for _, places in groupby(rows(database, _SCHEMAS), key=lambda place: place[0]):
        schemas = [recorded_fields(fields) for _, known in places for fields in _with_less(known)]
        alerts += sum(judgement.verdict is Verdict.REFUSED for judgement in judged(schemas))
    assert alerts == REFUSED
