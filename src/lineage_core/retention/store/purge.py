"""The deletion of what retention lets go: found set-wise, deleted chunk by chunk, none of which leaves a loose end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg import sql

from lineage_core import statements
from lineage_core.model.tables.retention_policies import PolicyKind
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.typed_rows import composed, every_row, every_value, execute, one_value
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
    Phase(
        "leaving_dataset_fields",
        "fields",
        (_Rows("dataset_fields_tag_mapping", "dataset_field_uuid"), _Keys("dataset_fields"), _Rows("dataset_fields")),
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

JUDGED = {
    "runs": "old_runs",
    "job_versions": "old_job_versions",
    "dataset_versions": "old_versions",
    "jobs": "old_jobs",
    "datasets": "old_datasets",
}
"""The temporary tables that say of old rows why they stay."""

CANDIDATES = ("entities", "runs", "job_versions")
"""What is looked for first: what is old enough, with what keeps it by itself."""

FOUND = (
    "leaving_entities",
    "leaving_runs",
    "leaving_job_versions",
    "job_events",
    "versions",
    "leaving_versions",
    "mentions",
    "parent_mentions",
    "column_lineage",
    "purged_runs",
    "quarantine",
    "facet_sets",
    "contents",
    "fields",
    "keys",
)
"""What is looked for once it is known what stays, each by what was found before it."""

UNAPPROVED = frozenset({"job_events", "versions", "facet_sets", "contents", "fields"})
"""Of these, and of what is looked for first, a plan that is carried out has the keys: what is found and is not in the
plan stays. A purged run and a document in quarantine never become old by what arrives, and what hangs on what goes
follows it."""

_EMPTIED = (PolicyKind.RUNS, PolicyKind.VERSIONS, PolicyKind.ENTITIES)

_NO_ROWS_GO = ("keep_", "mark_", "unname_", "name_")


@dataclass(frozen=True)
class Found:
    """Rows that go, for each table; bytes that they take by the mean of their tables; rows that stay, by reason; how
    many versions stay and lose the run that has written them."""

    tables: Mapping[str, int]
    bytes: int
    protected: Mapping[str, int]
    unwritten: int


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


def cutoffs(connection: Connection, as_of: datetime, emptied: str | None = None) -> list[Cutoff]:
    """Before when what goes, but for raw events.

    emptied: a pattern of the namespaces that are emptied; without it the policies in force decide.
    """
    namespaces = every_value(connection, str, "retention/namespaces")
    if emptied is None:
        return all_cutoffs(policies_in_force(connection), namespaces, as_of)
    unnamed = Cutoff(PolicyKind.CONTENTS, "", as_of, 0)
    return [*emptying_cutoffs(emptied, namespaces, as_of, _EMPTIED), unnamed]


def find(connection: Connection, as_of: datetime, cutoffs: Sequence[Cutoff], plan: int | None = None) -> Found:
    """What goes by the cut-offs, in temporary tables of the session; it only reads.

    plan: the number of the plan that is carried out; nothing goes that it does not have.
    """
    run_script(connection, statements.named("retention/find/begin"))
    _take_cutoffs(connection, as_of, cutoffs)
    run_script(connection, statements.named("retention/find/holds"))
    if plan is not None:
        execute(connection, "retention/find/approved", {"plan": plan})
        run_script(connection, statements.named("retention/find/index_approved"))
    for found in CANDIDATES:
        run_script(connection, statements.named(f"retention/find/{found}"))
    _ask_what_stays(connection)
    if plan is not None:  # only now: a run that stays as a parent alone, and so is not in the plan, keeps no parent
        for found in CANDIDATES:
            run_script(connection, statements.named(f"retention/find/unapproved/{found}"))
        _ask_what_stays(connection)
    for found in FOUND:
        run_script(connection, statements.named(f"retention/find/{found}"))
        if plan is not None and found in UNAPPROVED:
            run_script(connection, statements.named(f"retention/find/unapproved/{found}"))
    for leaving in dict.fromkeys(phase.leaving for phase in PHASES):
        execute(connection, composed("retention/find/number", leaving=sql.Identifier(leaving)))
    counted = _counted(connection)
    kept = {one.reason: one.rows for one in every_row(connection, _Kept, "retention/count_kept")}
    size = one_value(connection, int, "retention/bytes", {"tables": list(counted), "rows": list(counted.values())})
    return Found(counted, size, kept, one_value(connection, int, "retention/count_unwritten"))


def _ask_what_stays(connection: Connection) -> None:
    while sum(execute(connection, f"retention/find/stays/{rule}") for rule in STAYS):
        pass


def stayed(connection: Connection) -> dict[str, int]:
    """What of the plan has stayed, by the reason, once nothing more was found to go."""
    found = Counter[str]()
    for table, judged in JUDGED.items():
        statement = composed(
            "retention/plans/stayed", table=sql.Identifier("public", table), judged=sql.Identifier(judged)
        )
        found.update({one.reason: one.rows for one in every_row(connection, _Kept, statement, {"table": table})})
    return dict(found)


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


def chunks(connection: Connection, lease: Lease, note: Callable[[Counter[str]], None]) -> Iterator[Counter[str] | None]:
    """Deletes what was found, a transaction each time it is asked; the rows that have gone, for each table. `note` is
    called with them within the transaction.

    Gives None, and ends, if a legal hold has been placed since it was looked for what goes. Raises LeaseLost if a
    normalization run has taken the lease. Nothing that was found can be relied on then.
    """
    for phase in PHASES:
        count = composed("retention/count_leaving", leaving=sql.Identifier(phase.leaving))
        last = one_value(connection, int, count)
        connection.commit()
        for after in range(0, last, CHUNK):
            with connection.transaction():
                fence(connection, lease)
                execute(connection, "retention/keep_holds")
                gone = None if _has_new_holds(connection) else _delete(connection, phase, after)
                if gone is not None:
                    note(gone)
            yield gone
            if gone is None:
                return


def _has_new_holds(connection: Connection) -> bool:
    return one_value(connection, bool, "retention/new_holds")


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
