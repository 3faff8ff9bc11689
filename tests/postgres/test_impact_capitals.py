"""`lineage impact` where names of columns differ in capitals alone, as databases, engines and clients write them."""

from __future__ import annotations

import json

import pytest

from lineage_core.answers.impact.dbt_manifest import datasets_of_manifest
from lineage_core.answers.impact.impact import impact_of_all
from lineage_core.postgres.store import Store
from lineage_core.testing import Document, dataset, dataset_event, facet
from tests.support.impact_runs import NAMESPACE, by_names, drop, run
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

TAKES_CAPITALS = run("clean", "raw", "clean", takes={"clean": {"b": "raw.A"}}, minute=1)


def described(*columns: str) -> Document:
    return dataset_event(dataset("raw", NAMESPACE, fields=[(column, "INT") for column in columns]))


def test_a_column_that_is_taken_in_other_capitals_breaks_its_reader(database: Store) -> None:
    take_in(database, [run("load", writes="raw"), TAKES_CAPITALS])
    assert by_names(drop(database, "a")) == {("clean", "clean"): ("broken", ("b",), 1)}
    assert by_names(drop(database, "A")) == {("clean", "clean"): ("broken", ("b",), 1)}
    assert by_names(drop(database, "b")) == {("clean", "clean"): ("safe", (), 1)}


def test_so_does_a_file_that_lacks_it(database: Store) -> None:
    take_in(database, [run("load", writes="raw"), TAKES_CAPITALS])
    node = {"resource_type": "model", "name": "raw", "columns": {"B": {"name": "B"}}}
    manifest = json.dumps({"nodes": {"model.p.raw": node}})
    found = impact_of_all(database, datasets_of_manifest(manifest, NAMESPACE))
    assert by_names(found) == {("clean", "clean"): ("broken", ("b",), 1)}


def test_so_does_a_column_on_the_way(database: Store) -> None:
    report = run("report", "clean", "report", takes={"report": {"a": "clean.B"}}, minute=2)
    take_in(database, [run("load", writes="raw"), TAKES_CAPITALS, report])
    assert by_names(drop(database, "a"))["report", "report"] == ("broken", ("a",), 2)


def test_so_does_a_column_within_one(database: Store) -> None:
    raw = run("load", writes="raw")
    raw["outputs"][0]["facets"]["schema"] = facet(fields=[{"name": "a", "type": "struct<x:int,y:int>"}])
    takes = {"clean": {"a": "raw.A.X", "b": "raw.a.y"}}
    take_in(database, [raw, run("clean", "raw", "clean", takes=takes, minute=1)])
    assert by_names(drop(database, "a"))["clean", "clean"][1] == ("a", "b")
    assert by_names(drop(database, "a.x"))["clean", "clean"][1] == ("a",)


def test_columns_of_one_schema_are_distinct(database: Store) -> None:
    takes = {"clean": {"a": "raw.A"}, "other": {"a": "raw.a"}}
    take_in(database, [described("a", "A"), run("clean", "raw", "clean other", takes=takes, minute=1)])
    verdicts = {
        column: {made: found[0] for (_, made), found in by_names(drop(database, column)).items()} for column in "aA"
    }
    assert verdicts == {"a": {"clean": "safe", "other": "broken"}, "A": {"clean": "broken", "other": "safe"}}


def test_a_third_way_to_write_both_may_mean_either(database: Store) -> None:
    takes = {"clean": {"a": "raw.aB"}}
    take_in(database, [described("ab", "AB"), run("clean", "raw", "clean", takes=takes, minute=1)])
    for column in ("ab", "AB"):
        assert by_names(drop(database, column))["clean", "clean"] == ("broken", ("a",), 1)


def test_two_ways_to_describe_one_schema_are_one(database: Store) -> None:
    """The version of a dataset has what all its mentions describe, by whatever names."""
    read = run("clean", "raw", "clean", takes={"clean": {"b": "raw.A"}}, minute=1)
    read["inputs"][0] = dataset("raw", NAMESPACE, fields=[("A", "INT"), ("B", "INT")])
    take_in(database, [run("load", writes="raw"), read])
    assert by_names(drop(database, "a")) == {("clean", "clean"): ("broken", ("b",), 1)}


def test_by_any_name_of_the_dataset(database: Store) -> None:
    links = {"symlinks": facet(identifiers=[{"namespace": NAMESPACE, "name": "alias", "type": "TABLE"}])}
    alias = dataset("alias", NAMESPACE, fields=[("a", "INT"), ("A", "INT")])
    take_in(
        database,
        [TAKES_CAPITALS, dataset_event(alias), dataset_event(dataset("raw", NAMESPACE, facets=links))],
    )
    assert by_names(drop(database, "a")) == {("clean", "clean"): ("safe", (), 1)}
