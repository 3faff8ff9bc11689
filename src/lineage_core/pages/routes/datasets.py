"""A dataset, or the list of all."""

from __future__ import annotations

from typing import Any

from lineage_core.answers.graph.graph import graph_snapshot
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.answers.graph.store import root_place
from lineage_core.pages.cursors import page_of_names
from lineage_core.pages.facets import facets_of_version
from lineage_core.pages.neighbours import neighbours
from lineage_core.pages.page import After, Limit, LineagePage, Reader, both_names
from lineage_core.pages.rows import MOST_ROWS, listed, row
from lineage_core.pages.volumes import statistics_over_time
from lineage_core.postgres.store import Store
from lineage_core.reading.facets import dataset_version_facets
from lineage_core.reading.schema_history import judged_versions
from lineage_core.reading.store import DatasetReading

VERSIONS = 20


def datasets(
    store: Reader,
    namespace: str | None = None,
    name: str | None = None,
    limit: Limit = MOST_ROWS,
    after: After = None,
) -> dict[str, Any]:
    """The dataset of a name, any that the store knows; without a name, all datasets in the order of their names."""
    if whole := both_names(namespace, name):
        return {"dataset": _dataset(store, *whole)}
    return {"dataset": None} | page_of_names(store, "datasets", namespace, limit, after)


def _dataset(store: Store, namespace: str, name: str) -> dict[str, Any]:
    root = Root(NodeKind.DATASET, namespace, name)
    with graph_snapshot(store) as connection:
        uuid = root_place(connection, root).uuid
        found = row(connection, "dataset", dataset=uuid) or {}
        lists = {
            "names": listed(connection, "names_of_dataset", dataset=uuid),
            "users": neighbours(connection, root),
            "versions": listed(connection, "versions_of_dataset", VERSIONS, dataset=uuid),
            "schemas": _schemas(DatasetReading(connection, uuid)),
            "statistics": statistics_over_time(connection, uuid),
            "facets": facets_of_version(connection, found["version"], dataset_version_facets),
        }
    return found | lists


def _schemas(dataset: DatasetReading) -> list[dict[str, Any]]:
    """What the schema has been, the last first, with the verdict on each change."""
    return [
        {
            "number": judged.number,
            "version": judged.version,
            "current_from": judged.current_from,
            "verdict": judged.judgement.verdict,
            "changes": [f"{change.path}: {change.kind}" for change in judged.judgement.changes],
            "refusals": [f"{refusal.path}: {refusal.reason}" for refusal in judged.judgement.refusals],
            "fenced": [f"{fenced.reader}: {fenced.refusal.path}" for fenced in judged.judgement.fenced],
        }
        for judged in reversed(judged_versions(dataset))
    ]


PAGE = LineagePage("datasets", "Datasets", 2, datasets)
