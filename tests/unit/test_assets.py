"""When a normalization makes an event of its asset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import pytest
from airflow.sdk.execution_time.context import OutletEventAccessors

from lineage_core.airflow.assets import NORMALIZATION, NORMALIZED, announce

if TYPE_CHECKING:
    from airflow.sdk import Context


@pytest.mark.parametrize(
    ("changed", "extras"),
    [
        ({"runs": 2}, [{"changed": {"runs": 2}}]),
        ({}, []),
        (None, [{"changed": {}}]),
    ],
)
def test_only_what_may_have_changed_is_announced(
    changed: Mapping[str, int] | None, extras: list[dict[str, object]]
) -> None:
    events = OutletEventAccessors()
    announce(cast("Context", {"outlet_events": events}), changed)
    made = events[NORMALIZATION].asset_alias_events
    assert [event.extra for event in made] == extras
    assert {event.dest_asset_key.name for event in made} <= {NORMALIZED.name}
