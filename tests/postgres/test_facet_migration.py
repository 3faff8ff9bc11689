"""The back-fill of seed 001: raw events that never became rows are taken in, on the machinery of long migrations."""

from __future__ import annotations

from collections import Counter

import pytest

from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.long_migrations import workers as migration
from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import WorkerOutcome, migrate
from lineage_core.model.tables import normalized_tables
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner, ThreadRunner
from lineage_core.testing import TIME, dataset, facet, named_job, run_event
from tests.support.row_counts import counted
from tests.support.stores import contents, differences, empty, put, rows, take_in

pytestmark = pytest.mark.postgres

NAME = "facets"
EVENTS = [
    run_event(
        kind,
        run_id=f"run {number}",
        job=named_job(f"job {number % 3}", facets={"sql": facet(query=f"SELECT {number}")}),
        time=TIME.replace(hour=number, second=second),
        facets={"custom": facet(number=number)},
        outputs=[dataset("orders", fields=[("id", "INTEGER")])],
    )
    for number in range(20)
    for second, kind in enumerate(("START", "COMPLETE"))
]


def small_steps(store: Store) -> None:
    """A few events each, so that ranges are worked off in several transactions."""
    records.plan(store, NAME)
    for setting in ("smallest_rows", "start_rows", "largest_rows"):
        records.change_setting(store, NAME, setting, "7")


def test_old_events_get_the_rows_that_normalization_would_have_given_them(database: Store) -> None:
    take_in(database, EVENTS)
    wanted = contents(database)
    empty(database)
    put(database, EVENTS)
    small_steps(database)
    status = migrate(database, NAME, ThreadRunner())
    assert (status.state, status.done, status.total, status.quarantined) == ("finished", 40, 40, 0)
    assert differences(contents(database), wanted) == {}
    assert rows(database, "SELECT count(*) FROM run_facets WHERE name = 'custom'") == [(40,)]


def test_it_counts_the_rows_that_it_has_changed_of_each_table(database: Store) -> None:
    """One normalization of the same events, which has changed the same tables, says what is to be expected."""
    put(database, EVENTS)
    small_steps(database)
    changed = Counter[str]()
    migrate(database, NAME, ThreadRunner(), workers=2, report=lambda worker: changed.update(worker.tables))
    left = counted(database)
    assert changed["event_ledger"] == left["event_ledger"] == 40
    assert set(changed) == {table.name for table in normalized_tables() if left.get(table.name)}
    made_by_the_upgrade = {"namespaces": 1}
    assert all(changed[name] >= left[name] - made_by_the_upgrade.get(name, 0) for name in changed)
    records.plan(database, NAME)
    again = list[WorkerOutcome]()
    migrate(database, NAME, ThreadRunner(), report=again.append)
    assert [worker.tables for worker in again] == [{}]


def test_what_the_tables_hold_already_is_not_doubled(database: Store) -> None:
    take_in(database, EVENTS[:20])
    put(database, EVENTS[20:])
    migrate(database, NAME, ThreadRunner(), workers=2)
    found = contents(database)
    assert normalize(database, SerialRunner()).events == 20
    assert differences(contents(database), found) == {}
    assert rows(database, "SELECT count(*) FROM run_facets WHERE name = 'custom'") == [(40,)]


def test_events_that_the_tables_hold_are_not_read_again(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    taken_in = []
    monkeypatch.setattr(migration, "normalize", lambda *given, **named: taken_in.append(normalize(*given, **named)))
    take_in(database, [*EVENTS[:18], *EVENTS[22:]])
    put(database, EVENTS[18:22])
    small_steps(database)
    status = migrate(database, NAME, ThreadRunner())
    assert (status.done, status.changed) == (40, 4)
    assert 1 <= len(taken_in) <= 2
    records.plan(database, NAME)
    assert migrate(database, NAME, ThreadRunner()).changed == 0
    assert len(taken_in) <= 2
    assert rows(database, "SELECT count(*) FROM run_facets WHERE name = 'custom'") == [(40,)]


def test_events_of_one_time_go_together_and_all_are_taken_in(database: Store) -> None:
    together = [run_event("START", run_id=f"run {number}", facets={"custom": facet()}) for number in range(30)]
    put(database, together)
    small_steps(database)
    assert migrate(database, NAME, ThreadRunner()).done == 30
    assert rows(database, "SELECT count(*) FROM run_facets") == [(30,)]


def test_a_bad_event_goes_to_the_quarantine_of_events(database: Store) -> None:
    put(database, [*EVENTS[:2], run_event(run_id="bad", facets={"f" * 300: {}})])
    assert migrate(database, NAME, ThreadRunner()).state == "finished"
    assert rows(database, "SELECT count(*) FROM quarantine") == [(1,)]


@pytest.mark.slow
def test_events_that_postgres_refuses_are_found_by_halving(database: Store) -> None:
    put(database, EVENTS)
    with database.connect() as connection:
        connection.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'this run is cursed'; END $$"
        )
        connection.execute(
            "CREATE TRIGGER cursed BEFORE INSERT ON runs FOR EACH ROW WHEN (new.external_id = 'run 7')"
            " EXECUTE FUNCTION refuse()"
        )
    status = migrate(database, NAME, ThreadRunner())
    assert (status.state, status.done, status.quarantined) == ("finished", 40, 2)
    assert rows(database, "SELECT count(*) FROM runs") == [(19,)]
    ((error,),) = rows(database, "SELECT DISTINCT error FROM migration_quarantine")
    assert "this run is cursed" in error


def test_what_no_event_would_be_spared_sets_none_aside(database: Store) -> None:
    put(database, EVENTS)
    with database.connect() as connection:
        connection.execute("ALTER TABLE facets RENAME COLUMN name TO named")
    with pytest.raises(NeedsOperator, match="column"):
        migrate(database, NAME, ThreadRunner())
    status = records.status(database, NAME)
    assert (status.quarantined, status.ranges["pending"], status.ranges["waiting"]) == (0, 1, 0)


def test_it_ends_with_finalize_as_it_replaces_nothing(database: Store) -> None:
    migrate(database, NAME, ThreadRunner())
    assert end.finalize(database, NAME) == 0
    for command in (end.verify, end.cut_over, end.drop):
        with pytest.raises(WrongUsage, match="replaces nothing"):
            command(database, NAME)
