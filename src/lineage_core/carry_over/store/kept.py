"""What is no function of the events, and is kept: tables as they are, and what people have set beside what events say.

The lists here are closed: every state that is carried over lies in the past, and a later table is in none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from psycopg import Error, errors, sql

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, every_value, execute, one_value

KEPT = (
    "quarantine",
    "retention_policies",
    "retention_holds",
    "retention_hold_releases",
    "retention_restored_events",
    "retention_purged_runs",
    "retention_reports",
    "archived_event_months",
    "hold_queries",
    "stream_policies",
)
"""Tables whose rows are taken as they are, those that others name first."""

HISTORIES = ("retention_policies",)
"""Tables whose last row counts, and to which an upgrade has added some."""

HORIZONS = "retention_horizons"
"""Taken when all that the earlier tables hold is normalized: until then it would make some of that expired."""


@dataclass(frozen=True)
class Mark:
    """Something that people have set, as rows of one table: ``marks.sql`` reads and writes it."""

    table: str
    what: str
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The columns that the earlier store must have, for each table."""


MARKS = (
    Mark("tags", "tags", {"tags": ("name", "description", "created_at", "updated_at")}),
    Mark(
        "namespaces",
        "namespaces with description, owner, and whether they are hidden",
        {"namespaces": ("name", "description", "current_owner_name", "is_hidden")},
    ),
    Mark(
        "namespace_ownerships",
        "owners of namespaces",
        {"namespace_ownerships": ("namespace_uuid", "owner_uuid", "started_at", "ended_at")},
    ),
    Mark("sources", "descriptions of sources", {"sources": ("name", "description")}),
    Mark("datasets", "hidden datasets", {"datasets": ("namespace_name", "name", "is_hidden")}),
    Mark("jobs", "hidden jobs", {"jobs": ("namespace_name", "name", "is_hidden")}),
    Mark("datasets_tag_mapping", "tags of datasets", {"datasets_tag_mapping": ("tagged_at", "is_reported")}),
    Mark("dataset_fields_tag_mapping", "tags of columns", {"dataset_fields_tag_mapping": ("tagged_at", "is_reported")}),
    Mark("jobs_tag_mapping", "tags of jobs", {"jobs_tag_mapping": ("tagged_at", "is_reported")}),
    Mark(
        "dataset_schema_alerts",
        "acknowledged alerts",
        {"dataset_schema_alerts": ("event_order", "raised_at", "acknowledged_at", "acknowledged_by", "reason")},
    ),
    Mark("streams", "streams that are on", {"streams": ("name", "started_by", "started_at")}),
)

LEFT_BEHIND = {
    "stream_parts": "Changelog streams begin anew: publish them below another URL, and let their readers begin there.",
    "stream_readers": "Readers of streams name schemas that are numbered anew: register them again.",
    "migrations": "Long migrations that were planned are not: the new store needs none.",
    "retention_plans": "Plans of retention that were not applied are made again.",
}
"""Tables whose rows are not taken, and what that means."""


def left_behind(earlier: Store) -> list[str]:
    """A sentence for each thing of the earlier store that is not carried over."""
    with earlier.connect() as connection:
        return [
            why for table, why in LEFT_BEHIND.items() if columns_of(connection, table) and _has_rows(connection, table)
        ]


def returning_runs(earlier: Store) -> list[str]:
    """Retention has deleted runs, and left those of their events that a version needs: a sentence, if there are any."""
    with earlier.connect() as connection:
        if "is_purged" not in columns_of(connection, "event_ledger"):
            return []
        events = one_value(connection, int, "carry_over/purged_events")
    if not events:
        return []
    return [
        f"{events} events of deleted runs are needed by versions: these runs are there again, until the next"
        " `lineage retention apply`."
    ]


def keep_tables(earlier: Store, new: Store) -> list[str]:
    """Takes over the rows of all kept tables that are not there yet; a sentence for what could not be."""
    return [sentence for table in KEPT for sentence in _keep(earlier, new, table)]


def keep_horizons(earlier: Store, new: Store) -> list[str]:
    """Lets what retention has deleted stay expired."""
    return list(_keep(earlier, new, HORIZONS))


def keep_marks(reading: Connection, writing: Connection) -> list[str]:
    """Sets what people have set, in the caller's transaction; a sentence for what could not be."""
    found = list[str]()
    for mark in MARKS:
        if any(not set(named) <= set(columns_of(reading, table)) for table, named in mark.needs.items()):
            continue
        rows = one_value(reading, str, f"carry_over/marks/{mark.table}/read")
        wanted = one_value(reading, int, "carry_over/number_of_marks", {"rows": rows})
        taken = execute(writing, f"carry_over/marks/{mark.table}/write", {"rows": rows})
        if taken < wanted:
            found.append(f"{wanted - taken} of {wanted} {mark.what} are of something that no event names any more.")
    return found


def _keep(earlier: Store, new: Store, table: str) -> Iterator[str]:
    with earlier.connect() as reading, new.connect() as writing:
        known, wanted = columns_of(reading, table), columns_of(writing, table)
        if not known:
            return
        numbered = every_value(writing, str, "carry_over/numbered_columns", {"table": table})
        left_out = every_value(writing, str, "carry_over/computed_columns", {"table": table})
        left_out += numbered if table in HISTORIES else []
        columns = [name for name in wanted if name in known and name not in left_out]
        lost = [name for name in known if name not in wanted]
        _take(reading, writing, table, columns)
        refused = list(refused_rows(writing, table, columns))
        for column in numbered:
            parts = {"column": sql.Identifier(column), "table": sql.Identifier(table)}
            one_value(writing, int, composed("carry_over/number_on", **parts), {"table": table, "column": column})
    if lost:
        yield f"{table} has no column {', '.join(lost)} any more."
    if refused:
        yield f"{len(refused)} rows of {table} are not taken: {refused[0]}."


def _take(reading: Connection, writing: Connection, table: str, columns: list[str]) -> None:
    parts = {"columns": _names(columns), "table": sql.Identifier(table)}
    writing.execute(composed("carry_over/make_taken", **parts))
    with reading.cursor() as out, writing.cursor() as into:
        take = composed("carry_over/take_rows", columns=_names(columns))
        with out.copy(composed("carry_over/copy_rows", **parts)) as source, into.copy(take) as target:
            for piece in source:
                target.write(piece)


def refused_rows(writing: Connection, table: str, columns: Sequence[str]) -> Iterator[str]:
    """Keeps the rows that were taken, all at once, or one by one if some may not be; why each of those may not."""
    name = "carry_over/keep_history" if table in HISTORIES else "carry_over/keep_rows"
    parts = {"columns": _names(columns), "table": sql.Identifier(table)}
    try:
        with writing.transaction():
            writing.execute(composed(name, place=sql.SQL("true"), **parts))
            return
    except (errors.IntegrityError, errors.DataError):
        places = every_value(writing, str, "carry_over/places")
    for place in places:
        of_row = sql.SQL("ctid = {}").format(sql.Literal(place))
        try:
            with writing.transaction():
                writing.execute(composed(name, place=of_row, **parts))
        except (errors.IntegrityError, errors.DataError) as error:
            yield _primary(error)


def _primary(error: Error) -> str:
    return error.diag.message_primary or str(error)


def columns_of(connection: Connection, table: str) -> list[str]:
    """The names of the columns of a table, in order; none if it is not there."""
    return every_value(connection, str, "carry_over/columns", {"table": f"public.{table}"})


def _has_rows(connection: Connection, table: str) -> bool:
    return one_value(connection, int, composed("carry_over/number_of_rows", table=sql.Identifier(table))) > 0


def _names(columns: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))
