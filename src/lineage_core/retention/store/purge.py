"""The deletion of what retention lets go: found set-wise, deleted chunk by chunk, none of which leaves a loose end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg import sql

from lineage_core import statements
from lineage_core.model.tables.retention_policies import PolicyKind
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.typed_rows import composed, every_row, every_value, execute, one_value
from lineage_core.retention.plan import RetentionPlan
from lineage_core.retention.policies import Cutoff, all_cutoffs, emptying_cutoffs
from lineage_core.retention.store.policies import policies_in_force

CHUNK = 1000
"""Rows of a phase's first table that one transaction takes, with all that hangs on them."""


@dataclass(frozen=True)
class _Rows:
    """The rows of a table whose column names what goes: one statement deletes them, whatever the table."""

    table: str
    column: str = "uuid"
    key: str = "uuid"


@dataclass(frozen=True)
class _Keys:
    """The keys in the identity map by which what goes is known, an entity of it."""

    entity: str


_Step = str | _Rows | _Keys


@dataclass(frozen=True)
class Phase:
    """One kind of thing, chunk by chunk: what is deleted, and what is changed, children before parents.

    A text names a statement in the phase's folder below `sql/retention/delete/`, for what is more than rows that name
    what goes. It is called for the table that it deletes from, unless it changes rows. Entities name each other in
    circles, so they name nothing any more before the first thing goes that they have named.
    """

    leaving: str
    """The temporary table that numbers what goes."""
    folder: str
    steps: tuple[_Step, ...]


PHASES = (
    Phase("naming_jobs", "references", ("unname_jobs",)),
    Phase("naming_datasets", "references", ("unname_datasets",)),
    Phase(
        "leaving_runs",
        "runs",
        (
            "keep_purged_runs",
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
            "unname_parents",
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
            _Rows("dataset_schema_alerts", "version_uuid"),
            "dataset_schema_verdicts",
            "dataset_version_timeline",
            "event_ledger",
            "dataset_mentions",
            _Keys("dataset_versions"),
            _Rows("dataset_versions"),
            "name_first_versions",
        ),
    ),
    Phase("leaving_schema_histories", "schema_versions", (_Rows("dataset_schema_histories"),)),
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
        (_Rows("job_versions_io_mapping", "job_version_uuid"), _Keys("job_versions"), _Rows("job_versions")),
    ),
    Phase("leaving_mentions", "mentions", ("dataset_mentions",)),
    Phase("leaving_parents", "parents", ("parent_mentions",)),
    Phase(
        "leaving_jobs",
        "jobs",
        (
            _Rows("job_labels", "job_uuid"),
            _Rows("job_ownerships", "job_uuid"),
            _Rows("jobs_tag_mapping", "job_uuid"),
            _Keys("jobs"),
            _Rows("jobs"),
        ),
    ),
    Phase(
        "leaving_datasets",
        "datasets",
        (
            "dataset_fields_tag_mapping",
            _Rows("dataset_fields", "dataset_uuid"),
            _Rows("dataset_labels", "dataset_uuid"),
            _Rows("dataset_ownerships", "dataset_uuid"),
            _Rows("datasets_tag_mapping", "dataset_uuid"),
            _Rows("dataset_symlinks", "dataset_uuid"),
            _Keys("datasets"),
            _Rows("datasets"),
            "dataset_names",
        ),
    ),
    Phase("leaving_purged_runs", "purged_runs", (_Rows("retention_purged_runs"),)),
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

STAYS = ("parents", "writers", "runs_of_jobs", "jobs", "job_versions_of_jobs", "job_versions_of_runs", "datasets")
"""Rules of what stays because of something else that does. They are asked until none finds any more."""

FOUND = (
    "leaving_entities",
    "leaving_runs",
    "leaving_job_versions",
    "job_events",
    "versions",
    "mentions",
    "parent_mentions",
    "column_lineage",
    "purged_runs",
    "quarantine",
    "contents",
)
"""What is looked for once it is known what stays, each by what was found before it."""

_EMPTIED = (PolicyKind.RUNS, PolicyKind.VERSIONS, PolicyKind.ENTITIES)

_NO_ROWS_GO = ("keep_", "mark_", "unname_", "name_")


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


def find(connection: Connection, as_of: datetime, emptied: str | None = None) -> RetentionPlan:
    """What goes at that time, in temporary tables of the session; it only reads.

    emptied: a pattern of the namespaces that are emptied; without it the policies in force decide.
    """
    run_script(connection, statements.named("retention/find/begin"))
    _take(connection, as_of, emptied)
    for found in ("entities", "runs", "job_versions"):
        run_script(connection, statements.named(f"retention/find/{found}"))
    while sum(execute(connection, f"retention/find/stays/{rule}") for rule in STAYS):
        pass
    for found in FOUND:
        run_script(connection, statements.named(f"retention/find/{found}"))
    for leaving in dict.fromkeys(phase.leaving for phase in PHASES):
        execute(connection, composed("retention/find/number", leaving=sql.Identifier(leaving)))
    counted = _counted(connection)
    kept = {one.reason: one.rows for one in every_row(connection, _Kept, "retention/count_kept")}
    size = one_value(connection, int, "retention/bytes", {"tables": list(counted), "rows": list(counted.values())})
    return RetentionPlan(as_of, counted, size, kept, emptied)


def _counted(connection: Connection) -> dict[str, int]:
    counted = Counter({one.table: one.rows for one in every_row(connection, _Counted, "retention/count_rows")})
    for phase in PHASES:
        for step in phase.steps:
            if isinstance(step, _Rows):
                counted[step.table] += one_value(connection, int, _of_rows("retention/count_rows_of", phase, step))
            elif isinstance(step, _Keys):
                keys = composed("retention/count_keys_of", leaving=sql.Identifier(phase.leaving))
                counted["identity_map"] += one_value(connection, int, keys, {"entity": step.entity})
    return dict(+counted)


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
    chunk = {"after": after, "until": after + CHUNK}
    for step in phase.steps:
        if isinstance(step, _Rows):
            gone[step.table] += execute(connection, _of_rows("retention/delete/rows", phase, step), chunk)
        elif isinstance(step, _Keys):
            keys = composed("retention/delete/identity_map", leaving=sql.Identifier(phase.leaving))
            gone["identity_map"] += execute(connection, keys, {**chunk, "entity": step.entity})
        else:
            rows = execute(connection, f"retention/delete/{phase.folder}/{step}", chunk)
            if not step.startswith(_NO_ROWS_GO):
                gone[step] += rows
    return gone


def _of_rows(statement: str, phase: Phase, step: _Rows) -> sql.Composed:
    names = {"table": step.table, "leaving": phase.leaving, "column": step.column, "key": step.key}
    return composed(statement, **{place: sql.Identifier(name) for place, name in names.items()})


def _take(connection: Connection, as_of: datetime, emptied: str | None) -> None:
    namespaces = every_value(connection, str, "retention/namespaces")
    if emptied is None:
        _take_cutoffs(connection, all_cutoffs(policies_in_force(connection), namespaces, as_of))
    else:
        unnamed = Cutoff(PolicyKind.CONTENTS, "", as_of, 0)
        _take_cutoffs(connection, [*emptying_cutoffs(emptied, namespaces, as_of, _EMPTIED), unnamed])
    run_script(connection, statements.named("retention/find/holds"))


def _take_cutoffs(connection: Connection, cutoffs: Sequence[Cutoff]) -> None:
    taken = {
        "kinds": [cutoff.kind.value for cutoff in cutoffs],
        "namespaces": [cutoff.namespace for cutoff in cutoffs],
        "befores": [cutoff.before for cutoff in cutoffs],
        "kept": [cutoff.keep_last for cutoff in cutoffs],
        "emptied": [cutoff.is_emptied for cutoff in cutoffs],
    }
    execute(connection, "retention/find/cutoffs", taken)
