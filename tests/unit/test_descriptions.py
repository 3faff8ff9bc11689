"""What events say of datasets, jobs and runs, and what of it cannot be stored."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from lineage_core.errors import RejectedEvent
from lineage_core.model.meaning import dataset_descriptions, job_descriptions
from lineage_core.model.meaning.dataset_descriptions import DescribedSchema, Source, connection_url, described
from lineage_core.model.meaning.facet_rows import stored_facets
from lineage_core.model.meaning.job_descriptions import RunArguments
from lineage_core.openlineage.events import DatasetMention, Event
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import Document, Fields, dataset, facet, named_job, parent, run_event, to_json


def event(**facets: Document) -> Event:
    """An event whose job and run have these facets; parse takes each where it looks for it."""
    return parse(to_json(run_event(job=named_job(facets=facets), facets=facets)))


def output(described: Document) -> DatasetMention:
    return parse(to_json(run_event(outputs=[described]))).outputs[0]


def mention(**facets: Document) -> DatasetMention:
    return output(dataset(facets=facets))


class TestSources:
    def test_without_a_data_source_facet_it_is_the_default(self) -> None:
        assert described(mention()).source == Source("default", "")

    def test_a_data_source_without_a_name_is_the_default(self) -> None:
        assert described(mention(dataSource=facet(uri="postgres://db"))).source == Source("default", "")

    def test_a_data_source_has_a_name_and_an_address(self) -> None:
        assert described(mention(dataSource=facet(name="db", uri="postgres://db"))).source == Source(
            "db", "postgres://db"
        )

    @pytest.mark.parametrize(
        ("uri", "kept"),
        [
            (None, ""),
            ("", ""),
            ("postgres://db:5432/shop", "postgres://db:5432/shop"),
            ("jdbc:sqlserver://db;encrypt=true", "jdbc:sqlserver://db;encrypt=true"),
            ("db/shop", "db/shop"),
            ("shop db", "http://shop db"),
            ("db:", "http://db:"),
            ("127.0.0.1:5432", "http://127.0.0.1:5432"),
            ("a%zz", "http://a%zz"),
            ("a%20b", "a%20b"),
        ],
    )
    def test_what_is_no_uri_by_itself_gets_http_before_it(self, uri: str | None, kept: str) -> None:
        assert connection_url(uri) == kept

    def test_a_name_that_no_index_takes_is_refused_at_its_place(self) -> None:
        with pytest.raises(RejectedEvent) as caught:
            _ = described(mention(dataSource=facet(name="x" * 2_401))).source
        assert caught.value.path == "$.outputs[0].facets.dataSource.name"


class TestSchemas:
    def test_columns_within_a_column_stay_with_it_and_count_for_no_id_of_marquez(self) -> None:
        def schema(*within: dict[str, Any]) -> DescribedSchema:
            columns = [{"name": "place", "type": "struct", **({"fields": within} if within else {})}]
            return described(output(dataset(facets={"schema": facet(fields=columns)}))).schema

        row, column = {"name": "row", "type": "int", "scale": [1, None]}, {"name": "col", "fields": [{"name": "x"}]}
        flat, one, two = schema(), schema(row), schema(row, column)
        assert "fields" not in json.loads(flat.listed or b"")[0]
        assert json.loads(two.listed or b"")[0]["fields"] == [row, column]
        assert len({flat.uuid, one.uuid, two.uuid}) == 3
        assert {flat.version, one.version, two.version} == {flat.version}
        assert {flat.content, one.content, two.content} == {flat.content}
        assert {flat.keys, one.keys, two.keys} == {flat.keys}

    @pytest.mark.parametrize("within", [None, "row", {"name": "row"}, 1])
    def test_what_is_no_list_is_no_columns_within_a_column(self, within: object) -> None:
        columns = [{"name": "place", "fields": within}]
        schema = described(output(dataset(facets={"schema": facet(fields=columns)}))).schema
        assert "fields" not in json.loads(schema.listed or b"")[0]

    def test_fields_are_listed_as_marquez_lists_them(self) -> None:
        fields: Fields = [("id", "BIGINT"), ("note", None, "free text")]
        assert json.loads(described(output(dataset(fields=fields))).schema.listed or b"") == [
            {"name": "id", "type": "BIGINT", "tags": [], "description": None},
            {"name": "note", "tags": [], "description": "free text"},
        ]

    def test_no_list_is_not_the_same_as_an_empty_one(self) -> None:
        assert described(output(dataset())).schema.listed is None
        assert described(output(dataset(fields=[]))).schema.listed == b"[]"
        assert described(output(dataset())).schema.version == described(output(dataset(fields=[]))).schema.version

    def test_the_order_and_the_words_make_another_description_of_the_same_version(self) -> None:
        orders: tuple[Fields, Fields] = ([("a", "INT"), ("b", "INT")], [("b", "INT"), ("a", "INT", "words")])
        one, other = (described(output(dataset(fields=fields))).schema for fields in orders)
        assert (one.uuid != other.uuid, one.version == other.version) == (True, True)

    def test_a_name_that_no_column_has_is_refused_at_its_place(self) -> None:
        with pytest.raises(RejectedEvent) as caught:
            _ = described(output(dataset(fields=[("a", "INT"), ("x" * 256, "INT")]))).schema
        assert caught.value.path == "$.outputs[0].facets.schema.fields[1].name"

    def test_a_wide_schema_is_described_like_any_other(self) -> None:
        wide = described(output(dataset(fields=[(f"column_{n}", "VARCHAR") for n in range(3_000)]))).schema
        assert len(set(wide.keys)) == 3_000


class TestOtherNames:
    def test_they_are_those_of_the_symlinks_facet(self) -> None:
        identifiers = [{"namespace": "n", "name": "a", "type": "TABLE"}]
        names = described(mention(symlinks=facet(identifiers=identifiers))).other_names
        assert [(name.namespace, name.name, name.type) for name in names] == [("n", "a", "TABLE")]

    @pytest.mark.parametrize("symlinks", [{}, {"symlinks": facet()}, {"symlinks": facet(identifiers=None)}])
    def test_without_identifiers_there_are_none(self, symlinks: dict[str, Document]) -> None:
        assert described(mention(**symlinks)).other_names == []

    def test_a_name_that_no_index_takes_is_refused_at_its_place(self) -> None:
        identifiers = [{"namespace": "n", "name": "a"}, {"namespace": "n" * 1_200, "name": "a" * 1_201}]
        with pytest.raises(RejectedEvent) as caught:
            _ = described(mention(symlinks=facet(identifiers=identifiers))).other_names
        assert caught.value.path == "$.outputs[0].facets.symlinks.identifiers[1].name"


class TestVersions:
    def test_a_version_is_another_for_another_run(self) -> None:
        one, other = (parse(to_json(run_event(run_id=run, outputs=[dataset()]))) for run in ("one", "other"))
        versions = {described(event.outputs[0]).version(event) for event in (one, other)}
        assert len(versions) == 2

    @pytest.mark.parametrize(
        ("facets", "state"),
        [
            ({}, ""),
            ({"lifecycleStateChange": facet(lifecycleStateChange="DROP")}, "DROP"),
            ({"lifecycleStateChange": facet()}, ""),
        ],
    )
    def test_the_lifecycle_is_empty_without_the_facet(self, facets: dict[str, Document], state: str) -> None:
        assert described(mention(**facets)).lifecycle_state == state


class TestJobs:
    @pytest.mark.parametrize(
        ("processing", "is_streaming"),
        [("STREAMING", True), ("streaming", True), ("BATCH", False), (None, False), ("", False)],
    )
    def test_a_job_streams_if_its_own_event_says_so(self, processing: str | None, is_streaming: bool) -> None:
        an_event = event(jobType=facet(processingType=processing, integration="FLINK"))
        assert job_descriptions.is_streaming(an_event) == is_streaming

    def test_a_job_has_the_words_and_the_place_of_its_event(self) -> None:
        an_event = event(documentation=facet(description="loads"), sourceCodeLocation=facet(type="git", url="git://x"))
        assert (job_descriptions.description(an_event), job_descriptions.location(an_event)) == ("loads", "git://x")
        assert (job_descriptions.description(event()), job_descriptions.location(event())) == (None, None)


def arguments(**facets: Document) -> RunArguments:
    run = event(**facets).run
    assert run is not None
    return job_descriptions.described_run(run).arguments


class TestRunArguments:
    def test_none_are_an_empty_object_whose_checksum_is_that_of_nothing(self) -> None:
        assert arguments().text == "{}"
        assert arguments().checksum == hashlib.sha256(b"").hexdigest()

    def test_nominal_times_come_first_then_the_parent(self) -> None:
        nominal = facet(nominalStartTime="2026-01-01T01:00:00+01:00", nominalEndTime="2026-01-02T00:00:00Z")
        found = arguments(nominalTime=nominal, **parent("p", "dag"))
        assert list(found.values.items()) == [
            ("nominal_start_time", "2026-01-01T00:00Z"),
            ("nominal_end_time", "2026-01-02T00:00Z"),
            ("run_id", "p"),
            ("name", "dag"),
            ("namespace", "shop"),
        ]
        written = "#".join(f"{key}={value}" for key, value in found.values.items())
        assert found.checksum == hashlib.sha256(written.encode()).hexdigest()

    @pytest.mark.parametrize("time", ["soon", "9999-12-31T23:59:59.9999999Z"])
    def test_a_nominal_time_that_is_none_is_no_argument(self, time: str) -> None:
        assert arguments(nominalTime=facet(nominalStartTime=time)).values == {}


class TestStoredFacets:
    def stored(self, **facets: Any) -> list[tuple[str, Any]]:
        run = event(**facets).run
        assert run is not None
        return [(name, json.loads(text)) for name, text in stored_facets(run.facets)]

    def test_each_stands_under_its_key(self) -> None:
        assert self.stored(a={"x": 1}, b={}) == [("a", {"a": {"x": 1}}), ("b", {"b": {}})]

    def test_keys_are_escaped(self) -> None:
        key = 'q"\\\n\u2028é'
        assert self.stored(**{key: {}}) == [(key, {key: {}})]

    def test_the_older_parent_run_is_stored_as_parent(self) -> None:
        assert self.stored(parentRun={"x": 1}) == [("parent", {"parent": {"x": 1}})]

    @pytest.mark.parametrize("key", ["spark_unknown", "Spark_Unknown"])
    def test_what_spark_could_not_read_is_left_out(self, key: str) -> None:
        assert self.stored(**{key: {}, "spark.logicalPlan": {}}) == [("spark.logicalPlan", {"spark.logicalPlan": {}})]


def test_a_schema_that_jsonb_cannot_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fields: list[tuple[str, str | None]] = [(f"column {number}", None) for number in range(100)]
    event = parse(to_json(run_event(outputs=[dataset("keyed", fields=fields)])))
    monkeypatch.setattr(dataset_descriptions, "LARGEST_SCHEMA", 10_000)
    with pytest.raises(RejectedEvent, match="100 columns take more than a table can hold") as caught:
        _ = described(event.datasets[0]).schema
    assert caught.value.path == "$.outputs[0].facets.schema.fields"
