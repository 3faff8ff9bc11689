"""A run beside the last good run of its job before it: only what differs, without a judgement of what it explains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any
from uuid import UUID

from lineage_core.answers.explain import loading
from lineage_core.answers.explain.causes.parameters import is_of_each_run
from lineage_core.answers.explain.described_runs import COMPLETED, DescribedRun, HeldFacet, UsedDataset
from lineage_core.answers.explain.facet_kinds import ERROR_MESSAGE, is_code, is_engine
from lineage_core.answers.explain.member_changes import MOST_MEMBERS, has_more_members, members, without_spacing
from lineage_core.postgres.connection import Connection

MOST_DIFFERENCES = 100
"""Of one topic."""


class DifferenceTopic(StrEnum):
    """What a difference is about, in the order in which people look."""

    RUN = "run"
    ERROR = "error"
    SCHEMA = "schema"
    CODE = "code"
    PARAMETERS = "parameters"
    ENGINE = "engine"
    VOLUME = "volume"
    VERSION = "version"


@dataclass(frozen=True, slots=True)
class RunDifference:
    """subject: a dataset, `namespace/name`, or the facet; of the run itself it is empty. what: the member, or the use.

    before, now: of the good run, and of the run; None where there is none.
    """

    topic: DifferenceTopic
    subject: str
    what: str
    before: Any
    now: Any


@dataclass(frozen=True, slots=True)
class SideBySide:
    """cut: what was not compared, in words."""

    good: UUID
    differences: tuple[RunDifference, ...]
    cut: tuple[str, ...]


def side_by_side(connection: Connection, run: UUID) -> SideBySide | None:
    """None for a run that the store does not know, or that has no good run before it."""
    asked = loading.runs_known(connection, [run])
    before = loading.good_runs(connection, list(asked.values()), [1] * len(asked)).get(run)
    if not before:
        return None
    both = loading.completed(connection, asked | loading.runs_known(connection, before))
    now, good = both[run], both[before[0]]
    contents = loading.contents(connection, _compared_facets(now, good))
    cut: list[str] = []
    found = [*_all_differences(connection, now, good, contents, cut)]
    shown = [one for topic in DifferenceTopic for one in _limited(topic, found, cut)]
    return SideBySide(good.uuid, tuple(shown), tuple(cut))


def _limited(topic: DifferenceTopic, found: list[RunDifference], cut: list[str]) -> list[RunDifference]:
    of_topic = [one for one in found if one.topic is topic]
    if len(of_topic) > MOST_DIFFERENCES:
        cut.append(f"{len(of_topic) - MOST_DIFFERENCES} more differences of {topic}")
    return of_topic[:MOST_DIFFERENCES]


def _all_differences(
    connection: Connection, now: DescribedRun, good: DescribedRun, contents: Mapping[UUID, Any], cut: list[str]
) -> Iterator[RunDifference]:
    cut += [words for one in (now, good) for words in one.left_out]
    yield from _of_run(now, good)
    yield from _of_schemas(connection, now, good, cut)
    yield from _of_facets(now, good, contents, cut)
    yield from _of_volumes(now, good)
    for use, before, after in (("reads", good.inputs, now.inputs), ("writes", good.outputs, now.outputs)):
        yield from _of_versions(use, before, after)


def _of_run(now: DescribedRun, good: DescribedRun) -> Iterator[RunDifference]:
    pairs = {
        "state": (good.state, now.state),
        "took": (_took(good), _took(now)),
        "works from": (good.nominal_start, now.nominal_start),
        "works to": (good.nominal_end, now.nominal_end),
        "source": (good.location, now.location),
    }
    for what, (before, after) in pairs.items():
        if before != after:
            yield RunDifference(DifferenceTopic.RUN, "", what, before, after)


def _took(run: DescribedRun) -> Any:
    return run.ended_at - run.began_at if run.ended_at else None


def _of_schemas(
    connection: Connection, now: DescribedRun, good: DescribedRun, cut: list[str]
) -> Iterator[RunDifference]:
    """The columns whose type another version has, and the verdict on it."""
    names = {uuid: used.name for uuid, used in (*now.outputs.items(), *now.inputs.items())}
    spans = [
        (uuid, before[uuid].version.uuid, used.versions[-1].uuid)
        for before, after in ((good.inputs, now.inputs), (good.outputs, now.outputs))
        for uuid, used in after.items()
        if uuid in before and before[uuid].version.uuid != used.versions[-1].uuid
    ]
    for dataset, verdicts in loading.verdicts(connection, spans).items():
        if verdicts.are_more:
            cut.append(f"{verdicts.left_out}: {names[dataset]}")
        for verdict in verdicts.last:
            for one in verdict.refusals:
                yield RunDifference(
                    DifferenceTopic.SCHEMA, names[dataset], str(one["path"]), None, f"refused: {one['reason']}"
                )
            for one in verdict.changes:
                yield RunDifference(DifferenceTopic.SCHEMA, names[dataset], str(one["path"]), None, str(one["kind"]))


def _compared_facets(now: DescribedRun, good: DescribedRun) -> list[UUID]:
    return [run.facets[key].uuid for key in _differing(now, good) for run in (now, good) if key in run.facets]


def _differing(now: DescribedRun, good: DescribedRun) -> Iterator[tuple[str, str]]:
    """Facets that a run which did not complete lacks may be those that come with its end: they do not count."""
    for key in {**good.facets, **now.facets}:
        before, after = good.facets.get(key), now.facets.get(key)
        if after is None and now.state != COMPLETED:
            continue
        if before is None or after is None or before.uuid != after.uuid:
            yield key


def _of_facets(
    now: DescribedRun, good: DescribedRun, contents: Mapping[UUID, Any], cut: list[str]
) -> Iterator[RunDifference]:
    for key in _differing(now, good):
        held = [run.facets[key] for run in (good, now) if key in run.facets]
        topic, (subject, name) = _topic(held[-1]), key
        facet = name if subject == "run" else f"{subject} {name}"
        if any(one.uuid not in contents for one in held):
            cut.append(f"the facet {facet} differs, and is too large to be compared")
            continue
        if any(has_more_members(contents[one.uuid]) for one in held):
            cut.append(f"members of the facet {facet} behind the first {MOST_MEMBERS}")
        before, after = (_members_of(run.facets.get(key), contents) for run in (good, now))
        for path in {**before, **after}:
            one, other = before.get(path), after.get(path)
            if without_spacing(one) != without_spacing(other) and not is_of_each_run(path):
                yield RunDifference(topic, facet, path, one, other)


def _topic(facet: HeldFacet) -> DifferenceTopic:
    if facet.name == ERROR_MESSAGE:
        return DifferenceTopic.ERROR
    if is_code(facet):
        return DifferenceTopic.CODE
    return DifferenceTopic.ENGINE if is_engine(facet) else DifferenceTopic.PARAMETERS


def _members_of(held: HeldFacet | None, contents: Mapping[UUID, Any]) -> dict[str, Any]:
    return dict(islice(members(contents[held.uuid]), MOST_MEMBERS)) if held else {}


def _of_volumes(now: DescribedRun, good: DescribedRun) -> Iterator[RunDifference]:
    """Those that changed most stand first."""
    used = {**good.inputs, **good.outputs, **now.inputs, **now.outputs}
    found = []
    for key, measure in now.measures.items():
        before = good.measures.get(key)
        if before is not None and before.value != measure.value:
            name = used[measure.dataset].name if measure.dataset in used else str(measure.dataset)
            what = f"{'writes' if measure.is_output else 'reads'} {measure.name}"
            found.append(RunDifference(DifferenceTopic.VOLUME, name, what, before.value, measure.value))
    yield from sorted(found, key=lambda one: -abs(one.now - one.before) / (one.now + one.before))


def _of_versions(
    use: str, before: Mapping[UUID, UsedDataset], after: Mapping[UUID, UsedDataset]
) -> Iterator[RunDifference]:
    for uuid, used in {**before, **after}.items():
        versions = [of[uuid].version.uuid if uuid in of else None for of in (before, after)]
        if versions[0] != versions[1]:
            yield RunDifference(DifferenceTopic.VERSION, used.name, use, versions[0], versions[1])
