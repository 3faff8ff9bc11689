"""Verdicts on the schemas of datasets, judged anew by their whole histories, beside those that the store keeps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from lineage_core.evolution import DatasetHistory
from lineage_core.evolution.dataset_history import recorded_fields
from lineage_core.postgres.store import Store
from tests.support.stores import rows

_PLACES = """
SELECT place.dataset_uuid::text, place.event_order, place.version_uuid::text, version.fields::text
FROM dataset_version_timeline AS place
JOIN dataset_versions AS version ON version.uuid = place.version_uuid
WHERE place.is_written
ORDER BY place.dataset_uuid, place.event_order
"""
_KEPT = """
SELECT
    stored.dataset_uuid::text, stored.event_order, stored.version_uuid::text, stored.verdict, stored.changes,
    stored.refusals, stored.fencing, known.history
FROM dataset_schema_verdicts AS stored
LEFT JOIN dataset_schema_histories AS known ON known.uuid = stored.history_uuid
ORDER BY stored.dataset_uuid, stored.event_order
"""
_OPEN = "SELECT dataset_uuid::text, event_order FROM dataset_schema_alerts WHERE resolved_at IS NULL"
_UNNEEDED = """
SELECT 'unneeded', uuid::text FROM dataset_schema_histories
WHERE uuid NOT IN (SELECT history_uuid FROM dataset_schema_verdicts WHERE history_uuid IS NOT NULL)
"""

Verdicts = list[tuple[Any, ...]]


def kept(store: Store) -> Verdicts:
    """The verdicts that the store keeps, with what each was judged by."""
    return [(*row[:7], row[7] or DatasetHistory().to_json()) for row in rows(store, _KEPT)]


def judged_anew(store: Store) -> Verdicts:
    """The same, from the first place of each timeline on."""
    return [
        verdict
        for dataset, places in groupby(rows(store, _PLACES), key=lambda place: place[0])
        for verdict in _judged(dataset, places)
    ]


def _judged(dataset: str, places: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    history = DatasetHistory()
    for _, order, version, fields in places:
        before = history.to_json()
        judgement, history = history.next_for_all(recorded_fields(fields))
        fencing = [fenced.refusal for fenced in judgement.fenced]
        lists = (json.loads(msgspec.json.encode(one)) for one in (judgement.changes, judgement.refusals, fencing))
        yield (dataset, order, version, judgement.verdict.value, *lists, before)


def misjudged(store: Store) -> list[tuple[Any, ...]]:
    """Verdicts that are not what judging anew gives, on either side; open alerts that are not those of the refused
    ones; histories that nothing needs."""
    stored, anew = kept(store), judged_anew(store)
    refused = {verdict[:2] for verdict in anew if verdict[3] == "refused"}
    alerts = refused ^ set(rows(store, _OPEN))
    wrong = [verdict for verdict in (*stored, *anew) if (verdict in stored) != (verdict in anew)]
    return [*wrong, *(("alert", *alert) for alert in sorted(alerts)), *rows(store, _UNNEEDED)]
