"""The store's own tables have names that stay, whatever the address of the server."""

from __future__ import annotations

import pytest

from lineage_core.declare.tables import table_named
from lineage_core.own_lineage.datasets import dataset_of_table
from lineage_core.postgres.store import Store


@pytest.mark.parametrize(
    ("dsn", "name"),
    [
        ("postgresql://lineage@127.0.0.1:5599/store?passfile=/x", "store.public.jobs"),
        ("postgresql://u:secret@db.example.org/store", "store.public.jobs"),
        ("postgresql:///my%20store?host=h&port=7", "my store.public.jobs"),
        ("postgresql://u@h?dbname=store", "store.public.jobs"),
        ("host=h port=7 user=u password='a secret' dbname=store", "store.public.jobs"),
        ("host=one,two port=7,8 password=secret dbname=store", "store.public.jobs"),
        (
            "postgresql://u@[2001:db8::1]/store?options=-csecret.x%3D1",
            "store.public.jobs",
        ),
        ("host=/var/run/postgresql dbname=store sslpassword=secret", "store.public.jobs"),
        ("host=u:secret@h dbname=u:secret@h/store", "….public.jobs"),
    ],
)
def test_a_table_is_named_by_database_and_schema(dsn: str, name: str) -> None:
    named = dataset_of_table(Store(dsn), table_named("jobs"))
    assert (named["namespace"], named["name"]) == ("lineage-store", name)
    assert "secret" not in repr(named)


def test_a_dataset_has_the_columns_of_its_declaration() -> None:
    declared = table_named("namespaces")
    schema = dataset_of_table(Store("postgresql://h/d"), declared)["facets"]["schema"]
    described = [(field["name"], field["type"]) for field in schema["fields"]]
    assert described == [(c.name, c.type.sql) for c in declared.columns]
