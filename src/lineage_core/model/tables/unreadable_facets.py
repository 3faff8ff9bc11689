"""unreadable_facets: facets that were kept as they came, but of which no table could be filled."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import BYTEA, SAME, TEXT, TIMESTAMPTZ, UUID, Column, Index, Row, Table, varchar
from lineage_core.model.meaning.typed_facets import present
from lineage_core.openlineage.events import AnyMention, Event


class MentionedFaults:
    """What cannot be read of the facets of a mention that are not essential: name, place and reason of each."""

    def __init__(self, mention: AnyMention) -> None:
        read = present(mention, essential=False)
        faults = ((facet.key, facet.fault(mention.facets, f"{mention.path}.facets")) for facet in read)
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
