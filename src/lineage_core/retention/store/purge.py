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
from lineage_core.retention.plan import RetentionPlan, all_cutoffs
from lineage_core.retention.policies import Cutoff, matches
from lineage_core.retention.store.policies import policies_in_force

CHUNK = 500
"""Rows of a phase's first table that one transaction takes, with all that hangs on them."""


@dataclass(frozen=True)
class Phase:
    """One kind of thing, chunk by chunk: the statements in their order, children before parents."""

    leaving: str
    """The temporary table that numbers what goes."""
    folder: str
    """Where its statements are, below `sql/retention/delete/`."""
    steps: tuple[str, ...]


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
            "unreadable_facets",
            "run_facets_kept_once",
            "runs_input_mapping",
            "unname_runs",
            "name_other_runs",
            "unname_states",
            "run_states",
            "runs",
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
            "dataset_versions",
            "name_first_versions",
        ),
    ),
    Phase(
        "leaving_schema_versions",
        "schema_versions",
        ("dataset_schema_versions_field_mapping", "dataset_schema_versions"),
    ),
    Phase("old_job_events", "job_events", ("event_ledger", "mark_events", "dataset_mentions", "mark_mentions")),
    Phase("leaving_events", "events", ("event_ledger",)),
    Phase("leaving_job_versions", "job_versions", ("job_versions_io_mapping", "identity_map", "job_versions")),
    Phase("leaving_mentions", "mentions", ("dataset_mentions",)),
    Phase("leaving_parents", "parents", ("parent_mentions",)),
    Phase("leaving_quarantine", "quarantine", ("quarantine",)),
    *(
        Phase(f"leaving_{table}", "contents", (table,))
        for table in (
            "facet_sets",
            "facets",
            "dataset_schemas",
            "dataset_column_lineages",
            "column_lineage_pairs",
            "run_args",
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
        rows = execute(connection, f"retention/delete/{phase.folder}/{step}", {"after": after, "until": after + CHUNK})
        if not step.startswith(_NO_ROWS_GO):
            gone[step] += rows
    return gone


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
