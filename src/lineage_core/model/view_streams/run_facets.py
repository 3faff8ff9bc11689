"""The changelog stream of the view run_facets."""

from __future__ import annotations

from lineage_core.model.view import ViewStream
from lineage_core.model.vocabulary import JSONB, TIMESTAMPTZ, UUID, varchar

VIEW_STREAM = ViewStream(
    name="run_facets",
    columns={
        "created_at": TIMESTAMPTZ,
        "run_uuid": UUID,
        "lineage_event_time": TIMESTAMPTZ,
        "lineage_event_type": varchar(64),
        "name": varchar(255),
        "facet": JSONB,
    },
    captured={
        "event_ledger": ("run_uuid", "event_time", "lineage_event_type", "run_facets_uuid"),
        "run_facets_kept_once": ("run_uuid", "event_time", "lineage_event_type", "facet_uuid"),
    },
    contents={"facet_sets": ("uuid", "facets"), "facets": ("uuid", "name", "facet")},
    event_time=("lineage_event_time",),
)
