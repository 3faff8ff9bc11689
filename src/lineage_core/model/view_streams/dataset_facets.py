"""The changelog stream of the view dataset_facets."""

from __future__ import annotations

from lineage_core.model.view import ViewStream
from lineage_core.model.vocabulary import JSONB, TIMESTAMPTZ, UUID, varchar

VIEW_STREAM = ViewStream(
    name="dataset_facets",
    columns={
        "created_at": TIMESTAMPTZ,
        "dataset_uuid": UUID,
        "dataset_version_uuid": UUID,
        "run_uuid": UUID,
        "lineage_event_time": TIMESTAMPTZ,
        "lineage_event_type": varchar(64),
        "type": varchar(64),
        "name": varchar(255),
        "facet": JSONB,
    },
    captured={
        "dataset_mentions": (
            "dataset_uuid",
            "role",
            "event_time",
            "run_uuid",
            "version_uuid",
            "lineage_event_type",
            "facets_uuid",
            "io_facets_uuid",
            "is_purged",
        ),
    },
    contents={"facet_sets": ("uuid", "facets"), "facets": ("uuid", "name", "facet")},
    event_time=("lineage_event_time",),
)
