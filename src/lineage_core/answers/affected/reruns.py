"""The runs to do again: DAG runs of Airflow in an order in which what feeds comes before what reads, and the others."""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heappush
from typing import TypeVar
from uuid import UUID

from lineage_core.answers.affected.answer import AffectedAnswer, AffectedRead, DagRun, Rerun, RunOutsideAirflow
from lineage_core.answers.affected.walk import WrittenVersion
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row

_MOST_PARENTS = 8
"""Runs above a run that are asked for its DAG run: Airflow's task, Spark's application and its parts are three."""

_WAIT = r"""
succeeded() {
    while :; do
        case "$(airflow dags state "$1" "$2" | tail -n 1)" in
            success*) return 0 ;;
            failed*) printf '%s %s has failed\n' "$1" "$2" >&2; return 1 ;;
        esac
        sleep 30
    done
}
""".strip()
"""A function of the shell that returns when a DAG run has succeeded."""

_BY_OTHER_MEANS = r"""
by_other_means() {
    printf 'Do run %s of %s again by other means, then press Enter.\n' "$1" "$2" >&2
    read -r _ || { echo "There is no terminal to wait at." >&2; return 1; }
}
""".strip()
"""A function of the shell that waits for a person, and fails where there is none."""

Unit = DagRun | UUID
"""What is done again as one: a DAG run, or a run that is none of Airflow's."""

Feeder = TypeVar("Feeder")


@dataclass(frozen=True)
class RunRow:
    """A run as its table has it; `first_time` is that of its first event."""

    run: UUID
    parent: UUID | None
    namespace: str | None
    job: str | None
    first_time: datetime


@dataclass(frozen=True)
class _OfDagRun:
    run: UUID
    namespace: str | None
    dag: str
    dag_run: str


@dataclass(frozen=True)
class RunsAgain:
    """What is to be done again, in order, and what Airflow cannot."""

    reruns: tuple[Rerun, ...]
    others: tuple[RunOutsideAirflow, ...]


def runs_again(
    connection: Connection, runs: Iterable[UUID], reads: Iterable[AffectedRead], written: Iterable[WrittenVersion]
) -> RunsAgain:
    """runs: those to do again. reads, written: what connects them, and perhaps others, which are left out."""
    described = _described(connection, set(runs))
    dag_runs = _dag_runs(connection, described)
    feeds = _feeds(reads, written, {run: dag_runs.get(run, run) for run in described})
    first_times = dict[DagRun, datetime]()
    for run, dag_run in dag_runs.items():
        time = described[run].first_time
        first_times[dag_run] = min(time, first_times.get(dag_run, time))
    others = sorted((described[run] for run in described.keys() - dag_runs.keys()), key=_by_time)
    reruns = tuple(in_order(first_times, feeds))
    before = _first_fed((DagRun(one.namespace, one.dag, one.run) for one in reruns), feeds)
    return RunsAgain(
        reruns,
        tuple(RunOutsideAirflow(one.run, one.namespace or "", one.job or "", before.get(one.run)) for one in others),
    )


def in_order(first_times: Mapping[DagRun, datetime], feeds: Mapping[Unit, Set[Unit]]) -> Iterator[Rerun]:
    """The DAG runs of `first_times`, each behind those that feed it, earlier ones first.

    feeds: which units each unit feeds. What feeds by way of runs outside of Airflow counts as well. DAG runs that feed
    each other are in the order of their first events.
    """

    def place(one: DagRun) -> tuple[datetime, DagRun]:
        return first_times[one], one

    fed = {one: {other for other in _dag_runs_fed(one, feeds) if other in first_times} for one in first_times}
    circles = _circles(fed)
    after = defaultdict[DagRun, set[DagRun]](set)
    for one, others in fed.items():
        for other in others:
            if circles[one] != circles[other] or place(one) < place(other):
                after[other].add(one)
    sizes = defaultdict[int, int](int)
    for circle in circles.values():
        sizes[circle] += 1
    for one in _sorted(first_times, after, place):
        before = tuple(sorted(after[one], key=place))
        yield Rerun(one.namespace, one.dag, one.run, before, sizes[circles[one]] > 1)


def airflow_commands(answer: AffectedAnswer) -> list[str]:
    """A script of sh for Airflow's command line, which clears each DAG run once those before it have succeeded.

    Where what Airflow cannot do again is to be done before a DAG run, it waits for a person. The rest of that stands in
    comments at the end.
    """
    between = defaultdict[DagRun | None, list[RunOutsideAirflow]](list)
    for other in answer.others:
        between[other.before].append(other)
    rest = [f"# By other means: run {other.run} of {_name_of(other)}" for other in between.pop(None, ())]
    if not answer.reruns:
        return [*_comments(answer), *rest]
    waits = _WAIT.split("\n") if any(one.after for one in answer.reruns) else []
    asks = _BY_OTHER_MEANS.split("\n") if between else []
    commands = (
        line for one in answer.reruns for line in _commands(one, between[DagRun(one.namespace, one.dag, one.run)])
    )
    return ["set -e", *waits, *asks, *_comments(answer), *commands, *rest]


def _commands(rerun: Rerun, others: Iterable[RunOutsideAirflow]) -> Iterator[str]:
    """others: those to be done before it, and after what it waits for."""
    for before in rerun.after:
        yield f"succeeded {shlex.quote(before.dag)} {shlex.quote(before.run)}"
    for other in others:
        yield f"by_other_means {other.run} {shlex.quote(_name_of(other))}"
    yield f"airflow dags clear {shlex.quote(rerun.dag)} --run-id={shlex.quote(rerun.run)} --yes"


def _comments(answer: AffectedAnswer) -> Iterator[str]:
    """Names are written as JSON, so that a line break in one begins no command."""
    if not answer.complete:
        yield "# Not complete: more may be affected. `lineage affected` without --airflow says why."
    for one in answer.reruns:
        if one.is_circular:
            yield f"# Feeds what it reads: {json.dumps(f'{one.dag} {one.run}')}. Look whether once is enough."


def _name_of(other: RunOutsideAirflow) -> str:
    return json.dumps(f"{other.namespace} {other.job}")


def _first_fed(order: Iterable[DagRun], feeds: Mapping[Unit, Set[Unit]]) -> dict[UUID, DagRun]:
    """By each run outside of Airflow, the first of the DAG runs that stands on what it makes."""
    feeders = _feeders(feeds)
    found = dict[UUID, DagRun]()
    for dag_run in order:
        waiting = [*feeders[dag_run]]
        while waiting:
            feeder = waiting.pop()
            if isinstance(feeder, UUID) and feeder not in found:
                found[feeder] = dag_run
                waiting += feeders[feeder]
    return found


def _feeders(feeds: Mapping[Feeder, Set[Feeder]]) -> Mapping[Feeder, Set[Feeder]]:
    """What feeds each, by what each feeds."""
    feeders = defaultdict[Feeder, set[Feeder]](set)
    for feeder, fed in feeds.items():
        for one in fed:
            feeders[one].add(feeder)
    return feeders


def _described(connection: Connection, runs: Set[UUID]) -> dict[UUID, RunRow]:
    parameters = {"runs": list(runs)}
    found = every_row(connection, RunRow, "answers/affected/described_runs", parameters)
    return {one.run: one for one in found}


def _dag_runs(connection: Connection, described: Mapping[UUID, RunRow]) -> dict[UUID, DagRun]:
    """The DAG run of each run that has one: by its own facet, or by that of the run that started it, and so on."""
    found = dict[UUID, DagRun]()
    above = {run: run for run in described}
    known = dict(described)
    for _ in range(_MOST_PARENTS):
        if not above:
            break
        parameters = {"runs": list({*above.values()})}
        rows = every_row(connection, _OfDagRun, "answers/affected/dag_runs", parameters)
        named = {one.run: DagRun(one.namespace or "", one.dag, one.dag_run) for one in rows}
        found |= {run: named[ancestor] for run, ancestor in above.items() if ancestor in named}
        parents = {run: known[ancestor].parent for run, ancestor in above.items() if run not in found}
        above = {run: parent for run, parent in parents.items() if parent is not None}
        known |= _described(connection, {*above.values()} - known.keys())
        above = {run: parent for run, parent in above.items() if parent in known}
    return found


def _feeds(
    reads: Iterable[AffectedRead], written: Iterable[WrittenVersion], units: Mapping[UUID, Unit]
) -> dict[Unit, set[Unit]]:
    writers = defaultdict[UUID, set[Unit]](set)
    for one in written:
        if one.run in units:
            writers[one.version].add(units[one.run])
    feeds = defaultdict[Unit, set[Unit]](set)
    for read in reads:
        if read.run in units:
            reader = units[read.run]
            for writer in writers.get(read.version, ()):
                if writer != reader:
                    feeds[writer].add(reader)
    return feeds


def _dag_runs_fed(one: DagRun, feeds: Mapping[Unit, Set[Unit]]) -> set[DagRun]:
    """What a DAG run feeds, directly or by way of runs that are none of Airflow's."""
    found = set[DagRun]()
    waiting, seen = list(feeds.get(one, ())), set[Unit]()
    while waiting:
        unit = waiting.pop()
        if unit in seen:
            continue
        seen.add(unit)
        if isinstance(unit, DagRun):
            found.add(unit)
        else:
            waiting += feeds.get(unit, ())
    return found - {one}


def _circles(fed: Mapping[DagRun, Set[DagRun]]) -> dict[DagRun, int]:
    """A number for each, the same for those that feed each other (Kosaraju's algorithm)."""
    feeders = _feeders(fed)
    circles = dict[DagRun, int]()
    for number, first in enumerate(reversed(_by_end(fed))):
        waiting = [first] if first not in circles else []
        while waiting:
            one = waiting.pop()
            if one not in circles:
                circles[one] = number
                waiting += feeders[one]
    return circles


def _by_end(fed: Mapping[DagRun, Set[DagRun]]) -> list[DagRun]:
    """All, in the order in which a search in depth leaves them."""
    ended, begun = list[DagRun](), set[DagRun]()
    for first in fed:
        stack = [(first, iter(fed[first]))] if first not in begun else []
        begun.add(first)
        while stack:
            one, others = stack[-1]
            following = next((other for other in others if other not in begun), None)
            if following is None:
                ended.append(one)
                stack.pop()
            else:
                begun.add(following)
                stack.append((following, iter(fed[following])))
    return ended


def _sorted(
    all_: Iterable[DagRun], after: Mapping[DagRun, Set[DagRun]], place: Callable[[DagRun], tuple[datetime, DagRun]]
) -> Iterator[DagRun]:
    """Each behind those that it stands after, by place where that leaves a choice. `after` has no circle."""
    left = {one: len(after.get(one, ())) for one in all_}
    behind = defaultdict[DagRun, list[DagRun]](list)
    for one in left:
        for other in after.get(one, ()):
            behind[other].append(one)
    ready = [place(one) for one, waits in left.items() if not waits]
    heapify(ready)
    while ready:
        _, one = heappop(ready)
        yield one
        for other in behind[one]:
            left[other] -= 1
            if not left[other]:
                heappush(ready, place(other))


def _by_time(one: RunRow) -> tuple[datetime, UUID]:
    return one.first_time, one.run
