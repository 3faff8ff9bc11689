"""When a normalization makes an event of its asset."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

import pytest
from airflow.sdk.execution_time.context import OutletEventAccessors

from lineage_core.airflow.assets import NORMALIZATION, NORMALIZED, announce
from lineage_core.normalize.run import Outcome

if TYPE_CHECKING:
    from airflow.sdk import Context


@pytest.mark.parametrize(
    ("outcome", "extras"),
    [
        (Outcome(changed={"runs": 2}), [{"changed": {"runs": 2}}]),
        (Outcome(), []),
        (Outcome(changed={"runs": 2}, is_own=True), []),
        (None, [{"changed": {}}]),
    ],
    ids=["of others", "nothing", "our own events alone", "unknown"],
)
def test_only_what_may_have_changed_is_announced(outcome: Outcome | None, extras: list[dict[str, object]]) -> None:
    events = OutletEventAccessors()
    announce(cast("Context", {"outlet_events": events}), None if outcome is None else asdict(outcome))
    made = events[NORMALIZATION].asset_alias_events
    assert [event.extra for event in made] == extras
    assert {event.dest_asset_key.name for event in made} <= {NORMALIZED.name}
