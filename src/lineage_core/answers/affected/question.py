"""The question: what read something bad, from a run or a dataset version on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineage_core.answers.affected.answer import (
    MOST_RUNS,
    MOST_STARTED,
    STARTED,
    AffectedAnswer,
    AffectedRead,
    PurgedNearby,
)
from lineage_core.answers.affected.columns import affected_columns
from lineage_core.answers.affected.reruns import RunsAgain, runs_again
from lineage_core.answers.affected.walk import WalkFindings, WalkPage, WalkStart, WrittenVersion, walk
from lineage_core.answers.snapshots import as_of
from lineage_core.errors import NotInStore, WrongUsage
from lineage_core.normalize.store.event_choices import waiting_since
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, every_value, one_row, one_value, value_or_none
from lineage_core.reading.store import snapshot
from lineage_core.reading.unknown_names import nearest_run

_OF_ONE_PAGE = ("columns", "reruns", "others")
"""What follows from all runs together, and so is in no answer that has a part of them."""


@dataclass(frozen=True)
class _AskedRun:
    is_there: bool
    is_purged: bool


@dataclass(frozen=True)
class _WrittenBy:
    run: UUID
    version: UUID


@dataclass(frozen=True)
class _Horizon:
    before: datetime | None
    archives: Sequence[str]


@dataclass(frozen=True)
class AffectedQuestion:
    """What is asked, as the tables know it: `again` are the runs that made what is bad, and are to be done again."""

    run: UUID | None
    version: UUID | None
    start: WalkStart
    again: tuple[UUID, ...]
    is_gone: bool


def affected_by(
    store: Store, *, run: UUID | None, version: UUID | None, limit: int = MOST_RUNS, after: str | None = None
) -> AffectedAnswer:
    """As of whichever of the two is given. Raises WrongUsage unless it is one of them."""
    if run is not None and version is None:
        return affected_by_run(store, run, limit=limit, after=after)
    if version is not None and run is None:
        return affected_by_version(store, version, limit=limit, after=after)
    raise WrongUsage("Name a run, or a dataset version, and not both")


def affected_by_run(store: Store, run: UUID, *, limit: int = MOST_RUNS, after: str | None = None) -> AffectedAnswer:
    """What read something that a run wrote, directly or not: every version that names the run, current ever or not.

    limit: most runs of the answer. after: `next` of an answer that was cut, to go on there.

    Raises WrongUsage for a run that the store does not know, or a cursor of another answer.
    """
    with snapshot(store) as connection:
        return answered(connection, about_run(connection, run), limit, after)


def affected_by_version(
    store: Store, version: UUID, *, limit: int = MOST_RUNS, after: str | None = None
) -> AffectedAnswer:
    """What read a dataset version, directly or not. Other versions of the run that wrote it are not bad.

    Raises as `affected_by_run` does.
    """
    with snapshot(store) as connection:
        return answered(connection, about_version(connection, version), limit, after)


def about_run(connection: Connection, run: UUID) -> AffectedQuestion:
    """What is asked of a run, in a snapshot that other questions may share. Raises as `affected_by_run` does."""
    known = one_row(connection, _AskedRun, "answers/affected/run", {"run": run})
    if not known.is_there and not known.is_purged:
        raise NotInStore(
            f"No table knows the run {run}.{nearest_run(connection, run)}"
            " `lineage status` shows whether events wait for `lineage normalize`; ids of runs stand in the table runs"
            " and in `lineage query last_runs`."
        )
    written = every_row(connection, WrittenVersion, "answers/affected/written", {"runs": [run]})
    bad = tuple(one.version for one in written)
    return AffectedQuestion(run, None, WalkStart(run, bad, tuple(written)), (run,), is_gone=not known.is_there)


def about_version(connection: Connection, version: UUID) -> AffectedQuestion:
    """What is asked of a dataset version, in the same way."""
    found = value_or_none(connection, UUID, "answers/affected/version", {"version": version})
    if found is None and not one_value(connection, bool, "answers/affected/is_mentioned", {"version": version}):
        raise NotInStore(
            f"No table knows the dataset version {version}. It may be purged, or in events that wait for"
            " `lineage normalize` (see `lineage status`); `lineage query versions_of_a_dataset` lists those there are."
        )
    bad = found or version
    writers = every_row(connection, _WrittenBy, "answers/affected/writers", {"versions": [bad]})
    written = tuple(WrittenVersion(one.run, one.version, is_there=found is not None) for one in writers)
    again = tuple(one.run for one in written)
    return AffectedQuestion(None, bad, WalkStart(None, (bad,), written), again, is_gone=found is None)


def answered(
    connection: Connection, asked: AffectedQuestion, limit: int = MOST_RUNS, after: str | None = None
) -> AffectedAnswer:
    """The answer in the snapshot in which it was asked. Raises as `affected_by_run` does."""
    found = walk(connection, asked.start, WalkPage(limit, _cursor(after)))
    if not found.has_begun:
        raise WrongUsage(f"{after} is no cursor of this answer. Ask again without it.")
    is_whole = found.next is None and after is None
    again = _again(connection, asked, found) if is_whole else RunsAgain((), ())
    purged = _purged(connection, asked, found)
    started = _started(connection, asked)
    cut: tuple[str, ...] = (
        () if is_whole else _OF_ONE_PAGE if found.next is None else ("runs", "versions", *_OF_ONE_PAGE)
    )
    if len(started) > MOST_STARTED:
        cut = (*cut, STARTED)
    return AffectedAnswer(
        complete=not cut and purged.is_empty and not asked.is_gone,
        as_of=as_of(connection),
        waiting_since=waiting_since(connection),
        run=asked.run,
        version=asked.version,
        runs=tuple(found.runs),
        versions=tuple(found.versions),
        columns=tuple(affected_columns(connection, asked.start.bad, found)) if is_whole else (),
        reruns=again.reruns,
        others=again.others,
        evidence=tuple(_evidence(found)),
        started=tuple(started[:MOST_STARTED]),
        purged=purged,
        cut=cut,
        next=None if found.next is None else str(found.next),
    )


def _cursor(after: str | None) -> UUID | None:
    try:
        return None if after is None else UUID(after)
    except ValueError as error:
        raise WrongUsage(f"{after!r} is no cursor: it is `next` of an answer that was cut.") from error


def _again(connection: Connection, asked: AffectedQuestion, found: WalkFindings) -> RunsAgain:
    runs = dict.fromkeys((*asked.again, *found.runs))
    return runs_again(connection, runs, found.reads, found.written)


def _evidence(found: WalkFindings) -> Iterator[AffectedRead]:
    """Of each run of the page the read by which it was reached first."""
    open_ = {*found.runs, *found.purged_runs}
    for read in found.reads:
        if read.run in open_:
            open_.remove(read.run)
            yield read


def _started(connection: Connection, asked: AffectedQuestion) -> list[UUID]:
    """One more than an answer has, if there are more."""
    if asked.run is None:
        return []
    parameters = {"run": asked.run, "most": MOST_STARTED + 1}
    return every_value(connection, UUID, "answers/affected/started_by", parameters)


def _purged(connection: Connection, asked: AffectedQuestion, found: WalkFindings) -> PurgedNearby:
    """What was read or written before a horizon may be gone without a trace: readers come after what they read."""
    parameters = {"versions": list(asked.start.bad)}
    since = value_or_none(connection, datetime, "answers/affected/first_time", parameters)
    horizon = one_row(connection, _Horizon, "answers/affected/horizon", {"since": since})
    runs, versions = tuple(found.purged_runs), tuple(found.purged_versions)
    is_anything = horizon.before is not None or runs or versions or asked.is_gone
    return PurgedNearby(horizon.before, runs, versions, tuple(horizon.archives) if is_anything else ())
