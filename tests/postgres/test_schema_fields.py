"""Columns of schema versions that an earlier release has kept one by one, while the long migration is under way."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.streams.publication import publish
from lineage_core.tasks import HERE
from lineage_core.testing import TIME, Document, dataset, run_event
from tests.support.changes import start_all
from tests.support.named_migrations import named_by_upgrade
from tests.support.stores import contents, differences, empty, rows, take_in
from tests.support.stream_replay import differing_streams

pytestmark = pytest.mark.postgres

NAME = "schema-fields"
MAPPING = "SELECT * FROM dataset_schema_versions_field_mapping ORDER BY 1, 2"
WAITING = "SELECT count(*) FROM schema_fields_to_move"
NOT_MOVED = "SELECT count(*) FROM dataset_schema_versions WHERE field_uuids IS NULL"


def kept_singly(store: Store) -> None:
    """Leaves the columns as the release before has kept them."""
    with store.connect() as connection:
        connection.execute("INSERT INTO schema_fields_to_move SELECT * FROM dataset_schema_versions_field_mapping")
        connection.execute("UPDATE dataset_schema_versions SET field_uuids = NULL")


def wrote(day: int, *columns: str, name: str = "sums") -> Document:
    return run_event(
        "COMPLETE",
        run_id=f"run {name} {day}",
        time=TIME + timedelta(days=day),
        outputs=[dataset(name, fields=[(column, "INT") for column in columns])],
    )


def read(day: int, *columns: str) -> Document:
    return run_event(
        "COMPLETE",
        run_id=f"reader {day}",
        time=TIME + timedelta(days=day, hours=1),
        inputs=[dataset("sums", fields=[(column, "INT") for column in columns])],
    )


HISTORY = [wrote(0, "a", "b"), wrote(1, "a", "b", "c"), wrote(2), *(wrote(day, "x", name="other") for day in (0, 1))]


def _moved(store: Store) -> dict[str, list[str]]:
    records.plan(store, NAME)
    migrate(store, NAME, HERE)
    end.finalize(store, NAME)
    assert rows(store, WAITING) == rows(store, NOT_MOVED) == [(0,)]
    return contents(store)


def test_they_are_moved_into_their_schema_versions_and_readers_see_the_same(database: Store) -> None:
    take_in(database, HISTORY)
    wanted, seen = contents(database), rows(database, MAPPING)
    assert len(seen) == 6
    kept_singly(database)
    assert rows(database, MAPPING) == seen
    assert rows(database, WAITING) == [(6,)]
    assert named_by_upgrade(database) == [NAME]
    assert differences(_moved(database), wanted) == {}
    assert rows(database, MAPPING) == seen
    records.plan(database, NAME)
    assert migrate(database, NAME, HERE).changed == 0


LATER: dict[str, list[Any]] = {
    "the same schemas again": [wrote(5, "a", "b"), wrote(6)],
    "another schema": [wrote(5, "a", "d")],
    "a reader that names a column more": [read(1, "a", "b", "c", "d")],
    "an earlier event": [wrote(-1, "a", "b", "c")],
}


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_a_merge_beside_it_gives_what_it_gives_without(database: Store, later: list[Document]) -> None:
    take_in(database, HISTORY)
    take_in(database, later)
    wanted, seen = contents(database), rows(database, MAPPING)
    empty(database)
    take_in(database, HISTORY)
    kept_singly(database)
    take_in(database, later)
    assert rows(database, MAPPING) == seen
    assert differences(_moved(database), wanted) == {}


def test_retention_beside_it_leaves_what_it_leaves_without(database: Store) -> None:
    """A schema version that stays is younger when the first version that has it goes."""
    history = [*(wrote(day, "a", "b") for day in range(4)), wrote(4, "a", "c"), wrote(5, "a", "c")]
    day = timedelta(days=1)
    set_policy(database, Policy(PolicyKind.VERSIONS, "*", 30 * day, 0))
    left = []
    for prepare in (lambda _: None, kept_singly):
        empty(database)
        take_in(database, history)
        seen = rows(database, MAPPING)
        prepare(database)
        retention.apply(database, retention.plan(database, TIME + 32 * day))
        assert 0 < len(rows(database, MAPPING)) <= len(seen)
        left.append((rows(database, MAPPING), _moved(database)))
    (mapping, tables), (mapping_beside, tables_beside) = left
    assert mapping_beside == mapping
    assert differences(tables_beside, tables) == {}


def test_a_column_that_moves_is_no_change_of_its_stream(database: Store, tmp_path: Path) -> None:
    take_in(database, HISTORY)
    start_all(database)
    publish(database, str(tmp_path))
    kept_singly(database)
    records.plan(database, NAME)
    migrate(database, NAME, HERE)
    assert rows(database, WAITING) == [(0,)]
    assert publish(database, str(tmp_path)).streams == ()
    assert differing_streams(database, tmp_path) == {}
