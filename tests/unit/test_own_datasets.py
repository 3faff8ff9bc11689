"""The store's own tables, named as OpenLineage names Postgres' tables."""

from __future__ import annotations

import pytest

from lineage_core.airflow.datasets import dataset
from lineage_core.tables import table


@pytest.mark.parametrize(
    ("dsn", "namespace", "name"),
    [
        ("postgresql://lineage@127.0.0.1:5599/store?passfile=/x", "postgres://127.0.0.1:5599", "store.public.jobs"),
        ("postgresql://u:secret@db.example.org/store", "postgres://db.example.org:5432", "store.public.jobs"),
        ("postgresql:///my%20store?host=h&port=7", "postgres://h:7", "my store.public.jobs"),
        ("postgresql://u@h?dbname=store", "postgres://h:5432", "store.public.jobs"),
    ],
)
def test_a_table_is_named_by_server_database_and_schema(dsn: str, namespace: str, name: str) -> None:
    named = dataset(dsn, table("jobs"))
    assert (named.namespace, named.name) == (namespace, name)
    assert "secret" not in repr(named)


def test_a_dataset_has_the_columns_of_its_declaration() -> None:
    declared = table("namespaces")
    schema = dataset("postgresql://h/d", declared).facets["schema"]
    assert [(field.name, field.type) for field in schema.fields] == [(c.name, c.type.sql) for c in declared.columns]
