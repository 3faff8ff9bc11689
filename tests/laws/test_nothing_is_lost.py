"""Law 3: every raw event ends in the tables or in quarantine, whatever stands beside it and whenever it commits."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store import staging
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import dataset, run_event
from tests.support.event_sets import events
from tests.support.examples import drawn
from tests.support.stores import contents, differences, empty, put, rows, take_in

pytestmark = pytest.mark.postgres

BROKEN: list[dict[str, Any]] = [
    {"eventTime": "2026-01-01T00:00:00Z", "producer": "p", "job": {"namespace": "shop", "name": "no run"}},
    {"eventTime": "2026-01-01T00:00:00Z", "producer": "p", "run": {"runId": "r"}},
    run_event() | {"eventTime": "2026-02-30T00:00:00Z"},
    run_event() | {"inputs": "not a list"},
    run_event(outputs=[dataset("wide", fields=[("c" * 300, "INT")])]),
    run_event(facets={"f" * 300: {}}),
]
"""Documents that jsonb takes, and that no table can."""


@pytest.mark.slow
@drawn(15)
@given(good=st.lists(events, max_size=6), bad=st.lists(st.sampled_from(BROKEN), max_size=4), data=st.data())
def test_a_bad_event_goes_to_quarantine_and_the_good_ones_beside_it_to_the_tables(
    database: Store, good: list[Any], bad: list[Any], data: st.DataObject
) -> None:
    empty(database)
    take_in(database, good)
    wanted = contents(database)
    empty(database)
    mixed = data.draw(st.permutations([*good, *bad]))
    with database.connect() as connection:
        _insert(connection, mixed)
    outcome = normalize(database, SerialRunner(2), slice_bytes=2_000)
    assert differences(contents(database), wanted) == {}
    distinct_bad = {str(document) for document in bad}
    assert outcome.quarantined == len(bad)
    assert outcome.events == len(good)
    assert len(rows(database, "SELECT digest FROM quarantine")) == len(distinct_bad)


def test_a_bad_event_is_in_quarantine_before_its_part_is_staged(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that two parts with the same bad events never wait for each other."""
    seen: list[Any] = []
    declare = staging._declare

    def declare_late(*arguments: Any) -> None:
        seen.extend(rows(database, "SELECT count(*) FROM quarantine"))
        declare(*arguments)

    monkeypatch.setattr(staging, "_declare", declare_late)
    take_in(database, BROKEN[:2])
    assert seen == [(2,)]


def test_an_event_that_commits_after_a_later_one_is_not_missed(database: Store) -> None:
    with _open_transaction(database, run_event(run_id="late")) as late:
        take_in(database, [run_event(run_id="early")])
        assert _run_names(database) == {"early"}
        late.commit()
    normalize(database, SerialRunner())
    assert _run_names(database) == {"early", "late"}


def test_a_transaction_left_open_delays_no_other_event(database: Store) -> None:
    with _open_transaction(database, run_event(run_id="left open")):
        for number in range(3):
            take_in(database, [run_event(run_id=f"run {number}")])
            assert _run_names(database) == {f"run {done}" for done in range(number + 1)}


def test_a_transaction_that_was_open_through_several_runs_is_read_when_it_commits(database: Store) -> None:
    with _open_transaction(database, run_event(run_id="slow")) as slow:
        for number in range(3):
            take_in(database, [run_event(run_id=f"run {number}")])
        slow.commit()
    assert normalize(database, SerialRunner()).events == 1
    assert "slow" in _run_names(database)


def test_events_of_one_transaction_may_lie_in_different_slices(database: Store) -> None:
    outcome = take_in(database, [run_event(run_id=f"run {number}") for number in range(20)], slice_bytes=1_000)
    assert outcome.slices >= 5
    assert len(_run_names(database)) == 20


def test_a_run_without_anything_new_reads_nothing(database: Store) -> None:
    take_in(database, [run_event()])
    assert normalize(database, SerialRunner()).events == 0


def test_four_writers_at_once_lose_nothing(database: Store) -> None:
    writers = [threading.Thread(target=_write, args=(database, number)) for number in range(4)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        normalize(database, SerialRunner())
    normalize(database, SerialRunner())
    assert len(_run_names(database)) == 4 * 25


def _write(store: Store, writer: int) -> None:
    for number in range(25):
        put(store, [run_event(run_id=f"writer {writer}, run {number}")])


def _insert(connection: Connection, documents: list[Any]) -> None:
    for document in documents:
        connection.execute(
            "INSERT INTO lineage_events (event_time, event, created_at)"
            " VALUES ('2026-01-01Z', %s::jsonb, '2026-06-01Z')",
            [json.dumps(document)],
        )


@contextmanager
def _open_transaction(store: Store, event: Any) -> Iterator[Connection]:
    with store.connect() as connection:
        _insert(connection, [event])
        yield connection


def _run_names(store: Store) -> set[str]:
    return {name for (name,) in rows(store, "SELECT external_id FROM runs")}
