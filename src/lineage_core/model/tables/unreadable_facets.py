"""unreadable_facets: facets that were kept as they came, but of which no table could be filled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import BYTEA, SAME, TEXT, TIMESTAMPTZ, UUID, Column, Index, Row, Table, varchar
from lineage_core.openlineage.events import AnyMention, DatasetMention, Event, JobMention, RawFacets, RunMention
from lineage_core.openlineage.facets import FacetSubject, TypedFacet, all_facets

_SUBJECTS = {RunMention: FacetSubject.RUN, JobMention: FacetSubject.JOB, DatasetMention: FacetSubject.DATASET}


class MentionedFaults:
    """What cannot be read of the facets of a mention that are not essential: name, place and reason of each."""

    def __init__(self, mention: AnyMention) -> None:
        present = _present(_SUBJECTS[type(mention)], mention.facets)
        faults = ((facet.key, facet.fault(mention.facets, f"{mention.path}.facets")) for facet in present)
        self.found = [(name, fault.path, fault.reason) for name, fault in faults if fault is not None]


def rows(event: Event) -> Iterator[Row]:
    for mention in event.mentions:
        for name, path, reason in mention.described_by(MentionedFaults).found:
            yield {
                "event_order": event.order,
                "event_time": event.time,
                "run_uuid": event.run.uuid if event.run else None,
                "producer": event.producer,
                "name": name,
                "path": path,
                "reason": reason,
            }


def _present(owner: FacetSubject, facets: RawFacets) -> Iterator[TypedFacet[Any]]:
    """Those of the kind that are not essential and are there, each once, be it by several keys."""
    known = _not_essential(owner)
    for key in facets.keys() & known.keys():
        facet = known[key]
        if key == facet.key or facet.key not in facets:
            yield facet


@cache
def _not_essential(owner: FacetSubject) -> dict[str, TypedFacet[Any]]:
    """By each of their keys."""
    typed = (facet for facet in all_facets().values() if isinstance(facet, TypedFacet) and not facet.essential)
    return {key: facet for facet in typed if owner in facet.subjects for key in facet.keys}


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
    indexes=(
        Index("unreadable_facets_event_time_index", "(event_time)", "The last ones."),
        Index(
            "unreadable_facets_run_index",
            "(run_uuid)",
            "Removal with the run.",
            where="run_uuid IS NOT NULL",
        ),
    ),
    retention=(GoesWith("runs", "run_uuid"),),
)
