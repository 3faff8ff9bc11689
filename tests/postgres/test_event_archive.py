"""The event archive: raw events leave the store once they are written, read back and compared, and come back whole."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.cli import main
from lineage_core.declare.database_names import JOBS
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.ingest.store import ensure_event_partitions
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.retention import restoring
from lineage_core.retention.application import apply, plan
from lineage_core.retention.archiving import archive_expired
from lineage_core.retention.policies import Policy
from lineage_core.retention.restoring import restore
from lineage_core.retention.store.policies import HeldThing, add_hold, holds, release_hold, set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.tasks import Done, Item, SerialRunner, Work
from lineage_core.testing import TIME, named_job, run_event, to_json
from tests.support.archived_events import (
    AS_OF,
    BEFORE,
    ORDERS,
    RAW_EVENTS,
    RUN,
    WatchedRunner,
    archived,
    cutoffs,
    history,
    manifests,
    parts,
)
from tests.support.s3 import BUCKET, local_s3
from tests.support.servers import operators_login
from tests.support.stores import contents, differences, put, rows, take_in

pytestmark = pytest.mark.postgres


def test_what_is_archived_is_gone_from_the_store_and_nothing_else(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    put(database, [run_event(run_id=f"{RUN}9999", time=TIME)])
    before = rows(database, RAW_EVENTS)
    done = archived(database, tmp_path)
    left = rows(database, RAW_EVENTS)
    assert done.rows == done.deleted == len(before) - len(left) > 0
    assert not done.protected
    assert {row[0] for row in left if row[0] < BEFORE} != set(), "open runs and what waits are still there"
    assert set(left) < set(before)
    assert archived(database, tmp_path).deleted == 0, "a second run does nothing"
    assert rows(database, RAW_EVENTS) == left


def test_a_month_has_a_manifest_of_its_own_that_says_all(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    done = archived(database, tmp_path, part_bytes=1_000)
    found = [json.loads(path.read_bytes()) for path in manifests(tmp_path)]
    months = [one["month"] for one in found]
    assert (months[0], months[-1]) == ("2026-01", "before-1970")
    assert len(months) == len({*months}) > 3
    assert [path.parent.name for path in manifests(tmp_path)] == [f"{month}.1" for month in months]
    assert all(part["first_time"].startswith(one["month"]) for one in found[:-1] for part in one["parts"])
    assert sum(one["rows"] for one in found) == done.rows
    assert sum(one["bytes"] for one in found) == done.bytes
    for one in found:
        assert one["as_of"] == "2026-06-01T00:00:00Z"
        assert one["cutoffs"][0] == {"namespace": ORDERS, "before": "2026-05-01T00:00:00Z"}
        assert one["first_time"] == min(part["first_time"] for part in one["parts"])
    assert max(len(one["parts"]) for one in found) > 1
    assert len(parts(tmp_path)) == sum(len(one["parts"]) for one in found)


def test_a_part_is_bounded_and_a_larger_event_is_one_of_its_own(database: Store, tmp_path: Path) -> None:
    events = [
        run_event(
            "COMPLETE", run_id=f"{RUN}{n:04}", time=TIME + timedelta(minutes=n), facets={"x": {"large": "x" * size}}
        )
        for n, size in enumerate([100] * 10 + [9_000] + [100] * 5)
    ]
    take_in(database, events)
    archived(database, tmp_path, part_bytes=3_000)
    sizes = [part["bytes"] for part in json.loads(manifests(tmp_path)[0].read_bytes())["parts"]]
    assert len(sizes) > 3
    assert sorted(sizes)[-2] < 3_000 + 600
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(0,)]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_restored_and_normalized_is_as_it_was(database: Store, tmp_path: Path, seed: int) -> None:
    events = history(seed)
    half = len(events) // 2
    take_in(database, events[:half])
    take_in(database, [*events[half:], *events[:3]])
    ensure_event_partitions(database)
    raw, tables = rows(database, RAW_EVENTS), contents(database)
    done = archived(database, tmp_path, part_bytes=random.Random(seed).choice((1, 700, 5_000, 1 << 26)))
    assert done.deleted
    assert not differences(tables, contents(database)), "the tables keep what events stated"
    returned = [restore(database, str(path)).restored for path in manifests(tmp_path)]
    assert sum(returned) == done.deleted
    assert rows(database, RAW_EVENTS) == raw
    assert rows(database, "SELECT count(*) FROM waiting_events") == [(0,)], "the ledger knows them"
    outcome = normalize(database, SerialRunner())
    assert outcome.events == done.deleted
    assert not differences(tables, contents(database))
    assert [restore(database, str(path)).restored for path in manifests(tmp_path)] == [0] * len(returned)
    assert rows(database, RAW_EVENTS) == raw


def test_restored_into_an_empty_store_the_tables_are_as_they_were(
    database: Store, empty_database: Store, tmp_path: Path
) -> None:
    from lineage_core.operate.whole_store import upgrade

    upgrade(empty_database)
    events = [
        event for event in history(3) if event["eventTime"] < BEFORE.isoformat() and event.get("eventType") != "START"
    ]
    for store in (database, empty_database):
        put(store, events)
    normalize(database, SerialRunner())
    done = archived(database, tmp_path)
    assert done.deleted == len(events)
    with empty_database.connect() as connection:
        connection.execute("TRUNCATE lineage_events")
    for path in manifests(tmp_path):
        restore(empty_database, str(path))
    normalize(empty_database, SerialRunner())
    assert not differences(contents(database), contents(empty_database))


def test_restored_events_are_held_until_the_hold_is_released(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    done = archived(database, tmp_path / "one")
    for path in manifests(tmp_path / "one"):
        restore(database, str(path))
        restore(database, str(path))
    normalize(database, SerialRunner())
    found = holds(database)
    assert len(found) == len(manifests(tmp_path / "one")), "one for each manifest, however often it is restored"
    assert found[0].why == "restored from 2026-06-01T000000.000000Z/2026-01.1/manifest.json"
    assert found[0].events_since and found[0].events_until and found[0].events_since < found[0].events_until
    assert archived(database, tmp_path / "two").deleted == 0
    for hold in found:
        release_hold(database, hold.id, "read")
    assert archived(database, tmp_path / "three").deleted == done.deleted


def test_restored_events_alone_are_held_and_come_in_from_behind_the_horizon(database: Store, tmp_path: Path) -> None:
    """Not whatever anybody posts into the same span of time."""
    ended = [run_event(kind, run_id=f"{RUN}0001") for kind in ("START", "COMPLETE")]
    last = [run_event(kind, run_id=f"{RUN}0002", time=TIME + timedelta(days=1)) for kind in ("START", "COMPLETE")]
    for kind in (PolicyKind.VERSIONS, PolicyKind.ENTITIES):
        set_policy(database, Policy(kind, "*", timedelta(days=30), None))
    take_in(database, [*ended, *last])
    applied = apply(database, plan(database, AS_OF), archive=str(tmp_path))
    assert rows(database, "SELECT count(*) FROM runs") == [(0,)]
    (path,) = applied.manifests
    restored = restore(database, str(tmp_path / path))
    others = [run_event(kind, run_id=f"{RUN}0003", time=TIME + timedelta(hours=12)) for kind in ("START", "COMPLETE")]
    assert take_in(database, others).expired == 2
    assert rows(database, "SELECT count(*) FROM runs") == [(2,)]
    whole = contents(database)
    planned = plan(database, AS_OF)
    assert "runs" not in planned.tables
    assert planned.raw_events.rows == 2, "the others go"
    apply(database, planned, archive=str(tmp_path))
    assert not differences(whole, contents(database))
    release_hold(database, restored.hold, "read")
    applied = apply(database, plan(database, AS_OF), archive=str(tmp_path))
    assert (applied.deleted["runs"], applied.deleted["lineage_events"]) == (2, 4)
    assert rows(database, "SELECT count(*) FROM jobs") == [(0,)]


def test_a_repeat_that_came_twice_at_once_comes_back_twice(database: Store, tmp_path: Path) -> None:
    event = run_event("COMPLETE")
    take_in(database, [event] * 5)
    archived(database, tmp_path, part_bytes=1)
    put(database, [event] * 2)
    (path,) = manifests(tmp_path)
    assert restore(database, str(path)).restored == 3
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(5,)]


def test_events_that_are_equal_as_values_and_not_as_texts_all_come_back(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their texts are of one length, and each is on its own side of the border of a transaction."""
    numbers = ("1.0, 1.00", "1.00, 1.0")
    text = to_json(run_event("COMPLETE", facets={"x": {"numbers": ["?"]}})).decode()
    with database.connect() as connection:
        for pair in numbers:
            connection.execute(
                "INSERT INTO lineage_events (event_time, event, created_at) VALUES (%s, %s::jsonb, %s)",
                [TIME, text.replace('"?"', pair), AS_OF],
            )
    normalize(database, SerialRunner())
    before = rows(database, RAW_EVENTS)
    assert len(before) == 2
    assert archived(database, tmp_path).deleted == 2
    monkeypatch.setattr(restoring, "RESTORED_AT_ONCE", 1)
    (path,) = manifests(tmp_path)
    assert restore(database, str(path)).restored == 2
    assert restore(database, str(path)).restored == 0
    assert rows(database, RAW_EVENTS) == before


def test_an_event_that_came_again_is_another_than_that_in_the_archive(database: Store, tmp_path: Path) -> None:
    take_in(database, [run_event("COMPLETE")])
    archived(database, tmp_path)
    put(database, [run_event("COMPLETE")], received_at="2026-06-02T00:00:00Z")
    assert restore(database, str(manifests(tmp_path)[0])).restored == 1
    assert restore(database, str(manifests(tmp_path)[0])).restored == 0


def test_what_was_received_ahead_of_its_time_comes_back_so(database: Store, tmp_path: Path) -> None:
    event = run_event("COMPLETE")
    put(database, [event], received_at="2025-12-01T00:00:00Z")
    put(database, [event], received_at="2026-05-01T00:00:00Z")
    normalize(database, SerialRunner())
    before = rows(database, RAW_EVENTS)
    archived(database, tmp_path)
    restore(database, str(manifests(tmp_path)[0]))
    assert rows(database, RAW_EVENTS) == before
    assert [row[-1] for row in before] == [True, False]


def test_a_hold_that_is_placed_after_the_writing_keeps_its_events(database: Store, tmp_path: Path) -> None:
    take_in(database, [run_event("COMPLETE"), run_event("COMPLETE", run_id=f"{RUN}0002", job=named_job("held"))])

    def place() -> None:
        if not holds(database):
            add_hold(database, HeldThing("*", job="held"), "a lawsuit", None)

    done = archived(database, tmp_path, runner=WatchedRunner(behind=place))
    assert (done.rows, done.deleted, done.protected) == (2, 1, 1)
    assert rows(database, "SELECT job_name FROM lineage_events") == [("held",)]


def test_a_rebase_after_the_writing_keeps_all(database: Store, tmp_path: Path) -> None:
    take_in(database, [run_event("COMPLETE")])

    def rebase() -> None:
        with database.connect() as connection:
            connection.execute("UPDATE watermarks SET done = '1:1:'")

    assert archived(database, tmp_path, runner=WatchedRunner(behind=rebase)).protected == 1
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(1,)]


def test_an_archive_may_be_anywhere_that_fsspec_knows(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    take_in(database, history())
    before = rows(database, RAW_EVENTS)
    with local_s3(monkeypatch):
        done = archive_expired(database, f"s3://{BUCKET}/archive", cutoffs(), AS_OF)
        assert rows(database, RAW_EVENTS) != before
        for name in done.manifests:
            restore(database, f"s3://{BUCKET}/archive/{name}")
    assert rows(database, RAW_EVENTS) == before


def test_a_task_can_be_sent_and_shows_no_password(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    store = make_conninfo(database.dsn, application_name="secret")
    seen = list[str]()

    class Elsewhere(SerialRunner):
        def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
            seen.extend(map(repr, items))
            sent_work, sent_items = pickle.loads(pickle.dumps((work, items)))
            return iter([pickle.loads(pickle.dumps(one)) for one in super().results(sent_work, sent_items)])

    assert archive_expired(Store(store), str(tmp_path), cutoffs(), AS_OF, Elsewhere()).deleted
    assert not any("secret" in text or str(tmp_path) in text for text in seen)


def test_events_that_come_while_it_is_archived_go_with_the_same_call_again(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    archived(database, tmp_path)
    take_in(database, history(2))
    assert archived(database, tmp_path).deleted
    assert [path.parent.name for path in manifests(tmp_path)][:2] == ["2026-01.1", "2026-01.2"]
    assert archived(database, tmp_path).deleted == 0


def test_each_role_does_its_part_and_no_other(database: Store, postgres_server: Server, tmp_path: Path) -> None:
    take_in(database, history())
    before = rows(database, RAW_EVENTS)
    postgres_server.ensure_role("worker", "NOSUPERUSER")
    postgres_server.run_sql(f"GRANT {JOBS} TO worker;")
    worker, operator = make_conninfo(database.dsn, user="worker"), operators_login(postgres_server, database)
    done = archived(Store(worker), tmp_path)
    assert done.deleted
    with pytest.raises(NeedsOperator, match="lineage_operator"):
        restore(Store(worker), str(manifests(tmp_path)[0]))
    for path in manifests(tmp_path):
        restore(operator, str(path))
    assert rows(database, RAW_EVENTS) == before
    assert {hold.placed_by for hold in holds(operator)} != {"lineage"}


def test_the_command_restores_and_says_what_it_did(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    take_in(database, [run_event("COMPLETE")])
    archived(database, tmp_path)
    (path,) = manifests(tmp_path)
    for arguments, output in (
        ([], "1 events are restored, 0 were there. Hold 1 keeps them until it is released.\n"),
        (["--json"], '{"restored": 0, "already_there": 1, "hold": 1}\n'),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["retention", "restore", str(path), *arguments])
        assert ended.value.code == 0
        assert capsys.readouterr().out == output


def test_where_no_archive_can_be_kept_nothing_begins(database: Store) -> None:
    take_in(database, history())
    before = rows(database, RAW_EVENTS)
    with pytest.raises(WrongUsage, match="gone with the process"):
        apply(database, plan(database, AS_OF), archive="memory://archive")
    assert rows(database, RAW_EVENTS) == before
    assert rows(database, "SELECT count(*) FROM retention_reports") == [(0,)]
