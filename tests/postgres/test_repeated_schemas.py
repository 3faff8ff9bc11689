"""Verdicts on schemas that come again: kept by one statement, and the same as a walk along the timeline gives."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from lineage_core import statements
from lineage_core.evolution import DatasetHistory, Verdict
from lineage_core.evolution.dataset_history import recorded_fields
from lineage_core.normalize.schema_walks import SchemaWalk
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet
from tests.support.examples import numbers
from tests.support.stores import empty, rows, take_in
from tests.support.verdicts_anew import misjudged

pytestmark = pytest.mark.postgres

Field = dict[str, Any]


def declared(minutes: int, *fields: str | Field, name: str = "orders", **others: Any) -> Document:
    """Each field is `name:type`, `name` alone, or as a schema facet has it."""
    written = [one if isinstance(one, dict) else _field(*one.split(":")) for one in fields]
    facets = {"schema": facet(fields=written), **others}
    return dataset_event(dataset(name, facets=facets), time=TIME + timedelta(minutes=minutes))


def _field(name: str, kind: str | None = None) -> Field:
    return {"name": name} if kind is None else {"name": name, "type": kind}


@contextmanager
def walks() -> Iterator[list[Any]]:
    """The datasets whose timelines are walked along meanwhile."""
    met: list[Any] = []

    def begun(dataset: Any, changed: Any) -> Any:
        met.append(dataset)
        return SchemaWalk(dataset, changed)

    with patch("lineage_core.normalize.store.schema_verdicts.SchemaWalk", begun):
        yield met


def verdicts(store: Store) -> list[str]:
    return [verdict for (verdict,) in rows(store, "SELECT verdict FROM dataset_schema_verdicts ORDER BY event_order")]


def test_fields_that_were_unchanged_before_are_judged_without_a_walk(database: Store) -> None:
    take_in(database, [declared(1, "a:INT", "b:TEXT"), declared(2, "a:INT", "b:TEXT")])
    with walks() as walked:
        take_in(database, [declared(minutes, "a:INT", "b:TEXT") for minutes in (3, 4)])
    assert walked == []
    assert verdicts(database) == ["first", "unchanged", "unchanged", "unchanged"]
    assert misjudged(database) == []


def test_fields_that_were_deleted_before_do_not_matter(database: Store) -> None:
    take_in(database, [declared(1, "a:INT", "b:TEXT"), declared(2, "a:INT"), declared(3, "a:INT")])
    with walks() as walked:
        take_in(database, [declared(4, "a:INT")])
    assert walked == []
    assert misjudged(database) == []


SALES = facet(identifiers=[{"namespace": "postgres://shop:5432", "name": "sales", "type": "TABLE"}])
WALKED_ALONG = {
    "it is the second schema of the dataset": ([declared(1, "a:INT")], [declared(2, "a:INT")]),
    "the last change was permitted": (
        [declared(1, "a:INT"), declared(2, "a:INT", "b:INT")],
        [declared(3, "a:INT", "b:INT")],
    ),
    "the last change was refused": ([declared(1, "a:INT"), declared(2, "a:TEXT")], [declared(3, "a:TEXT")]),
    "a field has a type that nothing knew before": (
        [declared(1, "a", "b:INT"), declared(2, "a:INT", "b:INT")],
        [declared(3, "a:INT", "b:INT")],
    ),
    "a field inside another has": (
        [
            declared(minutes, {**_field("a", "STRUCT"), "fields": [_field("b", kind)]})
            for minutes, kind in ((1, None), (2, "INT"))
        ],
        [declared(3, {**_field("a", "STRUCT"), "fields": [_field("b", "INT")]})],
    ),
    "the fields are others": ([declared(1, "a:INT"), declared(2, "a:INT")], [declared(3, "a:INT", "b:INT")]),
    "they become others again": (
        [declared(1, "a:INT"), declared(2, "a:INT")],
        [declared(3, "a:INT"), declared(4, "a:INT", "b:INT"), declared(5, "a:INT")],
    ),
    "the event comes late": (
        [declared(1, "a:INT"), declared(2, "a:INT"), declared(9, "a:INT")],
        [declared(5, "a:INT")],
    ),
    "another comes late with it": (
        [declared(1, "a:INT"), declared(2, "a:INT"), declared(8, "a:INT")],
        [declared(5, "a:TEXT"), declared(9, "a:INT")],
    ),
    "the dataset gains a name, as an event that comes late says": (
        [declared(1, "a:INT"), declared(2, "a:INT"), declared(3, "a:TEXT", name="sales")],
        [declared(0, "a:INT", symlinks=SALES), declared(9, "a:INT"), declared(9, "a:TEXT", name="sales")],
    ),
}


@pytest.mark.parametrize("why", WALKED_ALONG)
def test_a_timeline_is_walked_along_where(why: str, database: Store) -> None:
    before, then = WALKED_ALONG[why]
    take_in(database, before)
    with walks() as walked:
        take_in(database, then)
    assert walked
    assert misjudged(database) == []


KINDS = [None, "INT", "TEXT", "ROW(a INT)"]
DATASETS, MERGES = 12, 6


def _schemas(chooser: Random) -> list[list[Field]]:
    """One or two schemas of one or two columns."""
    return [
        [_field(name, chooser.choice(KINDS)) for name in chooser.sample("abc", chooser.randint(1, 2))]
        for _ in range(chooser.randint(1, 2))
    ]


def test_whatever_comes_again_is_judged_as_from_the_first_schema_on(database: Store) -> None:
    """With each merge, each dataset has one of its schemas."""
    met = Counter[str]()
    for number in numbers(6):
        empty(database)
        chooser = Random(number)
        schemas = {f"orders_{dataset}": _schemas(chooser) for dataset in range(DATASETS)}
        for merge in range(MERGES):
            events = [declared(merge, *chooser.choice(some), name=name) for name, some in schemas.items()]
            with walks() as walked:
                take_in(database, events)
            met["walked"] += len(walked)
            met["repeated"] += DATASETS - len(walked)
        assert misjudged(database) == []
    assert met["walked"] > 200
    assert met["repeated"] > 60


INNER = [*KINDS, "STRUCT", "struct<a:int>", "ARRAY<INT>", "MAP<TEXT,INT>", ""]


def _nested_fields(chooser: Random, names: str = "abc", depth: int = 0) -> list[Field]:
    """Fields with others inside them, some of one name, and some with what is no list of fields."""
    fields = [_field(chooser.choice(names), chooser.choice(INNER)) for _ in range(chooser.randint(1, 3))]
    for field in fields:
        if depth < 2 and chooser.random() < 0.3:
            field["fields"] = _nested_fields(chooser, "aAb", depth + 1)
        if chooser.random() < 0.05:
            field["fields"] = chooser.choice([None, 5, [3], []])
    return fields


def _without_some_types(chooser: Random, fields: list[Field]) -> list[Field]:
    return [_field(field["name"]) if chooser.random() < 0.5 else field for field in fields]


def test_what_is_unchanged_beside_a_history_that_names_all_types_leaves_it(database: Store) -> None:
    """The statement takes it for granted, so it holds whatever producers write."""
    judged = list[tuple[DatasetHistory, DatasetHistory]]()
    for number in numbers(400):
        chooser = Random(number)
        written = [_nested_fields(chooser) for _ in range(2)]
        schemas = [recorded_fields(json.dumps(one)) for one in (*written, _without_some_types(chooser, written[0]))]
        history = DatasetHistory()
        for _ in range(8):
            judgement, following = history.next_for_all(chooser.choice(schemas))
            if judgement.verdict is Verdict.UNCHANGED:
                judged.append((history, following))
            history = following
    names_all_types = re.search(
        r"AND (NOT jsonb_path_exists\(.*\))", statements.named("normalize/keep_repeated_verdicts")
    )
    assert names_all_types
    asked = (
        f"SELECT {names_all_types[1]} FROM unnest(%s::jsonb[]) WITH ORDINALITY AS known (history, place) ORDER BY place"
    )
    named = rows(database, asked, [[json.dumps(history.to_json()) for history, _ in judged]])
    moved = Counter((is_named, before != after) for (is_named,), (before, after) in zip(named, judged, strict=True))
    assert moved[True, True] == 0
    assert moved[True, False] > 500
    assert moved[False, True] > 5
