"""`lineage normalize --follow` on a real Spark: two of them take turns, and a signal ends one after its slice."""

from __future__ import annotations

import json
import signal
import socket
from contextlib import ExitStack

import pytest

from lineage_core.local import postgres
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.testing import run_event
from tests.support.interrupted_commands import LINEAGE, Command, Ended, running, wait_until
from tests.support.servers import server_of_its_own, stop_immediately
from tests.support.serving import lineage
from tests.support.stores import put, rows

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

FOLLOW = [LINEAGE, "normalize", "--follow", "--json", "--master", "local[1,4]"]


def _follower(ending: ExitStack, database: Store) -> Command:
    return ending.enter_context(running(FOLLOW, {"LINEAGE_DSN": database.dsn}))


def _arrive(database: Store, batch: int) -> None:
    put(database, [run_event(run_id=f"0190a0a0-0000-7000-8000-{100 * batch + number:012}") for number in range(20)])


def _wait_for_runs(database: Store, number: int) -> None:
    """Also until whoever merged them has given the lease back: a signal before that ends it without its outcome."""
    wait_until(
        lambda: (
            rows(database, "SELECT count(*), (SELECT count(*) FROM leases WHERE expires_at >= now()) FROM runs")
            == [(number, 0)]
        )
    )


@pytest.mark.slow
def test_followers_take_turns_and_end_after_their_slice(database: Store) -> None:
    with ExitStack() as ending:
        first, second = (_follower(ending, database) for _ in range(2))
        for batch in range(3):
            _arrive(database, batch)
            _wait_for_runs(database, 20 * (batch + 1))
        ended = [_ended(first)]
        with database.connect() as holding:
            holding.execute("LOCK TABLE runs IN SHARE MODE")
            _arrive(database, 3)
            wait_until(lambda: _is_merging(database))
            second.send(signal.SIGTERM)
            assert _is_merging(database), "the signal did not end its merge"
            holding.commit()
        ended.append(second.ended())
    assert [(one.code, one.left) for one in ended] == [(128 + signal.SIGTERM, [])] * 2
    assert all("interrupted by SIGTERM. What was merged stays" in one.errors for one in ended)
    outcomes = [json.loads(line) for one in ended for line in one.written.splitlines()]
    # A signal is raised behind the slice, before its outcome is shown.
    assert sum(outcome["events"] for outcome in outcomes) == 60, "each event was merged by one of them"
    assert rows(database, "SELECT count(*) FROM runs") == [(80,)]


def test_a_health_check_sees_whether_it_is_alive(pytestconfig: pytest.Config) -> None:
    version: int = pytestconfig.getoption("--postgres")
    with server_of_its_own(version) as server, ExitStack() as ending:
        store = Store(server.dsn())
        upgrade(store)
        assert _checked(store) == (1, f"Nothing follows on {socket.gethostname()}")
        follower = _follower(ending, store)
        wait_until(lambda: _checked(store)[0] == 0)
        _arrive(store, 0)
        _wait_for_runs(store, 20)
        assert _checked(store) == (0, "")
        stop_immediately(server, version)
        code, message = _checked(store)
        assert (code, follower.process.poll()) == (1, None), "it waits for the store"
        assert "The database cannot be reached" in message
        assert postgres.start(server.passfile.parent, version).port == server.port
        wait_until(lambda: _checked(store)[0] == 0)
        follower.process.kill()
        wait_until(lambda: _checked(store)[0] == 1)
        assert _checked(store) == (1, f"Nothing follows on {socket.gethostname()}")


def _checked(store: Store) -> tuple[int, str]:
    """The exit code of the health check, and what it says of a fault."""
    done = lineage(store, "normalize", "--check-follower")
    fault = done.stdout.partition(":")[0] if done.returncode else ""
    return done.returncode, f"{fault}{done.stderr}"


def _ended(follower: Command) -> Ended:
    follower.send(signal.SIGTERM)
    return follower.ended()


def _is_merging(database: Store) -> bool:
    """Whether a merge waits for the lock of a table."""
    return bool(rows(database, "SELECT FROM pg_locks WHERE relation = 'runs'::regclass AND NOT granted"))
