"""Which raw events retention lets go: exactly those that are old, normalized and kept by nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from lineage_core.errors import StaleWatermark
from lineage_core.normalize.store.event_choices import prefer_indexes
from lineage_core.postgres.store import Store
from lineage_core.retention.plan import RawEventsPlan
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.store.policies import HeldThing, add_hold, release_hold
from lineage_core.retention.store.raw_events import chosen_parts, planned, raw_event_namespaces
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, dataset, dataset_event, job_event, named_job, run_event
from tests.support.stores import put, rows, take_in

pytestmark = pytest.mark.postgres

DAY = timedelta(days=1)
RUNS = [f"0190a0a0-0000-7000-8000-0000000000{number:02}" for number in range(100)]
ORDERS = "postgres://shop:5432"

INSERT_OPEN = """INSERT INTO lineage_events (event_time, event) VALUES (%s, '{"job": {"namespace": "shop"}}')"""


def cutoffs(before: datetime, *namespaces: str) -> list[Cutoff]:
    return [Cutoff(PolicyKind.RAW_EVENTS, namespace, before, 0) for namespace in namespaces or ("shop", ORDERS)]


def plan(store: Store, before: datetime = TIME + DAY, *namespaces: str) -> RawEventsPlan:
    with store.connect() as connection:
        return planned(connection, cutoffs(before, *namespaces), TIME + 1_000 * DAY)


def ended(run: int = 0, **changes: Any) -> list[dict[str, Any]]:
    return [
        run_event("START", run_id=RUNS[run], **changes),
        run_event("COMPLETE", run_id=RUNS[run], outputs=[dataset()], **changes),
    ]


def kept(store: Store, events: Sequence[Any], held: HeldThing) -> int:
    """How many of some events a hold keeps, and no longer when it is released."""
    take_in(store, events)
    hold = add_hold(store, held, "an audit", None)
    found = plan(store)
    assert found.rows + found.protected.get("legal hold", 0) == len(events)
    release_hold(store, hold, "it is over")
    assert plan(store).rows == len(events)
    return found.protected.get("legal hold", 0)


def test_what_is_old_and_normalized_goes_with_its_size_in_the_store(database: Store) -> None:
    take_in(database, ended())
    ((size,),) = rows(database, "SELECT sum(pg_column_size(event)) FROM lineage_events")
    assert plan(database) == RawEventsPlan(2, size, {})


def test_a_cutoff_is_of_a_namespace_as_events_spell_it(database: Store) -> None:
    take_in(database, [*ended(), *ended(1, job=named_job(namespace="Shop"))])
    assert plan(database, TIME + DAY, "shop").rows == 2
    assert plan(database, TIME + DAY, "shop", "Shop").rows == 4
    assert plan(database, TIME, "shop", "Shop").rows == 0, "at the cut-off itself nothing goes"


def test_events_about_no_run_go_too(database: Store) -> None:
    """Marquez keeps them for ever."""
    take_in(database, [dataset_event(), job_event()])
    assert plan(database).rows == 2
    with database.connect() as connection:
        assert sorted(raw_event_namespaces(connection)) == [ORDERS, "shop"]


def test_a_run_with_an_old_event_does_not_lose_its_new_ones(database: Store) -> None:
    """In Marquez a run with one old event loses all of them."""
    take_in(database, [ended()[0], run_event("COMPLETE", run_id=RUNS[0], time=TIME + 2 * DAY)])
    assert plan(database) == RawEventsPlan(1, plan(database).bytes, {})


def test_rows_that_are_protected_do_not_end_the_work(database: Store) -> None:
    """Marquez takes a batch first and asks then, and ends at a batch in which all are protected."""
    older = [run_event("START", run_id=run, time=TIME - timedelta(hours=1)) for run in RUNS[1:31]]
    take_in(database, [*older, *ended()])
    assert plan(database).protected == {"open run": 30}
    assert plan(database).rows == 2
    with database.connect() as connection:
        assert len(chosen_parts(connection, cutoffs(TIME + DAY), 1)) == 2


def test_what_waits_stays(database: Store) -> None:
    put(database, ended())
    assert plan(database) == RawEventsPlan(0, 0, {"waiting": 2}), "there never was a run"
    take_in(database, ended(1))
    put(database, ended(2))
    assert plan(database) == RawEventsPlan(4, plan(database).bytes, {"waiting": 2})


def test_what_a_run_has_not_merged_yet_stays_and_what_it_has_goes(database: Store) -> None:
    take_in(database, ended())
    put(database, ended(1))
    with database.connect() as connection:
        connection.execute(
            "UPDATE watermarks SET target = pg_current_snapshot(), (cursor_xid, cursor_seq) ="
            " (SELECT arrived_xid, min(arrival_seq) FROM lineage_events GROUP BY 1 ORDER BY 1 DESC LIMIT 1)"
        )
    assert plan(database) == RawEventsPlan(3, plan(database).bytes, {"waiting": 1})


def test_what_a_transaction_brings_that_was_open_at_the_last_run_stays(database: Store) -> None:
    with database.connect() as late:
        late.execute(INSERT_OPEN, [TIME])
        take_in(database, ended())
    assert plan(database) == RawEventsPlan(2, plan(database).bytes, {"waiting": 1})


def test_arrival_numbers_from_elsewhere_do_not_make_an_event_normalized(database: Store) -> None:
    take_in(database, ended())
    with database.connect() as connection:
        connection.execute("CREATE TABLE brought (LIKE lineage_events INCLUDING ALL)")
        connection.execute(
            "INSERT INTO brought (event_time, event, job_namespace, arrived_xid, arrival_seq)"
            " VALUES ('2001-01-05Z', '{}', 'shop', 3, 3)"
        )
        connection.execute(
            "ALTER TABLE lineage_events_arrived ATTACH PARTITION brought"
            " FOR VALUES FROM ('2001-01-01Z') TO ('2001-02-01Z')"
        )
    assert plan(database) == RawEventsPlan(2, plan(database).bytes, {"waiting": 1})


def test_a_store_of_another_cluster_lets_nothing_go(database: Store) -> None:
    take_in(database, ended())
    with database.connect() as connection:
        connection.execute("UPDATE watermarks SET system_identifier = system_identifier + 1")
    with pytest.raises(StaleWatermark, match="nothing is deleted"):
        plan(database)


def test_an_open_run_keeps_its_newest_event_alone(database: Store) -> None:
    running = [run_event("RUNNING", run_id=RUNS[0], time=TIME + timedelta(minutes=minute)) for minute in (3, 1, 2)]
    take_in(database, running)
    assert plan(database).protected == {"open run": 1}
    with database.connect() as connection:
        ((_, *last),) = connection.execute(
            "SELECT kept_by, event_time FROM judged_raw_events(%s, %s, '-infinity', 'infinity') WHERE kept_by <> ''",
            [["shop"], [TIME + DAY]],
        )
    assert last == [TIME + timedelta(minutes=3)]
    take_in(database, [run_event("FAIL", run_id=RUNS[0], time=TIME)])
    assert plan(database).protected == {}


def test_a_new_event_of_an_open_run_lets_its_old_ones_go(database: Store) -> None:
    take_in(database, [run_event("START", run_id=RUNS[0]), run_event("RUNNING", run_id=RUNS[0], time=TIME + 2 * DAY)])
    assert plan(database) == RawEventsPlan(1, plan(database).bytes, {})


@pytest.mark.parametrize(
    ("held", "number"),
    [
        (HeldThing("*"), 6),
        (HeldThing("shop"), 5),
        (HeldThing("postgres:*"), 4),
        (HeldThing("*", job="report"), 2),
        (HeldThing("other", job="report"), 0),
        (HeldThing("shop", run=UUID(RUNS[1])), 2),
        (HeldThing("*", dataset="public.orders"), 3),
        (HeldThing("*", dataset="read"), 1),
        (HeldThing("shop", dataset="read"), 0),
        (HeldThing("*", events_since=TIME + timedelta(minutes=1)), 1),
        (HeldThing("*", events_until=TIME + timedelta(minutes=1)), 5),
        (HeldThing("other"), 0),
        (HeldThing("s*p"), 5),
        (HeldThing("s_op"), 0),
        (HeldThing("sh\\op"), 0),
        (HeldThing("SHOP"), 0),
        (HeldThing("sho%"), 0),
    ],
)
def test_a_hold_keeps_exactly_that(database: Store, held: HeldThing, number: int) -> None:
    events = [
        *ended(),
        *ended(1, job=named_job("report")),
        job_event(named_job("other"), inputs=[dataset("read")], time=TIME + timedelta(minutes=1)),
        dataset_event(),
    ]
    assert kept(database, events, held) == number


def test_what_open_runs_keep_is_looked_up_in_a_list(database: Store) -> None:
    """Looked through for each event it would take hours: 36 s for a part of 6,000 events, when it was joined."""
    take_in(database, [run_event("START", run_id=run) for run in RUNS])
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO lineage_events (event_time, event, created_at)"
            " SELECT %s, event, created_at FROM lineage_events, generate_series(1, 300)",
            [TIME - DAY],
        )
        connection.execute("ANALYZE lineage_events")
        connection.execute("ANALYZE runs")
        plan_of = "EXPLAIN (VERBOSE) SELECT count(kept_by) FROM judged_raw_events(%s, %s, '-infinity', 'infinity')"
        prefer_indexes(connection)
        assert "hashed SubPlan" in str(connection.execute(plan_of, [["shop"], [TIME]]).fetchall())


def test_open_runs_are_found_by_their_index(database: Store) -> None:
    """However many have ended: an archive looks for them with each of its parts."""
    take_in(database, [run_event("START", run_id=RUNS[0])])
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO runs (uuid, created_at, updated_at, first_event, end_run_state_uuid)"
            " SELECT gen_random_uuid(), created_at, updated_at, first_event, gen_random_uuid()"
            " FROM runs, generate_series(1, 10000)"
        )
        connection.execute("ANALYZE runs")
        plan_of = "EXPLAIN SELECT count(kept_by) FROM judged_raw_events(%s, %s, '-infinity', 'infinity')"
        assert "runs_open_index" in str(connection.execute(plan_of, [["shop"], [TIME]]).fetchall())
