"""The store's own tables as OpenLineage datasets, named as the naming rules of OpenLineage name Postgres' tables."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

from airflow.providers.common.compat.openlineage.facet import Dataset, SchemaDatasetFacet, SchemaDatasetFacetFields

from lineage_core.relation import Table

DEFAULT_PORT = 5432


def dataset(dsn: str, table: Table) -> Dataset:
    """The dataset of a declared table in the database that a DSN names."""
    fields = [
        SchemaDatasetFacetFields(name=column.name, type=column.type.sql, description=column.doc)
        for column in table.columns
    ]
    name = f"{_database(dsn)}.{table.schema}.{table.name}"
    return Dataset(namespace=_namespace(dsn), name=name, facets={"schema": SchemaDatasetFacet(fields=fields)})


def _namespace(dsn: str) -> str:
    parts, options = urlsplit(dsn), _options(dsn)
    host = parts.hostname or options.get("host", "localhost")
    return f"postgres://{host}:{parts.port or options.get('port', DEFAULT_PORT)}"


def _database(dsn: str) -> str:
    stated = unquote(urlsplit(dsn).path.removeprefix("/"))
    return stated or _options(dsn).get("dbname", "postgres")


def _options(dsn: str) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(dsn).query).items()}
