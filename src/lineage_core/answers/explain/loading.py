"""Loads what runs were: a few statements for many runs, each of which finds its rows by index."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from lineage_core.answers.explain.described_runs import (
    DescribedRun,
    ErrorReport,
    HeldFacet,
    Measure,
    SchemaVerdict,
    UsedDataset,
    UsedVersion,
)
from lineage_core.answers.explain.facet_kinds import MEASURED, NOT_COMPARED
from lineage_core.openlineage.events import Role
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import composed, every_row, every_value, one_row

MOST_MENTIONS, MENTIONS_AT_ONCE = 2_000, 100_000
"""Of one run, and of all runs that are described at once: a run that has more is compared by some of them."""
MOST_EVENTS = 50
"""From the beginning and the end of a run: its facets are taken from these."""
LOOKED_AT = 200
"""How many earlier runs of a job are looked at to find good ones."""
LARGEST_FACET = 64_000
"""Stored bytes up to which a facet is compared member by member."""
MOST_COLUMNS = 200
"""Of one dataset whose columns are counted."""
MOST_VERDICTS = 20
CHILDREN_LOOKED_AT = 500
"""How many of the runs that one started are looked at."""

FAILURES_LOOKED_AT = 3_000
"""How many of the last runs of all jobs are looked at for the same error."""
MOST_FAILURES = 500
LONGEST_MESSAGE = 4_000

_ROOM = "answers/explain"
_NUMBERS = ("rowCount", "size", "bytes")
_NUMBERS_OF_COLUMNS = ("nullCount", "distinctCount", "sum", "count")


@dataclass(frozen=True, slots=True)
class StateOfRun:
    """What is known of a run beside its row. waiting: how many of its events are not normalized."""

    purged_at: datetime | None
    waiting: int
    as_of: datetime


@dataclass(frozen=True, slots=True)
class GoodRun:
    """A good run of the job of `run`, before it; `passed` is how many runs were looked at."""

    run: UUID
    uuid: UUID
    passed: int


@dataclass(frozen=True, slots=True)
class StartedRuns:
    """Runs that one has started; `more` is how many there are beside these."""

    uuids: tuple[UUID, ...]
    more: int


def state_of_run(connection: Connection, run: UUID) -> StateOfRun:
    return one_row(connection, StateOfRun, f"{_ROOM}/state_of_run", {"run": run})


def runs_known(connection: Connection, runs: Collection[UUID]) -> dict[UUID, DescribedRun]:
    """What the tables have of these runs, without what they read and wrote."""
    found = every_row(connection, _described, f"{_ROOM}/runs", {"runs": list(runs)}) if runs else []
    return {run.uuid: run for run in found}


def good_runs(connection: Connection, runs: Sequence[DescribedRun], wanted: Sequence[int]) -> dict[UUID, list[UUID]]:
    """The last good runs of the same job before each, the last one first."""
    parameters = {
        "runs": [run.uuid for run in runs],
        "jobs": [run.job_uuid for run in runs],
        "moments": [run.began_at for run in runs],
        "wanted": list(wanted),
        "looked_at": LOOKED_AT,
        "children": CHILDREN_LOOKED_AT,
    }
    found: dict[UUID, list[UUID]] = defaultdict(list)
    for good in every_row(connection, GoodRun, f"{_ROOM}/good_runs", parameters) if runs else ():
        found[good.run].append(good.uuid)
    return found


def completed(connection: Connection, runs: Mapping[UUID, DescribedRun]) -> dict[UUID, DescribedRun]:
    """The same runs with what they read and wrote, their facets and figures."""
    if not runs:
        return {}
    most = min(MOST_MENTIONS, MENTIONS_AT_ONCE // len(runs))
    asked = {"runs": list(runs), "most": most}
    inputs, outputs, too_many = _uses(connection, asked)
    facets: dict[UUID, dict[tuple[str, str], HeldFacet]] = defaultdict(dict)
    of_events = {"runs": list(runs), "most": MOST_EVENTS, "left_out": list(NOT_COMPARED)}
    for run, facet in every_row(connection, _held, f"{_ROOM}/facets", of_events):
        facets[run][facet.subject, facet.name] = facet
    measured = measures_of_runs(connection, list(runs), most)
    long = set(every_value(connection, UUID, f"{_ROOM}/long_runs", {"runs": list(runs), "most": MOST_EVENTS}))
    return {
        uuid: replace(
            run,
            inputs=inputs[uuid],
            outputs=outputs[uuid],
            facets=facets[uuid],
            measures=measured.by_run.get(uuid, {}),
            names_more=uuid in too_many,
            left_out=tuple(_left_out(uuid, names_more=uuid in too_many, is_long=uuid in long, counts=measured.cut)),
        )
        for uuid, run in runs.items()
    }


def _left_out(run: UUID, *, names_more: bool, is_long: bool, counts: Mapping[UUID, int]) -> Iterator[str]:
    if names_more:
        yield f"run {run} names more datasets"
    if is_long:
        yield f"facets of run {run} that only events between its first and last {MOST_EVENTS} have"
    if counts.get(run):
        yield f"{counts[run]} facets of run {run} count more columns than are compared"


def contents(connection: Connection, facets: Iterable[UUID]) -> dict[UUID, Any]:
    """The contents of those that are not too large."""
    uuids = sorted(set(facets))
    parameters = {"uuids": uuids, "largest": LARGEST_FACET}
    return dict(every_row(connection, _content, f"{_ROOM}/contents", parameters)) if uuids else {}


@dataclass(slots=True)
class FoundVerdicts:
    """The last ones. are_more: whether the schema changed oftener, so that there may be others."""

    last: list[SchemaVerdict] = field(default_factory=list)
    are_more: bool = False

    @property
    def left_out(self) -> str:
        return f"schema changes before the last {MOST_VERDICTS} that came between two runs"


def verdicts(connection: Connection, spans: Sequence[tuple[UUID, UUID, UUID]]) -> dict[UUID, FoundVerdicts]:
    """The verdicts of datasets between two of their versions, by dataset; a span is a dataset and these."""
    found: dict[UUID, FoundVerdicts] = defaultdict(FoundVerdicts)
    parameters = {
        "datasets": [dataset for dataset, _, _ in spans],
        "before": [before for _, before, _ in spans],
        "now": [now for _, _, now in spans],
        "most": MOST_VERDICTS,
    }
    for number, verdict in every_row(connection, _verdict, f"{_ROOM}/verdicts", parameters) if spans else ():
        if number > MOST_VERDICTS:
            found[verdict.dataset].are_more = True
        else:
            found[verdict.dataset].last.append(verdict)
    return found


def runs_between(
    connection: Connection, spans: Sequence[tuple[UUID, datetime, datetime]], most: int
) -> list[list[UUID]]:
    """The runs of jobs that came to their state in spans of time, the last one first: a list for each span."""
    parameters = {
        "jobs": [job for job, _, _ in spans],
        "since": [since for _, since, _ in spans],
        "until": [until for _, _, until in spans],
        "most": most,
    }
    found: list[list[UUID]] = [[] for _ in spans]
    for number, uuid in every_row(connection, _between, f"{_ROOM}/runs_between", parameters) if spans else ():
        found[number - 1].append(uuid)
    return found


def children(connection: Connection, runs: Sequence[UUID]) -> dict[UUID, StartedRuns]:
    """The runs that these have started: those that failed first, then those that are open."""
    found: dict[UUID, list[_Child]] = defaultdict(list)
    for child in every_row(connection, _Child, f"{_ROOM}/children", {"runs": list(runs), "most": CHILDREN_LOOKED_AT}):
        found[child.run].append(child)
    return {run: StartedRuns(tuple(one.uuid for one in of), of[0].started - len(of)) for run, of in found.items()}


def waiting(connection: Connection, runs: Collection[UUID]) -> dict[UUID, int]:
    """How many events of those that have any are not normalized."""
    return dict(every_row(connection, _waiting, f"{_ROOM}/waiting", {"runs": list(runs)})) if runs else {}


def messages(connection: Connection, facets: Collection[UUID]) -> dict[UUID, str]:
    """What facets of errors say, by facet; nothing of those that say nothing."""
    if not facets:
        return {}
    statement = composed(f"{_ROOM}/messages", message=composed(f"{_ROOM}/message"))
    parameters = {"facets": list(facets), "longest": LONGEST_MESSAGE}
    return {facet: message for facet, message in every_row(connection, _message, statement, parameters) if message}


def failures(connection: Connection, jobs: Iterable[UUID], until: datetime) -> tuple[ErrorReport, ...]:
    """Error messages of the last failed runs up to a moment, of all jobs and longer of these, the last one first."""
    parameters = {
        "jobs": list(set(jobs)),
        "until": until,
        "looked_at": FAILURES_LOOKED_AT,
        "looked_at_of_job": LOOKED_AT,
        "longest": LONGEST_MESSAGE,
        "most": MOST_FAILURES,
    }
    statement = composed(f"{_ROOM}/failures", message=composed(f"{_ROOM}/message"))
    found = every_row(connection, _error, statement, parameters)
    return tuple({error.run: error for error in reversed(found) if error is not None}.values())[::-1]


def purged_writers(connection: Connection, versions: Iterable[UUID]) -> list[UUID]:
    """Those of the versions that a purged run wrote."""
    return every_value(connection, UUID, f"{_ROOM}/purged_writers", {"versions": list(versions)})


def horizons(connection: Connection, namespaces: Iterable[str]) -> list[str]:
    """Up to when runs of these namespaces were deleted, as sentences."""
    return every_row(connection, _horizon, f"{_ROOM}/horizons", {"namespaces": list(set(namespaces))})


def _described(
    *,
    uuid: UUID,
    job_uuid: UUID | None,
    namespace: str | None,
    job_name: str | None,
    **members: Any,
) -> DescribedRun:
    return DescribedRun(uuid=uuid, job_uuid=job_uuid, job=f"{namespace or ''}/{job_name or ''}", **members)


_Uses = dict[UUID, dict[UUID, UsedDataset]]


@dataclass(frozen=True, slots=True)
class _Mention:
    run: UUID
    role: int
    dataset: UUID
    name: str
    mentions: int
    version: UsedVersion


def _uses(connection: Connection, asked: Mapping[str, Any]) -> tuple[_Uses, _Uses, set[UUID]]:
    """The inputs and the outputs of runs, and the runs that name more than are looked at."""
    inputs: _Uses = defaultdict(dict)
    outputs: _Uses = defaultdict(dict)
    mentions = every_row(connection, _mention, f"{_ROOM}/mentions", asked)
    mentions.sort(key=lambda one: (one.run, one.role, one.dataset, one.version.first_order))
    for (run, role, dataset), same in groupby(mentions, key=lambda one: (one.run, one.role, one.dataset)):
        named = list(same)
        uses = inputs if role == Role.INPUT.value else outputs
        uses[run][dataset] = UsedDataset(dataset, named[0].name, tuple(one.version for one in named))
    return inputs, outputs, {one.run for one in mentions if one.mentions >= asked["most"]}


def _mention(
    *, run: UUID, role: int, dataset: UUID, namespace: str, name: str, version: UUID, mentions: int, **members: Any
) -> _Mention:
    return _Mention(run, role, dataset, f"{namespace}/{name}", mentions, UsedVersion(uuid=version, **members))


def _held(*, run: UUID, **members: Any) -> tuple[UUID, HeldFacet]:
    return run, HeldFacet(**members)


def _content(*, uuid: UUID, content: Any) -> tuple[UUID, Any]:
    return uuid, content


def _verdict(*, number: int, **members: Any) -> tuple[int, SchemaVerdict]:
    return number, SchemaVerdict(**members)


def _between(*, number: int, uuid: UUID) -> tuple[int, UUID]:
    return number, uuid


@dataclass(frozen=True, slots=True)
class _Child:
    run: UUID
    uuid: UUID
    started: int


def _waiting(*, run: UUID, events: int) -> tuple[UUID, int]:
    return run, events


def _message(*, facet: UUID, message: str | None) -> tuple[UUID, str | None]:
    return facet, message


def _error(*, message: str | None, **members: Any) -> ErrorReport | None:
    return ErrorReport(message=message, **members) if message else None


def _horizon(*, namespace: str, before: datetime) -> str:
    return f"runs of {namespace} from before {before.isoformat()} were purged"


@dataclass(frozen=True, slots=True)
class _Measurement:
    run: UUID
    role: int
    dataset: UUID
    facet: UUID
    name: str
    content: Any
    is_cut: bool


@dataclass(frozen=True, slots=True)
class MeasuredRuns:
    """by_run: the measures of runs, by the key of each. cut: how many facets of a run count more columns than these."""

    by_run: dict[UUID, dict[tuple[UUID, bool, str], Measure]]
    cut: Counter[UUID]


def measures_of_runs(connection: Connection, runs: Collection[UUID], most: int) -> MeasuredRuns:
    """The numbers that facets give of what runs read and wrote; of each run among its first `most` mentions of
    datasets."""
    found: dict[UUID, dict[tuple[UUID, bool, str], Measure]] = defaultdict(dict)
    cut = Counter[UUID]()
    asked = {"runs": list(runs), "most": most}
    bounds = {"names": list(MEASURED), "numbers": list(_NUMBERS), "largest": LARGEST_FACET}
    for row in every_row(connection, _Measurement, f"{_ROOM}/measures", asked | bounds):
        cut[row.run] += row.is_cut or _counts_more_columns(row.content)
        is_output = row.role != Role.INPUT.value
        for name, value in numbers_of_facet(row.content):
            if value < 0:
                continue  # a volume is compared by how many times another it is
            measure = Measure(row.dataset, is_output, name, value, row.facet)
            found[row.run][measure.key] = measure
    return MeasuredRuns(found, cut)


def numbers_of_facet(content: Any) -> Iterator[tuple[str, float]]:
    """What is counted of a dataset, and of its columns."""
    if not isinstance(content, dict):
        return
    yield from _counts(content, _NUMBERS)
    columns = content.get("columnMetrics")
    for column, numbers in list(columns.items())[:MOST_COLUMNS] if isinstance(columns, dict) else ():
        if isinstance(numbers, dict):
            yield from ((f"{column} {one}", value) for one, value in _counts(numbers, _NUMBERS_OF_COLUMNS))


def _counts_more_columns(content: Any) -> bool:
    columns = content.get("columnMetrics") if isinstance(content, dict) else None
    return isinstance(columns, dict) and len(columns) > MOST_COLUMNS


LARGEST_NUMBER = 1e100
"""A larger one counts nothing. Some thousands of this still add up to a float."""


def _counts(numbers: Mapping[str, Any], names: Iterable[str]) -> Iterator[tuple[str, float]]:
    for name in names:
        value = numbers.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER:
            yield name, float(value)
