"""run_facets: the facets of runs, a row an event; those that are kept once a run, a row of its first event."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.model.meaning.facet_rows import KEPT_ONCE_A_RUN, stored_facets
from lineage_core.model.vocabulary import (
    BYTEA,
    JSONB,
    SAME,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Reference,
    Row,
    Table,
    varchar,
)
from lineage_core.openlineage.events import Event


def rows(event: Event) -> Iterator[Row]:
    """An event without type stores an empty text, as the column takes no null."""
    if event.run is None:
        return
    for name, facet in stored_facets(event.run.facets):
        yield {
            "created_at": event.time,
            "run_uuid": event.run.uuid,
            "lineage_event_time": event.time,
            "lineage_event_type": event.event_type or "",
            "name": name,
            "facet": facet,
            "event_order": event.order if name == KEPT_ONCE_A_RUN else None,
        }


TABLE = Table(
    name="run_facets",
    doc="The facets of runs, a row an event; those that are kept once a run, a row of its first event.",
    rows=rows,
    append=True,
    by_hand=True,
    columns=(
        Column("created_at", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("run_uuid", UUID, SAME, "The run.", reference=Reference("runs")),
        Column("lineage_event_time", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("lineage_event_type", varchar(64), SAME, "Type of the event; empty if it has none.", nullable=False),
        Column("name", varchar(255), SAME, "The facet's key.", nullable=False),
        Column("facet", JSONB, SAME, "An object with that key and the facet as it came.", nullable=False),
        Column("event_order", BYTEA, SAME, "Order of the event, for facets that are kept once a run; else null."),
    ),
    indexes=(
        Index("run_facets_run_uuid_idx", "(run_uuid)", "Facets of a run."),
        Index(
            "run_facets_once_a_run_index",
            "(run_uuid, name)",
            "The one row of a facet that is kept once a run.",
            unique=True,
            where="event_order IS NOT NULL",
        ),
    ),
)
