"""When a normalization, or a publication, makes an event of its asset."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

import pytest
from airflow.sdk.execution_time.context import OutletEventAccessors

from lineage_core.airflow.assets import (
    NORMALIZATION,
    NORMALIZED,
    PUBLICATION,
    PUBLISHED,
    announce_streams,
    announce_tables,
)
from lineage_core.normalize.normalization import NormalizationOutcome
from lineage_core.streams.publication import PublicationOutcome, PublishedStream

if TYPE_CHECKING:
    from airflow.sdk import Context


@pytest.mark.parametrize(
    ("outcome", "extras"),
    [
        (NormalizationOutcome(changed={"runs": 2}), [{"changed": {"runs": 2}}]),
        (NormalizationOutcome(), []),
        (NormalizationOutcome(changed={"runs": 2}, is_own=True), []),
        (None, [{"changed": {}}]),
    ],
    ids=["of others", "nothing", "our own events alone", "unknown"],
)
def test_only_what_may_have_changed_is_announced(
    outcome: NormalizationOutcome | None, extras: list[dict[str, object]]
) -> None:
    events = OutletEventAccessors()
    announce_tables(cast("Context", {"outlet_events": events}), None if outcome is None else asdict(outcome))
    made = events[NORMALIZATION].asset_alias_events
    assert [event.extra for event in made] == extras
    assert {event.dest_asset_key.name for event in made} <= {NORMALIZED.name}


@pytest.mark.parametrize(
    ("outcome", "extras"),
    [
        (PublicationOutcome(streams=(PublishedStream("runs", 5, 9, 1),)), [{"next_offset": {"runs": 9}}]),
        (PublicationOutcome(starting=("runs",)), []),
        (None, [{"next_offset": {}}]),
    ],
    ids=["records", "nothing", "unknown"],
)
def test_only_streams_that_may_have_records_are_announced(
    outcome: PublicationOutcome | None, extras: list[dict[str, object]]
) -> None:
    events = OutletEventAccessors()
    announce_streams(cast("Context", {"outlet_events": events}), None if outcome is None else asdict(outcome))
    made = events[PUBLICATION].asset_alias_events
    assert [event.extra for event in made] == extras
    assert {event.dest_asset_key.name for event in made} <= {PUBLISHED.name}
