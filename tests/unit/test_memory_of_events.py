"""What a process keeps of the events that it has seen is bounded by bytes, whatever they say."""

from __future__ import annotations

import json
import sys
import tracemalloc

from lineage_core.model.arrivals import AcceptedEvent, judge
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.openlineage.parsing import parse
from lineage_core.settings import inherited_environment
from lineage_core.testing import dataset, facet, run_event, to_json
from tests.support.resident_memory import run_measured

JUDGE = """
import sys
from lineage_core.model.arrivals import AcceptedEvent, judge
from lineage_core.testing import dataset, facet, named_job, run_event, to_json

def event(number):
    word = lambda length: (f"{number} " * length)[:length]
    fields = [(f"column {place} {number}", word(200)) for place in range(200)]
    pairs = {f"column {place} {number}": {"inputFields": [{"namespace": word(900), "name": word(900), "field": "id"}]}
             for place in range(6)}
    entries = [{"type": "DATASET", "namespace": word(900), "name": word(900)} for _ in range(6)]
    return to_json(run_event(
        "COMPLETE",
        run_id=f"run {number}",
        job=named_job(word(1_500), facets={"lineage": facet(entries=entries)}),
        inputs=[dataset(word(1_500))],
        outputs=[dataset(f"table {number}", fields=fields, facets={"columnLineage": facet(fields=pairs)})],
    ))

print(sum(isinstance(judge(event(number), "here"), AcceptedEvent) for number in range(int(sys.argv[1]))))
"""
"""All that is read of so many events, each with a schema, lineage and names that no other has, 60 KB of them."""


FACETS = """
import sys
from lineage_core.model.arrivals import AcceptedEvent, judge
from lineage_core.testing import dataset, run_event, to_json

def event(number):
    facets = {f"{place} of {number}": {} for place in range(800)}
    return to_json(run_event(run_id=f"run {number}", outputs=[dataset(f"table {number}", facets=facets)]))

print(sum(isinstance(judge(event(number), "here"), AcceptedEvent) for number in range(int(sys.argv[1]))))
"""
"""Events with many facets, each of which takes far more memory than its text."""


def megabytes(events: int, script: str = JUDGE) -> float:
    peak, output = run_measured([sys.executable, "-c", script, str(events)], inherited_environment())
    assert int(output) == events
    return peak.together


def test_schemas_and_names_that_come_once_do_not_fill_the_memory() -> None:
    assert megabytes(1_600) < megabytes(30) + 140


def test_facets_that_come_once_do_not_fill_it_either() -> None:
    assert megabytes(600, FACETS) < megabytes(10, FACETS) + 100


def wide_event(columns: int) -> bytes:
    fields = [(f"column_{place}", "VARCHAR(64)", "what it holds " * 3) for place in range(columns)]
    pairs = {name: {"inputFields": [{"namespace": "n", "name": "t", "field": name}]} for name, *_ in fields}
    facets = {"columnLineage": facet(fields=pairs)}
    return to_json(run_event("COMPLETE", outputs=[dataset("wide", fields=fields, facets=facets)]))


def test_nothing_large_is_kept_of_an_event_when_its_rows_are_made() -> None:
    assert isinstance(judge(wide_event(5), "here"), AcceptedEvent)
    large = wide_event(10_000)
    tracemalloc.start()
    try:
        assert isinstance(judge(large, "here"), AcceptedEvent)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak > 2 * len(large)
    assert kept < len(large) / 4


def test_of_several_large_schemas_each_dataset_has_its_own() -> None:
    datasets = [
        dataset(f"wide {number}", fields=[(f"column {place} {'x' * 100}", str(number)) for place in range(700)])
        for number in range(3)
    ]
    event = parse(to_json(run_event(inputs=datasets[:1], outputs=datasets[1:])))
    first, second, third = event.datasets
    asked = [described(mention).schema.listed or b"" for mention in (first, second, first, third, third, second)]
    types = [{field["type"] for field in json.loads(listed)} for listed in asked]
    assert types == [{"0"}, {"1"}, {"0"}, {"2"}, {"2"}, {"1"}]
