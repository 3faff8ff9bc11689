"""Tags that people put on datasets, columns and jobs, beside those that events report."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, job_event, named_job, run_event
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

TAG = (
    "INSERT INTO tags (uuid, created_at, updated_at, name, description)"
    " VALUES (gen_random_uuid(), '2026-02-01Z', '2026-02-01Z', %s, 'by hand')"
)
BY_HAND = (
    "INSERT INTO datasets_tag_mapping (dataset_uuid, tag_uuid, tagged_at)"
    " SELECT datasets.uuid, tags.uuid, '2026-02-01' FROM datasets CROSS JOIN tags WHERE tags.name = %s",
    "INSERT INTO dataset_fields_tag_mapping (dataset_field_uuid, tag_uuid, tagged_at)"
    " SELECT dataset_fields.uuid, tags.uuid, '2026-02-01' FROM dataset_fields CROSS JOIN tags WHERE tags.name = %s",
    "INSERT INTO jobs_tag_mapping (job_uuid, tag_uuid, tagged_at)"
    " SELECT jobs.uuid, tags.uuid, '2026-02-01' FROM jobs CROSS JOIN tags WHERE tags.name = %s",
)
"""As Marquez does it, which does not know the column `is_reported`."""

MAPPINGS = ("datasets_tag_mapping", "dataset_fields_tag_mapping", "jobs_tag_mapping")


def tagged(minutes: int, *names: str) -> list[Document]:
    """A dataset event and a job event whose facets say these tags, of the column, too."""
    time = TIME + timedelta(minutes=minutes)
    facets = {"tags": facet(tags=[{"key": name, "value": ""} for name in names])}
    columns = [{"key": name, "value": "", "field": "id"} for name in names]
    described = dataset(fields=[("id", "INT")], facets={"tags": facet(tags=[*facets["tags"]["tags"], *columns])})
    return [dataset_event(described, time=time), job_event(named_job(facets=facets), time=time)]


def mapped(database: Store, table: str) -> list[tuple[str, bool]]:
    query = f"SELECT name, is_reported FROM {table} JOIN tags ON tags.uuid = tag_uuid ORDER BY 1"
    return rows(database, query)


def tag_by_hand(database: Store, name: str) -> None:
    with database.connect() as connection:
        connection.execute(TAG, [name])
        for statement in BY_HAND:
            connection.execute(statement, [name])


@pytest.mark.parametrize("table", MAPPINGS)
def test_what_a_person_put_there_stays(database: Store, table: str) -> None:
    take_in(database, tagged(0))
    tag_by_hand(database, "mine")
    take_in(database, tagged(1, "theirs"))
    assert mapped(database, table) == [("mine", False), ("theirs", True)]
    take_in(database, tagged(2))
    assert mapped(database, table) == [("mine", False)]


@pytest.mark.parametrize("table", MAPPINGS)
def test_a_tag_that_events_report_as_well_stays_when_they_cease(database: Store, table: str) -> None:
    take_in(database, tagged(0))
    tag_by_hand(database, "ours")
    take_in(database, tagged(1, "ours"))
    take_in(database, tagged(2))
    assert mapped(database, table) == [("ours", False)]
    assert rows(database, f"SELECT tagged_at::date::text FROM {table}") == [("2026-02-01",)]


def test_a_tag_keeps_the_id_and_the_words_that_a_person_gave_it(database: Store) -> None:
    take_in(database, tagged(0))
    tag_by_hand(database, "ours")
    before = rows(database, "SELECT uuid FROM tags")
    take_in(database, tagged(1, "ours"))
    assert rows(database, "SELECT uuid FROM tags") == before
    assert rows(database, "SELECT description, created_at FROM tags") == [("by hand", TIME + timedelta(minutes=1))]


def described(minutes: int, name: str, tag: str, *, other_names: Sequence[str] = ()) -> Document:
    """A dataset event that tags a dataset and its column, and gives it other names."""
    identifiers = [{"namespace": "shop", "name": other, "type": "TABLE"} for other in other_names]
    written = [{"key": tag, "value": ""}, {"key": tag, "value": "", "field": "id"}]
    facets = {"tags": facet(tags=written), "symlinks": facet(identifiers=identifiers)}
    return dataset_event(
        dataset(name, "shop", fields=[("id", "INT")], facets=facets), time=TIME + timedelta(minutes=minutes)
    )


OF_A_DATASET = ("datasets_tag_mapping", "dataset_fields_tag_mapping")


@pytest.mark.parametrize("table", OF_A_DATASET)
def test_of_all_names_of_a_dataset_the_last_facet_counts(database: Store, table: str) -> None:
    take_in(database, [described(0, "orders", "old", other_names=["alias"])])
    take_in(database, [described(1, "alias", "new")])
    assert mapped(database, table) == [("new", True)]
    take_in(database, [described(2, "orders", "newest")])
    assert mapped(database, table) == [("newest", True)]


@pytest.mark.parametrize("table", OF_A_DATASET)
def test_a_name_that_turns_out_to_be_anothers_brings_the_tags_of_people_and_no_others(
    database: Store, table: str
) -> None:
    take_in(database, [described(1, "alias", "old")])
    tag_by_hand(database, "mine")
    take_in(database, [described(2, "orders", "new")])
    take_in(database, [described(0, "orders", "older", other_names=["alias"])])
    assert [name for (name,) in rows(database, "SELECT name FROM datasets")] == ["orders"]
    assert mapped(database, table) == [("mine", False), ("new", True)]


@pytest.mark.parametrize("table", OF_A_DATASET)
def test_of_a_tag_that_people_and_events_put_on_two_names_that_of_people_stays(database: Store, table: str) -> None:
    take_in(database, [described(1, "alias", "old")])
    tag_by_hand(database, "both")
    take_in(database, [described(2, "orders", "both")])
    take_in(database, [described(0, "orders", "older", other_names=["alias"])])
    assert mapped(database, table) == [("both", False)]


def test_a_facet_that_cannot_be_read_leaves_what_another_event_says(database: Store) -> None:
    tagged = {"tags": facet(tags=[{"key": "tier"}]), "ownership": facet(owners=[{"name": "team:shop"}])}
    wrong = {"tags": facet(tags=[{"key": 1}]), "ownership": facet(owners={"name": "team:shop"})}
    take_in(database, [run_event(job=named_job(facets=tagged))])
    take_in(database, [run_event("COMPLETE", job=named_job(facets=wrong), time=TIME + timedelta(minutes=5))])
    assert rows(database, "SELECT name FROM tags JOIN jobs_tag_mapping ON tag_uuid = tags.uuid") == [("tier",)]
    owned = "SELECT name FROM owners JOIN job_ownerships ON owner_uuid = owners.uuid"
    assert rows(database, owned) == [("team:shop",)]
    assert rows(database, "SELECT name FROM unreadable_facets ORDER BY 1") == [("ownership",), ("tags",)]
