"""What retention deletes, what it leaves, and that nothing of it comes back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest

from lineage_core import reading
from lineage_core.cli import main
from lineage_core.database.references import broken_references
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store import rebase
from lineage_core.normalize.store.event_choices import WATERMARK, interval
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.restoring import restore
from lineage_core.retention.store import purge
from lineage_core.retention.store.policies import HeldThing, add_hold, holds, release_hold, set_policy
from lineage_core.retention.store.reports import RAW, spoken_again
from lineage_core.retention.tables import PolicyKind
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, dataset_event, job_event, named_job, parent, run_event
from tests.support.daily_runs import daily, run_id
from tests.support.retention_histories import history
from tests.support.servers import jobs_login
from tests.support.stores import contents, differences, empty, put, rows, take_in

DAY = timedelta(days=1)
NOW = TIME + 100 * DAY
NAMESPACE = "postgres://shop:5432"


@pytest.fixture
def store(database: Store) -> Store:
    """With policies that let go what is older than thirty days, and no last ones."""
    set_policy(database, Policy(PolicyKind.VERSIONS, "*", 30 * DAY, 0))
    return database


def purge_old(database: Store, now: datetime = NOW) -> dict[str, int]:
    planned = retention.plan(database, now)
    assert dict(retention.apply(database, planned).deleted) == dict(planned.tables)
    assert broken_references(database) == []
    return dict(planned.tables)


def days_of_runs(database: Store) -> list[int]:
    """The numbers of the runs that are left, but for runs that stand for others."""
    left = rows(database, "SELECT uuid::text FROM runs WHERE uuid::text LIKE '0190a0a0%%' ORDER BY uuid")
    return [int(uuid[-12:]) for (uuid,) in left]


def test_runs_go_with_all_that_is_theirs_and_the_last_of_a_state_stays(store: Store) -> None:
    take_in(store, daily(5))
    gone = purge_old(store)
    assert (gone["runs"], gone["run_states"], gone["dataset_versions"], gone["facets"]) == (4, 8, 4, 4)
    assert days_of_runs(store) == [4]
    assert rows(store, "SELECT count(*) FROM run_facets") == [(2,)]
    assert rows(store, "SELECT count(*) FROM jobs") == [(1,)]
    assert rows(store, "SELECT count(*) FROM datasets") == [(2,)]


def test_many_protected_rows_do_not_end_the_work(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marquez takes a batch before it looks at what is protected; a batch of protected rows ends its retention."""
    monkeypatch.setattr(purge, "CHUNK", 2)
    open_runs = [run_event("START", run_id=run_id(100 + number), time=TIME) for number in range(10)]
    take_in(store, [*open_runs, *daily(7)])
    assert purge_old(store)["runs"] == 6


def test_events_without_a_run_go_too(store: Store) -> None:
    """In Marquez they stay for ever: its retention looks for raw events by their runs."""
    take_in(
        store,
        [dataset_event(dataset("orders", fields=[(f"c{day}", "INT")]), time=TIME + day * DAY) for day in range(4)],
    )
    jobs = [job_event(time=TIME + day * DAY, outputs=[dataset(f"d{day}")]) for day in range(4)]
    take_in(store, jobs)
    gone = purge_old(store)
    assert (gone["event_ledger"], gone["job_versions"]) == (3 + 2, 2)
    assert gone["dataset_versions"] == 3 + 2


def columns_a_day(days: int) -> list[dict[str, Any]]:
    """A dataset that has another column each day."""
    schemas = [[("id", "INT"), (f"c{day}", "INT")] for day in range(days)]
    return [
        dataset_event(dataset("orders", fields=fields), time=TIME + day * DAY) for day, fields in enumerate(schemas)
    ]


def columns(database: Store) -> list[str]:
    return [name for (name,) in rows(database, "SELECT name FROM dataset_fields ORDER BY name")]


def test_columns_go_with_the_last_that_names_them_and_may_come_back(store: Store) -> None:
    take_in(store, columns_a_day(4))
    gone = purge_old(store)
    assert (gone["dataset_fields"], columns(store)) == (3, ["c3", "id"])
    take_in(store, [dataset_event(dataset("orders", fields=[("c0", "INT")]), time=NOW)])
    assert rows(store, "SELECT created_at FROM dataset_fields WHERE name = 'c0'") == [(NOW,)]
    assert columns(store) == ["c0", "c3", "id"]


def test_a_column_with_a_tag_of_a_person_stays(store: Store) -> None:
    take_in(store, columns_a_day(3))
    with store.connect() as connection:
        connection.execute(
            "INSERT INTO tags (uuid, created_at, updated_at, name) SELECT gen_random_uuid(), now(), now(), 'x'"
        )
        connection.execute(
            "INSERT INTO dataset_fields_tag_mapping (dataset_field_uuid, tag_uuid, tagged_at)"
            " SELECT field.uuid, tags.uuid, now() FROM dataset_fields AS field, tags WHERE field.name = 'c0'"
        )
    assert purge_old(store)["dataset_fields"] == 1
    assert columns(store) == ["c0", "c2", "id"]


def test_the_columns_of_a_held_dataset_stay(store: Store) -> None:
    take_in(store, columns_a_day(3))
    add_hold(store, HeldThing(NAMESPACE, dataset="orders", events_since=TIME + 2 * DAY), "an audit", None)
    assert "dataset_fields" not in purge_old(store)
    assert columns(store) == ["c0", "c1", "c2", "id"]


@pytest.mark.old_mapping
def test_a_column_of_the_old_mapping_stays_with_its_version(store: Store) -> None:
    take_in(store, columns_a_day(3))
    with store.connect() as connection:
        connection.execute(
            "INSERT INTO dataset_versions_field_mapping (dataset_version_uuid, dataset_field_uuid)"
            " SELECT dataset.current_version_uuid, field.uuid FROM datasets AS dataset, dataset_fields AS field"
            " WHERE field.name = 'c0'"
        )
    purge_old(store)
    assert columns(store) == ["c0", "c2", "id"]


def test_a_run_is_as_old_as_its_last_event(store: Store) -> None:
    """Marquez deletes all raw events of a run that has one old event."""
    events = daily(3)
    take_in(store, [*events, run_event("COMPLETE", run_id=run_id(0), time=NOW - DAY, job=named_job("load"))])
    purge_old(store)
    assert 0 in days_of_runs(store)


def test_a_job_with_a_tag_stops_nothing(store: Store) -> None:
    """Marquez' retention ends with an error at such a job."""
    take_in(store, daily(3))
    with store.connect() as connection:
        connection.execute(
            "INSERT INTO tags (uuid, created_at, updated_at, name) SELECT gen_random_uuid(), now(), now(), 'x'"
        )
        connection.execute(
            "INSERT INTO jobs_tag_mapping (job_uuid, tag_uuid, tagged_at)"
            " SELECT jobs.uuid, tags.uuid, now() FROM jobs, tags"
        )
    assert purge_old(store)["runs"] == 2


def test_the_plan_counts_what_goes(store: Store) -> None:
    """Marquez' dry run says 0."""
    take_in(store, daily(5))
    before = contents(store)
    planned = retention.plan(store, NOW, is_kept=False)
    assert differences(before, contents(store)) == {}
    assert planned.tables["runs"] == 4
    assert planned.bytes > 0
    assert planned.protected["current"] == 4


def test_an_open_run_stays_however_old(store: Store) -> None:
    take_in(store, [run_event("START", run_id=run_id(9), time=TIME), *daily(3)])
    purge_old(store, datetime.now(UTC))
    assert 9 in days_of_runs(store)


def test_the_parents_of_a_run_that_stays_stay(store: Store) -> None:
    family = [
        run_event(kind, run_id=run_id(number), time=TIME, job=named_job(f"j{number}"), facets=facets)
        for number, facets in (
            (50, None),
            (51, parent(run_id(50), "j50")),
            (52, parent(run_id(51), "j51")),
        )
        for kind in ("START", "COMPLETE")
    ]
    later = [run_event("COMPLETE", run_id=run_id(60 + n), time=TIME + DAY, job=named_job(f"j{50 + n}")) for n in (0, 1)]
    newest = run_event("COMPLETE", run_id=run_id(52), time=NOW - DAY, job=named_job("j52"))
    take_in(store, [*family, *later, newest])
    purge_old(store)
    assert {50, 51, 52} <= set(days_of_runs(store))


def test_a_made_parent_goes_with_the_last_of_its_children(store: Store) -> None:
    made = run_id(70)
    children = [
        run_event(kind, run_id=run_id(day), time=TIME + day * DAY, facets=parent(made, "dag"))
        for day in range(2)
        for kind in ("START", "COMPLETE")
    ]
    other = [
        run_event(kind, run_id=run_id(3), time=TIME + 3 * DAY, facets=parent(run_id(71), "dag"))
        for kind in ("START", "COMPLETE")
    ]
    take_in(store, [*children, *other])
    assert 70 in days_of_runs(store)
    purge_old(store)
    assert days_of_runs(store) == [3, 71]


def test_a_job_that_reads_its_own_output_still_loses_old_runs(store: Store) -> None:
    take_in(
        store,
        [
            run_event(
                kind,
                run_id=run_id(day),
                time=TIME + day * DAY,
                inputs=[dataset("state")],
                outputs=[dataset("state", fields=[("a", "INT")])],
            )
            for day in range(6)
            for kind in ("START", "COMPLETE")
        ],
    )
    assert purge_old(store)["runs"] == 5


def test_a_job_version_keeps_its_datasets_when_it_is_made_again_and_its_first_run_is_gone(store: Store) -> None:
    mapping = "SELECT dataset_uuid, io_type FROM job_versions_io_mapping ORDER BY io_type"
    events = daily(91)
    take_in(store, events[:-2])
    before = rows(store, mapping)
    assert len(before) == 2
    assert purge_old(store)["runs"] > 0
    take_in(store, events[-2:])
    assert rows(store, mapping) == before


@pytest.mark.parametrize(
    "held",
    [
        HeldThing("shop"),
        HeldThing("sh*", job="load"),
        HeldThing("*", run=UUID(run_id(1))),
    ],
    ids=["a namespace", "a job", "a run"],
)
def test_what_is_under_a_legal_hold_stays_until_it_is_released(store: Store, held: HeldThing) -> None:
    take_in(store, daily(5))
    number = add_hold(store, held, "an audit", None)
    kept = {1} if held.run else {0, 1, 2, 3}
    purge_old(store)
    assert set(days_of_runs(store)) == kept | {4}
    release_hold(store, number, "it is over")
    purge_old(store)
    assert days_of_runs(store) == [4]


def test_the_versions_of_a_held_dataset_stay_with_their_runs(store: Store) -> None:
    take_in(store, daily(5))
    add_hold(store, HeldThing(NAMESPACE, dataset="sums"), "an audit", None)
    gone = purge_old(store)
    assert not {"runs", "dataset_versions"} & gone.keys()
    assert rows(store, "SELECT count(run_uuid) FROM dataset_versions WHERE dataset_name = 'sums'") == [(5,)]


def test_a_hold_is_about_its_namespace_only(store: Store) -> None:
    take_in(store, daily(3))
    add_hold(store, HeldThing("depot"), "an audit", None)
    assert purge_old(store)["runs"] == 2


def test_so_many_last_runs_and_versions_stay(store: Store) -> None:
    set_policy(store, Policy(PolicyKind.RUNS, "*", 30 * DAY, 3))
    set_policy(store, Policy(PolicyKind.VERSIONS, "*", 30 * DAY, 4))
    take_in(store, daily(6))
    purge_old(store)
    assert days_of_runs(store) == [3, 4, 5]
    assert rows(store, "SELECT count(*) FROM dataset_versions WHERE dataset_name = 'sums'") == [(4,)]


def test_what_no_policy_lets_go_stays(store: Store) -> None:
    for kind in (PolicyKind.RUNS, PolicyKind.VERSIONS):
        set_policy(store, Policy(kind, "*", None, None))
    take_in(store, daily(5))
    assert retention.plan(store, NOW).tables == {}


def test_a_version_never_goes_before_the_runs_of_its_time(store: Store) -> None:
    set_policy(store, Policy(PolicyKind.RUNS, "*", 98 * DAY, None))
    set_policy(store, Policy(PolicyKind.VERSIONS, "*", DAY, None))
    take_in(store, daily(6))
    purge_old(store)
    assert rows(store, "SELECT count(*) FROM dataset_versions WHERE dataset_name = 'sums'") == [(5,)]


def test_an_event_from_behind_the_horizon_is_counted_and_changes_nothing(store: Store) -> None:
    events = daily(5)
    take_in(store, events)
    purge_old(store)
    before = contents(store)
    again = take_in(store, [*events, run_event("START", run_id=run_id(99), time=TIME)])
    assert (again.expired, again.events) == (9, 2)
    assert differences(before, contents(store)) == {}


@pytest.mark.parametrize("how", ["a backfill", "a rebase"])
def test_what_was_purged_does_not_come_back_by(store: Store, how: str) -> None:
    take_in(store, daily(5))
    purge_old(store)
    before = contents(store)
    if how == "a rebase":
        with store.connect() as connection:
            connection.execute("UPDATE watermarks SET system_identifier = system_identifier + 1")
        rebase.rebase(store)
        outcome = normalize(store, SerialRunner())
    else:
        outcome = normalize(store, SerialRunner(2), interval=interval())
    assert (outcome.expired, outcome.events) == (8, 2)
    assert differences(before, contents(store)) == {}


def test_no_reader_sees_an_expired_event(store: Store) -> None:
    events = daily(5)
    take_in(store, events)
    purge_old(store)
    put(store, events[:2])
    assert rows(store, "SELECT count(*) FROM waiting_events") == [(0,)]
    assert list(reading.facets_of_run(store, UUID(run_id(0)))) == []


def test_a_namespace_from_which_nothing_was_deleted_takes_old_events(store: Store) -> None:
    take_in(store, daily(5))
    purge_old(store)
    old = [run_event(run_id=run_id(80), time=TIME, job=named_job("load", "depot"))]
    assert take_in(store, old).expired == 0
    assert 80 in days_of_runs(store)


def test_a_hold_on_a_time_lets_nothing_in_from_behind_the_horizon(store: Store) -> None:
    """Restored events alone are let in."""
    take_in(store, daily(5))
    purge_old(store)
    left = contents(store)
    add_hold(store, HeldThing("*", events_since=TIME, events_until=TIME + 50 * DAY), "an audit", None)
    assert take_in(store, daily(3, job="other", first=20)).expired == 6
    assert differences(left, contents(store)) == {}


def test_a_run_that_speaks_again_begins_anew_and_is_named(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(store, daily(5))
    purge_old(store)
    again = NOW - DAY
    take_in(store, [run_event("COMPLETE", run_id=run_id(1), job=named_job("load"), time=again)])
    assert rows(store, "SELECT created_at FROM runs WHERE uuid = %s", [run_id(1)]) == [(again,)]
    found = [(one.uuid, one.namespace, one.job, one.created_at) for one in spoken_again(store)]
    assert found == [(UUID(run_id(1)), "shop", "load", again)]
    assert run_command(monkeypatch, store, ["report"]) == 0
    assert f"{run_id(1)} of load in shop was deleted, and began anew" in capsys.readouterr().out


def test_a_restored_run_has_not_spoken_again_and_deleted_ones_are_forgotten_in_time(store: Store) -> None:
    take_in(store, daily(5))
    purge_old(store)
    add_hold(store, HeldThing("*", events_since=TIME, events_until=TIME + 50 * DAY), "restored", None)
    take_in(store, daily(5))
    assert spoken_again(store) == []
    with store.connect() as connection:
        connection.execute("UPDATE retention_purged_runs SET purged_at = %s", [NOW - 31 * DAY])
    assert purge_old(store)["retention_purged_runs"] == 4


@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (8, 11, 14, 15))])
def test_what_is_left_when_it_is_killed_goes_with_the_next_application(
    database: Store, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """After each of its transactions in turn."""
    monkeypatch.setattr(purge, "CHUNK", 1)
    example = history(Random(seed))
    for policy in example.policies:
        set_policy(database, policy)
    take_in(database, example.events)
    retention.apply(database, retention.plan(database, example.as_of))
    undisturbed = contents(database)
    empty(database)
    take_in(database, example.events)
    killed = 0
    while _die_after_a_transaction(database, example.as_of):
        killed += 1
    assert killed > 2
    assert differences(undisturbed, contents(database)) == {}


def _die_after_a_transaction(database: Store, as_of: datetime) -> bool:
    """Whether there was something to delete."""
    with held_lease(database, WATERMARK) as lease, database.connect() as connection:
        purge.prepare(connection)
        purge.find(connection, as_of, purge.cutoffs(connection, as_of))
        purge.advance_horizons(connection)
        connection.commit()
        return next((True for gone in purge.chunks(connection, lease, lambda _gone: None)), False)


def test_raw_events_go_by_way_of_an_archive_and_come_back(store: Store, tmp_path: Path) -> None:
    """Restored and normalized again, the tables are as they were."""
    take_in(store, daily(5))
    whole = contents(store)
    planned = retention.plan(store, NOW)
    assert planned.raw_events.rows == 10
    applied = retention.apply(store, planned, archive=str(tmp_path))
    assert dict(applied.deleted) == {**planned.tables, RAW: 10}
    assert rows(store, "SELECT count(*) FROM lineage_events") == [(0,)]
    for manifest in applied.manifests:
        restore(store, str(tmp_path / manifest))
    assert normalize(store, SerialRunner()).expired == 0
    assert differences(whole, contents(store)) == {}
    planned = retention.plan(store, NOW)
    assert (dict(planned.tables), planned.raw_events.rows) == ({}, 0)
    for hold in holds(store):
        release_hold(store, hold.id, "looked at")
    purge_old(store)
    assert days_of_runs(store) == [4]


def test_without_an_archive_raw_events_stay(store: Store) -> None:
    take_in(store, daily(5))
    assert "lineage_events" not in retention.apply(store, retention.plan(store, NOW)).deleted
    assert rows(store, "SELECT count(*) FROM lineage_events") == [(10,)]


def test_the_role_of_jobs_is_enough(postgres_server: Server, store: Store) -> None:
    take_in(store, daily(3))
    assert purge_old(jobs_login(postgres_server, store))["runs"] == 2


def run_command(monkeypatch: pytest.MonkeyPatch, database: Store, arguments: Sequence[str]) -> int:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    with pytest.raises(SystemExit) as ended:
        main(["retention", *arguments])
    return int(ended.value.code or 0)


def test_commands_show_delete_and_report(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(store, daily(5))
    assert run_command(monkeypatch, store, ["plan", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"]["runs"] == 4
    assert run_command(monkeypatch, store, ["apply"]) == 2
    assert "runs: 4 rows" in capsys.readouterr().err
    assert run_command(monkeypatch, store, ["apply", "--yes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"]["runs"] == 4
    assert run_command(monkeypatch, store, ["report"]) == 0
    assert "runs: 4" in capsys.readouterr().out


def test_expired_documents_of_the_quarantine_go(store: Store) -> None:
    with store.connect() as connection:
        for raw, age in ((b"a", 91), (b"b", 89)):
            connection.execute(
                "INSERT INTO quarantine (reason, path, raw, source, received_at) VALUES ('bad', '$', %s, 'a test', %s)",
                [raw, datetime.now(UTC) - age * DAY],
            )
    assert purge_old(store, datetime.now(UTC)) == {"quarantine": 1}
