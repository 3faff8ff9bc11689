"""The sign of life of a lease's holder: no other login can stop a run by holding its lock."""

from __future__ import annotations

import pytest

from lineage_core.errors import LeaseTaken
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from tests.support.stores import rows

pytestmark = pytest.mark.postgres

NAME = "normalize"
OLD_KEY = "hashtextextended(format('lineage lease %s %s', 'normalize', epoch), 0)"
"""By which the key followed from what anybody can guess."""


def test_a_lock_that_anybody_can_guess_keeps_no_run_from_starting(database: Store) -> None:
    with database.connect(role="lineage_ingest", autocommit=True) as hostile:
        hostile.execute(f"SELECT pg_advisory_lock({OLD_KEY}) FROM generate_series(0, 20) AS epoch".encode())
        for _ in range(3):
            with held_lease(database, NAME, patience=0):
                pass


def test_the_key_is_another_for_each_holder(database: Store) -> None:
    keys = set()
    for _ in range(3):
        with held_lease(database, NAME, patience=0):
            keys |= {key for (key,) in rows(database, "SELECT presence FROM leases")}
    assert len(keys) == 3


def test_who_ingests_cannot_read_the_key(database: Store) -> None:
    with database.connect() as connection:
        may = connection.execute("SELECT has_table_privilege('lineage_ingest', 'leases', 'SELECT')").fetchone()
    assert may == (False,)


def test_a_holder_is_seen_while_its_session_lives_and_at_once_when_it_has_ended(database: Store) -> None:
    with held_lease(database, NAME, patience=0):
        with pytest.raises(LeaseTaken), held_lease(database, NAME, patience=0):
            pass
        rows(
            database,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'lineage lease' AND datname = current_database()",
        )
        with held_lease(database, NAME, patience=10):
            pass
