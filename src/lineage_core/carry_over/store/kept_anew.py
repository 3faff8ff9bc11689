"""What is kept of a store of this release, taken again as it now is: the new store is not in use until it is in place.

Other than `kept`, whose lists are closed, each declared table has its place in a list here, or is made of events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from psycopg import sql

from lineage_core.carry_over.store import kept
from lineage_core.carry_over.store.kept import columns_of
from lineage_core.declare.tables import table_named
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, every_value, execute, one_value
from lineage_core.statements import named

FIRST = (
    "operator_acts",
    "discarded_documents",
    "receiver_tokens",
    "receiver_hours",
    "retention_policies",
    "retention_reports",
    "archived_event_months",
    "hold_queries",
    "stream_policies",
)
"""Tables that are taken as they are, before events are normalized."""

LAST = ("retention_purged_runs", "facet_migration_lock", "jobs_fqn", "stream_versions")
"""Those that are taken once they are: they name what events make, or change with what goes of it."""

HOLDS = ("retention_holds", "retention_hold_releases", "retention_restored_events")
HORIZONS = ("retention_horizons",)
"""Not there until what retention has deleted is deleted again: they would make some of it expired."""

JOINED = {"quarantine": ("digest",), "dataset_schema_alerts": ("dataset_uuid", "event_order")}
"""Tables that are taken, and to which normalization adds rows, by what names a row in both stores."""

NAMED_BY_PEOPLE = ("namespaces", "owners", "tags")
"""What people may name before an event does."""

LEFT_BEHIND = {
    **kept.LEFT_BEHIND,
    "receiver_processes": "",
    "retention_plan_events": "",
    "retention_plan_keys": "",
    "migration_ranges": "",
    "migration_workers": "",
    "migration_transitions": "",
    "migration_holds": "",
    "migration_quarantine": "",
    "migration_acceptances": "",
    "stream_heads": "",
    "stream_checkpoints": "",
    "stream_publications": "",
    "stream_roots": "",
    "removed_stream_files": "",
}
"""Tables that are not taken, with what that means where it has a meaning of its own."""


def left_behind(store: Store) -> list[str]:
    """A sentence for each thing that is not taken."""
    with store.connect() as connection:
        emissions = every_value(connection, str, "carry_over/rebuild/emissions")
    return [
        *kept.left_behind(store),
        *(
            f"{name!r} of `lineage emit` begins anew, and sends all events again: receivers take one that comes twice"
            " for one."
            for name in emissions
        ),
    ]


def begin(reading: Connection, new: Store) -> None:
    """Takes what normalization goes by, but for horizons, and forgets what was set before."""
    with new.connect() as writing:
        run_script(writing, named("carry_over/rebuild/begin"))
        run_script(writing, named("carry_over/marks/forget"))
        _take_whole(reading, writing, (*FIRST, *HOLDS))
        _empty(writing, HORIZONS)
    for table in NAMED_BY_PEOPLE:
        with new.connect() as writing:
            _take_named_by_people(reading, writing, table)
    _join(reading, new, "quarantine")


def protect(reading: Connection, new: Store) -> None:
    """Lets what retention has deleted stay expired, and what is held stay."""
    with new.connect() as writing:
        _take_whole(reading, writing, (*HOLDS, *HORIZONS))


def without_holds(new: Store) -> None:
    """For a while, so that what was deleted before they were placed is deleted again."""
    with new.connect() as writing:
        _empty(writing, HOLDS)


def end(reading: Connection, new: Store) -> list[str]:
    """Takes what names things that events have made, and what people have set; a sentence for what cannot be."""
    with new.connect() as writing:
        _take_whole(reading, writing, LAST)
    remarks = [sentence for table in JOINED for sentence in _join(reading, new, table)]
    with new.connect() as writing:
        run_script(writing, named("carry_over/marks/forget"))
        return remarks + kept.keep_marks(reading, writing)


def _take_whole(reading: Connection, writing: Connection, tables: Sequence[str]) -> None:
    """In the caller's transaction. A table that the other store has lost is empty then."""
    _empty(writing, tables)
    for table in tables:
        columns = _shared(reading, writing, table)
        if columns:
            with _history_open(writing, table):
                _copy(reading, writing, table, columns, into=_fill(table, columns))
            _number_on(writing, table)


def _empty(writing: Connection, tables: Sequence[str]) -> None:
    for table in reversed(tables):
        with _history_open(writing, table):
            writing.execute(composed("carry_over/rebuild/empty", table=sql.Identifier(table)))


def _join(reading: Connection, new: Store, table: str) -> list[str]:
    """Takes the rows of a table, and puts those that the new store has made itself behind them; what could not be."""
    with new.connect() as writing:
        columns = _shared(reading, writing, table)
        if not columns:
            return []
        numbered = _numbered(writing, table)
        name, own = sql.Identifier(table), _names([column for column in columns if column not in numbered])
        keys = JOINED[table]
        known = _names(dict.fromkeys((*columns, *keys)))
        writing.execute(composed("carry_over/make_taken", table=name, columns=known))
        take = composed("carry_over/take_rows", columns=known)
        _copy(reading, writing, table, list(dict.fromkeys((*columns, *keys))), take)
        same = composed("carry_over/rebuild/same", one=_names(keys, "own"), other=_names(keys, "taken"))
        mine = _names(dict.fromkeys((*(column for column in columns if column not in numbered), *keys)))
        writing.execute(composed("carry_over/rebuild/make_own", table=name, columns=mine, same=same))
        if table == "quarantine":
            execute(writing, "carry_over/rebuild/forget_kept_documents")
            execute(writing, "carry_over/rebuild/note_kept_documents")
        writing.execute(composed("carry_over/rebuild/empty", table=name))
        refused = list(kept.refused_rows(writing, table, columns))
        _number_on(writing, table)
        writing.execute(composed("carry_over/rebuild/keep_own", table=name, columns=own))
    return [f"{len(refused)} rows of {table} are not taken: {refused[0]}."] if refused else []


def _take_named_by_people(reading: Connection, writing: Connection, table: str) -> None:
    columns = _shared(reading, writing, table)
    if not columns:
        return
    parts = {"table": sql.Identifier(table), "columns": _names(columns)}
    writing.execute(composed("carry_over/make_taken", **parts))
    _copy(reading, writing, table, columns, into=composed("carry_over/take_rows", columns=_names(columns)))
    writing.execute(composed("carry_over/rebuild/keep_named_by_people", entity=sql.Literal(table), **parts))


def _copy(reading: Connection, writing: Connection, table: str, columns: Sequence[str], into: sql.Composed) -> None:
    rows = composed("carry_over/copy_rows", table=sql.Identifier(table), columns=_names(columns))
    with reading.cursor() as out, writing.cursor() as target, out.copy(rows) as source, target.copy(into) as copied:
        for piece in source:
            copied.write(piece)


def _fill(table: str, columns: Sequence[str]) -> sql.Composed:
    return composed("carry_over/rebuild/fill", table=sql.Identifier(table), columns=_names(columns))


def _shared(reading: Connection, writing: Connection, table: str) -> list[str]:
    """The columns that are copied; none if the other store has lost the table."""
    known = columns_of(reading, table)
    computed = every_value(writing, str, "carry_over/computed_columns", {"table": table})
    return [name for name in columns_of(writing, table) if name in known and name not in computed]


def _numbered(writing: Connection, table: str) -> list[str]:
    return every_value(writing, str, "carry_over/numbered_columns", {"table": table})


def _number_on(writing: Connection, table: str) -> None:
    for column in _numbered(writing, table):
        parts = {"column": sql.Identifier(column), "table": sql.Identifier(table)}
        one_value(writing, int, composed("carry_over/number_on", **parts), {"table": table, "column": column})


@contextmanager
def _history_open(writing: Connection, table: str) -> Iterator[None]:
    """Around what writes a table that none may edit otherwise."""
    if not table_named(table).append_only:
        yield
        return
    writing.execute(composed("carry_over/rebuild/pause_triggers", table=sql.Identifier(table)))
    yield
    writing.execute(composed("carry_over/rebuild/resume_triggers", table=sql.Identifier(table)))


def _names(columns: Iterable[str], of: str | None = None) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(of, name) if of else sql.Identifier(name) for name in columns)
