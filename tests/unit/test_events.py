"""Which documents are events, what they say, and where the fault of the others is."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.events import Event, Kind, Role, RunState
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import SPEC, Document, dataset, dataset_event, facet, job_event, named_job, run_event, to_json

RUN = "0190a0a0-0000-7000-8000-000000000001"


def read(document: Document, *, is_ahead: bool = False) -> Event:
    return parse(to_json(document), is_ahead=is_ahead)


def rejection(document: Document | bytes) -> RejectedEvent:
    text = document if isinstance(document, bytes) else to_json(document)
    with pytest.raises(RejectedEvent) as caught:
        parse(text)
    return caught.value


def without(document: Document, *path: str) -> Document:
    changed = deepcopy(document)
    inner = changed
    for name in path[:-1]:
        inner = inner[name]
    del inner[path[-1]]
    return changed


def with_(document: Document, value: Any, *path: str | int) -> Document:
    changed = deepcopy(document)
    inner: Any = changed
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return changed


COMPLETE = run_event("COMPLETE", inputs=[dataset("a")], outputs=[dataset("b")])

MISSING = [
    (run_event(), ("run",), "$.run", "run"),
    (run_event(), ("run", "runId"), "$.run", "runId"),
    (run_event(), ("job",), "$.job", "job"),
    (run_event(), ("job", "name"), "$.job", "name"),
    (run_event(), ("job", "namespace"), "$.job", "namespace"),
    (run_event(), ("eventTime",), "$", "eventTime"),
    (run_event(), ("producer",), "$", "producer"),
    (job_event(), ("job",), "$.job", "job"),
    (dataset_event(), ("dataset",), "$.dataset", "dataset"),
    (dataset_event(), ("dataset", "name"), "$.dataset", "name"),
]


@pytest.mark.parametrize(("document", "member", "path", "named"), MISSING, ids=lambda value: str(value)[:30])
def test_what_misses_is_named_with_its_place(
    document: Document, member: tuple[str, ...], path: str, named: str
) -> None:
    refused = rejection(without(document, *member))
    assert (refused.path, f"`{named}`" in refused.reason) == (path, True)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("run", "runId"), 7, "$.run.runId"),
        (("run", "runId"), None, "$.run.runId"),
        (("run", "facets"), [], "$.run.facets"),
        (("run",), [], "$.run"),
        (("job", "name"), {}, "$.job.name"),
        (("job", "namespace"), None, "$.job.namespace"),
        (("job", "facets"), "none", "$.job.facets"),
        (("eventTime",), 1767268800, "$.eventTime"),
        (("eventTime",), None, "$.eventTime"),
        (("eventTime",), "2026-02-30T00:00:00Z", "$.eventTime"),
        (("eventType",), 1, "$.eventType"),
        (("producer",), None, "$.producer"),
        (("schemaURL",), 2, "$.schemaURL"),
        (("inputs",), {}, "$.inputs"),
        (("inputs", 0), "a", "$.inputs[0]"),
        (("inputs", 0, "name"), 5, "$.inputs[0].name"),
        (("outputs", 0, "namespace"), None, "$.outputs[0].namespace"),
        (("outputs", 0, "outputFacets"), 1, "$.outputs[0].outputFacets"),
    ],
)
def test_a_member_of_another_json_type_is_refused_at_its_place(
    path: tuple[str | int, ...], value: Any, place: str
) -> None:
    assert rejection(with_(COMPLETE, value, *path)).path == place


@pytest.mark.parametrize(
    "text",
    [b"", b" ", b"{", b"null", b"[]", b"7", b'"START"', b"not json", to_json(COMPLETE)[:-1], to_json(COMPLETE) + b"{}"],
)
def test_what_is_no_json_object_is_refused_as_a_whole(text: bytes) -> None:
    assert rejection(text).path == "$"


def named(text: str, where: str) -> Document:
    """An event whose text stands as the name of a job or a dataset."""
    return {
        "$.job": run_event(job=named_job(text)),
        "$.inputs[1]": run_event(inputs=[dataset(), dataset(text)]),
        "$.outputs[0]": run_event(outputs=[dataset(text)]),
        "$.dataset": dataset_event(dataset(text)),
    }[where]


@pytest.mark.parametrize("where", ["$.job", "$.inputs[1]", "$.outputs[0]", "$.dataset"])
def test_names_that_no_index_takes_are_refused(where: str) -> None:
    limit = 2_400 - len("postgres://shop:5432")
    read(named("x" * (limit if where != "$.job" else 2_396), where))
    assert rejection(named("x" * 2_401, where)).path == f"{where}.name"


def test_the_limit_of_names_counts_bytes_and_the_namespace() -> None:
    read(run_event(job=named_job("é" * 1_198, "shop")))
    rejection(run_event(job=named_job("é" * 1_198, "shops")))


@pytest.mark.parametrize(
    ("place", "document"),
    [
        ("$.run.facets", run_event(facets={"x" * 256: facet()})),
        ("$.job.facets", run_event(job=named_job(facets={"x" * 256: facet()}))),
        ("$.inputs[0].facets", run_event(inputs=[dataset(facets={"x" * 256: facet()})])),
        ("$.inputs[0].inputFacets", run_event(inputs=[dataset(input_facets={"x" * 256: facet()})])),
        ("$.outputs[0].outputFacets", run_event(outputs=[dataset(output_facets={"x" * 256: facet()})])),
        ("$.dataset.facets", dataset_event(dataset(facets={"x" * 256: facet()}))),
    ],
)
def test_a_facet_whose_name_has_more_than_255_characters_is_refused(place: str, document: Document) -> None:
    assert rejection(document).path == place
    read(json.loads(to_json(document).replace(b"x" * 256, "é".encode() * 255)))


@pytest.mark.parametrize(
    "escape",
    ["\\ud800", "\\udc00", "\\ud800\\u0041", "\\udc00\\ud800"],
)
@pytest.mark.parametrize("where", [b'"load"', b'"there"', b'"unknown"', b'"_producer"'])
def test_half_a_surrogate_pair_is_refused_wherever_it_stands(escape: str, where: bytes) -> None:
    event = run_event(facets={"custom": facet(text="there")}) | {"more": "unknown"}
    text = to_json(event)
    assert where in text
    assert rejection(text.replace(where, f'"{escape}"'.encode(), 1)).path.startswith("$")


@pytest.mark.parametrize("bytes_", [b"\xff", b"\xed\xa0\x80", b"\xc3", b"\xc0\xaf", b"\xf4\x90\x80\x80"])
@pytest.mark.parametrize("where", [b'"load"', b'"there"', b'"unknown"', b'"custom"'])
def test_what_is_not_utf_8_is_refused_wherever_it_stands(bytes_: bytes, where: bytes) -> None:
    event = run_event(facets={"custom": facet(text="there")}) | {"more": "unknown"}
    assert "not UTF-8" in rejection(to_json(event).replace(where, b'"' + bytes_ + b'"', 1)).reason


class TestWhatIsAccepted:
    def test_nothing_but_the_least(self) -> None:
        event = parse(
            b'{"eventTime":"2026-01-01T00:00:00","producer":"","run":{"runId":""},"job":{"namespace":"","name":""}}'
        )
        assert (event.kind, event.event_type, event.datasets, event.state) == (Kind.RUN, None, (), None)
        assert event.time == int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000

    def test_nulls_where_nothing_needs_to_be(self) -> None:
        nothing = with_(with_(COMPLETE, None, "eventType"), None, "schemaURL")
        for path in (("run", "facets"), ("job", "facets"), ("inputs", 0, "facets"), ("outputs", 0, "outputFacets")):
            nothing = with_(nothing, None, *path)
        event = read(nothing)
        assert (event.event_type, len(event.datasets)) == (None, 2)
        assert read(nothing | {"inputs": None, "outputs": None}).datasets == ()

    def test_null_datasets_and_null_facets_say_nothing(self) -> None:
        event = read(run_event(outputs=[dataset("a"), None, dataset("b", facets={"x": None, "y": facet()})]))  # type: ignore[list-item,dict-item]
        assert [(output.name, set(output.facets)) for output in event.outputs] == [("a", set()), ("b", {"y"})]
        assert [output.path for output in event.outputs] == ["$.outputs[0]", "$.outputs[2]"]

    def test_run_ids_that_are_no_uuid(self) -> None:
        event = read(run_event(run_id="nightly 7"))
        assert event.run and (event.run.id, len(event.run.uuid)) == ("nightly 7", 16)

    def test_members_that_no_one_knows(self) -> None:
        event = run_event() | {"x": [1, {"run": None}], "dataset": None}
        assert read(event).kind is Kind.RUN

    def test_event_types_that_no_one_knows(self) -> None:
        assert read(run_event("PAUSED")).state is RunState.RUNNING

    def test_numbers_and_members_of_facets_come_out_as_they_went_in(self) -> None:
        raw = b'{"b":1.00,"a":1E+2,"a":12345678901234567890123, "\\u0061":"\\/"}'
        text = to_json(run_event(facets={"custom": {}})).replace(b'"custom": {}', b'"custom": ' + raw)
        run = parse(text).run
        assert run and bytes(run.facets["custom"]) == raw


@pytest.mark.parametrize(
    ("schema_url", "kind"),
    [
        (f"{SPEC}/DatasetEvent", Kind.DATASET),
        ("DatasetEvent", Kind.DATASET),
        (f"{SPEC}/JobEvent", Kind.JOB),
        (f"{SPEC}/RunEvent", Kind.RUN),
        (f"{SPEC}/JobEvent/", Kind.RUN),
        (f"{SPEC}/jobevent", Kind.RUN),
        ("", Kind.RUN),
        (None, Kind.RUN),
    ],
)
def test_the_last_part_of_the_schema_url_alone_tells_the_kind(schema_url: str | None, kind: Kind) -> None:
    assert read(run_event() | {"schemaURL": schema_url, "dataset": dataset()}).kind is kind


def test_a_job_event_has_no_run_and_a_dataset_event_no_job() -> None:
    declared = read(job_event(inputs=[dataset("a")]) | {"run": {"runId": RUN}, "eventType": "COMPLETE"})
    assert (declared.run, declared.state, declared.ending) == (None, None, None)
    described = read(dataset_event() | {"job": named_job(), "inputs": [dataset("a")]})
    assert (described.job, [mention.role for mention in described.datasets]) == (None, [Role.OUTPUT])


@pytest.mark.parametrize(
    ("event_type", "state", "is_ending"),
    [
        ("START", RunState.RUNNING, False),
        ("RUNNING", RunState.RUNNING, False),
        ("OTHER", RunState.RUNNING, False),
        ("", RunState.RUNNING, False),
        ("COMPLETE", RunState.COMPLETED, True),
        ("complete", RunState.COMPLETED, True),
        ("FAIL", RunState.FAILED, True),
        ("ABORT", RunState.ABORTED, True),
        (None, None, False),
    ],
)
def test_event_types_are_states(event_type: str | None, state: RunState | None, is_ending: bool) -> None:
    event = read(run_event(event_type))
    assert (event.state, event.ending is not None) == (state, is_ending)


def test_an_exact_repeat_is_the_same_event_and_any_other_text_is_not() -> None:
    again, other = read(deepcopy(COMPLETE)), read(COMPLETE | {"producer": "another"})
    assert read(COMPLETE).order == again.order
    assert read(COMPLETE).digest != other.digest


STAMPED = st.builds(
    lambda kind, minute, note, is_ahead: read(
        run_event(kind, time=f"2026-01-01T00:{minute:02}:00Z") | {"note": note}, is_ahead=is_ahead
    ),
    st.sampled_from(("START", "RUNNING", "OTHER", None, "COMPLETE", "FAIL", "ABORT")),
    st.integers(0, 3),
    st.integers(0, 3),
    st.booleans(),
)


def rank(event: Event) -> int:
    return {"START": 0, "COMPLETE": 2, "FAIL": 2, "ABORT": 2}.get(event.event_type or "", 1)


@given(one=STAMPED, other=STAMPED)
def test_order_bytes_sort_by_flag_time_rank_and_digest(one: Event, other: Event) -> None:
    newest = [(not event.is_ahead, event.time, rank(event), event.digest) for event in (one, other)]
    earliest = [(event.is_ahead, event.time, rank(event), event.digest) for event in (one, other)]
    assert (one.newest_order < other.newest_order) == (newest[0] < newest[1])
    assert (one.order < other.order) == (earliest[0] < earliest[1])
    assert len(one.newest_order) == len(other.order) == 26


def test_order_bytes_sort_times_before_1970_first() -> None:
    old, new = read(run_event(time="1969-12-31T23:59:59Z")), read(run_event(time="1970-01-01T00:00:00Z"))
    assert old.order < new.order


def test_an_event_ahead_of_its_receipt_wins_no_contest() -> None:
    ahead, usual = read(run_event(time="2031-01-01T00:00:00Z"), is_ahead=True), read(COMPLETE)
    assert ahead.newest_order < usual.newest_order
    long_ago = read(run_event(time="1999-01-01T00:00:00Z"), is_ahead=True)
    assert long_ago.order > usual.order


VALID = to_json(
    run_event(
        "COMPLETE",
        job=named_job("lädt", facets={"sql": facet(query='select "a"\\n')}),
        inputs=[dataset("a", fields=[("id", "struct<a:int>")])],
        outputs=[dataset("b", output_facets={"outputStatistics": facet(rowCount=10)})],
    )
)


def only_a_rejection_comes_out(text: bytes) -> None:
    try:
        event = parse(text)
    except RejectedEvent as rejected:
        assert rejected.path.startswith("$") and rejected.reason
    else:
        assert len(event.order) == 26


@given(text=st.binary())
def test_of_any_bytes_only_a_rejection_comes_out(text: bytes) -> None:
    only_a_rejection_comes_out(text)


@settings(max_examples=100)
@given(
    edits=st.lists(
        st.tuples(
            st.integers(0, len(VALID)),
            st.integers(0, 12),
            st.binary(max_size=4)
            | st.sampled_from(
                (b"\xff", b"\\ud800", b"null", b"[" * 600, b"]", b"}", b'"', b"\\", b"9" * 400, b"-", b"\\u0000")
            ),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_of_a_damaged_event_only_a_rejection_comes_out(edits: list[tuple[int, int, bytes]]) -> None:
    text = VALID
    for start, length, inserted in edits:
        text = text[:start] + inserted + text[start + length :]
    only_a_rejection_comes_out(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=100)
@given(
    path=st.sampled_from(
        (
            ("eventTime",),
            ("eventType",),
            ("producer",),
            ("schemaURL",),
            ("run",),
            ("run", "runId"),
            ("run", "facets"),
            ("job",),
            ("job", "namespace"),
            ("job", "facets"),
            ("inputs",),
            ("inputs", 0),
            ("inputs", 0, "facets"),
            ("outputs", 0, "name"),
            ("outputs", 0, "outputFacets"),
        )
    ),
    value=JSON,
)
def test_of_an_event_with_any_json_in_it_only_a_rejection_comes_out(path: tuple[str | int, ...], value: Any) -> None:
    only_a_rejection_comes_out(json.dumps(with_(json.loads(VALID), value, *path)).encode())
