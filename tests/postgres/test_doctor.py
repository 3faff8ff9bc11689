"""Each fault that `lineage doctor` knows, made on purpose, is found and named."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from lineage_core import statements
from lineage_core.cli import main
from lineage_core.database import operation
from lineage_core.local.postgres import ROLE, Server
from lineage_core.local.postgres_cluster import SUPERUSER
from lineage_core.long_migrations.store import records
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.operate.whole_store import all_health_checks, examine, upgrade
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.streams.store import switches
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, Document, dataset, dataset_event, named_job, run_event
from tests.support.servers import server_of_its_own
from tests.support.stores import put, take_in

pytestmark = pytest.mark.postgres


@pytest.fixture(autouse=True)
def _sees_others(postgres_server: Server) -> Iterator[None]:
    """The login that looks has what it takes to see all. Logins that other tests have left cannot log in meanwhile."""
    postgres_server.run_sql(
        "SELECT format('ALTER ROLE %I NOLOGIN', rolname) FROM pg_roles"
        f" WHERE rolcanlogin AND rolname NOT IN ('{SUPERUSER}', '{ROLE}') \\gexec\n"
        f"GRANT pg_monitor TO {ROLE};"
    )
    yield
    postgres_server.run_sql(f"REVOKE pg_monitor FROM {ROLE};")


def change(store: Store, *changes: str) -> None:
    with store.connect(autocommit=True) as connection:
        for text in changes:
            connection.execute(text.encode())


def wait_long(store: Store) -> None:
    put(store, [run_event()])
    change(store, "UPDATE lineage_events SET created_at = now() - interval '31 minutes'")


def lose_a_month(store: Store) -> None:
    following = (datetime.now(UTC).replace(day=1) + timedelta(days=31)).strftime("%Y_%m")
    change(store, f"DROP TABLE lineage_events_{following}")


def move_elsewhere(store: Store) -> None:
    normalize(store, SerialRunner())
    change(store, "UPDATE watermarks SET system_identifier = system_identifier + 1")


def pause_a_migration(store: Store) -> None:
    records.plan(store, "facets")
    change(store, "UPDATE migrations SET state = 'paused'")


def lose_rows_of_a_migration(store: Store) -> None:
    records.plan(store, "facets")
    change(store, "INSERT INTO migration_quarantine (migration, key, error) VALUES ('facets', 'k', 'bad')")


def fill_the_default_partition(store: Store) -> None:
    """A month comes to a thousand events, as there is no run that would move them."""
    take_in(store, [run_event(job=named_job(f"job {number}")) for number in range(999)])
    put(store, [run_event()], received_at=datetime.now(UTC).isoformat())


def run_of_load(number: int, *, days_ago: float, kinds: Sequence[str]) -> list[Document]:
    run, time = f"0190a0a0-0000-7000-8000-{number:012}", datetime.now(UTC) - timedelta(days=days_ago)
    return [run_event(kind, run_id=run, time=time, job=named_job("load", "airflow")) for kind in kinds]


def lose_an_end(store: Store) -> None:
    """Of one run of the last week: of what was lost before, no one wants to hear, and one of today may still work."""
    ends = {1: 3, 2: 0.5, 3: 9}
    lost = [event for number, days in ends.items() for event in run_of_load(number, days_ago=days, kinds=["START"])]
    ended = [run_of_load(4 + days, days_ago=days, kinds=["START", "COMPLETE"]) for days in (6, 2, 0)]
    take_in(store, [*lost, *(event for run in ended for event in run)])


def leave_a_stream(store: Store) -> None:
    switches.start(store, "tags")
    change(store, "UPDATE streams SET started_at = now() - interval '25 hours'")


def leave_small_parts(store: Store) -> None:
    change(
        store,
        "INSERT INTO stream_parts (stream, start_offset, end_offset, schema_id, path, bytes, sha256, logical_hash,"
        " commit_ends, epoch) SELECT 'tags', number, number, 0, number, 4000, '', '', '{}', 1"
        " FROM generate_series(1, 1000) AS number",
    )


def break_a_schema(store: Store) -> None:
    for minutes, kind in enumerate(("INT", "TEXT")):
        changed = dataset(fields=[("a", kind)])
        take_in(store, [dataset_event(changed, time=TIME + timedelta(minutes=minutes))])


def drop_a_partition(store: Store) -> None:
    take_in(store, [run_event(time=TIME), run_event(time=datetime.now(UTC))])
    change(store, f"DELETE FROM lineage_events WHERE event_time = '{TIME.isoformat()}'")


FAULTS: dict[str, tuple[str, Callable[[Store], None]]] = {
    "lag": ("Events have waited since", wait_long),
    "quarantined": (
        "1 document is in quarantine",
        lambda store: change(
            store, "INSERT INTO quarantine (reason, path, raw, source) VALUES ('bad', '$', 'x', 'a test')"
        ),
    ),
    "event_partitions": ("have no partition", lose_a_month),
    "lost_events": ("The tables have events of 2026-", drop_a_partition),
    "other_cluster": ("made in another cluster", move_elsewhere),
    "stuck_migrations": ("The migration facets is paused", pause_a_migration),
    "fragmented_streams": ("The stream tags has 1000 small parts", leave_small_parts),
    "unpublished_streams": ("The stream tags is on", leave_a_stream),
    "unfinished_retention": (
        "Retention has not finished since",
        lambda store: change(
            store,
            "INSERT INTO retention_reports (as_of, plan, deleted, started_at)"
            " VALUES (now(), '{}', '{}', now() - interval '25 hours')",
        ),
    ),
    "unfinished_archives": (
        "An application of retention of 2026-01-01 00:00 UTC has left unfinished folders below s3://archive",
        lambda store: change(
            store,
            "INSERT INTO retention_reports (as_of, plan, deleted, archive, started_at) VALUES"
            " (now(), '{}', '{}', 's3://archive', '2026-01-01Z')",
            "INSERT INTO retention_reports (as_of, plan, deleted, finished_at) VALUES (now(), '{}', '{}', now())",
        ),
    ),
    "default_partition": ("Raw events from 20", fill_the_default_partition),
    "open_runs": (
        "1 runs of the last week in the namespace airflow never ended, though later ones of their jobs did, such as"
        " 0190a0a0-0000-7000-8000-000000000001 of load",
        lose_an_end,
    ),
    "schema_changes": (
        "The schema of public.orders in postgres://shop:5432 broke a rule 1 times, the last time at",
        break_a_schema,
    ),
    "expiring_tokens": (
        "The token spark expires at",
        lambda store: change(
            store,
            "INSERT INTO receiver_tokens (name, digest, namespaces, expires_at, last_used_on)"
            " VALUES ('spark', sha256('a'), '{*}', now() + interval '1 day', current_date)",
        ),
    ),
    "silent_receivers": (
        "The receiver 4711 on web-1 has not reported since",
        lambda store: change(
            store,
            "INSERT INTO receiver_processes (id, host, process, started_at, reported_at)"
            " VALUES (gen_random_uuid(), 'web-1', 4711, now() - interval '1 hour', now() - interval '6 minutes')",
        ),
    ),
    "refused_documents": (
        "12 documents were refused over HTTP since",
        lambda store: change(
            store,
            "INSERT INTO receiver_hours VALUES"
            " (date_trunc('hour', now(), 'UTC'), '401', 12, 12, 1, 1),"
            " (date_trunc('hour', now(), 'UTC'), '403', 9, 9, 1, 1),"
            " (date_trunc('hour', now(), 'UTC'), '429', 20, 20, 1, 1),"
            " (date_trunc('hour', now(), 'UTC') - interval '5 hours', '429', 200, 200, 1, 1),"
            " (date_trunc('hour', now(), 'UTC'), 'accepted', 5000, 100, 1, 1)",
        ),
    ),
    "sequences": (
        "The sequence staged_parts_id_seq is at",
        lambda store: change(store, "SELECT setval('staged_parts_id_seq', 9000000000000000000)"),
    ),
    "schema": (
        "differences from the declarations",
        lambda store: change(store, "ALTER TABLE jobs ADD COLUMN ours text"),
    ),
}
"""By its check: what is stated of it, and how it is made."""

OF_SESSIONS = {"old_transactions", "held_arrivals", "leases"}
OF_LOGINS = {"logins", "broad_logins", "sight"}
OF_THE_MACHINE = (
    {"clock", "ingest_login", "spool", "stream_root", "stuck_spool", "server_settings", "vacuum_horizon"}
    | OF_SESSIONS
    | OF_LOGINS
)
"""Made otherwise, below; `stream_root` with the other tests of roots."""


def found(store: Store, spool: Path) -> dict[str, str]:
    """But for the settings of the server that all tests use: it does not sync to disk."""
    findings = [finding for finding in examine(store, spool) if finding.check != "server_settings"]
    of_check: dict[str, list[str]] = {finding.check: [] for finding in findings}
    for finding in findings:
        of_check[finding.check].append(finding.what)
    return {check: "\n".join(sentences) for check, sentences in of_check.items()}


def test_a_new_store_has_no_fault(database: Store, tmp_path: Path) -> None:
    assert found(database, tmp_path) == {}


def test_each_check_has_its_fault_here() -> None:
    assert {check.name for check in all_health_checks()} == FAULTS.keys() | OF_THE_MACHINE


@pytest.mark.parametrize("check", sorted(FAULTS.keys() - OF_THE_MACHINE))
def test_a_fault_is_found_and_named(database: Store, tmp_path: Path, check: str) -> None:
    sentence, make = FAULTS[check]
    make(database)
    named = found(database, tmp_path)
    assert set(named) == {check}
    assert sentence in named[check]
    assert len(named[check].splitlines()) == 1


def test_what_has_just_begun_is_no_fault(database: Store, tmp_path: Path) -> None:
    """A crowd in the default partition, a stream that is on, a run, events that wait."""
    now = datetime.now(UTC).isoformat()
    put(database, [run_event(job=named_job(f"job {number}")) for number in range(1000)], received_at=now)
    put(database, run_of_load(1, days_ago=0, kinds=["START"]), received_at=now)
    switches.start(database, "tags")
    assert found(database, tmp_path) == {}


def test_rows_of_a_migration_that_need_a_person_are_found(database: Store, tmp_path: Path) -> None:
    lose_rows_of_a_migration(database)
    assert found(database, tmp_path) == {"stuck_migrations": "The migration facets has 1 rows in quarantine"}
    change(
        database,
        "INSERT INTO migration_acceptances (migration, key, error, why) VALUES ('facets', 'k', 'bad', 'a broken test')",
    )
    assert found(database, tmp_path) == {}, "somebody has accepted it"


def in_place_of(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a fault that cannot be made in a test: the check is given another limit."""
    whole = statements.named
    monkeypatch.setattr(statements, "named", lambda path: whole(path).replace(old, new))


def test_a_setting_that_loses_data_is_found(database: Store, tmp_path: Path) -> None:
    """The server that all tests use does not sync to disk."""
    assert [finding.what for finding in examine(database, tmp_path)] == ["fsync is off", "full_page_writes is off"]


def test_a_transaction_that_stays_open_is_found(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_place_of("since < now() - interval '1 hour'", "since < now()", monkeypatch)
    with database.connect(application_name="a report") as connection:
        connection.execute("SELECT 1")
        named = found(database, tmp_path)
    assert set(named) == {"old_transactions"}
    assert named["old_transactions"].startswith("A transaction of a report has been open since ")


def test_raw_events_that_no_one_sees_are_found(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.connect(application_name="a loader") as connection:
        connection.execute("INSERT INTO lineage_events (event_time, event) VALUES (now(), '{}')")
        assert found(database, tmp_path) == {}, "it has just begun"
        in_place_of("interval '10 minutes'", "interval '0'", monkeypatch)
        connection.rollback()
        connection.execute("SELECT event FROM lineage_events")
        connection.execute("UPDATE watermarks SET name = name")
        assert found(database, tmp_path) == {}, "who only reads raw events keeps none to himself"
        connection.execute("INSERT INTO lineage_events (event_time, event) VALUES (now(), '{}')")
        named = found(database, tmp_path)
    assert set(named) == {"held_arrivals"}
    assert named["held_arrivals"].startswith("A transaction of a loader keeps raw events to itself since ")


def test_raw_events_of_a_prepared_transaction_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    """It has no session. The server of all other tests prepares none."""
    in_place_of("interval '10 minutes'", "interval '0'", monkeypatch)
    version: int = pytestconfig.getoption("--postgres")
    with server_of_its_own(version) as server:
        server.run_sql(f"GRANT pg_monitor TO {ROLE};")
        upgrade(Store(server.dsn()))
        insert = "INSERT INTO lineage_events (event_time, event) VALUES (now(), '{}');"
        server.run_sql(f"BEGIN; {insert} PREPARE TRANSACTION 'half';", "lineage", ROLE)
        named = found(Store(server.dsn()), tmp_path)
        server.run_sql("ROLLBACK PREPARED 'half';", "lineage", ROLE)
    assert named["held_arrivals"].startswith("A transaction of lineage (prepared as 'half') keeps raw events to itself")


def test_a_holder_that_does_not_renew_its_lease_is_found(database: Store, tmp_path: Path) -> None:
    lease = (
        "INSERT INTO leases VALUES ('normalize', 1, 'a host, 1', -4611686018427387903, now() - interval '6 minutes')"
    )
    change(database, lease)
    assert found(database, tmp_path) == {}, "a holder that has gone is none"
    with database.connect(autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(42)")
        assert found(database, tmp_path) == {}, "a lock of something else is no sign of the holder"
        connection.execute("SELECT pg_advisory_lock_shared(presence) FROM leases")
        named = found(database, tmp_path)
    assert set(named) == {"leases"}
    assert named["leases"].startswith("a host, 1 has the lease normalize, but does not renew it; it has expired at ")


def test_a_holder_that_moves_nothing_is_found(database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    normalize(database, SerialRunner())
    with held_lease(database, WATERMARK):
        assert found(database, tmp_path) == {}
        in_place_of("interval '1 hour'", "interval '0'", monkeypatch)
        named = found(database, tmp_path)
    assert "has not moved the watermark since" in named["leases"]


@contextmanager
def login(server: Server, name: str, attributes: str, *grants: str) -> Iterator[None]:
    server.run_sql(f"CREATE ROLE {name} LOGIN {attributes};" + "".join(f"GRANT {role} TO {name};" for role in grants))
    try:
        yield
    finally:
        server.run_sql(f"DROP ROLE {name};")


@pytest.mark.parametrize(
    ("attributes", "fault"),
    [
        ("SUPERUSER", ", and is a superuser"),
        ("CREATEROLE", ", and may make roles"),
        ("NOINHERIT", ", but does not inherit its rights"),
        ("VALID UNTIL '2026-01-01Z'", ", but its password is not valid since 2026-01-01 00:00 UTC"),
    ],
)
def test_a_login_whose_rights_do_not_fit_its_role_is_found(
    database: Store, tmp_path: Path, postgres_server: Server, attributes: str, fault: str
) -> None:
    with login(postgres_server, "misfit", attributes, "lineage_jobs"):
        named = found(database, tmp_path)
    assert named == {"logins": f"The login misfit has the role lineage_jobs{fault}"}


def test_who_hands_a_role_on_is_no_login_of_it(database: Store, tmp_path: Path, postgres_server: Server) -> None:
    with login(postgres_server, "administrator", "CREATEROLE"):
        postgres_server.run_sql("GRANT lineage_jobs TO administrator WITH ADMIN OPTION;")
        assert found(database, tmp_path) == {}


def test_a_login_that_may_not_connect_is_found(database: Store, tmp_path: Path, postgres_server: Server) -> None:
    name = conninfo_to_dict(database.dsn)["dbname"]
    change(database, f"REVOKE CONNECT ON DATABASE {name} FROM PUBLIC")
    with login(postgres_server, "misfit", "", "lineage_reader"):
        named = [finding.what for finding in examine(database, tmp_path)]
    assert "The login misfit has the role lineage_reader, but may not connect to the database" in named


def test_a_role_that_can_log_in_is_found(database: Store, tmp_path: Path, postgres_server: Server) -> None:
    postgres_server.run_sql("ALTER ROLE lineage_jobs LOGIN;")
    try:
        assert found(database, tmp_path)["logins"] == "The role lineage_jobs can log in itself"
    finally:
        postgres_server.run_sql("ALTER ROLE lineage_jobs NOLOGIN;")


def test_a_login_for_two_parts_is_worth_a_note(database: Store, tmp_path: Path, postgres_server: Server) -> None:
    with login(postgres_server, "manifold", "", "lineage_jobs", "lineage_ingest"):
        assert found(database, tmp_path) == {
            "broad_logins": "The login manifold has the roles lineage_ingest and lineage_jobs"
        }


def test_a_marquez_whose_queries_are_compiled_is_worth_a_note(
    database: Store, tmp_path: Path, postgres_server: Server
) -> None:
    with login(postgres_server, "marquez", "", "lineage_marquez"):
        assert found(database, tmp_path)["broad_logins"].endswith("ALTER ROLE marquez SET jit = off")
        postgres_server.run_sql("ALTER ROLE marquez SET jit = off;")
        assert found(database, tmp_path) == {}


def test_rights_beside_the_roles_are_worth_a_note(database: Store, tmp_path: Path) -> None:
    change(database, "GRANT UPDATE, INSERT ON runs TO PUBLIC", "GRANT SELECT ON jobs TO PUBLIC")
    assert found(database, tmp_path) == {
        "broad_logins": "Every login may write into tables of the store by rights of its own, into runs for example"
    }


def test_a_run_of_the_owner_is_worth_a_note_where_a_login_has_the_role(
    database: Store, tmp_path: Path, postgres_server: Server
) -> None:
    with held_lease(database, WATERMARK):
        assert found(database, tmp_path) == {}, "no login is there that could do it"
        with login(postgres_server, "worker_bee", "", "lineage_jobs"):
            what = found(database, tmp_path)["broad_logins"]
    assert what.startswith("A run works as lineage, who may do everything, and ")
    assert "has the role for it" in what


def test_a_login_without_a_right_says_so_of_each_check_that_it_cannot_do(
    database: Store, tmp_path: Path, postgres_server: Server
) -> None:
    wait_long(database)
    with login(postgres_server, "watcher", "PASSWORD 'seen'", "lineage_reader"):
        store = Store(database.dsn.replace("//lineage@", "//watcher:seen@"))
        assert store != database
        named = found(store, tmp_path)
    assert named.keys() == {"lag", "schema", "sight"}, "the others go on"
    assert named["schema"].startswith("It cannot look: permission denied")
    assert named["sight"].startswith("The login watcher does not see")


def test_a_check_that_a_login_may_not_do_does_not_end_those_after_it(
    database: Store, tmp_path: Path, postgres_server: Server
) -> None:
    with login(postgres_server, "watcher", "PASSWORD 'seen'"):
        named = found(Store(database.dsn.replace("//lineage@", "//watcher:seen@")), tmp_path)
    assert named.keys() >= {"lag", "leases", "quarantined", "stuck_migrations"}
    assert all("cannot look" in named[check] for check in ("lag", "quarantined", "stuck_migrations"))


def test_what_holds_vacuum_back_is_found(
    database: Store, tmp_path: Path, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres_server.run_sql("SELECT pg_create_physical_replication_slot('forgotten', true);")
    try:
        assert found(database, tmp_path) == {}
        in_place_of("10737418240", "-1", monkeypatch)
        assert "The replication slot forgotten keeps " in found(database, tmp_path)["vacuum_horizon"]
    finally:
        postgres_server.run_sql("SELECT pg_drop_replication_slot('forgotten');")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("autovacuum_freeze_max_age", "The oldest row"),
        ("autovacuum_multixact_freeze_max_age", "The oldest lock of rows"),
    ],
)
def test_numbers_of_transactions_that_come_to_their_end_are_found(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, sentence: str
) -> None:
    in_place_of(f"least(2 * current_setting('{setting}')::bigint, 1500000000)", "-1", monkeypatch)
    assert found(database, tmp_path)["vacuum_horizon"].startswith(sentence)


def test_a_clock_that_is_wrong_is_found(database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation, "MOST_CLOCK_SKEW_SECONDS", -1.0)
    assert found(database, tmp_path)["clock"].startswith("The clock of the server is 0 s ")


def test_events_in_the_spool_are_found_and_need_no_person(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "1-2.json").write_text("{}")
    monkeypatch.setenv("LINEAGE_SPOOL", str(tmp_path))
    in_place_of("setting <> 'on'", "false", monkeypatch)
    assert run_command(database, monkeypatch, "--json") == 0
    findings = json.loads(capsys.readouterr().out)
    assert [(one["check"], one["needs_person"]) for one in findings] == [("spool", False), ("airflow", False)]


def of_ingest(store: Store, spool: Path, transport: Store) -> list[str]:
    return [one.what for one in examine(store, spool, transport) if one.check == "ingest_login"]


def test_a_login_of_the_transport_that_cannot_add_events_is_found(
    database: Store, tmp_path: Path, postgres_server: Server
) -> None:
    with login(postgres_server, "transport", "PASSWORD 'planted'"):
        by_transport = Store(database.dsn.replace("//lineage@", "//transport:planted@"))
        assert of_ingest(database, tmp_path, by_transport) == ["The login of LINEAGE_INGEST_DSN may not add events"]
        postgres_server.run_sql("GRANT lineage_ingest TO transport;")
        assert of_ingest(database, tmp_path, by_transport) == []
        elsewhere = Store(by_transport.dsn.replace(str(conninfo_to_dict(database.dsn)["dbname"]), "postgres"))
        assert of_ingest(database, tmp_path, elsewhere) == [
            "LINEAGE_INGEST_DSN names another database than LINEAGE_DSN"
        ]
        (wrong,) = of_ingest(database, tmp_path, Store(by_transport.dsn.replace("planted", "mistaken")))
    assert wrong.startswith("LINEAGE_INGEST_DSN leads nowhere: ")
    assert "mistaken" not in wrong


def test_events_that_have_been_in_the_spool_for_long_need_a_person(database: Store, tmp_path: Path) -> None:
    for number, minutes in enumerate((31, 1)):
        kept = tmp_path / f"{number}-2.json"
        kept.write_text("{}")
        written = (datetime.now(UTC) - timedelta(minutes=minutes)).timestamp()
        os.utime(kept, (written, written))
    (finding,) = (one for one in examine(database, tmp_path) if one.check != "server_settings")
    assert (finding.check, finding.needs_person) == ("stuck_spool", True)
    assert finding.what.startswith(f"Events have waited in the spool {tmp_path} since 20")


def test_the_command_says_what_to_do_and_exits_with_1(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_SPOOL", str(tmp_path))
    in_place_of("setting <> 'on'", "false", monkeypatch)
    assert run_command(database, monkeypatch) == 0
    assert re.fullmatch(
        r"[0-9]+ checks found nothing\.\nAirflow was not looked at: .* AIRFLOW_HOME, too\.\n", capsys.readouterr().out
    )
    wait_long(database)
    assert run_command(database, monkeypatch) == 1
    assert "`lineage normalize` takes them now." in capsys.readouterr().out


def run_command(store: Store, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Without an Airflow: that one has tests of its own."""
    monkeypatch.delenv("AIRFLOW_HOME", raising=False)
    monkeypatch.setenv("LINEAGE_DSN", store.dsn)
    with pytest.raises(SystemExit) as ended:
        main(["doctor", *words])
    return int(ended.value.code or 0)
