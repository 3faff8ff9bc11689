"""A store is rebuilt of its raw events beside itself, and is equal to it in every table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from psycopg import OperationalError

from lineage_core.carry_over import rebuild
from lineage_core.carry_over.procedure import CarriedStore
from lineage_core.carry_over.store import databases, kept_anew
from lineage_core.carry_over.store.databases import beside
from lineage_core.carry_over.store.row_differences import OF_EACH_STORE, compared_tables
from lineage_core.cli import main
from lineage_core.declare.tables import all_tables, normalized_tables
from lineage_core.errors import TryAgain
from lineage_core.local.postgres import ROLE, Server
from lineage_core.normalize.normalization import normalize
from lineage_core.operate import whole_store
from lineage_core.postgres.connection import run_script
from lineage_core.postgres.store import Store
from lineage_core.receiver.store import create_token
from lineage_core.retention import application as retention
from lineage_core.retention.archived_sets import archived_sets
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import HeldThing, add_hold, set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.tasks import HERE
from lineage_core.testing import named_job, run_event
from tests.support.carried_work import SILENT, Onlooker
from tests.support.retention_histories import RetentionHistory, history
from tests.support.servers import server_of_a_maker
from tests.support.stores import contents, differences, put, rows, take_in

pytestmark = [pytest.mark.postgres]


@pytest.fixture(scope="module")
def server(pytestconfig: pytest.Config) -> Iterator[Server]:
    with server_of_a_maker(pytestconfig.getoption("--postgres")) as own:
        yield own


@pytest.fixture(scope="module")
def _template(server: Server) -> str:
    server.ensure_database("template_of_stores", ROLE)
    whole_store.upgrade(Store(server.dsn(database="template_of_stores")))
    return "template_of_stores"


@pytest.fixture
def live(server: Server, _template: str) -> Iterator[Store]:
    server.run_sql(f"CREATE DATABASE live OWNER {ROLE} TEMPLATE {_template};")
    yield Store(server.dsn(database="live"))
    for database in ("live", "live_new", "live_earlier"):
        server.run_sql(f"DROP DATABASE IF EXISTS {database} WITH (FORCE);")


def purged(store: Store, example: RetentionHistory) -> None:
    """Takes the events in, out of order and some of them twice, and applies retention behind a half of them."""
    for policy in example.policies:
        set_policy(store, policy)
    events = [*example.events, *example.events[::3]]
    take_in(store, events)
    retention.apply(store, retention.plan(store, example.as_of))
    take_in(store, example.late)
    retention.apply(store, retention.plan(store, example.as_of))


SET_BY_PEOPLE = """
UPDATE datasets SET is_hidden = true WHERE name = 'orders';
UPDATE jobs SET is_hidden = true WHERE name = 'load';
INSERT INTO tags (uuid, created_at, updated_at, name, description)
VALUES (gen_random_uuid(), now(), now(), 'pii', 'care');
INSERT INTO datasets_tag_mapping (dataset_uuid, tag_uuid, tagged_at)
SELECT datasets.uuid, tags.uuid, now() FROM datasets, tags WHERE datasets.name = 'orders' AND tags.name = 'pii';
INSERT INTO dataset_fields_tag_mapping (dataset_field_uuid, tag_uuid, tagged_at)
SELECT dataset_fields.uuid, tags.uuid, now() FROM dataset_fields, tags
WHERE dataset_fields.name = 'a' AND tags.name = 'pii';
INSERT INTO jobs_tag_mapping (job_uuid, tag_uuid, tagged_at)
SELECT jobs.uuid, tags.uuid, now() FROM jobs, tags WHERE jobs.name = 'load' AND tags.name = 'pii';
UPDATE namespaces SET description = 'ours', current_owner_name = 'team' WHERE name = 'shop';
INSERT INTO owners (uuid, created_at, name) VALUES (gen_random_uuid(), now(), 'team');
INSERT INTO namespace_ownerships (uuid, started_at, namespace_uuid, owner_uuid)
SELECT gen_random_uuid(), now(), namespaces.uuid, owners.uuid FROM namespaces, owners
WHERE namespaces.name = 'shop' AND owners.name = 'team';
INSERT INTO quarantine (reason, path, raw, source) VALUES ('no JSON', '$', 'x', 'a file');
INSERT INTO streams (name) VALUES ('runs');
"""

KEPT = (
    "quarantine",
    "operator_acts",
    "discarded_documents",
    "receiver_tokens",
    "retention_policies",
    "retention_holds",
    "retention_hold_releases",
    "retention_horizons",
    "retention_purged_runs",
    "retention_reports",
    "namespace_ownerships",
    "archived_event_months",
)


def every_row(store: Store) -> dict[str, list[str]]:
    """Of the tables that events fill, of those that are kept, and of the raw events without their arrival."""
    own = "SELECT (to_jsonb(one) - '{arrived_xid,arrival_seq,is_moved}'::text[])::text FROM lineage_events AS one"
    kept = {name: f"SELECT to_jsonb(one)::text FROM {name} AS one" for name in KEPT}
    found = {name: [text for (text,) in rows(store, query)] for name, query in (kept | {"lineage_events": own}).items()}
    return contents(store) | found


def set_by_people(store: Store) -> None:
    with store.connect() as connection:
        run_script(connection, SET_BY_PEOPLE)
    add_hold(store, HeldThing("shop", job="sum"), "an audit", None)
    create_token(store, "producer", ["shop"], None)


def late(number: int) -> dict[str, Any]:
    run = f"0190a0a0-2222-7000-8000-{number:012}"
    return run_event(
        "COMPLETE", run_id=run, job=named_job("late"), time=f"2026-05-01T{number // 60:02}:{number % 60:02}:00Z"
    )


def late_jobs(store: Store) -> int:
    return len(rows(store, "SELECT FROM lineage_events WHERE job_name = 'late'"))


def test_it_is_equal_in_every_table_while_others_read_and_write(live: Store) -> None:
    purged(live, history(Random(2)))
    set_by_people(live)
    numbers = itertools.count()

    def others_work(_sentence: str) -> None:
        """An event arrives with each step, and now and then they are normalized."""
        number = next(numbers)
        put(live, [late(number)])
        if number % 5 == 1:
            normalize(live, HERE)

    stores = rebuild.chosen(live, None)
    done = rebuild.rebuild(stores, (), HERE, Onlooker(others_work))
    assert done.differences == ()
    assert done.remarks == ()
    assert late_jobs(stores.new) > 1
    assert late_jobs(live) > late_jobs(stores.new)

    normalize(live, HERE)
    assert rebuild.rebuild(stores, (), HERE, SILENT).differences == ()
    assert differences(every_row(live), every_row(stores.new)) == {}
    assert whole_store.differences(stores.new) == []
    assert rows(stores.new, "SELECT count(*) FROM dataset_fields_tag_mapping WHERE NOT is_reported") != [(0,)]
    assert rows(stores.new, "SELECT count(*) FROM retention_horizons") != [(0,)]

    switched_beside_a_reader(live, stores, numbers)


def switched_beside_a_reader(live: Store, stores: CarriedStore, numbers: Iterator[int]) -> None:
    """A reader keeps a session, and what it has seen; a writer sends until the last moment, and goes on behind it."""
    exchange = databases.swap

    def swap(*given: Any, **options: Any) -> None:
        put(live, [late(next(numbers))])
        exchange(*given, **options)
        put(live, [late(next(numbers))])

    with live.connect() as reader, pytest.MonkeyPatch.context() as patch:
        assert reader.execute("SELECT count(*) > 0 FROM runs").fetchone() == (True,)
        patch.setattr(databases, "swap", swap)
        with pytest.raises(TryAgain, match="Stop what is connected"):
            rebuild.switch(stores, HERE, SILENT)
        finished = rebuild.switch(stores, HERE, SILENT, ends_sessions=True)
        assert finished.events >= 1
        with pytest.raises(OperationalError):
            reader.execute("SELECT 1")
    assert rows(live, "SELECT current_database()") == [("live",)]
    assert late_jobs(live) == next(numbers)
    normalize(live, HERE)
    assert rows(live, "SELECT count(*) FROM runs WHERE job_name = 'late'") == [(late_jobs(live),)]
    assert rows(live, "SELECT count(*) FROM streams") == [(1,)]
    assert whole_store.differences(live) == []


def test_damage_is_named_by_table_and_number_and_is_repaired(
    live: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", live.dsn)
    take_in(live, history(Random(5)).events)
    whole = contents(live)
    with live.connect() as connection:
        connection.execute("DELETE FROM job_edges WHERE ctid IN (SELECT ctid FROM job_edges LIMIT 3)")
        connection.execute("UPDATE runs SET external_id = 'wrong' WHERE uuid IN (SELECT uuid FROM runs LIMIT 2)")
        connection.execute("DROP TABLE job_labels CASCADE")
    with pytest.raises(SystemExit) as ended:
        main(["db", "rebuild", "--yes", "--swap"])
    assert ended.value.code == 1
    shown = capsys.readouterr().err
    assert "job_edges: 0 rows only in live, 3 rows only in live_new" in shown
    assert "runs: 2 rows only in live, 2 rows only in live_new" in shown
    assert "job_labels: live has no such table" in shown
    assert rows(live, "SELECT count(*) FROM runs WHERE external_id = 'wrong'") == [(2,)]
    with pytest.raises(SystemExit) as ended:
        main(["db", "rebuild", "--yes", "--swap", "--accept-differences"])
    assert ended.value.code in {None, 0}
    assert differences(whole, contents(live)) == {}


@pytest.mark.slow
def test_what_is_archived_is_taken_and_leaves_again(
    live: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", live.dsn)
    take_in(live, history(Random(5)).events)
    set_policy(live, Policy(PolicyKind.RAW_EVENTS, "*", timedelta(days=1), None))
    set_policy(live, Policy(PolicyKind.EVERY, "*", None, None))
    planned = retention.plan(live)
    retention.apply(live, planned, archive=str(tmp_path))
    left = rows(live, "SELECT count(*) FROM lineage_events")[0][0]
    assert left < len(history(Random(5)).events) / 2
    with pytest.raises(SystemExit) as ended:
        main(["db", "rebuild", "--yes"])
    assert ended.value.code == 2
    assert "Raw events of 2026-01 are in archives alone" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["db", "rebuild", "--yes", "--from", str(tmp_path)])
    assert "None differs" in capsys.readouterr().out
    new = beside(live, "live_new")
    assert differences(every_row(live), every_row(new)) == {}
    assert rows(new, "SELECT count(*) FROM lineage_events") == [(left,)]
    assert rows(new, "SELECT count(*) FROM event_ledger") > [(left,)]


@pytest.mark.slow
def test_who_is_interrupted_behind_the_exchange_of_names_takes_the_rest_in(
    live: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", live.dsn)
    take_in(live, [late(1)])
    stores = rebuild.chosen(live, None)
    assert rebuild.rebuild(stores, (), HERE, SILENT).differences == ()
    put(live, [late(2)])

    def interrupt(sentence: str) -> None:
        if "is the new store now" in sentence:
            raise Interrupted

    with pytest.raises(Interrupted):
        rebuild.switch(stores, HERE, Onlooker(interrupt))
    assert late_jobs(live) == 1
    for shown in ("Nothing was changed", "Taken in of what had come meanwhile: 1 event."):
        with pytest.raises(SystemExit):
            main(["db", "rebuild", *(["--yes"] if "Taken" in shown else [])])
        assert shown in capsys.readouterr().out
    assert rows(live, "SELECT count(*) FROM runs WHERE job_name = 'late'") == [(2,)]


class Interrupted(Exception):
    """Stands for a kill between two steps."""


@pytest.mark.slow
def test_wherever_it_ends_the_next_time_goes_on(live: Store, tmp_path: Path) -> None:
    example = history(Random(3))
    purged(live, example)
    set_by_people(live)
    set_policy(live, Policy(PolicyKind.RAW_EVENTS, "*", timedelta(days=1), None))
    retention.apply(live, retention.plan(live), archive=str(tmp_path))
    stores, archived = rebuild.chosen(live, None), archived_sets([str(tmp_path)])
    for last in itertools.count(1):
        steps = itertools.count(1)

        def interrupt(_sentence: str, last: int = last, steps: Iterator[int] = steps) -> None:
            if next(steps) == last:
                raise Interrupted

        try:
            done = rebuild.rebuild(stores, archived, HERE, Onlooker(interrupt))
        except Interrupted:
            put(live, [late(last)])
            normalize(live, HERE)
            continue
        break
    assert last > 6
    assert done.differences == ()
    assert differences(every_row(live), every_row(stores.new)) == {}


def test_each_table_is_compared_or_has_a_reason_not_to_be() -> None:
    compared = {table.name for table in compared_tables()}
    others = {*OF_EACH_STORE, *kept_anew.LEFT_BEHIND}
    assert compared | others >= {table.name for table in all_tables()}
    assert compared & others == set()
    kept = {
        *kept_anew.FIRST,
        *kept_anew.LAST,
        *kept_anew.HOLDS,
        *kept_anew.HORIZONS,
        *kept_anew.JOINED,
        "streams",
        "namespace_ownerships",
    }
    made = {table.name for table in normalized_tables()} | {"identity_map", "lineage_events"}
    assert kept & made == set()
    assert kept | made == compared
