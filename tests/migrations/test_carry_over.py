"""A store that no upgrade fits is carried over: two of them, with data, are kept in `earlier/`.

Both have runs, versions, columns with tags, an event that was ahead of its receipt, one that came twice, one that
waits, and what people have set. In the later one retention has deleted a run, and events of before came afterwards.
"""

from __future__ import annotations

import itertools
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from psycopg import sql

from lineage_core.carry_over import procedure
from lineage_core.carry_over.procedure import CarriedOver, CarriedStore
from lineage_core.carry_over.store import databases
from lineage_core.carry_over.store.databases import beside
from lineage_core.cli import main
from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.local.postgres import ROLE, Server
from lineage_core.normalize.normalization import normalize
from lineage_core.operate import whole_store
from lineage_core.postgres.connection import run_script
from lineage_core.postgres.store import Store
from lineage_core.tasks import HERE
from lineage_core.testing import named_job, run_event
from tests.support.carried_work import SILENT, Onlooker
from tests.support.servers import server_of_a_maker
from tests.support.stores import contents, put, rows

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers, pytest.mark.slow]

DUMPS = sorted((Path(__file__).parent / "earlier").glob("*.sql.xz"))
FIRST, LAST = DUMPS

EVENTS = "SELECT event_time, event::text, created_at, is_ahead FROM lineage_events ORDER BY arrived_xid, arrival_seq"
RUN_OF_LATE_EVENTS = "0190a0a0-0000-7000-8000-000000000009"
EXPIRED = (RUN_OF_LATE_EVENTS, '"eventTime": "2026-01-01T00:00:00')


class Carried(NamedTuple):
    stores: CarriedStore
    done: CarriedOver
    before: dict[str, list[str]]
    """Every row of the earlier store, before anything was done."""


@pytest.fixture(scope="module")
def server(pytestconfig: pytest.Config) -> Iterator[Server]:
    with server_of_a_maker(pytestconfig.getoption("--postgres")) as own:
        yield own


@pytest.fixture(scope="module")
def _places() -> Iterator[int]:
    return itertools.count(1)


def _restored(server: Server, dump: Path, place: int) -> Iterator[Store]:
    name = f"lineage_{place}"
    server.ensure_database(name, ROLE)
    store = Store(server.dsn(database=name))
    with store.connect() as connection:
        run_script(connection, lzma.decompress(dump.read_bytes()).decode())
    yield store
    for database in (name, f"{name}_new", f"{name}_earlier"):
        server.run_sql(f"DROP DATABASE IF EXISTS {database} WITH (FORCE);")


@pytest.fixture
def earlier(server: Server, _places: Iterator[int]) -> Iterator[Store]:
    """The later of the two, in a database of its own."""
    yield from _restored(server, LAST, next(_places))


@pytest.fixture(scope="module", params=DUMPS, ids=lambda dump: dump.name)
def carried(request: pytest.FixtureRequest, server: Server, _places: Iterator[int]) -> Iterator[Carried]:
    """Each of them, carried over."""
    for store in _restored(server, request.param, next(_places)):
        before = every_row(store)
        stores = procedure.chosen(store, None)
        yield Carried(stores, procedure.carry_over(stores, HERE, SILENT), before)


def every_row(store: Store) -> dict[str, list[str]]:
    relations = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
    names = [name for (name,) in rows(store, relations)]
    with store.connect() as connection:
        return {
            name: sorted(
                text
                for (text,) in connection.execute(
                    sql.SQL("SELECT to_jsonb(one)::text FROM {} AS one").format(sql.Identifier(name))
                )
            )
            for name in names
        }


def late(job: str) -> dict[str, object]:
    return run_event(run_id="0190a0a0-0000-7000-8000-000000000077", job=named_job(job), time="2026-05-01T00:00:00Z")


def has_job(store: Store, name: str) -> bool:
    return rows(store, "SELECT count(*) FROM jobs WHERE name = %s", [name]) == [(1,)]


def test_the_new_store_is_as_declared(carried: Carried) -> None:
    assert whole_store.differences(carried.stores.new) == []


def test_the_earlier_store_stays_as_it_is(carried: Carried) -> None:
    assert every_row(carried.stores.earlier) == carried.before


def test_each_event_comes_as_it_came(carried: Carried) -> None:
    found = rows(carried.stores.new, EVENTS)
    assert sorted(found) == sorted(rows(carried.stores.earlier, EVENTS))
    assert {is_ahead for *_, is_ahead in found} == {True, False}


def test_events_keep_their_order_of_arrival_but_for_those_that_are_expired(carried: Carried) -> None:
    def in_order(store: Store) -> list[str]:
        return [text for _, text, *_ in rows(store, EVENTS) if not any(one in text for one in EXPIRED)]

    assert in_order(carried.stores.new) == in_order(carried.stores.earlier)


def test_what_waited_is_normalized(carried: Carried) -> None:
    added = {one.table: one.new - one.earlier for one in carried.done.differing}
    assert (added["jobs"], added["datasets"]) == (1, 1)
    assert has_job(carried.stores.new, "waiting")
    assert not has_job(carried.stores.earlier, "waiting")
    assert (carried.done.quarantined, carried.done.too_long) == (0, 0)


def test_what_is_kept_has_as_many_rows(carried: Carried) -> None:
    kept = {one.table for one in carried.done.tables} & {"lineage_events", "quarantine", "tags", "owners"}
    assert {"lineage_events", "quarantine", "tags"} <= kept
    assert kept & {one.table for one in carried.done.differing} == set()


PEOPLE = {
    "tags": "SELECT name, description FROM tags",
    "tags of datasets": "SELECT d.name, t.name, tagged_at FROM datasets_tag_mapping JOIN datasets AS d"
    " ON d.uuid = dataset_uuid JOIN tags AS t ON t.uuid = tag_uuid WHERE NOT is_reported",
    "tags of columns": "SELECT f.name, f.type, t.name, tagged_at FROM dataset_fields_tag_mapping"
    " JOIN dataset_fields AS f ON f.uuid = dataset_field_uuid JOIN tags AS t ON t.uuid = tag_uuid"
    " WHERE NOT is_reported",
    "tags of jobs": "SELECT j.name, t.name, tagged_at FROM jobs_tag_mapping JOIN jobs AS j ON j.uuid = job_uuid"
    " JOIN tags AS t ON t.uuid = tag_uuid WHERE NOT is_reported",
    "hidden datasets": "SELECT name FROM datasets WHERE is_hidden",
    "hidden jobs": "SELECT name FROM jobs WHERE is_hidden",
    "namespaces": "SELECT name, description, current_owner_name FROM namespaces WHERE name <> 'default'",
    "ownerships": "SELECT n.name, o.name, started_at, ended_at FROM namespace_ownerships JOIN namespaces AS n"
    " ON n.uuid = namespace_uuid JOIN owners AS o ON o.uuid = owner_uuid",
    "sources": "SELECT name, description FROM sources",
    "quarantine": "SELECT id, reason, raw, source, received_at FROM quarantine",
}
KEPT_OF_LATER = {
    "policies": "SELECT kind, namespace_pattern, older_than, keep_last FROM retention_policies_in_force",
    "holds": "SELECT id, namespace_pattern, why, placed_by, placed_at FROM retention_holds",
    "holds in force": "SELECT id, why FROM retention_holds_in_force",
    "releases": "SELECT hold, why, released_at FROM retention_hold_releases",
    "horizons": "SELECT kind, namespace, before FROM retention_horizons",
    "purged runs": "SELECT uuid, purged_at FROM retention_purged_runs",
    "reports": "SELECT id, plan, deleted FROM retention_reports",
    "hold queries": "SELECT name, query FROM hold_queries",
    "streams": "SELECT name, started_by, started_at FROM streams",
    "stream policies": "SELECT stream, allow FROM stream_policies",
    "alerts": "SELECT event_order, raised_at, acknowledged_at, acknowledged_by, reason FROM dataset_schema_alerts",
}


def _compare(carried: Carried, queries: dict[str, str]) -> None:
    for what, query in queries.items():
        found = sorted(rows(carried.stores.earlier, query), key=repr)
        assert found, what
        assert sorted(rows(carried.stores.new, query), key=repr) == found, what


def test_what_people_have_set_stays(carried: Carried) -> None:
    _compare(carried, PEOPLE)


def test_what_retention_and_streams_go_by_stays(carried: Carried) -> None:
    if "retention_holds" in carried.before:
        _compare(carried, KEPT_OF_LATER)
    else:
        assert rows(carried.stores.new, "SELECT count(*) FROM retention_holds") == [(0,)]


def test_what_is_expired_does_not_come_back_and_all_else_does(carried: Carried) -> None:
    is_late = f"SELECT count(*) FROM runs WHERE uuid = '{RUN_OF_LATE_EVENTS}'"
    assert rows(carried.stores.new, is_late) == [(0,)]
    jobs = "SELECT name FROM jobs WHERE name <> 'waiting' ORDER BY name"
    assert rows(carried.stores.new, jobs) == rows(carried.stores.earlier, jobs)
    assert carried.done.expired == (3 if "retention_horizons" in carried.before else 0)


def test_the_next_number_is_behind_those_that_are_kept(carried: Carried) -> None:
    with carried.stores.new.connect() as connection:
        connection.execute("INSERT INTO quarantine (reason, path, raw, source) VALUES ('no', '$', 'x', 'y')")
        connection.rollback()


def test_again_it_changes_nothing_and_takes_what_has_come_since(earlier: Store, server: Server) -> None:
    stores = procedure.chosen(earlier, None)
    server.run_sql(f"REVOKE CONNECT ON DATABASE {stores.name} FROM PUBLIC;")
    procedure.carry_over(stores, HERE, SILENT)
    assert rows(stores.new, "SELECT has_database_privilege('public', current_database(), 'CONNECT')") == [(False,)]
    before = contents(stores.new)
    assert procedure.carry_over(stores, HERE, SILENT).events == 0
    assert contents(stores.new) == before
    put(earlier, [late("later")])
    assert procedure.carry_over(stores, HERE, SILENT).events == 1
    assert has_job(stores.new, "later")


def test_an_event_whose_transaction_commits_late_is_found(earlier: Store) -> None:
    stores = procedure.chosen(earlier, None)
    with earlier.connect() as writer:
        writer.execute("SELECT pg_current_xact_id()")
        put(earlier, [late("sooner")])
        with earlier.connect() as connection:
            connection.execute(
                "UPDATE lineage_events SET arrived_xid = arrived_xid + 1000000 WHERE job_name = 'sooner'"
            )
        procedure.carry_over(stores, HERE, SILENT)
        event = rows(earlier, "SELECT event::text FROM lineage_events WHERE job_name = 'sooner'")[0][0]
        writer.execute(
            "INSERT INTO lineage_events (event_time, event) VALUES ('2026-05-01T00:00:00Z', %s::jsonb)",
            [event.replace("sooner", "committed late")],
        )
    assert procedure.carry_over(stores, HERE, SILENT).events == 1
    assert has_job(stores.new, "committed late")


def test_what_no_store_may_hold_any_more_goes_to_quarantine(server: Server, _places: Iterator[int]) -> None:
    for store in _restored(server, FIRST, next(_places)):
        with store.connect() as connection:
            connection.execute(
                "INSERT INTO lineage_events (event_time, event) SELECT '12000-01-01Z', event FROM lineage_events"
                " LIMIT 1"
            )
        stores = procedure.chosen(store, None)
        done = procedure.carry_over(stores, HERE, SILENT)
        reasons = rows(stores.new, "SELECT reason, path FROM quarantine ORDER BY id DESC LIMIT 1")
        assert reasons == [("its time is 12000-01-01 00:00:00+00", "$.eventTime")]
        differing = {one.table: one.new - one.earlier for one in done.differing}
        assert (differing["lineage_events"], differing["quarantine"]) == (-1, 1)


class Interrupted(Exception):
    """Stands for a kill between two steps."""


def test_wherever_it_ends_the_next_time_goes_on(earlier: Store) -> None:
    stores = procedure.chosen(earlier, None)
    for step in itertools.count(1):
        steps = itertools.count(1)

        def interrupt(_sentence: str, last: int = step, steps: Iterator[int] = steps) -> None:
            if next(steps) == last:
                raise Interrupted

        try:
            done = procedure.carry_over(stores, HERE, Onlooker(interrupt))
        except Interrupted:
            continue
        break
    assert step > 3
    assert sorted(rows(stores.new, EVENTS)) == sorted(rows(earlier, EVENTS))
    assert {one.table for one in done.differing} >= {"jobs"}
    assert has_job(stores.new, "waiting")


def test_the_new_store_takes_the_name_and_what_came_in_meanwhile(
    earlier: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = procedure.chosen(earlier, None)
    procedure.carry_over(stores, HERE, SILENT)
    exchange = databases.swap

    def swap(store: Store, old: str, new: str, aside: str) -> None:
        put(store, [late("meanwhile")])
        exchange(store, old, new, aside)

    monkeypatch.setattr(databases, "swap", swap)
    procedure.swap(stores, HERE, SILENT)
    assert has_job(earlier, "meanwhile")
    assert whole_store.differences(earlier) == []
    aside = beside(earlier, f"{stores.name}_earlier")
    assert rows(aside, "SELECT count(*) FROM lineage_events") == rows(earlier, "SELECT count(*) FROM lineage_events")
    put(earlier, [late("afterwards")])
    assert normalize(earlier, HERE).events == 1
    with pytest.raises(WrongUsage, match="nothing to carry over"):
        procedure.chosen(earlier, None)


def test_no_one_is_cut_off_by_the_exchange(earlier: Store) -> None:
    stores = procedure.chosen(earlier, None)
    with earlier.connect(), pytest.raises(TryAgain, match="Stop what is connected"):
        procedure.swap(stores, HERE, SILENT)
    assert not has_job(earlier, "waiting")
    procedure.swap(stores, HERE, SILENT)
    assert has_job(earlier, "waiting")


def test_who_may_not_learns_what_an_administrator_does(earlier: Store, server: Server) -> None:
    stores = procedure.chosen(earlier, None)
    server.run_sql(f"ALTER ROLE {ROLE} NOCREATEDB;")
    try:
        with pytest.raises(NeedsOperator, match=f'CREATE DATABASE "{stores.into}" OWNER "{ROLE}"'):
            procedure.carry_over(stores, HERE, SILENT)
        server.ensure_database(stores.into, ROLE)
        with pytest.raises(NeedsOperator, match=f'ALTER DATABASE "{stores.into}" RENAME TO "{stores.name}"'):
            procedure.swap(stores, HERE, SILENT)
    finally:
        server.run_sql(f"ALTER ROLE {ROLE} CREATEDB;")
    assert has_job(stores.new, "waiting")
    server.run_sql(f"ALTER DATABASE {stores.name} RENAME TO {stores.name}_earlier;")
    server.run_sql(f"ALTER DATABASE {stores.into} RENAME TO {stores.name};")
    again = procedure.chosen(earlier, None)
    assert (again.name, again.into) == (f"{stores.name}_earlier", stores.name)
    put(again.earlier, [late("behind")])
    procedure.finish(again, HERE, SILENT)
    assert has_job(earlier, "behind")


def test_a_database_that_holds_anything_else_is_left_alone(earlier: Store, server: Server) -> None:
    stores = procedure.chosen(earlier, None)
    server.ensure_database(stores.into, ROLE)
    with stores.new.connect() as connection:
        connection.execute("CREATE TABLE of_somebody (one integer)")
    with pytest.raises(WrongUsage, match="holds what this command has not made"):
        procedure.carry_over(stores, HERE, SILENT)
    with pytest.raises(WrongUsage, match="needs a database beside"):
        procedure.chosen(earlier, stores.name)


SENTENCE = "`lineage db carry-over` makes one of this release of it"


def test_every_command_names_the_one_that_helps(
    earlier: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", earlier.dsn)
    monkeypatch.setenv("LINEAGE_HOME", str(tmp_path))
    monkeypatch.delenv("AIRFLOW_HOME", raising=False)
    for command in ("doctor", "status", "normalize", "db check", "db upgrade"):
        with pytest.raises(SystemExit) as ended:
            main(command.split())
        assert ended.value.code == 1, command
        assert SENTENCE in capsys.readouterr().err, command


def test_without_yes_it_says_what_it_takes_and_changes_nothing(
    earlier: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", earlier.dsn)
    with pytest.raises(SystemExit):
        main(["db", "carry-over"])
    shown = capsys.readouterr().out
    assert "23 raw events" in shown
    assert "two minutes" in shown
    assert "register them again" in shown
    assert "Nothing was changed" in shown
    assert not databases.exists(earlier, procedure.chosen(earlier, None).into)
    with pytest.raises(SystemExit):
        main(["db", "carry-over", "--yes"])
    shown = capsys.readouterr().out
    assert "23 events copied; 0 of them went to quarantine, 3 are expired" in shown
    assert "these runs are there again" in shown
