"""The law of roots: whatever is killed and restored, no offset is given to two records, and no root claimed wrongly."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lineage_core.errors import NeedsOperator
from lineage_core.postgres.store import Store
from lineage_core.streams import publisher_file, reading
from lineage_core.streams.publication import publish
from lineage_core.streams.store import switches
from tests.support.stepped_runs import PUBLISH, SteppedRuns, stepped_runs

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

STREAMS = ("sources", "tags")
KEPT = ("stream_heads", "stream_parts", "stream_roots", "stream_checkpoints")
NOTES = "note what is published"
"""Step at which a head is about to move: the file says so, and the transaction has not ended."""
Given = dict[tuple[str, int], dict[str, Any]]
"""What each reader of a root has read, by stream and offset."""


@pytest.fixture(scope="module")
def runs() -> Iterator[SteppedRuns]:
    with stepped_runs(PUBLISH) as started:
        yield started


def test_no_offset_is_given_twice_and_no_root_claimed_wrongly(
    runs: SteppedRuns, database: Store, tmp_path: Path
) -> None:
    met = walk(runs, database, tmp_path, every=40)
    assert min(met["refused"], met["gone on"]) > 1, met


@pytest.mark.long
def test_so_it_is_at_every_exchange_with_postgres(runs: SteppedRuns, database: Store, tmp_path: Path) -> None:
    met = walk(runs, database, tmp_path, every=1)
    assert min(met["refused"], met["gone on"]) > 10, met


def walk(runs: SteppedRuns, store: Store, folder: Path, every: int) -> Counter[str]:
    """A publication is killed at each step; every other time an older database is restored behind it."""
    root, other = folder / "root", folder / "other"
    for name in STREAMS:
        switches.start(store, name)
    _change(store, "first")
    publish(store, str(root))
    _change(store, "steps")
    steps = runs.complete(store, str(root)).steps
    met = Counter[str]()
    given = _read(store, root, {})
    around_notes = [step for step in steps if step.startswith(NOTES)][:2]
    assert around_notes
    for number, step in enumerate([*_twice(around_notes), *steps[::every]]):
        _keep(store)
        _change(store, f"killed {number}")
        assert runs.killed(store, step, str(root)).signal == signal.SIGKILL, step
        given = _read(store, root, given)
        if number % 2:
            _restore(store)
        _change(store, f"after {number}")
        with pytest.raises(NeedsOperator):
            publish(store, str(other))
        assert not other.exists(), step
        try:
            publish(store, str(root))
            met["gone on"] += 1
        except NeedsOperator as error:
            assert number % 2, f"{step}: without a restore nothing is lost, and yet: {error}"
            assert "was restored to an earlier time" in str(error), step
            met["refused"] += 1
            publisher_file.adopt(store, str(root))
            given = {}
            publish(store, str(root))
        given = _read(store, root, given)
    return met


def _twice(steps: list[str]) -> list[str]:
    """With a restore behind it, and without."""
    return [step for step in steps for _ in range(2)]


def _change(store: Store, text: str) -> None:
    with store.connect() as connection:
        connection.execute(
            "INSERT INTO tags (uuid, created_at, updated_at, name)"
            " VALUES (md5(%(text)s)::uuid, '2026-01-01', now(), %(text)s)",
            {"text": text},
        )
        connection.execute(
            "INSERT INTO sources (uuid, type, created_at, updated_at, name, connection_url)"
            " VALUES (md5(%(text)s)::uuid, 'POSTGRESQL', now(), now(), %(text)s, '')",
            {"text": text},
        )


def _read(store: Store, root: Path, given: Given) -> Given:
    """What there is now. Each record that was read before is what it was."""
    now = {(name, record["offset"]): record for name in STREAMS for record in reading.records(store, str(root), name)}
    assert {place: now.get(place) for place in given} == given
    return now


def _keep(store: Store) -> None:
    with store.connect() as connection:
        for name in KEPT:
            connection.execute(f"DROP TABLE IF EXISTS kept_{name}".encode())
            connection.execute(f"CREATE TABLE kept_{name} AS TABLE {name}".encode())


def _restore(store: Store) -> None:
    """What the restore of a dump does to these tables: other rows with the same content."""
    with store.connect() as connection:
        for name in KEPT:
            connection.execute(f"DELETE FROM {name}".encode())
            connection.execute(f"INSERT INTO {name} TABLE kept_{name}".encode())
