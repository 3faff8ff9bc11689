"""unreadable_facets: facets that were kept as they came, but of which no table could be filled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from lineage_core.model.vocabulary import BYTEA, SAME, TEXT, TIMESTAMPTZ, UUID, Column, Index, Row, Table, varchar
from lineage_core.openlineage.events import Event, RawFacets
from lineage_core.openlineage.facets import FacetSubject, TypedFacet, all_facets


def rows(event: Event) -> Iterator[Row]:
    for owner, facets, path in _facets(event):
        for facet in _not_essential(owner):
            fault = facet.fault(facets, path)
            if fault is not None:
                yield {
                    "event_order": event.order,
                    "event_time": event.time,
                    "run_uuid": event.run.uuid if event.run else None,
                    "producer": event.producer,
                    "name": facet.key,
                    "path": fault.path,
                    "reason": fault.reason,
                }


def _facets(event: Event) -> Iterator[tuple[FacetSubject, RawFacets, str]]:
    """Whatever may have facets of this kind, with its place in the event."""
    if event.run is not None:
        yield FacetSubject.RUN, event.run.facets, "$.run.facets"
    if event.job is not None:
        yield FacetSubject.JOB, event.job.facets, "$.job.facets"
    for dataset in event.datasets:
        yield FacetSubject.DATASET, dataset.facets, f"{dataset.path}.facets"


@cache
def _not_essential(owner: FacetSubject) -> tuple[TypedFacet[Any], ...]:
    typed = (facet for facet in all_facets().values() if isinstance(facet, TypedFacet) and not facet.essential)
    return tuple(facet for facet in typed if owner in facet.subjects)


TABLE = Table(
    name="unreadable_facets",
    doc="Facets that were kept as they came, but of which no table could be filled: a row an event and facet.",
    rows=rows,
    append=True,
    columns=(
        Column("event_order", BYTEA, SAME, "Order of the event.", nullable=False),
        Column("event_time", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("run_uuid", UUID, SAME, "The run; null for job events and dataset events."),
        Column("producer", TEXT, SAME, "Producer of the event.", nullable=False),
        Column("name", varchar(255), SAME, "The facet's key.", nullable=False),
        Column("path", TEXT, SAME, "Where in the event the fault lies.", nullable=False),
        Column("reason", TEXT, SAME, "What is wrong.", nullable=False),
    ),
    indexes=(Index("unreadable_facets_event_time_index", "(event_time)", "The last ones; removal by age."),),
)
