"""The store's own tables as OpenLineage datasets, named as the naming rules of OpenLineage name Postgres' tables."""

from __future__ import annotations

from typing import Any

from airflow.providers.common.compat.openlineage.facet import (
    Dataset,
    OutputDataset,
    OutputStatisticsOutputDatasetFacet,
    SchemaDatasetFacet,
    SchemaDatasetFacetFields,
)

from lineage_core.model.vocabulary import Table
from lineage_core.postgres.addresses import Address, address

DEFAULT_HOST, DEFAULT_PORT = "localhost", "5432"
DEFAULT_DATABASE = "postgres"


def written_table(dsn: str, table: Table, rows: int) -> OutputDataset:
    """The dataset of a declared table of which a run has changed so many rows."""
    found = dataset_of_table(dsn, table)
    statistics: dict[str, Any] = {"outputStatistics": OutputStatisticsOutputDatasetFacet(rowCount=rows)}
    return OutputDataset(namespace=found.namespace, name=found.name, facets=found.facets, outputFacets=statistics)


def dataset_of_table(dsn: str, table: Table) -> Dataset:
    """The dataset of a declared table in the database that a DSN names."""
    fields = [
        SchemaDatasetFacetFields(name=column.name, type=column.type.sql, description=column.doc)
        for column in table.columns
    ]
    place = address(dsn)
    name = f"{place.database or DEFAULT_DATABASE}.{table.schema}.{table.name}"
    return Dataset(namespace=_namespace(place), name=name, facets={"schema": SchemaDatasetFacet(fields=fields)})


def _namespace(place: Address) -> str:
    """The first server stands for all that a DSN names, and this machine for a socket on it."""
    host, port = place.hosts[0]
    named = DEFAULT_HOST if not host or host.startswith(("/", "@")) else host
    return f"postgres://{named}:{port or DEFAULT_PORT}"
