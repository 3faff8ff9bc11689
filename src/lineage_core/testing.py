"""Builders of OpenLineage events, for the tests of this project and of those who use it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

Document = dict[str, Any]
Facets = Mapping[str, Document]
Fields = Sequence[tuple[str, str | None] | tuple[str, str | None, str | None]]
"""Name and type of each column, and a description if it has one."""

PRODUCER = "https://producer.example/1.0"
SPEC = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs"
TIME = datetime(2026, 1, 1, tzinfo=UTC)


def run_event(
    event_type: str | None = "START",
    *,
    run_id: str = "0190a0a0-0000-7000-8000-000000000001",
    job: Document | None = None,
    time: datetime | str = TIME,
    inputs: Sequence[Document] = (),
    outputs: Sequence[Document] = (),
    facets: Facets | None = None,
) -> Document:
    """An event of a run. `facets` are the run's."""
    event = _event("RunEvent", time) | {"run": _with_facets({"runId": run_id}, facets), "job": job or named_job()}
    typed = event | ({} if event_type is None else {"eventType": event_type})
    return typed | {"inputs": list(inputs), "outputs": list(outputs)}


def job_event(
    job: Document | None = None,
    *,
    time: datetime | str = TIME,
    inputs: Sequence[Document] = (),
    outputs: Sequence[Document] = (),
) -> Document:
    """An event that declares a job and what it reads and writes."""
    return _event("JobEvent", time) | {"job": job or named_job(), "inputs": list(inputs), "outputs": list(outputs)}


def dataset_event(described: Document | None = None, *, time: datetime | str = TIME) -> Document:
    """An event that describes a dataset."""
    return _event("DatasetEvent", time) | {"dataset": described or dataset()}


def named_job(name: str = "load", namespace: str = "shop", *, facets: Facets | None = None) -> Document:
    return _with_facets({"namespace": namespace, "name": name}, facets)


def dataset(
    name: str = "public.orders",
    namespace: str = "postgres://shop:5432",
    *,
    fields: Fields | None = None,
    facets: Facets | None = None,
    input_facets: Facets | None = None,
    output_facets: Facets | None = None,
) -> Document:
    """A dataset; with `fields` it has a schema facet, an empty one if they are empty."""
    described: dict[str, Document] = dict(facets or {})
    if fields is not None:
        described["schema"] = facet(fields=[_field(*field) for field in fields])
    document = _with_facets({"namespace": namespace, "name": name}, described or None)
    more = {"inputFacets": input_facets, "outputFacets": output_facets}
    return document | {key: dict(value) for key, value in more.items() if value is not None}


def facet(**members: Any) -> Document:
    """A facet with these members, and the two that every facet has."""
    return {"_producer": PRODUCER, "_schemaURL": f"{SPEC}/BaseFacet"} | members


def parent(run_id: str, name: str, namespace: str = "shop") -> dict[str, Document]:
    """The run facet that names the run by which a run was started."""
    return {"parent": facet(run={"runId": run_id}, job={"namespace": namespace, "name": name})}


def to_json(event: Document) -> bytes:
    """The event as a document of one line."""
    return json.dumps(event, ensure_ascii=False).encode()


def to_ndjson(events: Iterable[Document]) -> bytes:
    """The events as a file, one a line."""
    return b"".join(to_json(event) + b"\n" for event in events)


def _event(definition: str, time: datetime | str) -> Document:
    written = time if isinstance(time, str) else time.isoformat()
    return {"eventTime": written, "producer": PRODUCER, "schemaURL": f"{SPEC}/{definition}"}


def _with_facets(document: Document, facets: Facets | None) -> Document:
    return document if facets is None else document | {"facets": dict(facets)}


def _field(name: str, type_: str | None, description: str | None = None) -> Document:
    members = {"name": name, "type": type_, "description": description}
    return {key: value for key, value in members.items() if value is not None}
