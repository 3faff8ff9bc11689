"""What DAGs can be scheduled on: `schedule=[NORMALIZED]` runs one after each normalization that has changed tables.

Airflow makes an event of each asset that a task names as its outlet, whatever the task did. Of an alias, the task says
itself whether there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from airflow.sdk import Asset, AssetAlias

if TYPE_CHECKING:
    from airflow.sdk import Context

NORMALIZED = Asset("lineage_normalized")
"""The tables of the store, as they are behind a normalization."""

NORMALIZATION = AssetAlias("lineage_normalization")
"""The outlet of the task that normalizes."""

PUBLISHED = Asset("lineage_published")
"""The changelog streams, as they are behind a publication."""

PUBLICATION = AssetAlias("lineage_publication")
"""The outlet of the task that publishes."""


def announce_tables(context: Context, outcome: Mapping[str, Any] | None) -> None:
    """Makes an event of `NORMALIZED` if a run has changed rows, and lets it have how many of which table.

    outcome: that of the job, as JSON has it. None if it is unknown, as of a driver on another machine: then there is an
    event all the same. Of what the platform reports of itself there is none: a DAG that it starts would report again.
    """
    changed = {} if outcome is None else outcome["changed"]
    if outcome is None or (changed and not outcome["is_own"]):
        context["outlet_events"][NORMALIZATION].add(NORMALIZED, extra={"changed": dict(changed)})


def announce_streams(context: Context, outcome: Mapping[str, Any] | None) -> None:
    """Makes an event of `PUBLISHED` if a publication has added records, and lets it have how far each stream goes now.

    outcome: as in `announce_tables`. The offset is that behind the last record.
    """
    next_offsets = {} if outcome is None else {one["stream"]: one["next_offset"] for one in outcome["streams"]}
    if outcome is None or next_offsets:
        context["outlet_events"][PUBLICATION].add(PUBLISHED, extra={"next_offset": next_offsets})
