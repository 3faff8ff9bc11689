"""The store's own tables as OpenLineage datasets, named as the naming rules of OpenLineage name Postgres' tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from lineage_core.model.tables import normalized_tables, table_named
from lineage_core.model.tables.lineage_events import TABLE as EVENTS
from lineage_core.model.vocabulary import DEFAULT, NOBODY, OPERATOR, OWNER, PLATFORM, RECEIVED, Table
from lineage_core.postgres.addresses import Address, address

DEFAULT_HOST, DEFAULT_PORT = "localhost", "5432"
DEFAULT_DATABASE = "postgres"

PRODUCER = f"urn:lineage-core:{version('lineage-core')}"
"""The URI of the code that makes our events, as the specification wants one."""
FACETS = "https://openlineage.io/spec/facets"

_NOT_OF_EVENTS = (OPERATOR, OWNER, NOBODY, DEFAULT, RECEIVED, PLATFORM)

Dataset = dict[str, Any]
"""A dataset as JSON: `namespace`, `name`, `facets`, and of an output `outputFacets`."""


def facet(schema: str, **members: object) -> dict[str, Any]:
    """A facet by its version and name, such as `1-2-0/SchemaDatasetFacet`."""
    name = schema.partition("/")[2]
    return {"_producer": PRODUCER, "_schemaURL": f"{FACETS}/{schema}.json#/$defs/{name}", **members}


def inputs(dsn: str, tables: Iterable[str]) -> list[Dataset]:
    """The datasets of tables that were read."""
    return [dataset_of_table(dsn, table_named(name)) for name in tables]


def of_the_model(changed: Mapping[str, int]) -> dict[str, int]:
    """The tables of the model among those that changed: of our bookkeeping nobody wants the lineage."""
    return {table.name: changed[table.name] for table in normalized_tables() if table.name in changed}


def outputs(dsn: str, changed: Mapping[str, int], *, filled_from_events: bool) -> list[Dataset]:
    """The datasets of tables by how many of their rows were inserted, updated or deleted.

    Those that raw events fill have the lineage of their columns: each comes from the text of the events, but for those
    that a person, the database or this project itself sets.
    """
    written = [dataset_of_table(dsn, table_named(name)) for name in changed]
    for dataset, (name, rows) in zip(written, changed.items(), strict=True):
        dataset["outputFacets"] = {"outputStatistics": _statistics(rows)}
        if filled_from_events:
            dataset["facets"]["columnLineage"] = _from_events(dsn, table_named(name))
    return written


def stream_outputs(root: str, records: Mapping[str, int]) -> list[Dataset]:
    """The datasets of changelog streams below a path or a URL, by how many records were published of each."""
    found = urlsplit(root)
    host = found.netloc.rpartition("@")[2]  # without a user and a secret
    namespace = f"{found.scheme}://{host}" if host else "file"
    folder = found.path.strip("/") if host else f"/{found.path.strip('/')}"
    return [
        {
            "namespace": namespace,
            "name": f"{folder}/{stream}".lstrip("/") if host else f"{folder}/{stream}",
            "facets": {},
            "outputFacets": {"outputStatistics": _statistics(number)},
        }
        for stream, number in records.items()
    ]


def _statistics(rows: int) -> dict[str, Any]:
    return facet("1-0-2/OutputStatisticsOutputDatasetFacet", rowCount=rows)


def dataset_of_table(dsn: str, table: Table) -> Dataset:
    """The dataset of a declared table in the database that a DSN names."""
    fields = [{"name": one.name, "type": one.type.sql, "description": one.doc} for one in table.columns]
    return {**_name(dsn, table), "facets": {"schema": facet("1-2-0/SchemaDatasetFacet", fields=fields)}}


def _from_events(dsn: str, table: Table) -> dict[str, Any]:
    source = {
        **_name(dsn, EVENTS),
        "field": "event",
        "transformations": [{"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "", "masking": False}],
    }
    filled = [column.name for column in table.columns if column.rule not in _NOT_OF_EVENTS]
    fields = {name: {"inputFields": [source]} for name in filled}
    return facet("1-2-0/ColumnLineageDatasetFacet", fields=fields)


def _name(dsn: str, table: Table) -> dict[str, str]:
    """The first server stands for all that a DSN names, and this machine for a socket on it."""
    place = address(dsn)
    return {
        "namespace": _namespace(place),
        "name": f"{place.database or DEFAULT_DATABASE}.{table.schema}.{table.name}",
    }


def _namespace(place: Address) -> str:
    host, port = place.hosts[0]
    named = DEFAULT_HOST if not host or host.startswith(("/", "@")) else host
    return f"postgres://{named}:{port or DEFAULT_PORT}"
