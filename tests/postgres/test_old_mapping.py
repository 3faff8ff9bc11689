"""A new store has the old mapping as a view from the start, unless it is asked for as a table."""

from __future__ import annotations

import pytest

from lineage_core.errors import WrongUsage
from lineage_core.long_migrations.declared.schema_versions import MIGRATION
from lineage_core.long_migrations.store import records
from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, run_event
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

EVENT = run_event("COMPLETE", outputs=[dataset("orders", fields=[("id", "INT"), ("sum", "INT")])])
KIND = "SELECT relkind FROM pg_class WHERE relname = 'dataset_versions_field_mapping'"
OLD_MAPPING = """
SELECT field.name
FROM dataset_versions_field_mapping AS mapping
JOIN dataset_versions AS version ON version.uuid = mapping.dataset_version_uuid
JOIN dataset_fields AS field ON field.uuid = mapping.dataset_field_uuid
ORDER BY 1
"""


def test_it_is_a_view_with_the_same_rows(database: Store) -> None:
    take_in(database, [EVENT])
    assert rows(database, KIND) == [("v",)]
    assert rows(database, OLD_MAPPING) == [("id",), ("sum",)]
    assert whole_store.differences(database) == []


@pytest.mark.old_mapping
def test_it_is_a_table_where_it_is_asked_for(database: Store) -> None:
    take_in(database, [EVENT])
    assert rows(database, KIND) == [("r",)]
    assert rows(database, OLD_MAPPING) == [("id",), ("sum",)]
    assert whole_store.differences(database) == []


@pytest.mark.old_mapping
def test_an_upgrade_that_does_not_name_it_leaves_it(database: Store) -> None:
    whole_store.upgrade(database)
    assert rows(database, KIND) == [("r",)]


def test_a_store_without_it_does_not_get_it(database: Store) -> None:
    with pytest.raises(WrongUsage, match="dataset_versions_field_mapping is a view here, and stays one"):
        whole_store.upgrade(database, with_old_mapping=True)
    whole_store.upgrade(database)
    assert rows(database, KIND) == [("v",)]


def test_without_it_there_is_nothing_to_migrate(database: Store) -> None:
    with pytest.raises(WrongUsage, match="lineage db upgrade --with-old-mapping"):
        records.plan(database, MIGRATION.name)
    assert rows(database, "SELECT FROM migrations") == []
