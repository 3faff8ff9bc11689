"""Facets: how their content is read, and that every facet of the specification is declared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.facets import (
    DatasetFacetType,
    FacetSubject,
    TypedFacet,
    all_facets,
    column_lineage,
    data_source,
    dataset_facet_type,
    documentation,
    job_type,
    lifecycle_state_change,
    lineage,
    nominal_time,
    ownership,
    parent,
    schema,
    source_code_location,
    symlinks,
    tags,
    untyped,
)

SPEC = Path(__file__).parents[3] / "shared" / "data" / "openlineage-spec"
TYPED = sorted(key for key, facet in all_facets().items() if isinstance(facet, TypedFacet))
OWNER_OF_BASE = {
    "RunFacet": FacetSubject.RUN,
    "JobFacet": FacetSubject.JOB,
    "DatasetFacet": FacetSubject.DATASET,
    "InputDatasetFacet": FacetSubject.INPUT,
    "OutputDatasetFacet": FacetSubject.OUTPUT,
}


def raw_facets(document: str | bytes) -> dict[str, msgspec.Raw]:
    return msgspec.json.decode(document, type=dict[str, msgspec.Raw])


def read(facet: TypedFacet[Any], document: str) -> Any:
    return facet.read(raw_facets(document), "$.facets")


def rejection(facet: TypedFacet[Any], document: str | bytes) -> RejectedEvent:
    """Why it cannot be read; raised only where the event cannot go on without it."""
    fault = facet.fault(raw_facets(document), "$.facets")
    assert fault is not None
    if facet.essential:
        with pytest.raises(RejectedEvent) as caught:
            facet.read(raw_facets(document), "$.facets")
        assert (caught.value.path, caught.value.reason) == (fault.path, fault.reason)
    else:
        assert facet.read(raw_facets(document), "$.facets") is None
    return fault


def test_members_come_out_and_unknown_ones_are_ignored() -> None:
    columns = read(schema.FACET, '{"schema": {"fields": [{"name": "a", "type": "INT", "x": [1e400]}], "_y": null}}')
    assert columns == schema.DatasetSchema([schema.SchemaField("a", "INT")])
    source = read(data_source.FACET, '{"dataSource": {"name": "s", "uri": "jdbc:s"}}')
    assert source == data_source.DataSource("s", "jdbc:s")
    change = read(lifecycle_state_change.FACET, '{"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}')
    assert change == lifecycle_state_change.LifecycleStateChange("DROP")
    names = read(symlinks.FACET, '{"symlinks": {"identifiers": [{"namespace": "n", "name": "m", "type": "TABLE"}]}}')
    assert names == symlinks.Symlinks([symlinks.Identifier("n", "m", "TABLE")])
    words = read(documentation.FACET, '{"documentation": {"description": "d", "contentType": "text/plain"}}')
    assert words == documentation.Documentation("d")
    kind = read(job_type.FACET, '{"jobType": {"processingType": "BATCH", "integration": "SPARK", "jobType": "JOB"}}')
    assert kind == job_type.JobType("BATCH", "SPARK", "JOB")
    place = read(source_code_location.FACET, '{"sourceCodeLocation": {"type": "git", "url": "https://h/f"}}')
    assert place == source_code_location.SourceCodeLocation("https://h/f")
    words_on_it = read(tags.FACET, '{"tags": {"tags": [{"key": "k", "value": "v", "source": "s", "field": "f"}]}}')
    assert words_on_it == tags.Tags([tags.TagEntry("k", "v", "f")])
    people = read(ownership.FACET, '{"ownership": {"owners": [{"name": "team:a", "type": "STEWARD"}]}}')
    assert people == ownership.Ownership([ownership.NamedOwner("team:a", "STEWARD")])
    interval = read(nominal_time.FACET, '{"nominalTime": {"nominalStartTime": "2026-01-01T00:00Z"}}')
    assert interval == nominal_time.NominalTime("2026-01-01T00:00Z", None)
    column = '{"namespace": "n", "name": "m", "field": "f", "transformations": [{"type": "DIRECT", "masking": true}]}'
    masked = [column_lineage.Transformation("DIRECT", masking=True)]
    made_of = column_lineage.InputField("n", "m", "f", masked)
    made = f'{{"columnLineage": {{"fields": {{"a": {{"inputFields": [{column}]}}}}, "dataset": [{column}]}}}}'
    assert read(column_lineage.FACET, made) == column_lineage.ColumnLineage(
        {"a": column_lineage.OutputField([made_of])}, [made_of]
    )
    stated = read(lineage.FACET, f'{{"lineage": {{"inputs": [{column}], "entries": [{{"type": "JOB"}}]}}}}')
    origin = lineage.Origin(None, "n", "m", "f", masked)
    assert stated == lineage.Lineage(inputs=[origin], entries=[lineage.LineageEntry("JOB")])


@pytest.mark.parametrize("key", TYPED)
def test_an_absent_facet_and_a_null_facet_are_none(key: str) -> None:
    facet = all_facets()[key]
    assert isinstance(facet, TypedFacet)
    assert facet.read({}, "$") is None
    assert facet.read(raw_facets(f'{{"{key}": null}}'), "$") is None


@pytest.mark.parametrize("key", TYPED)
def test_a_facet_that_is_no_object_is_rejected_with_its_place(key: str) -> None:
    facet = all_facets()[key]
    assert isinstance(facet, TypedFacet)
    assert rejection(facet, f'{{"{key}": [1]}}').path == f"$.facets.{key}"


def test_the_list_is_of_facets_that_are_not_read_and_every_other_is() -> None:
    typed = {key for key, facet in all_facets().items() if isinstance(facet, TypedFacet)}
    assert typed.isdisjoint(facet.key for facet in untyped.FACETS)
    assert typed | {facet.key for facet in untyped.FACETS} == all_facets().keys()
    assert len(typed) > 12
    assert len(untyped.FACETS) > 20


def test_a_facet_that_gets_a_file_of_its_own_leaves_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untyped, "FACETS", (*untyped.FACETS, schema.FACET))
    with pytest.raises(ValueError, match="schema is declared twice"):
        all_facets.__wrapped__()


def test_a_facet_is_essential_where_the_tables_would_say_what_is_false_without_it() -> None:
    typed = [facet for facet in all_facets().values() if isinstance(facet, TypedFacet)]
    essential = {"parent", "schema", "symlinks", "dataSource", "lifecycleStateChange", "jobType"}
    assert {facet.key for facet in typed if facet.essential} == essential


def test_optional_members_may_be_null() -> None:
    assert read(schema.FACET, '{"schema": {"fields": null}}') == schema.DatasetSchema(None)
    field = read(schema.FACET, '{"schema": {"fields": [{"name": "a", "type": null, "description": null}]}}')
    assert field == schema.DatasetSchema([schema.SchemaField("a")])
    assert read(data_source.FACET, '{"dataSource": {"name": null}}') == data_source.DataSource()


def test_a_wrong_json_type_is_rejected_with_its_place() -> None:
    wrong = rejection(schema.FACET, '{"schema": {"fields": [{"name": "a"}, {"name": 7}]}}')
    assert (wrong.path, wrong.reason) == ("$.facets.schema.fields[1].name", "Expected `str`, got `int`")


def test_a_missing_member_that_names_something_is_rejected() -> None:
    wrong = rejection(parent.FACET, '{"parent": {"run": {}, "job": {"namespace": "n", "name": "m"}}}')
    assert (wrong.path, wrong.reason) == ("$.facets.parent.run", "Object missing required field `runId`")
    assert rejection(symlinks.FACET, '{"symlinks": {"identifiers": [{"name": "m"}]}}').path.endswith("identifiers[0]")


def test_bytes_that_are_not_utf_8_are_rejected() -> None:
    wrong = rejection(documentation.FACET, b'{"documentation": {"description": "\xff"}}')
    assert (wrong.path, wrong.reason) == ("$.facets.documentation", "not UTF-8: invalid start byte")


def test_an_older_key_is_read_where_the_key_of_the_specification_is_absent() -> None:
    old = '"parentRun": {"run": {"runId": "old"}, "job": {"namespace": "n", "name": "m"}}'
    new = '"parent": {"run": {"runId": "new"}, "job": {"namespace": "n", "name": "m"}}'
    assert read(parent.FACET, f"{{{old}}}").run.run_id == "old"
    assert read(parent.FACET, f'{{"parent": null, {old}}}').run.run_id == "old"
    assert read(parent.FACET, f"{{{old}, {new}}}").run.run_id == "new"
    assert rejection(parent.FACET, '{"parentRun": 1}').path == "$.facets.parentRun"


def test_the_type_of_a_dataset_facet_follows_from_its_name_as_in_marquez() -> None:
    types = {key: dataset_facet_type(key) for key in all_facets()}
    named = {kind: {key for key, found in types.items() if found is kind} for kind in DatasetFacetType}
    assert named[DatasetFacetType.DATASET] == {
        "documentation",
        "description",
        "schema",
        "dataSource",
        "lifecycleStateChange",
        "version",
        "columnLineage",
        "ownership",
    }
    assert named[DatasetFacetType.INPUT] == {"dataQualityMetrics", "dataQualityAssertions"}
    assert named[DatasetFacetType.OUTPUT] == {"outputStatistics"}
    assert dataset_facet_type("DATAQUALITYMETRICS") is DatasetFacetType.INPUT
    assert dataset_facet_type("myCompany_facet") is DatasetFacetType.UNKNOWN


def test_a_key_of_several_schemas_is_one_facet_with_all_their_owners() -> None:
    assert all_facets()["documentation"].subjects == (FacetSubject.DATASET, FacetSubject.JOB)
    assert all_facets()["tags"].subjects == (FacetSubject.DATASET, FacetSubject.JOB, FacetSubject.RUN)


def schema_files() -> list[Path]:
    return sorted((SPEC / "facets").glob("*.json"))


def example_files() -> list[Path]:
    return sorted((SPEC / "tests").glob("*/*.json"))


@pytest.mark.shared_data
@pytest.mark.skipif(not SPEC.is_dir(), reason="the OpenLineage specification is not beside this checkout")
class TestAgainstTheSpecification:
    def test_every_schema_is_declared_with_its_key_version_and_owners(self) -> None:
        declared = {
            (spec.name, facet.key, spec.version, frozenset(spec.subjects))
            for facet in all_facets().values()
            for spec in facet.specs
        }
        assert declared == {_as_declared(json.loads(file.read_text())) for file in schema_files()}
        assert len(declared) == 38

    def test_the_examples_of_typed_facets_can_be_read(self) -> None:
        contents = [content for file in example_files() for content in _contents(raw_facets(file.read_bytes()))]
        assert {type(content) for content in contents} == {
            facet.model for facet in all_facets().values() if isinstance(facet, TypedFacet)
        }

    def test_the_examples_come_out_as_they_say(self) -> None:
        for file in example_files():
            document = json.loads(file.read_text())
            for facet in all_facets().values():
                if isinstance(facet, TypedFacet) and facet.key in document:
                    content = facet.read(raw_facets(file.read_bytes()), "$")
                    assert _includes(document[facet.key], json.loads(msgspec.json.encode(content))), file


def _as_declared(document: dict[str, Any]) -> tuple[str, str, str, frozenset[FacetSubject]]:
    version, name = document["$id"].removesuffix(".json").split("/")[-2:]
    (key,) = document["properties"]
    bases = {
        part["$ref"].rpartition("/")[2]
        for definition in document["$defs"].values()
        for part in definition.get("allOf", [])
        if "$ref" in part
    }
    return name, key, version, frozenset(OWNER_OF_BASE[base] for base in bases)


def _contents(document: dict[str, msgspec.Raw]) -> list[Any]:
    found = (facet.read(document, "$") for facet in all_facets().values() if isinstance(facet, TypedFacet))
    return [content for content in found if content is not None]


def _includes(original: Any, read_back: Any) -> bool:
    """Whether every member that was read is what the document says, null standing for absent."""
    if isinstance(read_back, dict):
        return all(_includes(original.get(key), value) for key, value in read_back.items())
    if isinstance(read_back, list):
        return len(original) == len(read_back) and all(map(_includes, original, read_back))
    return bool(original == read_back)
