"""Whether somebody follows: seen by the sessions alone, of this machine alone, and in seconds."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from lineage_core.errors import SchemaDiffers, StoreUnavailable
from lineage_core.local.postgres import Server
from lineage_core.normalize import followers
from lineage_core.normalize.followers import FollowersFound, followers_on
from lineage_core.normalize.following import LONGEST_SESSION_NAME, follow, session_name
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import run_event
from tests.support.servers import jobs_login, reader_login
from tests.support.serving import lineage
from tests.support.stores import put, rows

pytestmark = pytest.mark.postgres

HERE = socket.gethostname()


class Enough(Exception):
    """The test has seen what it wanted."""


@contextmanager
def _following(store: Store, machine: str = HERE) -> Iterator[Connection]:
    """A session as a follower has it."""
    with store.connect(application_name=session_name(machine), autocommit=True) as connection:
        yield connection


def _found(store: Store, machine: str = HERE) -> FollowersFound:
    return followers_on(store, machine, pause=lambda _seconds: None)


def test_whoever_follows_is_found_by_the_login_that_it_has(postgres_server: Server, database: Store) -> None:
    seen = list[FollowersFound]()

    def run() -> None:
        seen.append(_found(worker))
        raise Enough

    worker = jobs_login(postgres_server, database)
    put(database, [run_event()])
    with pytest.raises(Enough):
        follow(worker, run)
    ((follower,),) = (found.followers for found in seen)
    assert seen[0].is_healthy
    assert follower.silent_seconds is not None
    assert 0 <= follower.silent_seconds < 30
    assert not follower.is_at_work


def test_none_follows_once_the_session_has_ended(database: Store) -> None:
    with _following(database):
        assert _found(database).is_healthy
    found = _found(database)
    assert found == FollowersFound(HERE, ())
    assert not found.is_healthy


def test_one_that_connects_again_is_waited_for(database: Store) -> None:
    with closing(database.connect(application_name=session_name("elsewhere"))) as again:

        def pause(_seconds: float) -> None:
            again.execute("SELECT set_config('application_name', %s, false)", [session_name(HERE)])
            again.commit()

        assert followers_on(database, HERE, pause).is_healthy


def test_those_of_other_machines_and_stores_do_not_count(database: Store, empty_database: Store) -> None:
    with _following(database, f"{HERE}x"), _following(empty_database):
        assert not _found(database).followers


def test_a_machine_with_a_long_name_is_found(database: Store) -> None:
    machine = "h" * LONGEST_SESSION_NAME
    with _following(database, machine):
        assert _found(database, machine).is_healthy


def test_one_that_no_longer_looks_stands_still(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with _following(database) as connection:
        monkeypatch.setattr(followers, "LONGEST_SILENCE_SECONDS", 0.2)
        time.sleep(0.4)
        found = _found(database)
        assert not found.is_healthy
        assert "stands still, as no look may take more than 0 s" in str(found.followers[0].fault)
        connection.execute("SELECT 1")
        assert _found(database).is_healthy


def test_one_with_a_run_at_work_lives_as_long_as_its_slices_end(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, [run_event()])
    normalize(database, SerialRunner())
    monkeypatch.setattr(followers, "LONGEST_SILENCE_SECONDS", 0.2)
    with _following(database), held_lease(database, WATERMARK):
        time.sleep(0.4)
        (follower,) = _found(database).followers
        assert follower.is_at_work
        assert follower.fault is None
        assert follower.silent_seconds is not None
        assert follower.silent_seconds > 0.3
        monkeypatch.setattr(followers, "LONGEST_SLICE_SECONDS", 0.2)
        assert "no slice may take" in str(_found(database).followers[0].fault)
        rows(database, "UPDATE watermarks SET updated_at = now() RETURNING 1")
        assert _found(database).is_healthy


def test_a_run_of_another_machine_is_no_sign_of_life(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "LONGEST_SILENCE_SECONDS", 0.2)
    with _following(database), held_lease(database, WATERMARK):
        rows(database, f"UPDATE leases SET holder = '{HERE}x, 1' RETURNING 1")
        time.sleep(0.4)
        assert [follower.is_at_work for follower in _found(database).followers] == [False]
        assert not _found(database).is_healthy


def test_who_may_not_see_when_it_looked_is_shown_what_helps(postgres_server: Server, database: Store) -> None:
    with _following(database), held_lease(database, WATERMARK):
        (follower,) = _found(reader_login(postgres_server, database)).followers
    assert follower.silent_seconds is None
    assert "GRANT pg_monitor" in str(follower.fault)


def test_a_store_that_is_away_or_none_is_an_error(empty_database: Store) -> None:
    with pytest.raises(StoreUnavailable):
        _found(Store("postgresql://worker@127.0.0.1:1/none"))
    with pytest.raises(SchemaDiffers, match="lineage db upgrade"):
        _found(empty_database)


def test_a_server_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "PATIENCE_SECONDS", 2)  # libpq's least
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(StoreUnavailable):
        began = time.monotonic()
        _found(Store(f"postgresql://worker@127.0.0.1:{silent.getsockname()[1]}/none"))
    assert time.monotonic() - began < 20


def test_a_question_that_is_not_answered_is_given_up(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "PATIENCE_SECONDS", 2)
    with database.connect() as locking:
        locking.execute("LOCK TABLE leases")
        with pytest.raises(StoreUnavailable, match="statement timeout"):
            _found(database)


def test_the_command_exits_by_what_it_finds(database: Store) -> None:
    with _following(database):
        healthy = lineage(database, "normalize", "--check-follower")
    assert (healthy.returncode, healthy.stderr) == (0, "")
    assert healthy.stdout.startswith(f"followed by {HERE}, ")
    ill = lineage(database, "normalize", "--check-follower", "--json")
    assert ill.returncode == 1
    assert json.loads(ill.stdout) == {"machine": HERE, "is_healthy": False, "followers": []}
    away = lineage(Store("postgresql://worker@127.0.0.1:1/none"), "normalize", "--check-follower")
    assert (away.returncode, away.stdout) == (1, "")
    assert "cannot be reached" in away.stderr
    assert "waits for it, and looks again every 5 s" in away.stderr
    wrong = lineage(database, "normalize", "--check-follower", "--follow")
    assert wrong.returncode == 2
