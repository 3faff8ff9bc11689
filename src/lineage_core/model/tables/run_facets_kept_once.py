"""run_facets_kept_once: the facets of runs of which only that of the first event is kept."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import (
    KEY,
    TIMESTAMPTZ,
    UUID,
    Column,
    Earliest,
    Index,
    Reference,
    Row,
    Table,
    varchar,
)
from lineage_core.model.meaning.facet_rows import mentioned_facets
from lineage_core.openlineage.events import Event

FIRST = Earliest("first_event")


def rows(event: Event) -> Iterator[Row]:
    if event.run is None:
        return
    for content in mentioned_facets(event.run).once_a_run:
        yield {
            "run_uuid": event.run.uuid,
            "name": content.name,
            "facet_uuid": content.uuid,
            "event_time": event.time,
            "lineage_event_type": event.event_type or "",
        }


TABLE = Table(
    name="run_facets_kept_once",
    doc="The facets of which each run keeps that of its first event: plans of many megabytes, the same at each event.",
    rows=rows,
    # Not folded before the merge, which has to know the contents of those that are not kept.
    append=True,
    by_hand=True,
    columns=(
        Column("run_uuid", UUID, KEY, "The run.", nullable=False, reference=Reference("runs")),
        Column("name", varchar(255), KEY, "The facet's key.", nullable=False),
        Column("facet_uuid", UUID, FIRST, "Its content, a row of `facets`.", nullable=False),
        Column("event_time", TIMESTAMPTZ, FIRST, "Time of the event.", nullable=False),
        Column("lineage_event_type", varchar(64), FIRST, "Type of the event; empty if it has none.", nullable=False),
    ),
    primary_key=("run_uuid", "name"),
    indexes=(
        Index("run_facets_kept_once_facet_index", "(facet_uuid)", "The runs that keep a content; whether any does."),
    ),
    retention=(
        GoesWith("runs", "run_uuid"),
        Keeps("facets", ("facet_uuid",)),
    ),
)
