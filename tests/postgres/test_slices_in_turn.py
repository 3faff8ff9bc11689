"""While one slice is merged, the next is staged: in another schema, and without harm when either fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

import pytest
from psycopg import sql

from lineage_core.errors import TryAgain
from lineage_core.normalize import slices
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.normalize.slices import Slice
from lineage_core.normalize.store.staging import StagingTask
from lineage_core.postgres.store import Store
from lineage_core.tasks import DeferredRunner, Done, Item, SerialRunner, Work
from lineage_core.testing import run_event
from tests.support.stores import contents, empty, put, rows, take_in

pytestmark = pytest.mark.postgres

EVENTS = [run_event(time=f"2026-02-01T00:{minute:02}:00Z") for minute in range(6)]
SLICE_BYTES = 300
"""One event each."""


class Recording(SerialRunner):
    """Stages in this process, and notes what is staged and merged when; fails at the slice named."""

    def __init__(self, fails_at: int | None = None) -> None:
        super().__init__()
        self.noted: list[str] = []
        self.schemas: list[str] = []
        self._fails_at = fails_at

    def start(self, work: Work[Item, Done], items: Sequence[Item]) -> Callable[[], list[Done]]:
        (task,) = items
        assert isinstance(task, StagingTask)
        self.noted.append(f"staged {task.slice}")
        self.schemas.append(task.schema)
        if task.slice == self._fails_at:
            return self._fail
        return super().start(work, items)

    def merged(self, planned: Slice, _outcome: NormalizationOutcome) -> None:
        self.noted.append(f"merged {planned.number}")

    def _fail(self) -> NoReturn:
        raise TryAgain("a task failed")


def test_the_next_slice_is_staged_before_the_one_at_hand_is_merged(database: Store) -> None:
    put(database, EVENTS[:3])
    runner = Recording()
    normalize(database, runner, slice_bytes=SLICE_BYTES, progress=runner.merged)
    assert runner.noted == ["staged 1", "staged 2", "merged 1", "staged 3", "merged 2", "merged 3"]
    assert runner.schemas == ["staging", "staging_2", "staging"]


def test_slices_grow_by_what_merges_take_unless_a_size_is_given(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second slice is cut before the first one is merged."""
    monkeypatch.setattr(slices, "SLICE_BYTES", SLICE_BYTES)
    put(database, EVENTS)
    sizes: list[int] = []
    normalize(database, SerialRunner(), progress=lambda planned, _: sizes.append(planned.events))
    assert sizes == [1, 1, 2, 2]


def test_what_was_staged_ahead_of_a_failure_is_merged_once(database: Store) -> None:
    take_in(database, EVENTS)
    wanted = contents(database)
    empty(database)
    put(database, EVENTS)
    with pytest.raises(TryAgain, match="a task failed"):
        normalize(database, Recording(fails_at=4), slice_bytes=SLICE_BYTES)
    assert rows(database, "SELECT count(*) FROM event_ledger") == [(3,)]
    normalize(database, SerialRunner(), slice_bytes=SLICE_BYTES)
    assert contents(database) == wanted


@pytest.mark.parametrize("schema", ["staging", "staging_2"])
def test_a_slice_that_a_crash_has_emptied_is_not_merged(schema: str, database: Store) -> None:
    put(database, EVENTS[:2])
    runner = _Emptying(schema)
    with pytest.raises(TryAgain, match="the server has restarted since"):
        normalize(database, runner, slice_bytes=SLICE_BYTES)
    assert normalize(database, SerialRunner()).events > 0
    assert rows(database, "SELECT count(*) FROM event_ledger") == [(2,)]


class _Emptying(Recording):
    """Empties one schema after it was staged in, as a crash of the server does with unlogged tables."""

    def __init__(self, schema: str) -> None:
        super().__init__()
        self._schema = schema

    def start(self, work: Work[Item, Done], items: Sequence[Item]) -> Callable[[], list[Done]]:
        staging = super().start(work, items)
        (task,) = items
        if self.schemas[-1] == self._schema and isinstance(task, StagingTask):
            with task.store.connect() as connection:
                connection.execute(sql.SQL("TRUNCATE {}").format(sql.Identifier(self._schema, "event_ledger")))
        return staging


def test_a_runner_is_made_only_if_something_waits(database: Store) -> None:
    made: list[SerialRunner] = []

    def make() -> SerialRunner:
        made.append(SerialRunner())
        return made[-1]

    assert normalize(database, DeferredRunner(make)).slices == 0
    assert made == []
    put(database, EVENTS)
    assert normalize(database, DeferredRunner(make), slice_bytes=SLICE_BYTES).events == len(EVENTS)
    assert len(made) == 1
