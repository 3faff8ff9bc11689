"""What goes is decided once, by a plan. Whoever carries it out deletes that, or less, and says why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from lineage_core.cli import main
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.plan import RetentionPlan
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import purge
from lineage_core.retention.store.policies import HeldThing, add_hold, release_hold, set_policy
from lineage_core.retention.store.reports import RAW, ReportWriter, reports
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, dataset, dataset_event, job_event, named_job, run_event
from tests.support.daily_runs import daily, run_id
from tests.support.servers import jobs_login
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

DAY = timedelta(days=1)
NOW = TIME + 100 * DAY


@pytest.fixture
def store(database: Store) -> Store:
    """With policies that let go what is older than thirty days, and no last ones."""
    set_policy(database, Policy(PolicyKind.VERSIONS, "*", 30 * DAY, 0))
    return database


def runs_of(database: Store, job: str) -> int:
    ((number,),) = rows(database, "SELECT count(*) FROM runs WHERE job_name = %s", [job])
    return int(number)


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], None]]:
    """Lets something happen behind the first transaction that deletes; each deletes one thing."""
    monkeypatch.setattr(purge, "CHUNK", 1)
    whole = purge.chunks

    def during(happens: Callable[[], object]) -> None:
        waiting = [happens]

        def chunks(*arguments: Any) -> Iterator[Counter[str] | None]:
            for gone in whole(*arguments):
                yield gone
                if waiting:
                    waiting.pop()()

        monkeypatch.setattr(purge, "chunks", chunks)

    yield during


class TestAHoldThatComesMeanwhile:
    def test_keeps_all_that_is_still_there(
        self, store: Store, meanwhile: Callable[[Callable[[], object]], None]
    ) -> None:
        take_in(store, daily(9))
        planned = retention.plan(store, NOW)
        assert planned.tables["runs"] == 8
        meanwhile(lambda: add_hold(store, HeldThing("shop"), "a lawsuit", None))
        applied = retention.apply(store, planned)
        assert applied.deleted.get("runs", 0) <= 1
        assert applied.stayed["legal hold"] >= 7
        assert runs_of(store, "load") == 9 - applied.deleted.get("runs", 0)

    def test_waits_for_a_chunk_at_work_and_a_chunk_for_it(self, store: Store) -> None:
        with store.connect() as deleting:
            deleting.execute("SELECT keep_holds()")
            with store.connect() as placing, pytest.raises(psycopg.errors.LockNotAvailable):
                placing.execute("SET lock_timeout = '50ms'")
                placing.execute("INSERT INTO retention_holds (namespace_pattern, why) VALUES ('shop', 'a lawsuit')")
        with store.connect() as placing:
            placing.execute("INSERT INTO retention_holds (namespace_pattern, why) VALUES ('shop', 'a lawsuit')")
            with store.connect() as deleting, pytest.raises(psycopg.errors.LockNotAvailable):
                deleting.execute("SET lock_timeout = '50ms'")
                deleting.execute("SELECT keep_holds()")


class TestAPlan:
    def test_is_not_about_what_a_policy_lets_go_later(self, store: Store) -> None:
        take_in(store, daily(9))
        planned = retention.plan(store, NOW - 64 * DAY)
        assert planned.tables["runs"] == 6
        set_policy(store, Policy(PolicyKind.RUNS, "*", DAY, 0))
        assert retention.apply(store, planned).deleted["runs"] == 6
        assert runs_of(store, "load") == 3

    def test_is_about_these_runs_and_no_others(self, store: Store) -> None:
        """As many of another job are not the same."""
        take_in(store, [*daily(4, job="a"), *daily(4, job="b", first=10)])
        hold = add_hold(store, HeldThing("shop", job="a"), "an audit", None)
        planned = retention.plan(store, NOW)
        assert planned.tables["runs"] == 3
        release_hold(store, hold, "it was the wrong one")
        add_hold(store, HeldThing("shop", job="b"), "an audit", None)
        applied = retention.apply(store, planned)
        assert "runs" not in applied.deleted
        assert applied.stayed["legal hold"] >= 3
        assert (runs_of(store, "a"), runs_of(store, "b")) == (4, 4)

    def test_is_carried_out_though_more_could_go_by_now(self, store: Store) -> None:
        """Nothing refuses it, as nothing more goes by it."""
        take_in(store, daily(5))
        planned = retention.plan(store, NOW)
        take_in(store, daily(5, job="other", first=20))
        applied = retention.apply(store, planned)
        assert (applied.deleted["runs"], applied.stayed) == (4, {})
        assert (runs_of(store, "load"), runs_of(store, "other")) == (1, 5)

    def test_spares_what_was_heard_of_since_and_says_so(self, store: Store) -> None:
        take_in(store, daily(5))
        planned = retention.plan(store, NOW)
        take_in(store, [run_event("OTHER", run_id=run_id(1), job=named_job("load"), time=NOW - DAY)])
        applied = retention.apply(store, planned)
        assert applied.deleted["runs"] < 4
        assert applied.stayed["heard of again"] >= 1
        assert reports(store)[0].stayed == applied.stayed
        assert rows(store, "SELECT count(*) FROM runs WHERE uuid = %s", [run_id(1)]) == [(1,)]

    def test_spares_a_job_and_a_dataset_of_which_there_is_more_by_now(self, store: Store) -> None:
        set_policy(store, Policy(PolicyKind.ENTITIES, "*", 30 * DAY, None))
        take_in(
            store, [*daily(3), dataset_event(dataset("alone", fields=[("a", "INT")])), job_event(named_job("idle"))]
        )
        planned = retention.plan(store, NOW)
        assert (planned.tables["jobs"], planned.tables["datasets"]) == (2, 3)
        take_in(
            store,
            [
                dataset_event(dataset("alone", fields=[("a", "INT"), ("b", "INT")]), time=TIME + DAY),
                job_event(named_job("idle"), time=TIME + DAY, inputs=[dataset("alone")]),
            ],
        )
        applied = retention.apply(store, planned)
        assert rows(store, "SELECT name FROM jobs") == [("idle",)]
        assert rows(store, "SELECT name FROM datasets") == [("alone",)]
        assert applied.stayed["not in the plan"] >= 2

    def test_has_contents_by_their_keys_too(self, store: Store) -> None:
        take_in(store, daily(5))
        planned = retention.plan(store, NOW)
        with store.connect() as connection:
            connection.execute("INSERT INTO facets (uuid, name, facet) VALUES (gen_random_uuid(), 'x', '{}')")
        applied = retention.apply(store, planned)
        assert applied.deleted["facets"] == planned.tables["facets"]
        assert rows(store, "SELECT count(*) FROM facets WHERE name = 'x'") == [(1,)]

    def test_of_raw_events_is_about_those_that_were_there(self, store: Store, tmp_path: Path) -> None:
        take_in(store, daily(5))
        planned = retention.plan(store, NOW)
        assert planned.raw_events.rows == 10
        take_in(store, daily(2, job="late", first=30))
        applied = retention.apply(store, planned, archive=str(tmp_path))
        assert applied.deleted[RAW] == 10
        assert rows(store, "SELECT DISTINCT job_name FROM lineage_events") == [("late",)]

    def test_of_raw_events_says_why_some_have_stayed(self, store: Store, tmp_path: Path) -> None:
        take_in(store, [*daily(5), *daily(2, job="held", first=30)])
        planned = retention.plan(store, NOW)
        add_hold(store, HeldThing("shop", job="held"), "an audit", None)
        applied = retention.apply(store, planned, archive=str(tmp_path))
        assert applied.deleted[RAW] == 10
        assert applied.stayed["legal hold"] >= 4

    def test_is_tried_again_after_a_kill_at_any_moment(
        self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also between raw events and tables. The reports together say what has gone."""
        monkeypatch.setattr(purge, "CHUNK", 1)
        take_in(store, daily(4))
        planned = retention.plan(store, NOW)
        killed = 0
        while _killed_after(1 + killed // 3, store, planned, tmp_path, monkeypatch):
            killed += 1
        assert killed > 4
        total = Counter[str]()
        for report in reports(store, most=100):
            total.update(report.deleted)
        assert total == Counter({**planned.tables, RAW: 8})

    def test_that_was_only_looked_at_leaves_nothing_and_is_not_carried_out(self, store: Store) -> None:
        take_in(store, daily(3))
        planned = retention.plan(store, NOW, is_kept=False)
        assert rows(store, "SELECT count(*) FROM retention_plans") == [(0,)]
        with pytest.raises(WrongUsage, match="only looked at"):
            retention.apply(store, planned)

    def test_is_forgotten_after_a_month(self, store: Store) -> None:
        take_in(store, daily(3))
        planned = retention.plan(store, NOW)
        with store.connect() as connection:
            connection.execute("UPDATE retention_plans SET planned_at = now() - interval '32 days'")
        with pytest.raises(NeedsOperator, match="more than 31 days old"):
            retention.apply(store, planned)
        retention.plan(store, NOW)
        kept = rows(store, "SELECT DISTINCT plan FROM retention_plan_keys")
        assert kept == rows(store, "SELECT max(id) FROM retention_plans")
        assert rows(store, "SELECT DISTINCT plan FROM retention_plan_events") == kept


class _Killed(BaseException):
    """What no handler takes for an error."""


def _killed_after(
    transactions: int, database: Store, planned: RetentionPlan, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Whether an application had so many transactions that delete."""
    whole, done = ReportWriter._add, 0

    def add(self: Any, connection: Connection, gone: Any) -> None:
        nonlocal done
        if done == transactions:
            raise _Killed
        whole(self, connection, gone)
        done += 1

    with monkeypatch.context() as patch:
        patch.setattr(ReportWriter, "_add", add)
        try:
            retention.apply(database, planned, archive=str(archive))
        except _Killed:
            return True
    return False


class TestTheMomentOfAPlan:
    def test_is_that_of_the_server(self, store: Store) -> None:
        """The server says when the transaction began, and writes the same beside the plan."""
        planned = retention.plan(store)
        assert rows(store, "SELECT planned_at FROM retention_plans") == [(planned.as_of,)]

    def test_is_refused_ahead_of_its_clock(self, store: Store) -> None:
        take_in(store, daily(3))
        with pytest.raises(WrongUsage, match="lies ahead of the server's clock"):
            retention.plan(store, datetime.now(UTC) + 400 * DAY)
        assert rows(store, "SELECT count(*) FROM retention_horizons") == [(0,)]

    def test_is_refused_of_a_clock_that_was_set_back(self, store: Store) -> None:
        planned = retention.plan(store)
        ahead = replace(planned, as_of=datetime.now(UTC) + DAY)
        with store.connect() as connection:
            connection.execute("UPDATE retention_plans SET as_of = %s", [ahead.as_of])
            connection.execute("UPDATE retention_plans SET written = %s", [json.dumps(ahead.to_json())])
        with pytest.raises(NeedsOperator, match="lies ahead of the server's clock"):
            retention.apply(store, ahead)

    @pytest.mark.parametrize(
        "change",
        [
            {"as_of": (NOW + 5 * DAY).isoformat()},
            {"emptied": "*"},
            {"plan": 999},
            {"digest": "0" * 64},
            {"tables": {"runs": 1}},
        ],
        ids=lambda change: next(iter(change)),
    )
    def test_and_all_else_of_it_is_refused_where_a_file_was_changed(self, store: Store, change: dict[str, Any]) -> None:
        take_in(store, daily(3))
        written = retention.plan(store, NOW).to_json()
        with pytest.raises(NeedsOperator, match="is not the one that is given"):
            retention.apply(store, RetentionPlan.from_json(written | change))
        assert runs_of(store, "load") == 3


class TestWhatLiesAhead:
    def test_is_named_and_stays(self, store: Store) -> None:
        far = datetime(2999, 1, 1, tzinfo=UTC)
        take_in(store, daily(3))
        take_in(store, [run_event(kind, run_id=run_id(50), time=far) for kind in ("START", "COMPLETE")])
        planned = retention.plan(store, NOW)
        assert planned.protected["in the future"] >= 1
        assert planned.raw_events.protected == {"in the future": 2}
        assert retention.plan(store).protected["in the future"] >= 1

    def test_is_named_where_a_namespace_is_emptied(self, store: Store) -> None:
        tomorrow = datetime.now(UTC) + DAY
        take_in(store, [run_event(kind, run_id=run_id(50), time=tomorrow) for kind in ("START", "COMPLETE")])
        planned = retention.plan(store, emptied="shop")
        assert planned.protected["in the future"] >= 2
        assert "runs" not in retention.apply(store, planned).deleted


def test_jobs_cannot_take_away_what_retention_has_stated(postgres_server: Server, store: Store) -> None:
    take_in(store, daily(3))
    retention.apply(store, retention.plan(store, NOW))
    with jobs_login(postgres_server, store).connect(autocommit=True) as connection:
        for table in ("retention_reports", "retention_horizons", "retention_plans"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"DELETE FROM {table}".encode())


def test_a_login_without_temporary_tables_learns_which_right_it_lacks(postgres_server: Server, store: Store) -> None:
    """Whatever the language of the server."""
    login = jobs_login(postgres_server, store)
    with store.connect(autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC".encode())
    with pytest.raises(NeedsOperator, match="GRANT TEMPORARY ON DATABASE"):
        retention.plan(login, NOW)


def test_the_commands_keep_a_plan_as_json_and_carry_it_out(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(store, daily(5))
    assert _run(monkeypatch, store, ["plan"]) == 0
    shown = capsys.readouterr().out
    assert "with --archive: 10 raw events" in shown
    assert "which new rows use again" in shown
    assert rows(store, "SELECT count(*) FROM retention_plans") == [(0,)]
    assert _run(monkeypatch, store, ["plan", "--json"]) == 0
    (tmp_path / "plan.json").write_text(capsys.readouterr().out)
    add_hold(store, HeldThing("shop", job="load"), "an audit", None)
    assert _run(monkeypatch, store, ["apply", "--plan", str(tmp_path / "plan.json"), "--yes"]) == 0
    assert "that were planned to go stay: legal hold" in capsys.readouterr().out


def _run(monkeypatch: pytest.MonkeyPatch, database: Store, arguments: list[str]) -> int:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    with pytest.raises(SystemExit) as ended:
        main(["retention", *arguments])
    return int(ended.value.code or 0)
