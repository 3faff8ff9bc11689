"""What people have set on a dataset follows when an event that comes late shows that its name is another's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, job_event, named_job, run_event
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

COLUMNS = [("id", "INT")]
TABLE = dataset("shop.orders", "hive", fields=COLUMNS)
FILES = dataset(
    "lake/orders",
    "s3",
    fields=COLUMNS,
    facets={"symlinks": facet(identifiers=[{"namespace": "hive", "name": "shop.orders", "type": "TABLE"}])},
)
"""What the lake calls by its folder, Hive calls by its table."""

WRITTEN_AS_TABLE = run_event("COMPLETE", run_id="2", outputs=[TABLE], time=TIME + timedelta(minutes=5))
WRITTEN_AS_FILES = run_event("COMPLETE", run_id="1", outputs=[FILES])


def set_by_hand(store: Store, *statements: str) -> None:
    with store.connect() as connection:
        for statement in statements:
            connection.execute(statement)


def tagged(store: Store) -> list[tuple[Any, ...]]:
    return rows(
        store,
        """
        SELECT datasets.name, NULL, tags.name
        FROM datasets_tag_mapping JOIN datasets ON datasets.uuid = dataset_uuid JOIN tags ON tags.uuid = tag_uuid
        UNION ALL
        SELECT datasets.name, field.name, tags.name
        FROM dataset_fields_tag_mapping
        JOIN dataset_fields AS field ON field.uuid = dataset_field_uuid
        JOIN datasets ON datasets.uuid = field.dataset_uuid
        JOIN tags ON tags.uuid = tag_uuid
        ORDER BY 1, 2, 3
        """,
    )


TAGS = (
    """
    INSERT INTO tags (uuid, created_at, updated_at, name)
    VALUES (gen_random_uuid(), now(), now(), 'PII'), (gen_random_uuid(), now(), now(), 'GOLD')
    """,
    """
    INSERT INTO datasets_tag_mapping (dataset_uuid, tag_uuid, tagged_at)
    SELECT datasets.uuid, tags.uuid, now() FROM datasets, tags WHERE tags.name = 'GOLD'
    """,
    """
    INSERT INTO dataset_fields_tag_mapping (dataset_field_uuid, tag_uuid, tagged_at)
    SELECT dataset_fields.uuid, tags.uuid, now() FROM dataset_fields, tags WHERE tags.name = 'PII'
    """,
)


def test_tags_that_people_set_go_to_the_dataset_whose_name_it_is(database: Store) -> None:
    take_in(database, [WRITTEN_AS_TABLE])
    set_by_hand(database, *TAGS)
    assert tagged(database) == [("shop.orders", "id", "PII"), ("shop.orders", None, "GOLD")]
    take_in(database, [WRITTEN_AS_FILES])
    assert tagged(database) == [("lake/orders", "id", "PII"), ("lake/orders", None, "GOLD")]


def test_tags_stay_with_a_dataset_that_loses_a_name(database: Store) -> None:
    take_in(database, [WRITTEN_AS_FILES, WRITTEN_AS_TABLE])
    set_by_hand(database, *TAGS)
    take_in(database, [run_event("START", run_id="3", inputs=[TABLE], time=TIME - timedelta(minutes=5))])
    assert rows(database, "SELECT name FROM datasets ORDER BY 1") == [("lake/orders",), ("shop.orders",)]
    assert ("lake/orders", None, "GOLD") in tagged(database)
    assert ("lake/orders", "id", "PII") in tagged(database)


def test_what_a_person_has_hidden_stays_hidden_under_its_new_name(database: Store) -> None:
    take_in(database, [WRITTEN_AS_FILES])
    set_by_hand(database, "UPDATE datasets SET is_hidden = true")
    take_in(database, [WRITTEN_AS_TABLE])
    assert rows(database, "SELECT name, physical_name, is_hidden FROM datasets") == [
        ("lake/orders", "shop.orders", True)
    ]


def test_facets_of_a_job_event_follow_the_job_version_that_it_makes(database: Store) -> None:
    described = named_job(facets={"ownership": facet(owners=[])})
    reads_as_table = job_event(described, inputs=[TABLE], time=TIME + timedelta(minutes=9))
    version = "SELECT job_version_uuid, job_version_uuid = current_version_uuid FROM job_facets, jobs"
    take_in(database, [WRITTEN_AS_FILES | {"job": named_job("write")}, reads_as_table])
    ((one, is_current),) = rows(database, f"{version} WHERE jobs.name = 'load'")
    assert is_current
    take_in(database, [WRITTEN_AS_TABLE | {"job": named_job("write")}])
    ((other, is_current),) = rows(database, f"{version} WHERE jobs.name = 'load'")
    assert is_current and one != other


def test_a_slice_without_late_names_takes_nothing_up_again(database: Store) -> None:
    take_in(database, [WRITTEN_AS_FILES, WRITTEN_AS_TABLE])
    mentions = "SELECT run_uuid, xmin::text FROM dataset_mentions"
    before = rows(database, mentions)
    take_in(database, [run_event("COMPLETE", run_id="4", outputs=[FILES, TABLE], time=TIME + timedelta(minutes=7))])
    assert set(before) < set(rows(database, mentions))
