"""What a run takes does not grow with what is stored, nor with what it has seen: all of its processes are measured."""

from __future__ import annotations

import sys

import pytest

from lineage_core.postgres.store import Store
from lineage_core.settings import inherited_environment
from lineage_core.testing import TIME, dataset, run_event
from tests.support.resident_memory import run_measured
from tests.support.stores import put

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

NORMALIZE = """
import sys
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
print(normalize(Store(sys.argv[1]), SerialRunner()).events)
"""

AHEAD = 300_000
"""Events of the ledger that lay ahead of their receipt. As a set of Python they take 60 MiB."""


def megabytes(store: Store, events: int) -> float:
    """MiB of a run that takes in so many events, at its peak."""
    peak, output = run_measured([sys.executable, "-c", NORMALIZE, store.dsn], inherited_environment())
    assert int(output) == events
    return peak.together


def test_events_that_lay_ahead_are_looked_up_and_not_loaded(database: Store) -> None:
    put(database, [run_event(run_id="before", outputs=[dataset()])])
    before = megabytes(database, 1)
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO event_ledger (event_order, event_time, is_complete, makes_job_version)"
            " SELECT '\\x00' || substr(sha256(number::text::bytea), 1, 25), %s, false, false"
            " FROM generate_series(1, %s) AS number",
            [TIME, AHEAD],
        )
    put(database, [run_event(run_id="behind", outputs=[dataset()])])
    assert megabytes(database, 1) < before + 15
