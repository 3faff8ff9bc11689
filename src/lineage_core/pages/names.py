"""The names of jobs and datasets that an answer knows by their ids, so that a page can lead to them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from lineage_core.answers.explain.explanation import EvidenceKind, Explanation
from lineage_core.answers.explain.loading import LARGEST_FACET
from lineage_core.pages.rows import every
from lineage_core.postgres.connection import Connection


def names_of(connection: Connection, uuids: Collection[UUID]) -> dict[str, dict[str, Any]]:
    """Kind, namespace and name of jobs and datasets, by their ids as texts."""
    return {str(row.pop("uuid")): row for row in every(connection, "things", uuids=list(uuids))}


def evidence_of(connection: Connection, explained: Explanation) -> dict[str, dict[str, Any]]:
    """What lies behind the causes of a run.

    subjects: kind, namespace and name of each `namespace/name` that they are about, as far as their runs and their
    evidence say, and of the job of the run. facets: name and content of each that is evidence, by its id as text,
    unless it is a large one. datasets: kind, namespace and name, by id. events: time and run of each, by id.
    """
    given = explained.causes
    runs = [explained.run, *(cause.run for cause in given)]
    ids = {kind: [one.id for cause in given for one in cause.evidence if one.kind is kind] for kind in EvidenceKind}
    datasets = {str(row["uuid"]): _named(row) for row in every(connection, "things", uuids=ids[EvidenceKind.DATASET])}
    things = [
        *({"kind": "job"} | row for row in every(connection, "named_runs", runs=runs)),
        *({"kind": "dataset"} | row for row in every(connection, "named_versions", versions=ids[EvidenceKind.VERSION])),
        *datasets.values(),
    ]
    orders = [bytes.fromhex(one) for one in ids[EvidenceKind.EVENT]]
    facets = every(connection, "facets_by_id", facets=ids[EvidenceKind.FACET], largest=LARGEST_FACET)
    return {
        "subjects": {f"{row['namespace']}/{row['name']}": _named(row) for row in things},
        "facets": {str(row.pop("uuid")): row for row in facets},
        "datasets": datasets,
        "events": {row.pop("event"): row for row in every(connection, "named_events", events=orders)},
    }


def _named(row: dict[str, Any]) -> dict[str, Any]:
    return {part: row[part] for part in ("kind", "namespace", "name")}
