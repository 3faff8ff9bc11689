"""A run says which of its events are new, and which the tables had already."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lineage_core.normalize.command import _lines
from lineage_core.normalize.normalization import NormalizationOutcome
from lineage_core.postgres.store import Store
from lineage_core.testing import Document, run_event
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres


def _events(first: int, behind: int) -> Iterator[Document]:
    return (run_event(run_id=f"0190a0a0-0000-7000-8000-{number:012}") for number in range(first, behind))


def _line(outcome: NormalizationOutcome) -> str:
    (line,) = _lines(outcome)
    return line


def test_events_that_came_before_are_known_and_others_are_new(database: Store) -> None:
    first = take_in(database, _events(0, 5))
    assert (first.events, first.new) == (5, 5)
    assert _line(first).startswith("5 events normalized, 0 quarantined, in 1 slice and ")
    second = take_in(database, _events(2, 9))
    assert (second.events, second.new) == (7, 4)
    assert _line(second).startswith("7 events normalized (4 new, 3 known before), 0 quarantined, ")
    again = take_in(database, _events(0, 9))
    assert (again.events, again.new, dict(again.changed)) == (9, 0, {})


def test_an_event_that_comes_twice_at_once_is_new_once(database: Store) -> None:
    found = take_in(database, [*_events(0, 3), *_events(0, 3)], slice_bytes=1)
    assert (found.events, found.new) == (6, 3)
    assert found.slices > 1
