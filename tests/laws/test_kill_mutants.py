"""The laws of kills fail when what they hold is broken: mutants of the code, run as a changed copy of the project.

They take long, so `make test-long` runs them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from tests.laws.test_kills import bring_an_orphan_back, representative, steps_of, walk_crashes, walk_kills
from tests.support.mutants import changed
from tests.support.servers import server_of_its_own
from tests.support.stepped_runs import SteppedRuns, stepped_runs

pytestmark = [pytest.mark.postgres, pytest.mark.long]


@dataclass(frozen=True)
class Mutant:
    """One change of one file of the project: `old` becomes `new`."""

    name: str
    path: str
    old: str
    new: str


WATERMARK_FIRST = Mutant(
    "the watermark moves before the merge",
    "src/lineage_core/normalize/normalization.py",
    "        with merging(self._connection, self._lease, staging_schema(planned.number), parts) as changed:\n"
    "            reading.mark_done(self._connection, planned.until)\n",
    "        with self._connection.transaction():\n"
    "            reading.mark_done(self._connection, planned.until)\n"
    "        with merging(self._connection, self._lease, staging_schema(planned.number), parts) as changed:\n"
    "            pass\n",
)
UNFENCED = Mutant(
    "whoever lost its lease goes on",
    "src/lineage_core/postgres/leases.py",
    "    if found is None or found.epoch != lease.epoch:\n",
    "    if found is None:\n",
)


TABLES_DIFFER = r"== \{\}"
"""How the walks end where the tables are not those of an undisturbed run."""


@contextmanager
def runs_of(mutant: Mutant, folder: Path) -> Iterator[SteppedRuns]:
    for part in ("src", "sql"):
        shutil.copytree(PROJECT / part, folder / part)
    file = folder / mutant.path
    file.write_text(changed(file.read_text(), mutant.old, mutant.new, mutant.name, mutant.path))
    with stepped_runs(project=folder) as runs:
        yield runs


def test_a_watermark_that_moves_before_the_merge_loses_events_of_a_killed_run(tmp_path: Path, database: Store) -> None:
    with runs_of(WATERMARK_FIRST, tmp_path) as runs:
        steps = representative(steps_of(runs, database))
        with pytest.raises(AssertionError, match=TABLES_DIFFER):
            walk_kills(runs, database, steps, runs_between=False)


def test_a_watermark_that_moves_before_the_merge_loses_events_in_a_crash(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    version: int = pytestconfig.getoption("--postgres")
    with server_of_its_own(version) as server, runs_of(WATERMARK_FIRST, tmp_path) as runs:
        upgrade(Store(server.dsn()))
        steps = representative(steps_of(runs, Store(server.dsn())))
        with pytest.raises(AssertionError, match=TABLES_DIFFER):
            walk_crashes(runs, server, pytestconfig, steps)


def test_an_orphan_that_meets_no_fence_does_not_know_that_its_lease_is_lost(tmp_path: Path, database: Store) -> None:
    """What keeps it from writing then is that its staged rows are gone, which are counted."""
    with runs_of(UNFENCED, tmp_path) as runs, pytest.raises(AssertionError, match="'LeaseLost: '"):
        bring_an_orphan_back("merge", runs, database)
