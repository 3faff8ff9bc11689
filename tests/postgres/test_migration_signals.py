"""What holds a long migration from outside its database: an archive that fails, a standby that falls behind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from lineage_core.local.postgres import Server
from lineage_core.long_migrations.decisions.holds import Signals
from lineage_core.long_migrations.decisions.settings import DEFAULTS
from lineage_core.long_migrations.declared.schema_versions import MIGRATION
from lineage_core.long_migrations.store import records
from lineage_core.long_migrations.store.health import Health
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.connection import connect
from lineage_core.postgres.store import Store
from tests.support.servers import jobs_login, restart, server_of_its_own, standby
from tests.support.stores import rows
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

NAME = MIGRATION.name


@pytest.fixture(scope="module")
def server(pytestconfig: pytest.Config) -> Iterator[Server]:
    version: int = pytestconfig.getoption("--postgres")
    with server_of_its_own(version) as own:
        upgrade(Store(own.dsn()), with_old_mapping=True)
        records.plan(Store(own.dsn()), NAME)
        own.run_sql("GRANT pg_monitor TO lineage;")
        yield own


@pytest.fixture
def archive(server: Server, pytestconfig: pytest.Config) -> Iterator[Callable[[bool], None]]:
    """Makes the archive take segments, or refuse them."""
    version: int = pytestconfig.getoption("--postgres")
    server.run_sql("ALTER SYSTEM SET archive_mode = 'on';")
    restart(server, version)

    def takes(is_well: bool) -> None:
        server.run_sql(f"ALTER SYSTEM SET archive_command = '{'true' if is_well else 'false'}';")
        server.run_sql("SELECT pg_reload_conf();")

    yield takes
    server.run_sql("ALTER SYSTEM RESET archive_mode; ALTER SYSTEM RESET archive_command;")
    restart(server, version)


def test_an_archive_that_takes_nothing_holds_it(server: Server, archive: Callable[[bool], None]) -> None:
    archive(True)
    write_segments(server, 2)
    until(lambda: signals(server).archive_queue == 0)
    archive(False)
    write_segments(server, 3)
    until(lambda: signals(server).archive_queue == 3)
    assert held(server, largest_archive_queue="2") == ["archive queue"]
    archive(True)
    until(lambda: signals(server).archive_queue == 0)
    assert held(server, largest_archive_queue="2") == []


def test_an_archive_that_has_taken_nothing_since_a_crash_holds_it(
    server: Server, archive: Callable[[bool], None]
) -> None:
    """A crash forgets what was archived last; the statistics are reset to stand for it."""
    archive(False)
    server.run_sql("SELECT pg_stat_reset_shared('archiver');")
    write_segments(server, 3)
    until(lambda: (signals(server).archive_queue or 0) >= 3)
    assert held(server, largest_archive_queue="2") == ["archive queue"]
    archive(True)
    until(lambda: signals(server).archive_queue == 0)
    assert held(server, largest_archive_queue="2") == []


def test_a_standby_that_falls_behind_holds_it(server: Server, pytestconfig: pytest.Config) -> None:
    version: int = pytestconfig.getoption("--postgres")
    assert signals(server).replication_lag_seconds is None
    with standby(server, version) as follower:
        until(lambda: bool(server.run_sql("SELECT pid FROM pg_stat_replication;")))
        follower("SELECT pg_wal_replay_pause();")
        until(lambda: write(server) and (signals(server).replication_lag_seconds or 0) > 0.5)
        assert held(server, largest_replication_lag="0.5") == ["replication lag"]
        follower("SELECT pg_wal_replay_resume();")
        until(lambda: write(server) and (signals(server).replication_lag_seconds or 1) < 0.5)
        assert held(server, largest_replication_lag="0.5") == []


def test_sessions_that_are_at_work_hold_it(server: Server) -> None:
    assert held(server, largest_active_sessions="1") == []
    sleepers = [threading.Thread(target=rows, args=(Store(server.dsn()), "SELECT FROM pg_sleep(4)")) for _ in range(2)]
    for sleeper in sleepers:
        sleeper.start()
    until(lambda: (signals(server).active_sessions or 0) >= 2)
    assert held(server, largest_active_sessions="1") == ["active sessions"]
    for sleeper in sleepers:
        sleeper.join()
    assert held(server, largest_active_sessions="1") == []


def test_a_login_that_may_not_see_sessions_does_not_read_that_there_are_none(server: Server) -> None:
    login = jobs_login(server, Store(server.dsn()))
    with login.connect(autocommit=True) as connection:
        assert Health(login, connection, MIGRATION).signals(DEFAULTS).active_sessions is None


def signals(server: Server) -> Signals:
    with connect(server.dsn(), autocommit=True) as connection:
        return Health(Store(server.dsn()), connection, MIGRATION).signals(DEFAULTS)


def held(server: Server, **limits: str) -> list[str]:
    """The signals of the holds that a look at the server leaves."""
    for setting, value in limits.items():
        settings = records.change_setting(Store(server.dsn()), NAME, setting, value)
    with connect(server.dsn(), autocommit=True) as connection:
        Health(Store(server.dsn()), connection, MIGRATION).judge(settings)
    return [hold.signal for hold in records.status(Store(server.dsn()), NAME).holds]


def write_segments(server: Server, number: int) -> None:
    for _ in range(number):
        write(server)
        server.run_sql("SELECT pg_switch_wal();")


def write(server: Server) -> bool:
    """Something for the log; true, so that it can stand in a condition."""
    server.run_sql("SELECT pg_logical_emit_message(true, 'lineage tests', 'something');")
    return True
