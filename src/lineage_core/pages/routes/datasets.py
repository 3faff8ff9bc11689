"""A dataset, or the list of all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from typing_extensions import TypedDict

from lineage_core.answers.graph.graph import graph_snapshot
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.answers.graph.store import root_place
from lineage_core.evolution.dataset_history import Verdict
from lineage_core.pages.cursors import next_of, page_of_names
from lineage_core.pages.facets import LastFacet, facets_of_version
from lineage_core.pages.neighbours import DatasetUser, users
from lineage_core.pages.page import After, Limit, LineagePage, Reader, both_names
from lineage_core.pages.rows import MOST_ROWS, RowList, cut, known_row, listed
from lineage_core.pages.volumes import NumberSeries, statistics_over_time
from lineage_core.postgres.store import Store
from lineage_core.reading.facets import dataset_version_facets
from lineage_core.reading.schema_history import JudgedVersion, schema_changes
from lineage_core.reading.store import DatasetReading, UnchangedSchemas

VERSIONS = 20


class ListedDataset(TypedDict):
    """A dataset under one of its names. updated_at: when the last event named it."""

    uuid: UUID
    namespace: str
    name: str
    updated_at: datetime


class DatasetList(TypedDict):
    """next: `after` of the next page."""

    dataset: None
    complete: bool
    next: str | None
    datasets: Sequence[ListedDataset]


class DatasetName(TypedDict):
    """is_own: whether it is the one that the store calls the dataset by."""

    namespace: str
    name: str
    is_own: bool | None


class ListedVersion(TypedDict):
    """A version, and the run that wrote it, if one did."""

    version: UUID
    made_at: datetime
    run: UUID | None
    state: str | None


class SchemaDocument(TypedDict):
    """A version that became current with another schema, and what that is to those before it. number: of the schema,
    from 1 on; null where it is not known. fenced: who cannot read which column after the change."""

    number: int | None
    version: UUID
    current_from: datetime
    verdict: Verdict
    changes: list[str]
    refusals: list[str]
    fenced: list[str]


class DatasetRow(TypedDict):
    """A dataset, and its current version. fields: its columns, as events list them, each with its `name`."""

    uuid: UUID
    namespace: str | None
    name: str
    description: str | None
    created_at: datetime
    updated_at: datetime
    is_deleted: bool | None
    version: UUID | None
    source: str | None
    fields: list[dict[str, Any]]
    version_made_at: datetime | None
    version_run: UUID | None


class DatasetDocument(DatasetRow):
    """users: who reads and writes it now. schemas: the last one first. facets: by name."""

    names: RowList[DatasetName]
    users: RowList[DatasetUser]
    versions: RowList[ListedVersion]
    schemas: RowList[SchemaDocument]
    unchanged: UnchangedSchemas
    statistics: list[NumberSeries]
    facets: dict[str, LastFacet]


class DatasetPage(TypedDict):
    """Where one is asked for."""

    dataset: DatasetDocument


def datasets(
    store: Reader,
    namespace: str | None = None,
    name: str | None = None,
    limit: Limit = MOST_ROWS,
    after: After = None,
) -> DatasetPage | DatasetList:
    """The dataset of a name, any that the store knows; without a name, all datasets in the order of their names."""
    if whole := both_names(namespace, name):
        return {"dataset": _dataset(store, *whole)}
    found = page_of_names(store, ListedDataset, "datasets", namespace, limit, after)
    return {"dataset": None, "complete": found.complete, "next": next_of(found), "datasets": found.rows}


def _dataset(store: Store, namespace: str, name: str) -> DatasetDocument:
    root = Root(NodeKind.DATASET, namespace, name)
    with graph_snapshot(store) as connection:
        uuid = UUID(root_place(connection, root).uuid)
        found = known_row(connection, DatasetRow, "dataset", dataset=uuid)
        reading = DatasetReading(connection, uuid)
        return {
            **found,
            "names": listed(connection, DatasetName, "names_of_dataset", dataset=uuid),
            "users": users(connection, root),
            "versions": listed(connection, ListedVersion, "versions_of_dataset", VERSIONS, dataset=uuid),
            "schemas": _schemas(reading),
            "unchanged": reading.unchanged_schemas(),
            "statistics": statistics_over_time(connection, uuid),
            "facets": facets_of_version(connection, found["version"], dataset_version_facets),
        }


def _schemas(dataset: DatasetReading) -> RowList[SchemaDocument]:
    """How the schema has changed, the last change first, with the verdict on each. Most versions leave it as it was."""
    return cut([_schema(judged) for judged in schema_changes(dataset, MOST_ROWS + 1)], MOST_ROWS)


def _schema(judged: JudgedVersion) -> SchemaDocument:
    return {
        "number": judged.number,
        "version": judged.version,
        "current_from": judged.current_from,
        "verdict": judged.judgement.verdict,
        "changes": [f"{change.path}: {change.kind}" for change in judged.judgement.changes],
        "refusals": [f"{refusal.path}: {refusal.reason}" for refusal in judged.judgement.refusals],
        "fenced": [f"{fenced.reader}: {fenced.refusal.path}" for fenced in judged.judgement.fenced],
    }


PAGE = LineagePage("datasets", "Datasets", 2, datasets)
