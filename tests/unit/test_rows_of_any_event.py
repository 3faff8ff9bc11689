"""Whatever facets hold, an event is rows that Postgres reads, or it is refused; no other error stops a task."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lineage_core.declare.tables import all_tables
from lineage_core.errors import RejectedEvent
from lineage_core.model.folding import Fold, RowMaker
from lineage_core.openlineage.facets import FacetSubject, TypedFacet, all_facets
from lineage_core.openlineage.parsing import parse
from lineage_core.postgres.copy_format import row_encoder
from lineage_core.testing import Document, dataset, dataset_event, named_job, run_event

TABLES = [table for table in all_tables() if table.rows is not None]
MAKERS = [(table, RowMaker(table), row_encoder(table.staged)) for table in TABLES]
TYPED = [facet for facet in all_facets().values() if isinstance(facet, TypedFacet)]

TEXTS = st.text("abc:/ -é😀", max_size=5)
TIMES = st.sampled_from(
    ("2026-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.9999999Z", "soon", "")
)
LONG = "x" * 3_000
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


def values(type_: Any) -> st.SearchStrategy[Any]:
    """What a member of this type may hold."""
    plain = {str: TEXTS, bool: st.booleans(), type(None): st.none()}
    if type_ in plain:
        return plain[type_]
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        return st.fixed_dictionaries({}, optional=dict(_members(type_))) | st.fixed_dictionaries(dict(_members(type_)))
    if get_origin(type_) is dict:
        return st.dictionaries(st.sampled_from(("a", "b")) | TEXTS, values(get_args(type_)[1]), max_size=3)
    if get_origin(type_) is list:
        return st.lists(values(get_args(type_)[0]), max_size=3)
    return st.one_of(*map(values, get_args(type_)))


def _members(model: type[msgspec.Struct]) -> Iterator[tuple[str, st.SearchStrategy[Any]]]:
    hints = get_type_hints(model)
    for name, written in zip(model.__struct_fields__, model.__struct_encode_fields__, strict=True):
        yield written, values(hints[name]) if "time" not in name else TIMES


def facets(owner: FacetSubject) -> st.SearchStrategy[dict[str, Any]]:
    """Facets that are read, most as they should be, and others."""
    models = {key: facet.model for facet in TYPED if owner in facet.subjects for key in (facet.key, *facet.aliases)}
    known = {key: st.one_of(*[values(model)] * 9, JSON) for key, model in models.items()}
    return st.fixed_dictionaries({}, optional={**known, "other": JSON})


A_COLUMN = {"namespace": "n", "name": "d", "field": "a"}


def made_of(origins: Document) -> Document:
    return dataset(fields=[("a", "INT")], facets={"columnLineage": {"fields": {"a": origins}}})


DATASETS = st.builds(
    lambda name, namespace, described, more: dataset(name, namespace, facets=described, output_facets=more),
    TEXTS,
    TEXTS,
    facets(FacetSubject.DATASET),
    st.dictionaries(TEXTS, JSON, max_size=2),
)
EVENTS = st.builds(
    lambda kind, run_id, run, job, read, written: run_event(
        kind, run_id=run_id, facets=run, job=named_job(facets=job), inputs=read, outputs=written
    ),
    st.none() | TEXTS | st.just("COMPLETE"),
    TEXTS,
    facets(FacetSubject.RUN),
    facets(FacetSubject.JOB),
    st.lists(DATASETS, max_size=2),
    st.lists(DATASETS, max_size=2),
) | st.builds(dataset_event, DATASETS)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(document=EVENTS)
@example(document=run_event(facets={"nominalTime": {"nominalStartTime": "9999-12-31T23:59:59.9999999Z"}}))
@example(document=run_event(facets={"parent": {"run": {"runId": ""}, "job": {"namespace": "", "name": ""}}}))
@example(document=dataset_event(dataset(facets={"schema": {"fields": [{"name": "a", "type": ":" * 5_000}]}})))
@example(document=dataset_event(dataset(facets={"symlinks": {"identifiers": [{"namespace": "", "name": LONG}]}})))
@example(document=dataset_event(dataset(facets={"dataSource": {"name": LONG}})))
@example(document=run_event(outputs=[made_of({"inputFields": [A_COLUMN], "transformationType": LONG})]))
@example(document=run_event(outputs=[made_of({"inputFields": [{**A_COLUMN, "name": LONG, "field": LONG}]})]))
def test_an_event_is_rows_or_it_is_refused(document: Document) -> None:
    try:
        event = parse(json.dumps(document).encode())
        made = [list(maker.rows(event)) for _, maker, _ in MAKERS]
    except RejectedEvent as rejected:
        assert rejected.path.startswith("$")
        return
    for (table, _, encode), rows in zip(MAKERS, made, strict=True):
        for row in folded(table, rows):
            assert encode(row)[:2] == len(table.staged).to_bytes(2)


def folded(table: Any, rows: list[dict[str, Any]]) -> list[Any]:
    if table.append:
        return rows
    fold = Fold(table)
    for row in rows:
        fold.add(row)
    return list(fold.rows())
