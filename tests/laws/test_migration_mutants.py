"""The verification of phase 2, and the tests of its messy data, fail when a rule of the migration is broken.

They take long, so `make test-long` runs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from lineage_core import statements
from lineage_core.errors import LineageError
from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.tasks import ThreadRunner
from tests.support.mutants import changed
from tests.support.old_mappings import put_dataset, put_versions
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.long, pytest.mark.old_mapping]

NAME = "schema-versions"


@dataclass(frozen=True)
class Mutant:
    """One change of one statement: `old` becomes `new`."""

    name: str
    script: str
    old: str
    new: str


MUTANTS = (
    Mutant(
        "a set of fields is kept apart by its size",
        "step",
        "WHERE hash = described.hash AND dataset_uuid = described.dataset_uuid AND fields = described.fields",
        "WHERE dataset_uuid = described.dataset_uuid AND cardinality(fields) = cardinality(described.fields)",
    ),
    Mutant(
        "sets of fields that are met together are kept apart by their sizes",
        "step",
        "AND met.hash = batch_versions.hash\n"
        "  AND met.dataset_uuid = batch_versions.dataset_uuid\n"
        "  AND met.fields = batch_versions.fields;",
        "AND met.dataset_uuid = batch_versions.dataset_uuid\n"
        "  AND cardinality(met.fields) = cardinality(batch_versions.fields);",
    ),
    Mutant(
        "what has a schema version keeps it",
        "step",
        "batch_versions.was IS DISTINCT FROM batch_versions.becomes",
        "batch_versions.was IS NULL",
    ),
    Mutant(
        "half-written schema versions stay so", "step", "WHERE one.columns <> held.columns", "WHERE held.columns = '{}'"
    ),
    Mutant("columns that do not belong there stay", "step", "OR NOT EXISTS (", "OR false AND NOT EXISTS ("),
    Mutant("columns that are there twice stay so", "step", "NOT held.is_first", "false"),
    Mutant(
        "the fields that are held come twice", "step", "WHERE (held.schema_uuid,", "WHERE false AND (held.schema_uuid,"
    ),
    Mutant(
        "the last version of each transaction is skipped",
        "step",
        "<= (SELECT uuid FROM chunk",
        "< (SELECT uuid FROM chunk",
    ),
    Mutant(
        "the first key of a range is done twice, and the last never",
        "step",
        "AND uuid <= %(until)s::uuid",
        "AND uuid < %(until)s::uuid",
    ),
    Mutant("versions without fields are left out", "step", "LEFT JOIN mapped USING (uuid)", "JOIN mapped USING (uuid)"),
    Mutant(
        "a version without dataset passes unseen",
        "step",
        "WHERE batch_versions.becomes IS NULL OR met.lost IS NOT NULL",
        "WHERE met.lost IS NOT NULL",
    ),
    Mutant("leftovers stay", "tidy", "AND chunk.first_at IS NULL", "AND false"),
    Mutant(
        "a schema version dates from the first that was migrated",
        "tidy",
        "(stored.created_at, stored.dataset_uuid) IS DISTINCT FROM (chunk.first_at, chunk.dataset_uuid)",
        "stored.dataset_uuid IS DISTINCT FROM chunk.dataset_uuid",
    ),
)

FEW_AT_A_TIME = """UPDATE migrations SET settings = '{"start_rows": 3, "smallest_rows": 3, "largest_rows": 3}'"""
"""Keys are random: of six transactions, one at least ends where it matters."""

ALL_AT_ONCE = """UPDATE migrations SET settings = '{"start_rows": 99, "smallest_rows": 99, "largest_rows": 99}'"""
"""So that sets of fields of one size meet in a transaction, whatever the keys are."""


def _messy(connection: Connection) -> None:
    """Everything that the migration has to tell apart."""
    typed = put_dataset(connection, "orders", [("id", "INTEGER"), ("total", "DECIMAL")])
    untyped = [put_dataset(connection, "orders", [("tree", None)])[0] for _ in range(3)]
    put_versions(connection, "orders", [*typed, *untyped], 3)
    put_versions(connection, "orders", [typed[0], untyped[2]], 3)
    put_versions(connection, "orders", typed[:1], 3)
    put_versions(connection, "orders", typed, 3)
    put_versions(connection, "orders", [], 3)
    put_versions(connection, "sums", put_dataset(connection, "sums", [("total", "DECIMAL")]), 3)


def _half_written(connection: Connection) -> None:
    """A crash has left a mapping incomplete, somebody has added to others, a drifted input has left a version wrong."""
    connection.execute(
        "UPDATE dataset_schema_versions SET field_uuids = changed_fields(field_uuids, ARRAY(SELECT uuid"
        " FROM dataset_fields WHERE name = 'id'), '{}')"
    )
    connection.execute(
        "UPDATE dataset_schema_versions SET field_uuids = changed_fields(field_uuids, trees, trees[1:1])"
        " FROM (SELECT array_agg(uuid ORDER BY created_at DESC, uuid DESC) AS trees FROM dataset_fields"
        " WHERE name = 'tree') AS named WHERE field_uuids && trees"
    )
    connection.execute(
        "UPDATE dataset_schema_versions AS described SET field_uuids = changed_fields(field_uuids, '{}', ARRAY("
        "SELECT uuid FROM dataset_fields AS field WHERE field.dataset_uuid = described.dataset_uuid"
        " AND field.name = 'tree')) WHERE cardinality(field_uuids) <> 2"
    )
    connection.execute(
        "UPDATE dataset_versions SET dataset_schema_version_uuid = (SELECT uuid FROM dataset_schema_versions"
        " ORDER BY created_at DESC, uuid LIMIT 1) WHERE uuid IN"
        " (SELECT uuid FROM dataset_versions ORDER BY created_at, uuid LIMIT 4)"
    )
    connection.execute("UPDATE dataset_schema_versions SET created_at = '2031-01-01Z'")


def _outcome(store: Store) -> list[Any]:
    """What the migration makes of a messy store: in many transactions, and, with what breaks it in between, in one."""
    with store.connect() as connection:
        _messy(connection)
    records.plan(store, NAME)
    with store.connect() as connection:
        connection.execute(FEW_AT_A_TIME)
    found: list[Any] = [*_run(store)]
    with store.connect() as connection:
        _half_written(connection)
        connection.execute(
            "INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)"
            " SELECT gen_random_uuid(), uuid, now() FROM datasets"
        )
    records.plan(store, NAME)
    with store.connect() as connection:
        connection.execute(ALL_AT_ONCE)
    found += _run(store)
    with store.connect() as connection:
        connection.execute(
            "INSERT INTO dataset_versions (uuid, created_at, version)"
            " VALUES (gen_random_uuid(), now(), gen_random_uuid())"
        )
    records.plan(store, NAME)
    return [*found, migrate(store, NAME, ThreadRunner()).quarantined]


def _run(store: Store) -> list[Any]:
    migrate(store, NAME, ThreadRunner())
    end.finalize(store, NAME)
    return [
        end.verify(store, NAME).is_good,
        rows(store, "SELECT uuid, created_at FROM dataset_schema_versions ORDER BY 1"),
        rows(
            store,
            "SELECT dataset_schema_version_uuid, name, type FROM dataset_schema_versions_field_mapping"
            " JOIN dataset_fields ON dataset_fields.uuid = dataset_field_uuid ORDER BY 1, 2, 3",
        ),
        rows(store, "SELECT dataset_schema_version_uuid, count(*) FROM dataset_versions GROUP BY 1 ORDER BY 1"),
    ]


@pytest.fixture
def expected(empty_store: Store) -> list[Any]:
    return _outcome(empty_store)


@pytest.fixture
def empty_store(empty_database: Store) -> Store:
    from lineage_core.operate.whole_store import upgrade

    upgrade(empty_database, with_old_mapping=True)
    return empty_database


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_broken_rule_is_noticed(
    mutant: Mutant, expected: list[Any], database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = statements.named
    place = f"long_migrations/{NAME}/{mutant.script}"
    statement = changed(script(place), mutant.old, mutant.new, mutant.name, place)

    def mutated(path: str) -> str:
        return statement if path == place else script(path)

    monkeypatch.setattr(statements, "named", mutated)
    try:
        outcome = _outcome(database)
    except LineageError:
        return
    assert outcome != expected
