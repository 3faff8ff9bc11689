"""Law 4: a schema version never changes; equal field sets give the same one, different ones different ones."""

from __future__ import annotations

from itertools import combinations
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineage_core.model.meaning.schema_versions import Field, schema_version_uuid
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, run_event
from tests.support.stores import empty, rows, take_in

_texts = st.text(alphabet=st.sampled_from("ab:<>,()é\U0001f34e\uff5e "), min_size=1, max_size=6)
_fields = st.lists(st.builds(Field, _texts, st.none() | _texts | st.just(""), st.none() | _texts), max_size=5)


def _content(fields: list[Field]) -> frozenset[tuple[str, str | None]]:
    return frozenset((field.name, field.type) for field in fields)


@given(fields=_fields, data=st.data())
def test_order_and_descriptions_do_not_count(fields: list[Field], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(fields))
    redescribed = [field._replace(description=data.draw(st.none() | _texts)) for field in shuffled]
    assert schema_version_uuid("ns", "d", redescribed) == schema_version_uuid("ns", "d", fields)


@settings(max_examples=100)
@given(one=_fields, other=_fields)
def test_different_field_sets_are_different_versions(one: list[Field], other: list[Field]) -> None:
    same = schema_version_uuid("ns", "d", one) == schema_version_uuid("ns", "d", other)
    assert same == (_content(one) == _content(other))


AMBIGUOUS: list[list[Field]] = [
    [Field("a", "b:c", None)],
    [Field("a:b", "c", None)],
    [Field("a", "b", None), Field("c", None, None)],
    [Field("a", None, None), Field("b", "c", None)],
    [Field("a:b:c", None, None)],
    [Field("a", None, None), Field("b", None, None), Field("c", None, None)],
    [Field("a", "b", None), Field("c", "", None)],
]
"""Field sets whose names and types, joined by colons as Marquez does, read alike."""


def test_field_sets_that_marquez_would_take_for_one_are_kept_apart() -> None:
    ids = [schema_version_uuid("ns", "d", fields) for fields in AMBIGUOUS]
    assert all(one != other for one, other in combinations(ids, 2))


A: list[tuple[str, str | None]] = [("id", "BIGINT"), ("name", "TEXT")]
B: list[tuple[str, str | None]] = [*A, ("age", "INT")]


def _runs(*schemas: list[tuple[str, str | None]], first: int = 0) -> list[dict[str, Any]]:
    return [
        run_event(
            "COMPLETE",
            run_id=f"run {number}",
            time=TIME.replace(hour=number),
            outputs=[dataset("orders", fields=schema)],
        )
        for number, schema in enumerate(schemas, first)
    ]


def _versions(store: Store) -> list[tuple[Any, ...]]:
    return rows(
        store,
        "SELECT v.uuid, v.created_at, array_agg(f.name ORDER BY f.name)"
        " FROM dataset_schema_versions AS v"
        " JOIN dataset_schema_versions_field_mapping AS m ON m.dataset_schema_version_uuid = v.uuid"
        " JOIN dataset_fields AS f ON f.uuid = m.dataset_field_uuid GROUP BY 1, 2 ORDER BY 2",
    )


@pytest.mark.postgres
def test_a_schema_that_comes_back_is_the_version_that_it_was(database: Store) -> None:
    take_in(database, _runs(A, B))
    before = _versions(database)
    take_in(database, _runs(A, B, A, first=2))
    assert _versions(database) == before
    assert [names for _, _, names in before] == [["id", "name"], ["age", "id", "name"]]
    used = rows(database, "SELECT count(*), count(DISTINCT dataset_schema_version_uuid) FROM dataset_versions")
    assert used == [(5, 2)]


@pytest.mark.slow
@pytest.mark.postgres
@settings(
    max_examples=10,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_once_written_a_schema_version_keeps_its_fields(database: Store, data: st.DataObject) -> None:
    empty(database)
    known: dict[Any, Any] = {}
    for number in range(3):
        schemas = data.draw(st.lists(st.sampled_from([A, B, A[:1], list(reversed(A))]), min_size=1, max_size=3))
        take_in(database, _runs(*schemas, first=3 * number))
        now = {uuid: names for uuid, _, names in _versions(database)}
        assert {uuid: now[uuid] for uuid in known} == known
        known = now


C: list[tuple[str, str | None]] = [("id", "TEXT"), ("a:b", None)]


@pytest.mark.slow
@pytest.mark.postgres
@settings(
    max_examples=10,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_drift_makes_another_schema_version_and_changes_none(database: Store, data: st.DataObject) -> None:
    empty(database)
    ever: dict[UUID, frozenset[tuple[str, str | None]]] = {}
    for run in data.draw(st.permutations(range(6))):
        side = data.draw(st.sampled_from(("inputs", "outputs")))
        described = dataset("orders", fields=data.draw(st.sampled_from([A, B, C, A[:1]])))
        named: dict[str, Any] = {side: [described]}
        take_in(database, [run_event("COMPLETE", run_id=f"{run}", time=TIME.replace(hour=run), **named)])
        stored = _fields_of(database, "dataset_schema_versions")
        assert {uuid: ever.get(uuid, fields) for uuid, fields in stored.items()} == stored
        ever |= stored
        references = rows(database, "SELECT uuid, dataset_schema_version_uuid FROM dataset_versions")
        assert {uuid: stored[version] for uuid, version in references} == _fields_of(database, "dataset_versions")
    for uuid, fields in ever.items():
        columns = [Field(name, type_, None) for name, type_ in fields]
        assert uuid == UUID(bytes=schema_version_uuid("postgres://shop:5432", "orders", columns))


def _fields_of(store: Store, table: str) -> dict[UUID, frozenset[tuple[str, str | None]]]:
    """The fields of each row of a table, by the mapping that bears its name."""
    found: dict[UUID, set[tuple[str, str | None]]] = {}
    query = (
        f"SELECT m.{table[:-1]}_uuid, f.name, f.type"
        f" FROM {table}_field_mapping AS m JOIN dataset_fields AS f ON f.uuid = m.dataset_field_uuid"
    )
    for uuid, name, type_ in rows(store, query):
        found.setdefault(uuid, set()).add((name, type_))
    return {uuid: frozenset(fields) for uuid, fields in found.items()}
