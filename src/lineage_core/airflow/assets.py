"""What DAGs can be scheduled on: `schedule=[NORMALIZED]` runs one after each normalization that has changed tables.

Airflow makes an event of each asset that a task names as its outlet, whatever the task did. Of an alias, the task says
itself whether there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from airflow.sdk import Asset, AssetAlias

if TYPE_CHECKING:
    from airflow.sdk import Context

NORMALIZED = Asset("lineage_normalized")
"""The tables of the store, as they are behind a normalization."""

NORMALIZATION = AssetAlias("lineage_normalization")
"""The outlet of the task."""


def announce(context: Context, changed: Mapping[str, int] | None) -> None:
    """Makes an event of `NORMALIZED` if a run has changed rows, and lets it have how many of which table.

    changed: None if that is unknown, as of a driver on another machine. Then there is an event all the same.
    """
    if changed is None or changed:
        context["outlet_events"][NORMALIZATION].add(NORMALIZED, extra={"changed": dict(changed or {})})
