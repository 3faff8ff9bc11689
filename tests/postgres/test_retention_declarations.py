"""A table that says what becomes of its rows is in plans and deletions, and no row leaves by a cascade."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import KEY, UUID, Column, DeclarationError, Reference, Table
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention import phases
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from tests.postgres.test_retention import DAY, NOW
from tests.support.daily_runs import daily
from tests.support.retention_histories import history
from tests.support.stores import empty, rows, take_in

CASCADES = """
SELECT format(
    'ALTER TABLE %%s DROP CONSTRAINT %%I, ADD CONSTRAINT %%I %%s',
    conrelid::regclass, conname, conname, replace(pg_get_constraintdef(oid), ' ON DELETE CASCADE', '')
)
FROM pg_constraint
WHERE contype = 'f' AND confdeltype = 'c' AND conrelid::regclass::text NOT LIKE 'retention%%'
"""


def without_cascades(store: Store) -> int:
    alterations = [statement for (statement,) in rows(store, CASCADES)]
    with store.connect() as connection:
        for statement in alterations:
            connection.execute(statement)
    return len(alterations)


@pytest.mark.slow
def test_all_that_leaves_leaves_by_a_statement_of_its_own(database: Store) -> None:
    assert without_cascades(database) > 30
    for seed in range(6):
        empty(database)
        example = history(Random(seed))
        for policy in example.policies:
            set_policy(database, policy)
        take_in(database, example.events)
        planned = retention.plan(database, example.as_of)
        assert planned.tables
        assert retention.apply(database, planned).deleted == planned.tables


NOTES = Table(
    "run_notes",
    "What people note of runs.",
    (Column("run_uuid", UUID, KEY, "The run.", nullable=False, reference=Reference("runs")),),
    primary_key=("run_uuid",),
    retention=(GoesWith("runs", "run_uuid"),),
)


@pytest.fixture
def with_notes(database: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store with a table more, in which each run has a row."""
    set_policy(database, Policy(PolicyKind.VERSIONS, "*", 30 * DAY, 0))
    take_in(database, daily(5))
    with database.connect() as connection:
        connection.execute("CREATE TABLE run_notes (run_uuid uuid PRIMARY KEY REFERENCES runs)")
        connection.execute("INSERT INTO run_notes SELECT uuid FROM runs")
    monkeypatch.setattr(phases, "all_tables", lambda: (*all_tables(), NOTES))
    phases.retention_phases.cache_clear()
    yield database
    phases.retention_phases.cache_clear()


def test_a_new_table_is_planned_and_deleted_by_its_declaration_alone(with_notes: Store) -> None:
    planned = retention.plan(with_notes, NOW)
    assert planned.tables["run_notes"] == planned.tables["runs"] == 4
    assert retention.apply(with_notes, planned).deleted["run_notes"] == 4
    assert rows(with_notes, "SELECT count(*) FROM run_notes") == [(1,)]


def test_one_that_says_nothing_is_refused_before_anything_goes(
    with_notes: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = Table(NOTES.name, NOTES.doc, NOTES.columns, primary_key=NOTES.primary_key)
    monkeypatch.setattr(phases, "all_tables", lambda: (*all_tables(), silent))
    with pytest.raises(DeclarationError, match=r"run_notes\.run_uuid names rows of runs"):
        retention.plan(with_notes, NOW)


def test_rows_that_only_an_older_api_wrote_go_with_their_version(database: Store) -> None:
    """They went by a cascade once, and no plan had counted them."""
    set_policy(database, Policy(PolicyKind.VERSIONS, "*", 30 * DAY, 0))
    take_in(database, daily(3))
    with database.connect() as connection:
        connection.execute("INSERT INTO stream_versions SELECT uuid, uuid::text FROM dataset_versions")
    planned = retention.plan(database, NOW)
    assert planned.tables["stream_versions"] == 2
    assert retention.apply(database, planned).deleted == planned.tables
