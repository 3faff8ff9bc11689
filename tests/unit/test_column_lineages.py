"""What an event says of where the columns of its outputs come from."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from lineage_core.errors import RejectedEvent
from lineage_core.model.meaning import column_lineages
from lineage_core.model.meaning.column_lineages import described_lineages
from lineage_core.openlineage.identity import dataset_uuid
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import Document, dataset, dataset_event, facet, job_event, named_job, run_event, to_json

NAMESPACE = "postgres://shop:5432"
FIELDS = [("id", "INT"), ("total", "INT")]
FILTER = {"type": "INDIRECT", "subtype": "FILTER", "description": "paid"}
SUM = {"type": "DIRECT", "subtype": "AGGREGATION", "description": "sum", "masking": False}


def column(field: str = "id", *steps: Document, name: str = "orders") -> Document:
    return {"namespace": NAMESPACE, "name": name, "field": field} | ({"transformations": list(steps)} if steps else {})


def origin(field: str | None = "id", *steps: Document, **other: Any) -> Document:
    document = {"type": "DATASET", **column("", *steps), "field": field} | other
    return {key: value for key, value in document.items() if value is not None}


def report(fields: Any = FIELDS, **facets: Document) -> Document:
    return dataset("report", fields=fields, facets=facets)


def made_of(fields: dict[str, Document], **members: Any) -> Document:
    return facet(fields=fields, **members)


def pairs(event: Document) -> list[dict[str, str]]:
    """The pairs of the only output that has any."""
    (lineage,) = described_lineages(parse(to_json(event))).values()
    found: list[dict[str, str]] = json.loads(lineage.pairs)
    return found


def found_pairs(**facets: Document) -> list[tuple[str, str, str | None, str | None]]:
    found = pairs(run_event(outputs=[report(**facets)]))
    return [(pair["output"], pair["field"], pair.get("type"), pair.get("description")) for pair in found]


def rejection(event: Document) -> RejectedEvent:
    with pytest.raises(RejectedEvent) as caught:
        described_lineages(parse(to_json(event)))
    return caught.value


class TestWhoSaysIt:
    @pytest.mark.parametrize(
        "event",
        [
            run_event(outputs=[report()]),
            run_event(outputs=[report(columnLineage=facet())]),
            run_event(outputs=[report(columnLineage=made_of({"id": {"inputFields": []}}))]),
            run_event(inputs=[report(columnLineage=made_of({"id": {"inputFields": [column()]}}))]),
            job_event(outputs=[report(columnLineage=made_of({"id": {"inputFields": [column()]}}))]),
            dataset_event(report(columnLineage=made_of({"id": {"inputFields": [column()]}}))),
        ],
    )
    def test_nothing_is_stated_without_columns_of_an_output_of_a_run(self, event: Document) -> None:
        assert described_lineages(parse(to_json(event))) == {}

    def test_an_input_is_named_by_the_key_of_its_formatted_name(self) -> None:
        read = {"namespace": "a;b", "name": "orders", "field": "id"}
        (pair,) = pairs(run_event(outputs=[report(columnLineage=made_of({"id": {"inputFields": [read]}}))]))
        assert UUID(pair["dataset"]).bytes == dataset_uuid("a_b", "orders")

    def test_a_column_that_the_schema_lacks_is_skipped(self) -> None:
        lacks = made_of({"gone": {"inputFields": [column()]}, "id": {"inputFields": [column()]}})
        assert found_pairs(columnLineage=lacks) == [("id", "id", None, None)]

    def test_without_a_schema_nothing_is_stated(self) -> None:
        described = dataset("report", facets={"columnLineage": made_of({"id": {"inputFields": [column()]}})})
        assert described_lineages(parse(to_json(run_event(outputs=[described])))) == {}

    def test_of_two_columns_with_one_name_the_first_is_meant(self) -> None:
        twice = report([("id", "TEXT"), ("id", "INT")], columnLineage=made_of({"id": {"inputFields": [column()]}}))
        (pair,) = pairs(run_event(outputs=[twice]))
        assert (pair["output"], pair["output_type"]) == ("id", "TEXT")

    def test_a_column_without_type_has_none(self) -> None:
        untyped = report([("id", None)], columnLineage=made_of({"id": {"inputFields": [column()]}}))
        (pair,) = pairs(run_event(outputs=[untyped]))
        assert pair.keys() == {"output", "dataset", "field"}

    def test_of_an_output_named_twice_each_mention_says_its_own(self) -> None:
        lineage = report(columnLineage=made_of({"id": {"inputFields": [column()]}}))
        described = described_lineages(parse(to_json(run_event(inputs=[dataset()], outputs=[report(), lineage]))))
        assert list(described) == [2]

    def test_equal_words_are_one_description_and_other_schemas_make_another(self) -> None:
        words = made_of({"id": {"inputFields": [column()]}})
        outputs = [report(columnLineage=words), report([("id", "TEXT")], columnLineage=words)]
        one, same, other = (
            described_lineages(parse(to_json(run_event(run_id=run, outputs=[written]))))
            for run, written in (("1", outputs[0]), ("2", outputs[0]), ("3", outputs[1]))
        )
        assert (one == same, one == other) == (True, False)


class TestTransformations:
    def test_the_older_words_count_for_all_inputs_of_a_column(self) -> None:
        older = {"transformationType": "MASKED", "transformationDescription": "hash"}
        assert found_pairs(columnLineage=made_of({"id": {"inputFields": [column(), column("b", SUM)], **older}})) == [
            ("id", "id", "MASKED", "hash"),
            ("id", "b", "MASKED", "hash"),
        ]

    def test_an_older_word_that_is_missing_comes_from_the_transformations(self) -> None:
        made = {"inputFields": [column("id", SUM)], "transformationType": "IDENTITY"}
        assert found_pairs(columnLineage=made_of({"id": made})) == [("id", "id", "IDENTITY", "sum")]

    def test_an_older_word_may_be_empty(self) -> None:
        made = {"inputFields": [column("id", SUM)], "transformationType": "", "transformationDescription": ""}
        assert found_pairs(columnLineage=made_of({"id": made})) == [("id", "id", "", "")]

    def test_each_transformation_is_reported_once_in_its_order(self) -> None:
        steps: list[dict[str, Any]] = [
            SUM,
            FILTER,
            {**SUM, "description": ""},
            {"type": "INDIRECT"},
            {"type": "DIRECT", "masking": True},
        ]
        assert found_pairs(columnLineage=made_of({"id": {"inputFields": [column("id", *steps)]}})) == [
            ("id", "id", "DIRECT:AGGREGATION, INDIRECT:FILTER, INDIRECT, DIRECT:MASKED", "sum; paid")
        ]

    def test_as_many_as_fit_the_column_are_reported(self) -> None:
        steps = [{"type": "DIRECT", "subtype": "x" * 120}, {"type": "DIRECT", "subtype": "y" * 120}, {"type": "z"}]
        ((_, _, kinds, _),) = found_pairs(columnLineage=made_of({"id": {"inputFields": [column("id", *steps)]}}))
        assert kinds == f"DIRECT:{'x' * 120}"

    def test_with_an_older_type_that_no_column_takes_the_facet_says_nothing_and_the_other_one_counts(self) -> None:
        made = made_of({"id": {"inputFields": [column()], "transformationType": "x" * 256}})
        assert described_lineages(parse(to_json(run_event(outputs=[report(columnLineage=made)])))) == {}
        stated = facet(fields={"id": {"inputs": [{"type": "DATASET", **column()}]}})
        assert [pair[:2] for pair in found_pairs(columnLineage=made, lineage=stated)] == [("id", "id")]


class TestInputsOfTheWholeOutput:
    def test_they_have_a_part_in_every_column_of_the_schema(self) -> None:
        assert found_pairs(columnLineage=made_of({}, dataset=[column("paid", FILTER)])) == [
            ("id", "paid", "INDIRECT:FILTER", "paid"),
            ("total", "paid", "INDIRECT:FILTER", "paid"),
        ]

    def test_a_column_that_also_flows_into_one_column_is_one_pair_with_both(self) -> None:
        both = made_of({"id": {"inputFields": [column("id", SUM)]}}, dataset=[column("id", FILTER)])
        assert found_pairs(columnLineage=both) == [
            ("id", "id", "DIRECT:AGGREGATION, INDIRECT:FILTER", "sum; paid"),
            ("total", "id", "INDIRECT:FILTER", "paid"),
        ]

    def test_too_many_pairs_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(column_lineages, "MOST_PAIRS", 5)
        many = made_of({}, dataset=[column(f"a{number}") for number in range(3)])
        refused = rejection(run_event(outputs=[report(columnLineage=many)]))
        assert (refused.path, "more than 5 pairs" in refused.reason) == ("$.outputs[0].facets.columnLineage", True)

    def test_pairs_that_are_too_large_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(column_lineages, "LARGEST_PAIRS", 1_000)
        wordy = made_of({}, dataset=[column("b", {"type": "INDIRECT", "description": "x" * 600})])
        assert "1000 bytes" in rejection(run_event(outputs=[report(columnLineage=wordy)])).reason


class TestStatedLineage:
    def test_a_dataset_states_its_columns_and_what_has_a_part_in_all(self) -> None:
        stated = facet(inputs=[origin("paid", FILTER)], fields={"id": {"inputs": [origin("id", SUM)]}})
        assert found_pairs(lineage=stated) == [
            ("id", "id", "DIRECT:AGGREGATION", "sum"),
            ("id", "paid", "INDIRECT:FILTER", "paid"),
            ("total", "paid", "INDIRECT:FILTER", "paid"),
        ]

    @pytest.mark.parametrize("source", [origin(None), origin(type="JOB"), {"type": "JOB"}, origin(name=None), {}])
    def test_jobs_and_whole_datasets_are_no_columns(self, source: Document) -> None:
        stated = facet(inputs=[source], fields={"id": {"inputs": [source]}})
        assert described_lineages(parse(to_json(run_event(outputs=[report(lineage=stated)])))) == {}

    def test_a_job_states_it_for_the_outputs_of_the_event(self) -> None:
        named = {"type": "DATASET", "namespace": NAMESPACE, "name": "report"}
        entry = {**named, "fields": {"id": {"inputs": [origin("id", SUM)]}}}
        others = [{**entry, "name": "other"}, {**entry, "type": "JOB"}, {"type": "JOB", "inputs": [origin()]}]
        job = named_job(facets={"lineage": facet(entries=[*others, entry])})
        (pair,) = pairs(run_event(job=job, outputs=[report(), dataset("else", fields=FIELDS)]))
        assert (pair["output"], pair["field"], pair["type"]) == ("id", "id", "DIRECT:AGGREGATION")

    def test_what_the_facets_say_of_one_pair_is_taken_together(self) -> None:
        job = named_job(
            facets={
                "lineage": facet(
                    entries=[{"type": "DATASET", "namespace": NAMESPACE, "name": "report", "inputs": [origin()]}]
                )
            }
        )
        output = report(
            columnLineage=made_of({"id": {"inputFields": [column("id", SUM)]}}),
            lineage=facet(fields={"id": {"inputs": [origin("id", FILTER)]}}),
        )
        found = pairs(run_event(job=job, outputs=[output]))
        assert [(pair["output"], pair.get("type")) for pair in found] == [
            ("id", "DIRECT:AGGREGATION, INDIRECT:FILTER"),
            ("total", None),
        ]

    def test_what_cannot_be_read_says_nothing_and_the_other_facets_count(self) -> None:
        wrong = facet(fields={"id": {"inputs": [origin(field=None) | {"field": 7}]}})
        made = made_of({"id": {"inputFields": [column()]}})
        job = named_job(facets={"lineage": facet(entries=[{"type": "DATASET", "name": 7}])})
        event = run_event(job=job, outputs=[report(lineage=wrong, columnLineage=made)])
        assert [pair["output"] for pair in pairs(event)] == ["id"]
        assert described_lineages(parse(to_json(run_event(job=job, outputs=[report(lineage=wrong)])))) == {}


def test_facets_too_large_to_remember_are_read_like_any_other() -> None:
    wide = [(f"column_{number}", "INT") for number in range(2_000)]
    fields = {name: {"inputFields": [column(name)]} for name, _ in wide}
    (lineage,) = described_lineages(
        parse(to_json(run_event(outputs=[report(wide, columnLineage=made_of(fields))])))
    ).values()
    assert len(json.loads(lineage.pairs)) == 2_000
