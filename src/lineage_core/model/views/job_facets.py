"""job_facets: the facets of jobs, a row an event."""

from __future__ import annotations

from lineage_core.model.view import View, ViewStream
from lineage_core.model.vocabulary import JSONB, TIMESTAMPTZ, UUID, varchar

VIEW = View(
    name="job_facets",
    doc="The facets of jobs, a row an event.",
    readers="who asks for facets by SQL",
    reads=("job_facet_contents",),
    # The version of a run's job follows from the streams of runs: it would be corrected here in each facet of the run.
    stream=ViewStream(
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
    ),
)
