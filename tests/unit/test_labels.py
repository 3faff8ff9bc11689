"""What the tags and ownership facets say, and what of it cannot be stored."""

from __future__ import annotations

from typing import Any

import pytest

from lineage_core.declare.tables import table_named
from lineage_core.model.meaning.labels import Owner, Tag, label_columns, owners, tags
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import Document, dataset, facet, named_job, run_event, to_json

LONG = "x" * 2_401


def read_by(read: Any, **facets: Document) -> Any:
    event = parse(to_json(run_event(job=named_job(facets=facets))))
    assert event.job is not None
    return read(event.job.facets, "$.job.facets")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ({"key": "tier", "value": "1"}, "tier:1"),
        ({"key": "pii", "value": "true"}, "pii"),
        ({"key": "pii", "value": ""}, "pii"),
        ({"key": "pii"}, "pii"),
        ({"key": "pii", "value": "false"}, "pii:false"),
        ({"key": "a:b", "value": "c"}, "a:b:c"),
    ],
)
def test_a_tag_is_called_by_key_and_value(written: Document, name: str) -> None:
    assert read_by(tags, tags=facet(tags=[written])) == [Tag(name, None)]


def test_tags_and_owners_are_sets() -> None:
    repeated = [{"key": "b"}, {"key": "a", "field": "id"}, {"key": "b", "value": "true"}, {"key": "a", "field": ""}]
    assert read_by(tags, tags=facet(tags=repeated)) == [Tag("a", None), Tag("a", "id"), Tag("b", None)]
    both = [{"name": "team:b"}, {"name": "ann", "type": "STEWARD"}, {"name": "team:b", "type": ""}]
    assert read_by(owners, ownership=facet(owners=both)) == [Owner("ann", "STEWARD"), Owner("team:b", "")]


def test_no_facet_says_nothing_and_an_empty_one_says_none() -> None:
    assert read_by(tags) is None
    assert read_by(owners) is None
    assert read_by(tags, tags=facet()) == []
    assert read_by(owners, ownership=facet(owners=None)) == []


def test_what_has_no_name_is_left_out() -> None:
    assert read_by(tags, tags=facet(tags=[{"key": "", "value": "x"}])) == []
    assert read_by(owners, ownership=facet(owners=[{"name": "", "type": "OWNER"}])) == []


def test_a_facet_with_a_name_that_no_index_takes_says_nothing_and_has_a_fault() -> None:
    written = {"tags": facet(tags=[{"key": "short"}, {"key": LONG}])}
    written["ownership"] = facet(owners=[{"name": "ann", "type": LONG}])
    assert (read_by(tags, **written), read_by(owners, **written)) == (None, None)
    faults = table_named("unreadable_facets").rows
    assert faults is not None
    found = {row["name"]: row["path"] for row in faults(parse(to_json(run_event(job=named_job(facets=written)))))}
    assert found == {"tags": "$.job.facets.tags.tags[1]", "ownership": "$.job.facets.ownership.owners[0]"}


def test_of_two_mentions_in_one_event_the_later_is_the_newer() -> None:
    named = [dataset(facets={"tags": facet(tags=[{"key": key}])}) for key in ("first", "second")]
    event = parse(to_json(run_event(inputs=named[:1], outputs=named[1:])))
    made = table_named("dataset_labels").rows
    assert made is not None
    first, second = made(event)
    assert first["uuid"] == second["uuid"]
    assert first["tags_event"] < second["tags_event"]


def test_a_facet_fills_the_columns_of_its_own_group_only() -> None:
    event = parse(to_json(run_event(job=named_job(facets={"ownership": facet(owners=[])}))))
    assert event.job is not None
    assert set(label_columns(event.job, event.moment)) == {"owners", "owners_reported_at", "owners_event"}
