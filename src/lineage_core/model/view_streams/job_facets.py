"""The changelog stream of the view job_facets."""

from __future__ import annotations

from lineage_core.model.view import ViewStream
from lineage_core.model.vocabulary import JSONB, TIMESTAMPTZ, UUID, varchar

VIEW_STREAM = ViewStream(
    name="job_facets",
    columns={
        "created_at": TIMESTAMPTZ,
        "job_uuid": UUID,
        "run_uuid": UUID,
        "lineage_event_time": TIMESTAMPTZ,
        "lineage_event_type": varchar(64),
        "name": varchar(255),
        "facet": JSONB,
    },
    captured={
        "event_ledger": ("job_uuid", "run_uuid", "event_time", "lineage_event_type", "job_facets_uuid"),
    },
    contents={"facet_sets": ("uuid", "facets"), "facets": ("uuid", "name", "facet")},
    event_time=("lineage_event_time",),
)
