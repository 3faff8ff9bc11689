"""The store's own tables as OpenLineage datasets, in a namespace of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from lineage_core.declare.streams import SYSTEM_COLUMNS, DeclaredStream, all_streams
from lineage_core.declare.tables import normalized_tables, table_named
from lineage_core.declare.vocabulary import DEFAULT, OPERATOR, OWNER, PLATFORM, RECEIVED, UNFILLED, Table
from lineage_core.model.tables.lineage_events import TABLE as EVENTS
from lineage_core.postgres.addresses import address
from lineage_core.postgres.store import Store

OWN_NAMESPACE = "lineage-store"
"""Of the store's own tables, whatever the address of its server: so they do not mix with what people look for."""

DEFAULT_DATABASE = "postgres"

PRODUCER = f"urn:lineage-core:{version('lineage-core')}"
"""The URI of the code that makes our events, as the specification wants one."""
FACETS = "https://openlineage.io/spec/facets"

_NOT_OF_EVENTS = (OPERATOR, OWNER, UNFILLED, DEFAULT, RECEIVED, PLATFORM)

_SYSTEM_TYPES = dict(zip(SYSTEM_COLUMNS, ("bigint", "smallint", "timestamptz", "timestamptz"), strict=True))

Dataset = dict[str, Any]
"""A dataset as JSON: `namespace`, `name`, `facets`, and of an output `outputFacets`."""


def facet(schema: str, **members: object) -> dict[str, Any]:
    """A facet by its version and name, such as `1-2-0/SchemaDatasetFacet`."""
    name = schema.partition("/")[2]
    return {"_producer": PRODUCER, "_schemaURL": f"{FACETS}/{schema}.json#/$defs/{name}", **members}


def inputs(store: Store, tables: Iterable[str]) -> list[Dataset]:
    """The datasets of tables that were read."""
    return [dataset_of_table(store, table_named(name)) for name in tables]


def of_the_model(changed: Mapping[str, int]) -> dict[str, int]:
    """The tables of the model among those that changed: of our bookkeeping no one wants the lineage."""
    return {table.name: changed[table.name] for table in normalized_tables() if table.name in changed}


def outputs(store: Store, changed: Mapping[str, int], *, filled_from_events: bool) -> list[Dataset]:
    """The datasets of tables by how many of their rows were inserted, updated or deleted.

    Those that raw events fill have the lineage of their columns: each comes from the text of the events, but for those
    that a person, the database or this project itself sets.
    """
    written = [dataset_of_table(store, table_named(name)) for name in changed]
    for dataset, (name, rows) in zip(written, changed.items(), strict=True):
        dataset["outputFacets"] = {"outputStatistics": _statistics(rows)}
        if filled_from_events:
            dataset["facets"]["columnLineage"] = _from_events(store, table_named(name))
    return written


def tables_of_streams(streams: Iterable[str]) -> list[str]:
    """The tables that publications of these streams read, each once."""
    return list(dict.fromkeys(table for name in streams for table in _tables_of(_declared(name))))


def published_streams(store: Store, root: str, records: Mapping[str, int]) -> list[Dataset]:
    """The datasets of streams below a path or a URL, by how many records were published of each.

    Those that are of a table have the lineage of their columns. What a view computes is not stated column by column.
    """
    published = [dataset_of_stream(root, name) for name in records]
    for dataset, (name, number) in zip(published, records.items(), strict=True):
        dataset["outputFacets"] = {"outputStatistics": _statistics(number)}
        stream = _declared(name)
        if stream.is_of_table:
            dataset["facets"]["columnLineage"] = _from_table(store, stream)
    return published


def dataset_of_stream(root: str, name: str) -> Dataset:
    """The dataset of a changelog stream below a path or a URL, with its columns."""
    found = urlsplit(root)
    host = found.netloc.rpartition("@")[2]  # without a user and a secret
    folder = found.path.strip("/") if host else f"/{found.path.strip('/')}"
    columns = [*_SYSTEM_TYPES.items(), *((one.name, one.type.sql) for one in _declared(name).columns)]
    fields = [{"name": column, "type": type_} for column, type_ in columns]
    return {
        "namespace": f"{found.scheme}://{host}" if host else "file",
        "name": f"{folder}/{name}".lstrip("/") if host else f"{folder}/{name}",
        "facets": {"schema": facet("1-2-0/SchemaDatasetFacet", fields=fields)},
    }


def _declared(name: str) -> DeclaredStream:
    return next(stream for stream in all_streams() if stream.name == name)


def _tables_of(stream: DeclaredStream) -> tuple[str, ...]:
    return (stream.name,) if stream.is_of_table else (*stream.captured, *stream.contents)


def _from_table(store: Store, stream: DeclaredStream) -> dict[str, Any]:
    table = _name(store, table_named(stream.name))
    fields = {one.name: _input_fields(table, [one.name], "IDENTITY") for one in stream.columns}
    if stream.event_time:
        fields["event_time"] = _input_fields(table, stream.event_time, "TRANSFORMATION")
    return facet("1-2-0/ColumnLineageDatasetFacet", fields=fields)


def _input_fields(table: Mapping[str, str], columns: Iterable[str], subtype: str) -> dict[str, Any]:
    transformation = {"type": "DIRECT", "subtype": subtype, "description": "", "masking": False}
    return {"inputFields": [{**table, "field": column, "transformations": [transformation]} for column in columns]}


def _statistics(rows: int) -> dict[str, Any]:
    return facet("1-0-2/OutputStatisticsOutputDatasetFacet", rowCount=rows)


def dataset_of_table(store: Store, table: Table) -> Dataset:
    """The dataset of a declared table in the database that a DSN names."""
    fields = [{"name": one.name, "type": one.type.sql, "description": one.doc} for one in table.columns]
    return {**_name(store, table), "facets": {"schema": facet("1-2-0/SchemaDatasetFacet", fields=fields)}}


def _from_events(store: Store, table: Table) -> dict[str, Any]:
    events = _input_fields(_name(store, EVENTS), ["event"], "TRANSFORMATION")
    filled = [column.name for column in table.columns if column.rule not in _NOT_OF_EVENTS]
    fields = dict.fromkeys(filled, events)
    return facet("1-2-0/ColumnLineageDatasetFacet", fields=fields)


def _name(store: Store, table: Table) -> dict[str, str]:
    """In the namespace of our own: a server may get another address or port, and names stay."""
    database = address(store.dsn).database or DEFAULT_DATABASE
    return {"namespace": OWN_NAMESPACE, "name": f"{database}.{table.schema}.{table.name}"}
