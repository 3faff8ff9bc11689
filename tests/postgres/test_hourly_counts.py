"""The counts of events by hour, which Marquez reads, are refreshed by normalization."""

from __future__ import annotations

import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.declare.database_names import JOBS
from lineage_core.errors import NeedsOperator, TryAgain
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store.hourly_counts import VIEW, refresh_hourly_counts
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import run_event
from tests.support.stores import put, rows, take_in

pytestmark = pytest.mark.postgres

COUNTED = f"SELECT coalesce(sum(start), 0), coalesce(sum(complete), 0) FROM {VIEW}"
AN_HOUR_PASSES = "UPDATE refreshed_views SET refreshed_at = refreshed_at - interval '61 minutes'"


def let_an_hour_pass(store: Store) -> None:
    with store.connect() as connection:
        connection.execute(AN_HOUR_PASSES)


def test_a_run_refreshes_them_once_an_hour(database: Store, postgres_server: Server) -> None:
    postgres_server.ensure_role("counter", "NOSUPERUSER")
    postgres_server.run_sql(f"GRANT {JOBS} TO counter;")
    worker = Store(make_conninfo(database.dsn, user="counter"))
    put(database, [run_event()])
    normalize(worker, SerialRunner())
    assert rows(database, COUNTED) == [(0, 0)], "they are not an hour old"
    let_an_hour_pass(database)
    normalize(worker, SerialRunner())
    assert rows(database, COUNTED) == [(1, 0)]
    put(database, [run_event("COMPLETE")])
    normalize(worker, SerialRunner())
    assert rows(database, COUNTED) == [(1, 0)]


def test_they_are_refreshed_after_a_clock_was_put_back(database: Store) -> None:
    with database.connect() as connection:
        connection.execute("UPDATE refreshed_views SET refreshed_at = now() + interval '1 day'")
    take_in(database, [run_event()])
    assert rows(database, COUNTED) == [(1, 0)]


def test_who_reads_them_keeps_no_run_waiting_nor_waits_for_one(database: Store) -> None:
    let_an_hour_pass(database)
    with database.connect() as reader, database.connect() as refreshing:
        reader.execute(COUNTED.encode())
        take_in(database, [run_event()])
        assert reader.execute(COUNTED.encode()).fetchone() == (1, 0)
        refreshing.execute(AN_HOUR_PASSES)
        refreshing.execute("SELECT refresh_hourly_counts()")
        reader.execute("SET lock_timeout = '100ms'")
        assert reader.execute(COUNTED.encode()).fetchone() == (1, 0)
        assert normalize(database, SerialRunner()).events == 0, "one refreshes them, another run goes on"


def test_a_view_that_stays_locked_is_reported_after_all_is_merged(database: Store) -> None:
    let_an_hour_pass(database)
    with database.connect() as holding:
        holding.execute(f"REFRESH MATERIALIZED VIEW {VIEW}".encode())
        with pytest.raises(TryAgain, match="locked by another session"):
            take_in(database, [run_event()])
    assert rows(database, "SELECT count(*) FROM runs") == [(1,)]
    with database.connect() as connection:
        assert refresh_hourly_counts(connection)


@pytest.mark.parametrize(
    "broken", [f"DROP INDEX {VIEW}_for_start_interval_idx", f"REFRESH MATERIALIZED VIEW {VIEW} WITH NO DATA"]
)
def test_a_view_that_cannot_be_refreshed_needs_a_person(database: Store, broken: str) -> None:
    let_an_hour_pass(database)
    with database.connect() as connection:
        connection.execute(broken.encode())
    with pytest.raises(NeedsOperator, match=f"All events are merged, but {VIEW} cannot be refreshed"):
        take_in(database, [run_event()])
    assert rows(database, "SELECT count(*) FROM runs") == [(1,)]
