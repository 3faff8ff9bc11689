"""The situations in which different things have one id, or events lie ahead of their receipt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from lineage_core.model.meaning.job_descriptions import job_name, location
from lineage_core.model.tables import (
    dataset_mentions,
    dataset_schemas,
    dataset_symlinks,
    event_ledger,
    parent_mentions,
    run_args,
)
from lineage_core.openlineage.events import Event
from lineage_core.openlineage.identity import joined
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import to_json
from tests.support.event_sets import CLOCK_AHEAD, Document

FLOORS = {
    "two datasets with one version": 8,
    "two datasets with one version, the first of which arrives late": 5,
    "two datasets that one run writes as one version": 6,
    "two datasets with one schema version": 8,
    "two datasets with one schema version, the first of which arrives late": 3,
    "two states of a dataset with one version": 5,
    "a run and an event without one with one version": 2,
    "a run with the id of a version": 3,
    "a symlink to one of two datasets with one id": 6,
    "two jobs with one version": 8,
    "two places of source code with one job version": 3,
    "two sets of arguments with one checksum": 1,
    "two parents with one conflicting run": 2,
    "an event ahead of its receipt among others of its run": 10,
    "an event ahead of its receipt that is the first of its run by time": 5,
}


def situations(sequence: list[Document]) -> Iterator[str]:
    """Which of them a sequence of events shows."""
    events = [parse(to_json(document)) for document in sequence]
    yield from (situation for situation, shown in _ALIKE.items() if shown(events))
    yield from (situation for situation, shown in _AHEAD.items() if shown(sequence))


def _groups(pairs: Iterable[tuple[Hashable, Any]]) -> list[list[Any]]:
    """What is stated of each id, in the order of arrival."""
    found: defaultdict[Hashable, list[Any]] = defaultdict(list)
    for id_, what in pairs:
        found[id_].append(what)
    return list(found.values())


def _differ(groups: Iterable[list[Any]]) -> bool:
    return any(len(set(group)) > 1 for group in groups)


Mention = dict[str, Any]


def _versions(events: list[Event]) -> list[list[Mention]]:
    return _groups((row["own_version_uuid"], row) for event in events for row in dataset_mentions.rows(event))


def _has_shared_version(events: list[Event]) -> bool:
    return _differ([row["name_uuid"] for row in mentions] for mentions in _versions(events))


def _has_late_first_of_version(events: list[Event]) -> bool:
    return any(_arrives_late(_in_time(mentions)) for mentions in _versions(events))


def _in_time(mentions: list[Mention]) -> list[tuple[int, bytes]]:
    return [(row["event_time"], row["name_uuid"]) for row in mentions]


def _arrives_late(named: list[tuple[int, bytes]]) -> bool:
    """Whether the first by time is another than the first to arrive."""
    return min(named)[1] != named[0][1]


def _has_version_shared_within_a_run(events: list[Event]) -> bool:
    return _differ([row["name_uuid"] for row in rows if row["run_uuid"]] for rows in _versions(events))


def _has_shared_schema_version(events: list[Event]) -> bool:
    return _differ([name for _, name in named] for named in _schema_versions(events))


def _has_late_first_of_schema_version(events: list[Event]) -> bool:
    return any(map(_arrives_late, _schema_versions(events)))


def _schema_versions(events: list[Event]) -> list[list[tuple[int, bytes]]]:
    return _groups(
        (row["schema_version_uuid"], (row["created_at"], row["name_uuid"]))
        for event in events
        for row in dataset_schemas.rows(event)
    )


def _has_version_of_two_states(events: list[Event]) -> bool:
    return _differ(
        [(row["name_uuid"], row["lifecycle_state"]) for row in rows if row["name_uuid"] == rows[0]["name_uuid"]]
        for rows in _versions(events)
    )


def _has_version_of_run_and_no_run(events: list[Event]) -> bool:
    return _differ([row["run_uuid"] is None for row in rows] for rows in _versions(events))


def _has_run_with_id_of_version(events: list[Event]) -> bool:
    versions = {row["own_version_uuid"] for event in events for row in dataset_mentions.rows(event)}
    return any(event.run is not None and event.run.uuid in versions for event in events)


def _has_symlink_to_shared(events: list[Event]) -> bool:
    shared = {
        name
        for named in (*map(_in_time, _versions(events)), *_schema_versions(events))
        for _, name in named
        if len({other for _, other in named}) > 1
    }
    links = {row["name_uuid"] for event in events for row in dataset_symlinks.rows(event) if not row["is_primary"]}
    return not shared.isdisjoint(links)


def _job_versions(events: list[Event]) -> list[list[tuple[Any, ...]]]:
    """Job and place of source code of each event that makes a job version, as if its run had no others."""
    return _groups(
        (_job_version_text(event), (row["job_uuid"], row["location"]))
        for event in events
        for row in event_ledger.rows(event)
        if row["makes_job_version"]
    )


def _job_version_text(event: Event) -> str:
    name = job_name(event)
    assert event.job is not None and name is not None
    named = (sorted({(one.namespace, one.name) for one in side}) for side in (event.inputs, event.outputs))
    texts = (joined(part for one in side for part in one) for side in named)
    return joined((event.job.formatted, name.full, *texts, location(event)))


def _has_shared_job_version(events: list[Event]) -> bool:
    return _differ([job for job, _ in made] for made in _job_versions(events))


def _has_job_version_of_two_places(events: list[Event]) -> bool:
    return _differ([place for _, place in made] for made in _job_versions(events))


def _has_shared_arguments(events: list[Event]) -> bool:
    return _differ(_groups((row["uuid"], row["args"]) for event in events for row in run_args.rows(event)))


def _has_shared_conflicting_run(events: list[Event]) -> bool:
    pairs = (row for event in events for row in parent_mentions.rows(event))
    return _differ(_groups((row["conflicting_run_uuid"], row["parent_job_name"]) for row in pairs))


_ALIKE: dict[str, Callable[[list[Event]], bool]] = {
    "two datasets with one version": _has_shared_version,
    "two datasets with one version, the first of which arrives late": _has_late_first_of_version,
    "two datasets that one run writes as one version": _has_version_shared_within_a_run,
    "two datasets with one schema version": _has_shared_schema_version,
    "two datasets with one schema version, the first of which arrives late": _has_late_first_of_schema_version,
    "two states of a dataset with one version": _has_version_of_two_states,
    "a run and an event without one with one version": _has_version_of_run_and_no_run,
    "a run with the id of a version": _has_run_with_id_of_version,
    "a symlink to one of two datasets with one id": _has_symlink_to_shared,
    "two jobs with one version": _has_shared_job_version,
    "two places of source code with one job version": _has_job_version_of_two_places,
    "two sets of arguments with one checksum": _has_shared_arguments,
    "two parents with one conflicting run": _has_shared_conflicting_run,
}


def _by_runs(sequence: list[Document]) -> list[list[Document]]:
    return _groups((event["run"]["runId"], event) for event in sequence if "run" in event)


def _is_ahead(event: Document) -> bool:
    return bool(event["producer"] == CLOCK_AHEAD)


def _has_ahead_among_others(sequence: list[Document]) -> bool:
    return _differ([_is_ahead(event) for event in events] for events in _by_runs(sequence))


def _has_ahead_first(sequence: list[Document]) -> bool:
    firsts = ((events, min(events, key=lambda event: event["eventTime"])) for events in _by_runs(sequence))
    return any(_is_ahead(first) and not all(map(_is_ahead, events)) for events, first in firsts)


_AHEAD: dict[str, Callable[[list[Document]], bool]] = {
    "an event ahead of its receipt among others of its run": _has_ahead_among_others,
    "an event ahead of its receipt that is the first of its run by time": _has_ahead_first,
}
