"""The facets of an event in the form in which they are stored, and as the views of facets show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from lineage_core.declare.vocabulary import Row
from lineage_core.openlineage.events import DatasetMention, Event, RawFacets, Role
from lineage_core.openlineage.facets import DatasetFacetType, dataset_facet_type
from lineage_core.openlineage.facets.parent import FACET as PARENT
from lineage_core.openlineage.identity import ignoring_case

RawText = TypeVar("RawText", bytes, msgspec.Raw)

_DROPPED = "spark_unknown"
"""Marquez leaves this facet of old Spark listeners out; it is large and says what could not be read."""

KEPT_ONCE_A_RUN = "spark.logicalPlan"
"""A plan of many megabytes, the same at each event of its run. Marquez keeps the first, too."""

_IO_TYPES = {Role.INPUT: DatasetFacetType.INPUT, Role.OUTPUT: DatasetFacetType.OUTPUT}


def stored_facets(facets: RawFacets) -> Iterator[tuple[str, bytes]]:
    """Name and stored JSON of each facet that is kept."""
    for name, raw in kept_facets(facets.items()):
        yield name, stored_facet(name, raw)


def kept_facets(facets: Iterable[tuple[str, RawText]]) -> Iterator[tuple[str, RawText]]:
    """Those that are kept, by the names under which they are: the older key `parentRun` becomes `parent`."""
    for key, raw in facets:
        if ignoring_case(key) != _DROPPED:
            yield PARENT.key if key in PARENT.aliases else key, raw


def stored_facet(name: str, raw: bytes | msgspec.Raw) -> bytes:
    """The JSON that is stored of a facet: an object with its name as the one key."""
    return b"".join((b"{", msgspec.json.encode(name), b": ", raw, b"}"))


def run_facet_rows(event: Event) -> Iterator[Row]:
    """Rows of the view `run_facets`, each with the order of the event if its facet is kept once a run."""
    if event.run is None:
        return
    for name, facet in stored_facets(event.run.facets):
        order = event.order if name == KEPT_ONCE_A_RUN else None
        # An event without type has an empty text, as Marquez' column takes no null.
        yield {**_row(event, event.event_type or "", name, facet), "event_order": order}


def job_facet_rows(event: Event) -> Iterator[Row]:
    """Rows of the view `job_facets`."""
    for name, facet in stored_facets(event.job.facets) if event.job else ():
        yield _row(event, _type_in_run(event), name, facet)


def dataset_facet_rows(event: Event, dataset: DatasetMention) -> Iterator[Row]:
    """Rows of the view `dataset_facets` that come from one mention."""
    for name, facet in stored_facets(dataset.facets):
        yield {**_row(event, _type_in_run(event), name, facet), "type": dataset_facet_type(name).value}
    for name, facet in stored_facets(dataset.io_facets):
        yield {**_row(event, _type_in_run(event), name, facet), "type": _IO_TYPES[dataset.role].value}


def _row(event: Event, event_type: str | None, name: str, facet: bytes) -> Row:
    return {"lineage_event_time": event.time, "lineage_event_type": event_type, "name": name, "facet": facet}


def _type_in_run(event: Event) -> str | None:
    return event.event_type if event.run else None
