"""Explains one run: finds it, goes upstream from it, and ranks what is found."""

from __future__ import annotations

from uuid import UUID

from lineage_core.answers.explain import loading
from lineage_core.answers.explain.described_runs import DescribedRun
from lineage_core.answers.explain.explanation import Explanation
from lineage_core.answers.explain.ranking import ranked
from lineage_core.answers.explain.upstream import Walk, with_errors, without_waiting
from lineage_core.errors import NotInStore
from lineage_core.normalize.store.event_choices import waiting_since
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot
from lineage_core.reading.unknown_names import nearest_run

HOPS = 5
MOST_CAUSES = 20


def explain(store: Store, run: UUID, *, hops: int = HOPS, most: int = MOST_CAUSES) -> Explanation:
    """Why a run failed, or why its output differs from that of the last good run of its job.

    hops: how far upstream to look. most: how many causes to give. What the run and those upstream of it were is read in
    one transaction that cannot write, from what is normalized. Raises WrongUsage for a run that the store does not
    know, or knows no more, and what `Store.session` raises.
    """
    with snapshot(store) as connection:
        return explain_in(connection, run, hops=hops, most=most)


def explain_in(connection: Connection, run: UUID, *, hops: int = HOPS, most: int = MOST_CAUSES) -> Explanation:
    """As `explain`, within a snapshot."""
    state = loading.state_of_run(connection, run)
    asked = _known(connection, run, state)
    walk = Walk(connection)
    walk.go(asked, hops)
    until = asked.ended_at or state.as_of
    known, open_no_more = without_waiting(connection, walk.compared.values())
    causes = ranked(with_errors(connection, known, until))
    compared_with = walk.compared[run].baseline
    cut = [*walk.cut, *open_no_more]
    if state.waiting:
        cut.append(f"{state.waiting} events of the run wait for normalization")
    if compared_with is None:
        cut += _without_history(connection, asked)
    if len(causes) > most:
        cut.append(f"{len(causes) - most} less likely causes are not shown")
    return Explanation(
        complete=not cut,
        causes=causes[:most],
        run=run,
        job=asked.job,
        state=asked.state,
        compared_with=compared_with.uuid if compared_with else None,
        as_of=state.as_of,
        waiting_since=waiting_since(connection),
        hops=hops,
        runs=len(walk.compared),
        cut=tuple(dict.fromkeys(cut)),
        next=tuple(walk.next),
    )


def _known(connection: Connection, run: UUID, state: loading.StateOfRun) -> DescribedRun:
    found = loading.runs_known(connection, [run]).get(run)
    if found is not None:
        return found
    if state.purged_at is not None:
        raise NotInStore(
            f"Retention deleted run {run} at {state.purged_at.isoformat()}, so nothing is left to explain it by."
            " `lineage retention restore` brings back what was archived of its events."
        )
    if state.waiting:
        raise NotInStore(
            f"{state.waiting} events of run {run} have arrived, but are not normalized."
            " Run `lineage normalize`, then ask again."
        )
    raise NotInStore(
        f"The store knows no run {run}.{nearest_run(connection, run)}"
        " `lineage query last_runs` lists those that ran last."
    )


def _without_history(connection: Connection, asked: DescribedRun) -> list[str]:
    """Why there is nothing to compare with."""
    purged = loading.horizons(connection, [asked.job.partition("/")[0]])
    none = f"none of the last {loading.LOOKED_AT} runs of {asked.job} before it completed, so it is compared with none"
    return [none, *purged]
