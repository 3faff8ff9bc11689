"""The deletion of what retention lets go: found set-wise, deleted chunk by chunk, none of which leaves a loose end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg import sql

from lineage_core import statements
from lineage_core.declare.leaving import GoesWith, Leaves
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.replaced_tables import replaced_tables
from lineage_core.postgres.typed_rows import composed, every_row, every_value, execute, one_value
from lineage_core.retention.phases import Phase, RetentionStep, Search, planned_phases, retention_phases, searches
from lineage_core.retention.policies import Cutoff, all_cutoffs, emptying_cutoffs
from lineage_core.retention.store.policies import policies_in_force
from lineage_core.retention.tables import PolicyKind

CHUNK = 1000
"""Rows of a phase's first table that one transaction takes, with all that hangs on them."""


STAYS = ("parents", "writers", "runs_of_jobs", "jobs", "job_versions_of_jobs", "job_versions_of_runs", "datasets")
"""Rules of what stays because of something else that does. They are asked until none finds any more."""

_EMPTIED = (PolicyKind.RUNS, PolicyKind.VERSIONS, PolicyKind.ENTITIES)


@dataclass(frozen=True)
class LeavingRows:
    """Rows that go, for each table; bytes that they take by the mean of their tables; rows that stay, by reason; how
    many versions stay and lose the run that has written them."""

    tables: Mapping[str, int]
    bytes: int
    protected: Mapping[str, int]
    unwritten: int


@dataclass(frozen=True)
class _LeavingCount:
    table: str
    rows: int


@dataclass(frozen=True)
class _Kept:
    reason: str
    rows: int


def prepare(connection: Connection) -> None:
    """Settings of a session that looks for what goes."""
    run_script(connection, statements.named("retention/session"))
    connection.commit()


def cutoffs(connection: Connection, as_of: datetime, emptied: str | None = None) -> list[Cutoff]:
    """Before when what goes, but for raw events.

    emptied: a pattern of the namespaces that are emptied; without it the policies in force decide.
    """
    namespaces = every_value(connection, str, "retention/namespaces")
    if emptied is None:
        return all_cutoffs(policies_in_force(connection), namespaces, as_of)
    unnamed = Cutoff(PolicyKind.CONTENTS, "", as_of, 0)
    return [*emptying_cutoffs(emptied, namespaces, as_of, _EMPTIED), unnamed]


def find(connection: Connection, as_of: datetime, cutoffs: Sequence[Cutoff], plan: int | None = None) -> LeavingRows:
    """What goes by the cut-offs, in temporary tables of the session; it only reads.

    plan: the number of the plan that is carried out; nothing goes that it does not have.
    """
    run_script(connection, statements.named("retention/find/begin"))
    _take_cutoffs(connection, as_of, cutoffs)
    run_script(connection, statements.named("retention/find/holds"))
    if plan is not None:
        execute(connection, "retention/find/approved", {"plan": plan})
        run_script(connection, statements.named("retention/find/index_approved"))
    for search in searches("old"):
        run_script(connection, statements.named(search.path))
    _ask_what_stays(connection)
    if plan is not None:  # only now: a run that stays as a parent alone, and so is not in the plan, keeps no parent
        for search in searches("old"):
            run_script(connection, statements.named(f"retention/find/unapproved/{search.name}"))
        _ask_what_stays(connection)
    for search in searches("leaving"):
        run_script(connection, statements.named(search.path))
        if plan is not None:
            _let_stay_what_is_not_in_the_plan(connection, search)
    execute(connection, _leaving_keys())
    for phase in retention_phases():
        execute(connection, composed("retention/find/number", leaving=sql.Identifier(phase.found.found)))
    counted = _counted(connection)
    kept = {one.reason: one.rows for one in every_row(connection, _Kept, "retention/count_kept")}
    size = one_value(connection, int, "retention/bytes", {"tables": list(counted), "rows": list(counted.values())})
    return LeavingRows(counted, size, kept, one_value(connection, int, "retention/count_unwritten"))


def _ask_what_stays(connection: Connection) -> None:
    while sum(execute(connection, f"retention/find/stays/{rule}") for rule in STAYS):
        pass


def _let_stay_what_is_not_in_the_plan(connection: Connection, search: Search) -> None:
    """Of a purged run and a document in quarantine a plan has no keys: these never become old by what arrives."""
    if search.name in statements.names("retention/find/unapproved"):
        run_script(connection, statements.named(f"retention/find/unapproved/{search.name}"))
    for phase in planned_phases():
        if phase.found.found in search.makes and not phase.found.judged:
            statement = composed("retention/find/unapproved/leaving", **_planned(phase))
            execute(connection, statement, {"kind": phase.kind})


def _leaving_keys() -> sql.Composed:
    kinds = [
        composed("retention/find/keys_of", kind=sql.Literal(phase.kind), **_planned(phase))
        for phase in planned_phases()
    ]
    return composed("retention/find/keys", kinds=sql.SQL("\nUNION ALL\n").join(kinds))


def _planned(phase: Phase) -> dict[str, sql.Composable]:
    return {"planned": sql.SQL(phase.found.planned), "leaving": sql.Identifier(phase.found.found)}


def stayed(connection: Connection) -> dict[str, int]:
    """What of the plan has stayed, by the reason, once nothing more was found to go."""
    found = Counter[str]()
    for phase in retention_phases():
        if phase.found.judged:
            table, judged = sql.Identifier("public", phase.table.name), sql.Identifier(phase.found.judged)
            statement = composed("retention/plans/stayed", table=table, judged=judged)
            found.update(
                {one.reason: one.rows for one in every_row(connection, _Kept, statement, {"table": phase.kind})}
            )
    return dict(found)


def _counted(connection: Connection) -> dict[str, int]:
    """Rows that go, for each table. Those of which a table counts what is left are not counted with what takes them."""
    replaced, counted = replaced_tables(connection), Counter[str]()
    for phase in retention_phases():
        for step in phase.steps:
            if step.deletes and step.table.name not in replaced:
                counted[step.table.name] += _count(connection, phase, step)
    return dict(+counted)


def _count(connection: Connection, phase: Phase, step: RetentionStep) -> int:
    word = step.word
    if isinstance(word, GoesWith) and word.column:
        statement = _of_rows("retention/count_rows_among" if word.among else "retention/count_rows_of", phase, step)
        return one_value(connection, int, statement, _among(step))
    found = (word.counted or word.found) if isinstance(word, Leaves) else isinstance(word, GoesWith) and word.counted
    return one_value(connection, int, composed("retention/count_found", found=sql.Identifier(found))) if found else 0


def advance_horizons(connection: Connection) -> None:
    """From now on nothing comes back of what was found to go."""
    execute(connection, "retention/advance_horizons")


def chunks(connection: Connection, lease: Lease, note: Callable[[Counter[str]], None]) -> Iterator[Counter[str] | None]:
    """Deletes what was found, a transaction each time it is asked; the rows that have gone, for each table. `note` is
    called with them within the transaction.

    Gives None, and ends, if a legal hold has been placed since it was looked for what goes. Raises LeaseLost if a
    normalization run has taken the lease. Nothing that was found can be relied on then.
    """
    replaced = replaced_tables(connection)
    for phase in retention_phases():
        count = composed("retention/count_leaving", leaving=sql.Identifier(phase.found.found))
        last = one_value(connection, int, count)
        connection.commit()
        for after in range(0, last, CHUNK):
            with connection.transaction():
                fence(connection, lease)
                execute(connection, "retention/keep_holds")
                gone = None if _has_new_holds(connection) else _delete(connection, phase, after, replaced)
                if gone is not None:
                    note(gone)
            yield gone
            if gone is None:
                return


def _has_new_holds(connection: Connection) -> bool:
    return one_value(connection, bool, "retention/new_holds")


def _delete(connection: Connection, phase: Phase, after: int, replaced: frozenset[str]) -> Counter[str]:
    """The rows that go of a chunk, for each table. Where there is a view in place of a table, nothing is deleted."""
    gone: Counter[str] = Counter()
    for step in phase.steps:
        if step.table.name not in replaced:
            chunk = {"after": after, "until": after + CHUNK, **_among(step)}
            rows = execute(connection, step.statement or _rows_that_go(phase, step), chunk)
            gone[step.table.name] += rows if step.deletes else 0
    return gone


def _rows_that_go(phase: Phase, step: RetentionStep) -> sql.Composed:
    return _of_rows("retention/delete/rows_among" if _among(step) else "retention/delete/rows", phase, step)


def _among(step: RetentionStep) -> dict[str, str]:
    return {"among": step.word.among[1]} if isinstance(step.word, GoesWith) and step.word.among else {}


def _of_rows(statement: str, phase: Phase, step: RetentionStep) -> sql.Composed:
    names = {"table": step.table.name, "leaving": phase.found.found, "column": step.column, "key": phase.found.key}
    if isinstance(step.word, GoesWith) and step.word.among:
        names["of"] = step.word.among[0]
    return composed(statement, **{place: sql.Identifier(name) for place, name in names.items()})


def _take_cutoffs(connection: Connection, as_of: datetime, cutoffs: Sequence[Cutoff]) -> None:
    taken = {
        "as_of": as_of,
        "kinds": [cutoff.kind.value for cutoff in cutoffs],
        "namespaces": [cutoff.namespace for cutoff in cutoffs],
        "befores": [cutoff.before for cutoff in cutoffs],
        "kept": [cutoff.keep_last for cutoff in cutoffs],
        "emptied": [cutoff.is_emptied for cutoff in cutoffs],
    }
    execute(connection, "retention/find/cutoffs", taken)
