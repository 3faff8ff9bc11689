"""What Postgres does not take at the merge, for a reason that no check foresees: the event goes, the others stay."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lineage_core import quarantine
from lineage_core.errors import NeedsOperator
from lineage_core.normalize.normalization import MOST_QUARANTINED, normalize
from lineage_core.normalize.slices import Slice
from lineage_core.normalize.store.event_choices import EventsByTime, interval
from lineage_core.openlineage.instants import microseconds
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, run_event
from tests.support.event_sets import Document
from tests.support.stores import contents, differences, empty, put, rows, take_in

pytestmark = pytest.mark.postgres

WHOLE_DAY = interval(microseconds(TIME.replace(hour=0)), microseconds(TIME.replace(hour=23)))


def events(number: int, cursed: set[int]) -> list[Document]:
    return [
        run_event(
            "COMPLETE",
            run_id=f"run {place}",
            time=TIME + timedelta(minutes=place),
            outputs=[dataset("cursed" if place in cursed else f"table {place % 3}", fields=[("id", "INT")])],
        )
        for place in range(number)
    ]


def curse(store: Store, state: str = "22023") -> None:
    """Lets Postgres refuse a dataset of that name."""
    with store.connect() as connection:
        connection.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE 'this name is cursed' USING errcode = '{state}'; END $$".encode()
        )
        connection.execute(
            "CREATE TRIGGER cursed BEFORE INSERT ON datasets FOR EACH ROW WHEN (new.name = 'cursed')"
            " EXECUTE FUNCTION refuse()"
        )


@pytest.mark.parametrize(
    ("reading", "slice_bytes"),
    [(None, 1 << 26), (None, 3_000), (None, 1), (WHOLE_DAY, 3_000)],
    ids=["one slice", "several", "one an event", "by event time"],
)
def test_the_event_is_set_aside_and_all_others_are_merged(
    database: Store, reading: EventsByTime | None, slice_bytes: int
) -> None:
    cursed = {0, 17, 18}
    take_in(database, [event for place, event in enumerate(events(20, cursed)) if place not in cursed])
    wanted = contents(database)
    empty(database)
    curse(database)
    put(database, events(20, cursed))
    outcome = normalize(database, SerialRunner(2), interval=reading, slice_bytes=slice_bytes)
    assert (outcome.events, outcome.quarantined) == (17, 3)
    assert differences(contents(database), wanted) == {}
    assert {entry.reason for entry in quarantine.entries(database)} == {
        "The statement model/derive/datasets fails: this name is cursed"
    }
    if reading is None:
        assert normalize(database, SerialRunner()).events == 0


def test_what_was_set_aside_is_taken_in_when_it_is_mended(database: Store) -> None:
    from lineage_core.ingest.store import retry

    curse(database)
    take_in(database, events(3, {1}))
    with database.connect() as connection:
        connection.execute("DROP TRIGGER cursed ON datasets")
    assert [result.refused for result in retry(database, None)] == [None]
    assert normalize(database, SerialRunner()).events == 1
    assert rows(database, "SELECT count(*) FROM datasets WHERE name = 'cursed'") == [(1,)]


def test_many_need_a_person_and_nothing_is_lost(database: Store) -> None:
    curse(database)
    put(database, events(MOST_QUARANTINED + 5, set(range(2, MOST_QUARANTINED + 5))))
    with pytest.raises(NeedsOperator, match="hardly the cause") as raised:
        normalize(database, SerialRunner())
    assert "The statement model/derive/datasets fails: this name is cursed" in str(raised.value)
    assert len(quarantine.entries(database)) == MOST_QUARANTINED
    with database.connect() as connection:
        connection.execute("DROP TRIGGER cursed ON datasets")
    assert normalize(database, SerialRunner()).events == 3
    assert rows(database, "SELECT count(*) FROM event_ledger") == [(5,)]


def test_a_failure_that_no_event_can_cause_is_not_blamed_on_events(database: Store) -> None:
    curse(database, state="42P01")
    put(database, events(3, {1}))
    with pytest.raises(NeedsOperator, match="this name is cursed"):
        normalize(database, SerialRunner())
    assert quarantine.entries(database) == []
    assert rows(database, "SELECT count(*) FROM event_ledger") == [(0,)]


def test_progress_tells_of_each_half(database: Store) -> None:
    counts: list[int] = []

    def note(planned: Slice, _outcome: object) -> None:
        counts.append(planned.events)

    curse(database)
    put(database, events(4, {3}))
    normalize(database, SerialRunner(), progress=note)
    assert counts == [2, 1]
