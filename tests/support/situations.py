"""The situations that arrivals of events show, and how often the laws must have met each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

from lineage_core.testing import to_json
from tests.support import alike_situations, path_situations
from tests.support.event_sets import Arrival, Document

FLOORS = {
    "an event that arrives after a later one of its run": 10,
    "an ending that arrives before the start": 3,
    "events of equal time": 10,
    "a repeat": 10,
    "a schema that comes back": 3,
    "a reader before any writer": 5,
    "a name that a late event makes a symlink": 10,
    "a symlink that two datasets have": 10,
    "a symlink of a symlink": 10,
    "a symlink that was a dataset of its own before": 10,
    "a symlink in a dataset event": 3,
    "a dataset that one event names twice in one role": 5,
    "a run with several jobs": 5,
    "an event without a run": 10,
    "an earlier plan that arrives later": 3,
    "a column that comes from a column of an input": 10,
    "an input that arrives after the output that was made of it": 5,
    "a column that is made otherwise by a later event": 3,
    "tags that arrive after later ones": 5,
    "owners that arrive after later ones": 3,
    "a tag of a column that is not known yet": 3,
    "a drifted input": 10,
    "drift that a late writer takes": 5,
    "drift of a schema that comes back": 3,
    "drift that makes a known set of fields": 2,
    "a parent that reports after its child": 8,
    "a parent that never reports": 10,
    "a parent that reports another job than its child says": 5,
    "a parent in another namespace": 5,
    "two jobs with one parent": 10,
    "an earlier child that arrives later": 10,
    **alike_situations.FLOORS,
    **path_situations.FLOORS,
}
"""How many examples must show each situation, lest the law be held where nothing can break it."""


def situations(arrival: Arrival) -> Iterator[str]:
    """Which of the situations an arrival shows."""
    sequence = [event for events in arrival.slices for event in events]
    yield from (situation for situation, shown in SITUATIONS.items() if shown(sequence))
    yield from alike_situations.situations(sequence)
    yield from path_situations.situations(sequence)


def _pairs(sequence: list[Document]) -> Iterator[tuple[Document, Document]]:
    yield from combinations(sequence, 2)


def _of_one_run(one: Document, other: Document) -> bool:
    return "run" in one and "run" in other and one["run"]["runId"] == other["run"]["runId"]


def _is_ending(event: Document) -> bool:
    return str(event.get("eventType")).upper() in {"COMPLETE", "FAIL", "ABORT"}


def _has_late_event(sequence: list[Document]) -> bool:
    return any(_of_one_run(a, b) and a["eventTime"] > b["eventTime"] for a, b in _pairs(sequence))


def _has_early_ending(sequence: list[Document]) -> bool:
    return any(_of_one_run(a, b) and _is_ending(a) and b.get("eventType") == "START" for a, b in _pairs(sequence))


def _has_equal_times(sequence: list[Document]) -> bool:
    return any(a["eventTime"] == b["eventTime"] and a != b for a, b in _pairs(sequence))


def _has_repeat(sequence: list[Document]) -> bool:
    return len({to_json(event) for event in sequence}) < len(sequence)


def _has_schema_that_returns(sequence: list[Document]) -> bool:
    history: dict[str, list[str]] = {}
    for event in sorted(sequence, key=lambda event: event["eventTime"]):
        for written in event.get("outputs", ()):
            schema = str(written.get("facets", {}).get("schema"))
            seen = history.setdefault(written["name"], [])
            if not seen or seen[-1] != schema:
                seen.append(schema)
    return any(len(set(seen)) < len(seen) for seen in history.values())


def _has_reader_first(sequence: list[Document]) -> bool:
    ordered = sorted(sequence, key=lambda event: event["eventTime"])
    return any(event.get("inputs") and "run" in event for event in ordered[:1])


def _has_late_symlink(sequence: list[Document]) -> bool:
    return any(
        a["eventTime"] > b["eventTime"] and _own_names(a) & {other for _, other in _symlinks(b)}
        for a, b in _pairs(sequence)
    )


def _has_symlink_of_its_own(sequence: list[Document]) -> bool:
    return any(
        a["eventTime"] < b["eventTime"] and _own_names(a) & {other for _, other in _symlinks(b)}
        for a, b in permutations(sequence, 2)
    )


def _has_symlink_of_two(sequence: list[Document]) -> bool:
    links = {link for event in sequence for link in _symlinks(event)}
    return len({other for _, other in links}) < len(links)


def _has_symlink_of_a_symlink(sequence: list[Document]) -> bool:
    links = {link for event in sequence for link in _symlinks(event)}
    return any(one[1] == other[0] and one[0] != other[1] for one, other in permutations(links, 2))


def _has_declared_symlink(sequence: list[Document]) -> bool:
    return any("dataset" in event and _symlinks(event) for event in sequence)


def _has_dataset_named_twice(sequence: list[Document]) -> bool:
    named = [[_own_name(one) for one in event.get(role, ())] for event in sequence for role in ("inputs", "outputs")]
    return any(len(set(names)) < len(names) for names in named)


def _datasets(event: Document) -> list[Document]:
    return [*event.get("inputs", ()), *event.get("outputs", ()), *([event["dataset"]] if "dataset" in event else ())]


def _own_name(named: Document) -> str:
    return f"{named['namespace']}|{named['name']}"


def _own_names(event: Document) -> set[str]:
    return {_own_name(named) for named in _datasets(event)}


def _symlinks(event: Document) -> set[tuple[str, str]]:
    """Own name and other name of each symlink to another name."""
    return {
        (_own_name(named), _own_name(identifier))
        for named in _datasets(event)
        for identifier in named.get("facets", {}).get("symlinks", {}).get("identifiers", ())
        if _own_name(identifier) != _own_name(named)
    }


def _has_run_with_several_jobs(sequence: list[Document]) -> bool:
    return any(_of_one_run(a, b) and a["job"]["name"] != b["job"]["name"] for a, b in _pairs(sequence))


def _has_early_plan_late(sequence: list[Document]) -> bool:
    return any(
        _of_one_run(a, b)
        and a["eventTime"] > b["eventTime"]
        and _plan(b) is not None
        and _plan(a) not in (None, _plan(b))
        for a, b in _pairs(sequence)
    )


def _plan(event: Document) -> object:
    return event["run"].get("facets", {}).get("spark.logicalPlan")


def _parent(event: Document) -> Document | None:
    found: Document | None = event.get("run", {}).get("facets", {}).get("parent")
    return found


def _children(sequence: list[Document]) -> list[tuple[Document, Document]]:
    """Events that name a parent, each with what it says of it."""
    return [(event, named) for event in sequence if (named := _parent(event))]


def _is_of_parent(event: Document, named: Document) -> bool:
    return "run" in event and event["run"]["runId"] == named["run"]["runId"]


def _has_parent_behind_child(sequence: list[Document]) -> bool:
    return any(
        (named := _parent(a)) and a["run"] != b.get("run") and _is_of_parent(b, named) for a, b in _pairs(sequence)
    )


def _has_silent_parent(sequence: list[Document]) -> bool:
    return any(not any(_is_of_parent(event, named) for event in sequence) for _, named in _children(sequence))


def _has_contradicted_parent(sequence: list[Document]) -> bool:
    return any(
        _is_of_parent(event, named) and event["job"]["name"] != named["job"]["name"]
        for _, named in _children(sequence)
        for event in sequence
    )


def _has_parent_elsewhere(sequence: list[Document]) -> bool:
    return any(event["job"]["namespace"] != named["job"]["namespace"] for event, named in _children(sequence))


def _has_siblings(sequence: list[Document]) -> bool:
    return any(
        named["run"] == other["run"] and child["job"]["name"] != sibling["job"]["name"]
        for (child, named), (sibling, other) in combinations(_children(sequence), 2)
    )


def _has_late_first_child(sequence: list[Document]) -> bool:
    """The earlier of two events that name one parent arrives later."""
    return any(
        named["run"] == other["run"] and child["eventTime"] > sibling["eventTime"]
        for (child, named), (sibling, other) in combinations(_children(sequence), 2)
    )


def _has_runless_event(sequence: list[Document]) -> bool:
    return any("run" not in event for event in sequence)


def _column_lineages(event: Document) -> dict[tuple[str, str], Document]:
    """What the event says of where the columns of its outputs come from."""
    named = {(output["namespace"], output["name"]): output.get("facets", {}) for output in event.get("outputs", ())}
    return {name: facets["columnLineage"] for name, facets in named.items() if "columnLineage" in facets}


def _reads_what_columns_come_from(reader: Document, writer: Document) -> bool:
    read = {(dataset["namespace"], dataset["name"]) for dataset in reader.get("inputs", ())}
    made_of = [
        (source["namespace"], source["name"])
        for lineage in _column_lineages(writer).values()
        for column in lineage["fields"].values()
        for source in column["inputFields"]
    ]
    return not read.isdisjoint(made_of)


def _has_column_lineage(sequence: list[Document]) -> bool:
    same = [(event, event) for event in sequence if "run" in event]
    return any(_reads_what_columns_come_from(a, b) for a, b in [*_pairs(sequence), *same] if _of_one_run(a, b))


def _has_late_origin(sequence: list[Document]) -> bool:
    return any(
        _of_one_run(a, b) and a["eventTime"] > b["eventTime"] and _reads_what_columns_come_from(b, a)
        for a, b in _pairs(sequence)
    )


def _has_changed_column_lineage(sequence: list[Document]) -> bool:
    return any(
        _of_one_run(a, b)
        and any(_column_lineages(b).get(name, lineage) != lineage for name, lineage in _column_lineages(a).items())
        for a, b in _pairs(sequence)
    )


def _labels(sequence: list[Document], key: str) -> Iterator[tuple[tuple[str, str], str, str]]:
    """Whose facet it is, its event's time and its text, in the order of arrival."""
    for event in sequence:
        for thing in (event.get("job"), event.get("dataset"), *event.get("inputs", ()), *event.get("outputs", ())):
            if thing and key in thing.get("facets", {}):
                yield (thing["namespace"], thing["name"]), event["eventTime"], str(thing["facets"][key])


def _has_late_labels(sequence: list[Document], key: str) -> bool:
    pairs = combinations(_labels(sequence, key), 2)
    return any(a[0] == b[0] and a[1] > b[1] and a[2] != b[2] for a, b in pairs)


def _has_tag_before_its_column(sequence: list[Document]) -> bool:
    known: set[tuple[str, str]] = set()
    for event in sequence:
        for named in (event.get("dataset"), *event.get("inputs", ()), *event.get("outputs", ())):
            facets = named.get("facets", {}) if named else {}
            known |= {(named["name"], field["name"]) for field in facets.get("schema", {}).get("fields", ())}
            tagged = {(named["name"], tag["field"]) for tag in facets.get("tags", {}).get("tags", ()) if "field" in tag}
            if tagged - known:
                return True
    return False


Fields = frozenset[tuple[str, str | None]]


@dataclass(frozen=True)
class Drift:
    """An input that describes a field which the last writer before it did not; `arrival` and `since` are places in the
    order of arrival, of the reader and of that writer."""

    arrival: int
    since: int
    dataset: str
    read: Fields
    written: Fields


def _drifts(sequence: list[Document]) -> Iterator[Drift]:
    current: dict[str, tuple[int, Fields]] = {}
    for arrival, event in sorted(enumerate(sequence), key=lambda numbered: numbered[1]["eventTime"]):
        for read in event.get("inputs", ()):
            since, written = current.get(_name(read), (0, None))
            if written is not None and not _fields(read) <= written:
                yield Drift(arrival, since, _name(read), _fields(read), written)
        if str(event.get("eventType")).upper() == "COMPLETE":
            current.update({_name(written): (arrival, _fields(written)) for written in event.get("outputs", ())})


def _name(described: Document) -> str:
    return f"{described['namespace']}|{described['name']}"


def _fields(described: Document) -> Fields:
    listed = described.get("facets", {}).get("schema", {}).get("fields") or ()
    return frozenset((field["name"], field.get("type")) for field in listed)


def _has_drift(sequence: list[Document]) -> bool:
    return any(_drifts(sequence))


def _has_drift_that_moves(sequence: list[Document]) -> bool:
    return any(drift.arrival < drift.since for drift in _drifts(sequence))


def _has_drift_of_schema_that_returns(sequence: list[Document]) -> bool:
    return _has_schema_that_returns(sequence) and _has_drift(sequence)


def _has_drift_to_known_fields(sequence: list[Document]) -> bool:
    written = {(_name(dataset), _fields(dataset)) for event in sequence for dataset in event.get("outputs", ())}
    return any((drift.dataset, drift.read | drift.written) in written for drift in _drifts(sequence))


SITUATIONS: dict[str, Callable[[list[Document]], bool]] = {
    "an event that arrives after a later one of its run": _has_late_event,
    "an ending that arrives before the start": _has_early_ending,
    "events of equal time": _has_equal_times,
    "a repeat": _has_repeat,
    "a schema that comes back": _has_schema_that_returns,
    "a reader before any writer": _has_reader_first,
    "a name that a late event makes a symlink": _has_late_symlink,
    "a symlink that two datasets have": _has_symlink_of_two,
    "a symlink of a symlink": _has_symlink_of_a_symlink,
    "a symlink that was a dataset of its own before": _has_symlink_of_its_own,
    "a symlink in a dataset event": _has_declared_symlink,
    "a dataset that one event names twice in one role": _has_dataset_named_twice,
    "a run with several jobs": _has_run_with_several_jobs,
    "an event without a run": _has_runless_event,
    "an earlier plan that arrives later": _has_early_plan_late,
    "a column that comes from a column of an input": _has_column_lineage,
    "an input that arrives after the output that was made of it": _has_late_origin,
    "a column that is made otherwise by a later event": _has_changed_column_lineage,
    "tags that arrive after later ones": lambda sequence: _has_late_labels(sequence, "tags"),
    "owners that arrive after later ones": lambda sequence: _has_late_labels(sequence, "ownership"),
    "a tag of a column that is not known yet": _has_tag_before_its_column,
    "a drifted input": _has_drift,
    "drift that a late writer takes": _has_drift_that_moves,
    "drift of a schema that comes back": _has_drift_of_schema_that_returns,
    "drift that makes a known set of fields": _has_drift_to_known_fields,
    "a parent that reports after its child": _has_parent_behind_child,
    "a parent that never reports": _has_silent_parent,
    "a parent that reports another job than its child says": _has_contradicted_parent,
    "a parent in another namespace": _has_parent_elsewhere,
    "two jobs with one parent": _has_siblings,
    "an earlier child that arrives later": _has_late_first_child,
}
