"""The deletion of what retention lets go: found set-wise, deleted chunk by chunk, none of which leaves a loose end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg import sql

from lineage_core import statements
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.typed_rows import composed, every_row, every_value, execute, one_value
from lineage_core.retention.plan import RetentionPlan
from lineage_core.retention.policies import Cutoff, all_cutoffs, matches
from lineage_core.retention.store.policies import policies_in_force

CHUNK = 500
"""Rows of a phase's first table that one transaction takes, with all that hangs on them."""


@dataclass(frozen=True)
class _Rows:
    """The rows of a table whose column names what goes: one statement deletes them, whatever the table."""

    table: str
    column: str = "uuid"
    key: str = "uuid"


@dataclass(frozen=True)
class Phase:
    """One kind of thing, chunk by chunk: what is deleted, and what is changed, children before parents.

    A text names a statement in the phase's folder below `sql/retention/delete/`, for what is more than rows that name
    what goes. It is called for the table that it deletes from, unless it changes rows.
    """

    leaving: str
    """The temporary table that numbers what goes."""
    folder: str
    steps: tuple[str | _Rows, ...]


PHASES = (
    Phase(
        "leaving_runs",
        "runs",
        (
            "column_lineage_versions",
            "event_ledger",
            "mark_events",
            "dataset_mentions",
            "mark_mentions",
            "parent_mentions",
            "mark_parents",
            _Rows("unreadable_facets", "run_uuid"),
            _Rows("run_facets_kept_once", "run_uuid"),
            _Rows("runs_input_mapping", "run_uuid"),
            "unname_runs",
            "name_other_runs",
            "unname_states",
            _Rows("run_states", "run_uuid"),
            _Rows("runs"),
        ),
    ),
    Phase(
        "leaving_versions",
        "versions",
        (
            "column_lineage_versions",
            "dataset_version_timeline",
            "event_ledger",
            "dataset_mentions",
            "identity_map",
            _Rows("dataset_versions"),
            "name_first_versions",
        ),
    ),
    Phase(
        "leaving_schema_versions",
        "schema_versions",
        ("dataset_schema_versions_field_mapping", "dataset_schema_versions"),
    ),
    Phase("old_job_events", "job_events", ("event_ledger", "mark_events", "dataset_mentions", "mark_mentions")),
    Phase("leaving_events", "events", (_Rows("event_ledger", "event_order", "event_order"),)),
    Phase(
        "leaving_job_versions",
        "job_versions",
        (_Rows("job_versions_io_mapping", "job_version_uuid"), "identity_map", _Rows("job_versions")),
    ),
    Phase("leaving_mentions", "mentions", ("dataset_mentions",)),
    Phase("leaving_parents", "parents", ("parent_mentions",)),
    Phase("leaving_quarantine", "quarantine", (_Rows("quarantine", "id", "id"),)),
    *(
        Phase(f"leaving_{table}", "contents", (_Rows(table, column),))
        for table, column in (
            ("facet_sets", "uuid"),
            ("facets", "uuid"),
            ("dataset_schemas", "uuid"),
            ("dataset_column_lineages", "uuid"),
            ("column_lineage_pairs", "pairs_uuid"),
            ("run_args", "uuid"),
        )
    ),
)

FOUND = (
    "leaving_runs",
    "job_versions",
    "versions",
    "mentions",
    "parent_mentions",
    "column_lineage",
    "quarantine",
    "contents",
)
"""What is looked for once it is known which runs stay, each by what was found before it."""

_NO_ROWS_GO = ("mark_", "unname_", "name_")


@dataclass(frozen=True)
class _HoldPattern:
    id: int
    namespace_pattern: str


@dataclass(frozen=True)
class _Counted:
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


def find(connection: Connection, as_of: datetime) -> RetentionPlan:
    """What goes at that time, in temporary tables of the session; it only reads."""
    run_script(connection, statements.named("retention/find/begin"))
    _take(connection, as_of)
    run_script(connection, statements.named("retention/find/runs"))
    while execute(connection, "retention/find/parents"):
        pass
    for found in FOUND:
        run_script(connection, statements.named(f"retention/find/{found}"))
    for phase in PHASES:
        execute(connection, composed("retention/find/number", leaving=sql.Identifier(phase.leaving)))
    counted = {one.table: one.rows for one in every_row(connection, _Counted, "retention/count_rows")}
    kept = {one.reason: one.rows for one in every_row(connection, _Kept, "retention/count_kept")}
    size = one_value(connection, int, "retention/bytes", {"tables": list(counted), "rows": list(counted.values())})
    return RetentionPlan(as_of, counted, size, kept)


def advance_horizons(connection: Connection) -> None:
    """From now on nothing comes back of what was found to go."""
    execute(connection, "retention/advance_horizons")


def chunks(connection: Connection, lease: Lease) -> Iterator[Counter[str]]:
    """Deletes what was found, a transaction each time it is asked; the rows that have gone, for each table.

    Raises LeaseLost if a normalization run has taken the lease: nothing that was found can be relied on then.
    """
    for phase in PHASES:
        count = composed("retention/count_leaving", leaving=sql.Identifier(phase.leaving))
        last = one_value(connection, int, count)
        connection.commit()
        for after in range(0, last, CHUNK):
            with connection.transaction():
                fence(connection, lease)
                gone = _delete(connection, phase, after)
            yield gone


def _delete(connection: Connection, phase: Phase, after: int) -> Counter[str]:
    gone: Counter[str] = Counter()
    for step in phase.steps:
        rows = execute(connection, _statement(phase, step), {"after": after, "until": after + CHUNK})
        if isinstance(step, _Rows):
            gone[step.table] += rows
        elif not step.startswith(_NO_ROWS_GO):
            gone[step] += rows
    return gone


def _statement(phase: Phase, step: str | _Rows) -> str | sql.Composed:
    if isinstance(step, str):
        return f"retention/delete/{phase.folder}/{step}"
    names = {"table": step.table, "leaving": phase.leaving, "column": step.column, "key": step.key}
    return composed("retention/delete/rows", **{place: sql.Identifier(name) for place, name in names.items()})


def _take(connection: Connection, as_of: datetime) -> None:
    namespaces = every_value(connection, str, "retention/namespaces")
    _take_cutoffs(connection, all_cutoffs(policies_in_force(connection), namespaces, as_of))
    held = [
        (hold.id, namespace)
        for hold in every_row(connection, _HoldPattern, "retention/hold_patterns")
        for namespace in namespaces
        if matches(hold.namespace_pattern, namespace)
    ]
    taken = {"holds": [hold for hold, _ in held], "namespaces": [namespace for _, namespace in held]}
    execute(connection, "retention/find/holds", taken)


def _take_cutoffs(connection: Connection, cutoffs: Sequence[Cutoff]) -> None:
    taken = {
        "kinds": [cutoff.kind.value for cutoff in cutoffs],
        "namespaces": [cutoff.namespace for cutoff in cutoffs],
        "befores": [cutoff.before for cutoff in cutoffs],
        "kept": [cutoff.keep_last for cutoff in cutoffs],
    }
    execute(connection, "retention/find/cutoffs", taken)
