"""The DAG on a real Airflow and a real Spark: by trigger, schedule and backfill, and its own lineage."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from psycopg.errors import InsufficientPrivilege

from lineage_core.declare.tables import normalized_tables
from lineage_core.ingest.store import insert_event
from lineage_core.local.services import Service
from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.postgres.connection import connect
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.receiver.store import known_tokens
from tests.airflow.conftest import PLANTED, Platform
from tests.support.command_lines import command_line
from tests.support.spark_clusters import spark_cluster

pytestmark = pytest.mark.airflow

DAG = "normalize_lineage"
SPARK = "spark_default"
REPLAY = "replay_lineage"
APPLICATION = f"{DAG}.normalize.{DAG}"
HOUR = "2026-11-20T06:00:00+00:00"
TEN_PAST = "2026-11-20T06:10:00+00:00"


def _insert(platform: Platform, job: str, time: str) -> None:
    """A run of a job that completes at once."""
    event = {
        "eventType": "COMPLETE",
        "eventTime": time,
        "producer": "https://example.org/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(uuid.uuid4())},
        "job": {"namespace": "test", "name": job},
        "inputs": [],
        "outputs": [{"namespace": "test", "name": f"{job}.out"}],
    }
    insert_event(Store(platform.logins.ingest), json.dumps(event).encode())


def _query(platform: Platform, query: str) -> list[str]:
    return platform.server.run_sql(query, "lineage", "lineage").splitlines()


def _events_of(platform: Platform, job: str) -> list[dict[str, Any]]:
    script = (
        f"SELECT event FROM lineage_events WHERE job_namespace = 'airflow' AND job_name = '{job}' ORDER BY event_time;"
    )
    return [json.loads(line) for line in _query(platform, script)]


NOTE_WRITERS = """
CREATE TABLE writers (written text, login text, PRIMARY KEY (written, login));
CREATE FUNCTION note_writer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
    INSERT INTO writers VALUES (TG_TABLE_NAME, session_user) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER note_writer AFTER INSERT ON lineage_events FOR EACH STATEMENT EXECUTE FUNCTION note_writer();
CREATE TRIGGER note_writer AFTER INSERT ON datasets FOR EACH STATEMENT EXECUTE FUNCTION note_writer();
CREATE TRIGGER note_writer AFTER UPDATE ON watermarks FOR EACH STATEMENT EXECUTE FUNCTION note_writer();
"""


@pytest.fixture(scope="module", autouse=True)
def _watched(platform: Platform) -> None:
    """Notes from the beginning who writes what."""
    _query(platform, NOTE_WRITERS)


@pytest.fixture(scope="module", autouse=True)
def _parsed(platform: Platform, _watched: None) -> None:
    platform.wait(lambda: platform.api.knows_dag(DAG), f"the DAG {DAG}")
    platform.api.unpause(DAG)


def test_a_triggered_run_takes_what_has_arrived_and_reports_its_figures(platform: Platform) -> None:
    _insert(platform, "triggered", "2026-11-19T12:00:00Z")
    platform.statsd.received()
    run = platform.api.trigger(DAG, {})
    assert platform.state_at_end(DAG, run) == "success", platform.log(DAG, run)
    assert _query(platform, "SELECT name FROM datasets WHERE name LIKE 'triggered%';") == ["triggered.out"]
    figures = platform.statsd.received()
    assert figures.keys() >= {"airflow.lineage.waiting.seconds", "airflow.lineage.normalized.duration"}
    assert figures["airflow.lineage.normalized.events"].endswith("|c")


def test_a_run_that_has_changed_tables_makes_an_event_of_its_asset(platform: Platform) -> None:
    events = _announced(platform)
    assert {event["name"] for event in events} == {"lineage_normalized"}
    assert any(event["extra"]["changed"].get("datasets") for event in events)


def _announced(platform: Platform) -> list[dict[str, Any]]:
    return list(platform.api._call("GET", f"/api/v2/assets/events?source_dag_id={DAG}")["asset_events"])


def test_a_late_run_is_reported_by_the_triggerer(platform: Platform) -> None:
    """The run waits for the lease. Half an hour is too long for a test, so its deadline is brought forward."""
    with held_lease(Store(platform.logins.jobs), WATERMARK):
        run = _waiting_run(platform)
        platform.query_airflow("UPDATE deadline SET deadline_time = now() WHERE NOT missed;")
        platform.wait(lambda: f"The run {run} of {DAG} has not ended 0:30:00" in _alerts(platform), "the alert")
    assert "is at work" in _alerts(platform)
    assert platform.state_at_end(DAG, run) == "success", platform.log(DAG, run)


def _alerts(platform: Platform) -> str:
    return platform.query_airflow("SELECT output FROM callback WHERE state = 'success';")


def test_a_task_that_is_marked_failed_leaves_no_process_and_can_be_cleared(platform: Platform) -> None:
    _insert(platform, "cleared", TEN_PAST)
    with held_lease(Store(platform.logins.jobs), WATERMARK):
        run = _waiting_run(platform)
        _mark_failed(platform, run)
        platform.wait(lambda: not _processes_of(run), "the end of all processes of the run")
    assert platform.state_at_end(DAG, run) == "failed"
    _clear(platform, run)
    assert platform.state_at_end(DAG, run) == "success", platform.log(DAG, run)
    assert _query(platform, "SELECT name FROM jobs WHERE name = 'cleared';") == ["cleared"]


def test_a_driver_that_has_lost_its_jvm_ends_and_its_task_is_tried_again(platform: Platform) -> None:
    """As after a kill for want of memory: the Python half must not go on alone."""
    with held_lease(Store(platform.logins.jobs), WATERMARK):
        run = _waiting_run(platform)
        for process in _processes_of(run):
            if process.name() == "java":
                process.kill()
        platform.wait(lambda: platform.api.task_states(DAG, run) == {"normalize": "up_for_retry"}, "another try")
        platform.wait(lambda: not _processes_of(run), "the end of all processes of the run")
    _mark_failed(platform, run)
    assert platform.state_at_end(DAG, run) == "failed"


def _waiting_run(platform: Platform) -> str:
    """A run whose driver waits for the lease: the one that is triggered here, or a scheduled one that is before it."""
    platform.api.trigger(DAG, {})
    platform.wait(lambda: bool(_runs_with_a_driver(platform)), "a driver")
    return _runs_with_a_driver(platform)[0]


def _runs_with_a_driver(platform: Platform) -> list[str]:
    running = [run["dag_run_id"] for run in platform.api.runs(DAG) if run["state"] == "running"]
    return [run for run in running if {"java", "python"} <= {process.name() for process in _drivers_of(run)}]


def _drivers_of(run: str) -> list[psutil.Process]:
    return [
        process
        for process in _processes_of(run)
        if any("normalize_lineage.py" in word for word in command_line(process))
    ]


def _processes_of(run: str) -> list[psutil.Process]:
    """All that a task of the run has started, whoever is their parent by now."""
    return _processes_with("AIRFLOW_CTX_DAG_RUN_ID", run)


def _mark_failed(platform: Platform, run: str) -> None:
    task = f"/api/v2/dags/{DAG}/dagRuns/{run}/taskInstances/normalize"
    platform.api._call("PATCH", task, {"new_state": "failed"})


def _clear(platform: Platform, run: str) -> None:
    asked = {"dry_run": False, "dag_run_id": run, "task_ids": ["normalize"], "only_failed": False}
    platform.api._call("POST", f"/api/v2/dags/{DAG}/clearTaskInstances", asked | {"reset_dag_runs": True})


@pytest.mark.long
def test_a_run_on_a_master_and_workers_takes_what_has_arrived(platform: Platform, tmp_path: Path) -> None:
    with spark_cluster(tmp_path) as cluster, _spark_at(platform, cluster.master):
        for number in range(2):
            _insert(platform, f"on_workers_{number}", TEN_PAST)
            run = platform.api.trigger(DAG, {})
            assert platform.state_at_end(DAG, run) == "success", platform.log(DAG, run)
            executors = list(tmp_path.glob("*/app-*/*/stderr"))
            if executors:  # no scheduled run came between
                break
    assert f"--master {cluster.master}" in platform.log(DAG, run)
    assert executors, "no executor has run"
    assert _query(platform, "SELECT name FROM jobs WHERE name = 'on_workers_0';") == ["on_workers_0"]


@contextmanager
def _spark_at(platform: Platform, master: str) -> Iterator[None]:
    connection = platform.api._call("GET", f"/api/v2/connections/{SPARK}")
    address = f"/api/v2/connections/{SPARK}?update_mask=host"
    unchanged = {name: connection[name] for name in ("connection_id", "conn_type")}
    platform.api._call("PATCH", address, unchanged | {"host": master})
    try:
        yield
    finally:
        platform.api._call("PATCH", address, unchanged | {"host": connection["host"]})


def test_a_scheduled_run_happens_by_itself(platform: Platform) -> None:
    def scheduled() -> list[dict[str, Any]]:
        return [run for run in platform.api.runs(DAG) if run["run_type"] == "scheduled"]

    platform.wait(lambda: bool(scheduled()), "a scheduled run")
    run = scheduled()[0]
    assert platform.state_at_end(DAG, run["dag_run_id"]) == "success", platform.log(DAG, run["dag_run_id"])
    assert run["data_interval_start"] < run["data_interval_end"]


def test_a_backfill_by_the_page_takes_the_events_of_its_interval(platform: Platform) -> None:
    _insert(platform, "in_the_interval", "2026-11-20T06:03:00Z")
    platform.api.backfill(DAG, HOUR, HOUR)
    _normalizes_one(platform, HOUR, TEN_PAST)
    assert _query(platform, "SELECT name FROM datasets WHERE name LIKE 'in_the%';") == ["in_the_interval.out"]


def _normalizes_one(platform: Platform, start: str, end: str) -> None:
    """The run of an interval ends, and has normalized the one event in it."""
    run = "backfill__" + end
    platform.wait(lambda: any(known["dag_run_id"] == run for known in platform.api.runs(DAG)), run)
    assert platform.state_at_end(DAG, run) == "success", platform.log(DAG, run)
    log = platform.log(DAG, run)
    assert f"--from {start} --to {end}" in log, log
    assert "1 event normalized" in log, log


def test_airflow_dags_backfill_replays_days_and_waits(platform: Platform, capfd: pytest.CaptureFixture[str]) -> None:
    for day in (17, 18):
        _insert(platform, f"on_the_{day}th", f"2026-11-{day}T23:59:59Z")
    backfill = ["dags", "backfill", "--start-date", "2026-11-17", "--end-date", "2026-11-18", "--run-backwards"]
    platform.wait(lambda: platform.api.knows_dag(REPLAY), f"the DAG {REPLAY}")
    assert platform.airflow.command([*backfill, REPLAY]) == 1
    assert f"{REPLAY} is not backfilled: it is paused" in capfd.readouterr().err
    platform.api.unpause(REPLAY)
    assert platform.airflow.command([*backfill, REPLAY]) == 0, capfd.readouterr()
    assert "2 of 2 runs ended" in capfd.readouterr().out
    assert _query(platform, "SELECT name FROM jobs WHERE name LIKE 'on_the%' ORDER BY 1;") == [
        "on_the_17th",
        "on_the_18th",
    ]
    runs = platform.api.runs(REPLAY)
    assert {(run["run_type"], run["data_interval_start"]) for run in runs} == {
        ("backfill", "2026-11-17T00:00:00Z"),
        ("backfill", "2026-11-18T00:00:00Z"),
    }


def test_a_replay_is_triggered_by_the_page(platform: Platform) -> None:
    _insert(platform, "in_the_span", "2026-11-16T12:00:00Z")
    platform.api.unpause(REPLAY)
    run = platform.api.trigger(REPLAY, {"from": "2026-11-16T00:00:00Z", "to": "2026-11-17T00:00:00Z"})
    assert platform.state_at_end(REPLAY, run) == "success", platform.log(REPLAY, run)
    assert _query(platform, "SELECT name FROM jobs WHERE name = 'in_the_span';") == ["in_the_span"]


@pytest.mark.long
def test_airflow_dags_test_runs_the_dag_to_its_end(platform: Platform) -> None:
    """It is paused meanwhile: else the scheduler may take the task from the command (apache/airflow#53682)."""
    _insert(platform, "tried_out", TEN_PAST)
    platform.api.pause(DAG)
    try:
        assert platform.airflow.command(["dags", "test", DAG]) == 0
    finally:
        platform.api.unpause(DAG)
    assert _query(platform, "SELECT name FROM jobs WHERE name = 'tried_out';") == ["tried_out"]


def test_a_dag_without_a_schedule_says_so_when_it_is_backfilled(
    platform: Platform, capfd: pytest.CaptureFixture[str]
) -> None:
    platform.wait(lambda: platform.api.knows_dag("migrate_facets"), "the DAG migrate_facets")
    platform.api.unpause("migrate_facets")
    assert platform.airflow.command(["dags", "backfill", "-s", "2026-11-17", "migrate_facets"]) == 1
    assert "migrate_facets is not backfilled: migrate_facets has a non-periodic schedule" in capfd.readouterr().err


def test_a_form_that_makes_no_sense_fails_at_once_and_says_why(platform: Platform) -> None:
    run = platform.api.trigger(DAG, {"from": "2026-11-20T06:00:00Z", "to": "2026-11-20T06:00:00Z"})
    assert platform.state_at_end(DAG, run) == "failed"
    attempts = list((platform.airflow.home.logs / f"dag_id={DAG}" / f"run_id={run}").rglob("*.log"))
    assert len(attempts) == 1
    assert "let `from` be before `to`" in attempts[0].read_text()


def test_the_dag_reports_its_own_lineage(platform: Platform) -> None:
    """DAG run, task, Spark application, and the tables that it changed, with as many rows as Postgres has counted."""
    stated, counted = _stated_and_counted(platform)
    assert stated
    assert stated == {name: rows for name, rows in counted.items() if rows and name in _MODEL}
    assert re.search(r"events normalized(?: \(\d+ new, \d+ known before\))?, 0 quarantined", _idle_run(platform))
    (application,) = _query(
        platform,
        "SELECT app.uuid || ' ' || job.name || ' ' || task_job.name || ' ' || dag_job.name FROM runs AS app"
        " JOIN runs AS task ON task.uuid = app.parent_run_uuid JOIN runs AS dag ON dag.uuid = task.parent_run_uuid"
        " JOIN jobs AS job ON job.uuid = app.job_uuid JOIN jobs AS task_job ON task_job.uuid = task.job_uuid"
        " JOIN jobs AS dag_job ON dag_job.uuid = dag.job_uuid WHERE app.current_run_state = 'COMPLETED'"
        " ORDER BY app.transitioned_at DESC LIMIT 1;",
    )
    run, *jobs = application.split()
    assert jobs == [APPLICATION, f"{DAG}.normalize", DAG]
    versions = f"SELECT DISTINCT dataset_name FROM dataset_versions WHERE run_uuid = '{run}';"
    assert set(_query(platform, versions)) == {f"lineage.public.{table}" for table in stated}
    columns = (
        "SELECT source.name || ' -> ' || field.name FROM column_lineage AS line"
        " JOIN dataset_fields AS field ON field.uuid = line.output_dataset_field_uuid"
        " JOIN dataset_fields AS source ON source.uuid = line.input_dataset_field_uuid"
        " JOIN dataset_versions AS version ON version.uuid = line.output_dataset_version_uuid"
        f" WHERE version.run_uuid = '{run}' AND version.dataset_name = 'lineage.public.runs';"
    )
    assert "event -> nominal_start_time" in _query(platform, columns)


_MODEL = {table.name for table in normalized_tables()}


def _stated_and_counted(platform: Platform) -> tuple[dict[str, int], dict[str, int]]:
    """Rows of each table that a run has changed: what it states, and what Postgres' statistics say."""
    for number in range(3):
        before, runs = _counted(platform), _dag_runs(platform)
        _insert(platform, f"stated_{number}", TEN_PAST)
        run = platform.api.trigger(DAG, {})
        assert platform.state_at_end(DAG, run) == "success", platform.log(DAG, run)
        if _dag_runs(platform) == runs + 1:  # no scheduled run came between
            break
    done = _events_of(platform, APPLICATION)[-1]
    assert [dataset["name"] for dataset in done["inputs"]] == ["lineage.public.lineage_events"]
    stated = {
        dataset["name"].removeprefix("lineage.public."): dataset["outputFacets"]["outputStatistics"]["rowCount"]
        for dataset in done["outputs"]
    }
    return stated, {table: rows - before.get(table, 0) for table, rows in _counted(platform).items()}


def _counted(platform: Platform) -> dict[str, int]:
    """Rows that were inserted, updated or deleted, ever."""
    query = (
        "SELECT relname || ' ' || n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables"
        " WHERE schemaname = 'public';"
    )
    return {table: int(number) for table, number in (line.split() for line in _query(platform, query))}


def _dag_runs(platform: Platform) -> int:
    query = "SELECT count(DISTINCT run_uuid) FROM lineage_events WHERE (job_namespace, job_name) = ('airflow', '{}');"
    return int(_query(platform, query.format(DAG))[0])


def _idle_run(platform: Platform) -> str:
    """The log of a run in which only what the runs before have reported waits: it starts no Spark."""
    reported, announced = len(_events_of(platform, APPLICATION)), len(_announced(platform))
    run = platform.api.trigger(DAG, {})
    assert platform.state_at_end(DAG, run) == "success", platform.log(DAG, run)
    assert len(_events_of(platform, APPLICATION)) == reported
    assert len(_announced(platform)) == announced, "what our own DAGs report changes nothing for others"
    return platform.log(DAG, run)


def test_airflow_sent_its_events_by_http_with_the_lines_of_the_how_to(platform: Platform) -> None:
    """The provider's HTTP transport, beside ours: each event of the task is there twice, and counts once."""
    sent = _query(
        platform,
        "SELECT DISTINCT count(*) FROM lineage_events WHERE job_name = 'normalize_lineage.normalize'"
        " AND event_type IN ('START', 'COMPLETE') GROUP BY event;",
    )
    assert sent == ["2"]
    (token,) = (one for one in known_tokens(Store(platform.logins.owner)) if one.name == "this Airflow")
    assert token.last_used_on is not None


def test_each_part_wrote_by_its_own_login(platform: Platform) -> None:
    written = _query(platform, "SELECT written || ' by ' || login FROM writers ORDER BY 1;")
    assert written == ["datasets by jobs", "lineage_events by ingest", "watermarks by jobs"]


def test_who_adds_events_reads_nothing_of_them(platform: Platform) -> None:
    store = Store(platform.airflow.environment()["LINEAGE_INGEST_DSN"])
    with store.connect() as connection:
        assert connection.execute("SELECT session_user").fetchone() == ("ingest",)
        for relation in ("lineage_events", "runs"):
            with pytest.raises(InsufficientPrivilege), connection.transaction():
                connection.execute(f"SELECT FROM {relation}".encode())


def test_who_normalizes_neither_adds_events_nor_owns_anything(platform: Platform) -> None:
    with connect(platform.airflow.environment()["LINEAGE_DSN"]) as connection:
        assert connection.execute("SELECT session_user").fetchone() == ("jobs",)
        for forbidden in ("INSERT INTO lineage_events (event) VALUES ('{}')", "DROP TABLE runs"):
            with pytest.raises(InsufficientPrivilege), connection.transaction():
                connection.execute(forbidden.encode())


def test_the_connections_hold_the_secrets_that_are_looked_for(platform: Platform) -> None:
    variables = platform.airflow.environment()
    assert all(secret in variables["AIRFLOW_CONN_GAMES"] for secret in PLANTED.values())
    shown = platform.api._call("GET", f"/api/v2/connections/{SPARK}")
    assert (shown["password"], json.loads(shown["extra"])["extra_secret"]) == ("***", "***")
    for name, login in (("LINEAGE_DSN", "jobs"), ("LINEAGE_INGEST_DSN", "ingest")):
        assert platform.server.password(login) in variables[name]


def test_no_secret_is_reported(platform: Platform) -> None:
    """After all runs of these tests, those that failed among them: neither by events, logs, processes nor pages."""
    states = _query(platform, "SELECT DISTINCT event ->> 'eventType' FROM lineage_events;")
    assert {"START", "COMPLETE", "FAIL"} <= set(states)
    # What spark-submit becomes, with the same words: its script may live for less than the time between two looks.
    seen = platform.command_lines.copy()
    assert any("deploy.SparkSubmit" in line and "normalize_lineage.py" in line for line in seen)
    rendered = _rendered_fields(platform)
    assert any("normalize_lineage.py" in fields for fields in rendered)
    places = {
        "events": _query(platform, "SELECT event FROM lineage_events;"),
        "logs": [file.read_text(errors="replace") for file in platform.airflow.home.logs.rglob("*.log")],
        "command lines": platform.command_lines.copy(),
        "rendered fields": rendered,
    }
    assert {place for place, texts in places.items() if any(_has_one(platform, text) for text in texts)} == set()


def _has_one(platform: Platform, text: str) -> bool:
    return any(secret in text for secret in platform.secrets)


def _rendered_fields(platform: Platform) -> list[str]:
    """Of each task of each run, as Airflow's pages show them."""
    tasks = platform.api._call("GET", "/api/v2/dags/~/dagRuns/~/taskInstances?limit=100")["task_instances"]
    return [json.dumps(task["rendered_fields"]) for task in tasks]


def test_a_stopped_airflow_leaves_no_process_behind(platform: Platform) -> None:
    home = str(platform.airflow.home.path)
    run = platform.api.trigger(DAG, {})
    platform.wait(lambda: platform.api.task_states(DAG, run) == {"normalize": "running"}, "a running task")
    family = [child for service in platform.airflow.services for child in _children(service)]
    assert len(family) > len(platform.airflow.services)
    assert platform.airflow.stop()
    assert [process for process in family if _lives(process)] == []
    assert [line for process in _processes_with("AIRFLOW_HOME", home) if (line := command_line(process))] == []
    assert not platform.airflow.stop()


def _children(service: Service) -> list[psutil.Process]:
    process = service.process()
    assert process is not None
    return process.children(recursive=True)


def _lives(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def _processes_with(name: str, value: str) -> list[psutil.Process]:
    return [process for process in psutil.process_iter() if _has_variable(process, name, value)]


def _has_variable(process: psutil.Process, name: str, value: str) -> bool:
    try:
        return process.environ().get(name) == value and _lives(process)
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False
