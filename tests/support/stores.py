"""What tests do with a store: put raw events in, normalize, look at every row, empty it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from psycopg import sql

from lineage_core.database.references import broken_references
from lineage_core.declare.tables import all_tables
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.postgres.replaced_tables import replaced_tables
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from tests.support.event_sets import CLOCK_AHEAD

BY_UPGRADE = {
    "flyway_schema_history",
    "group_roles",
    "refreshed_views",
    "retention_policies",
    "schema_scripts",
    "stream_schemas",
}
"""Tables that an upgrade fills."""

PLATFORM = {
    "lineage_events",
    "receiver_hours",
    "receiver_processes",
    "receiver_tokens",
    "quarantine",
    "operator_acts",
    "discarded_documents",
    "watermarks",
    "leases",
    "staged_parts",
    "facet_migration_lock",
    "migrations",
    "migration_ranges",
    "migration_workers",
    "migration_transitions",
    "migration_holds",
    "migration_quarantine",
    "migration_acceptances",
    "hold_queries",
    "retention_holds",
    "retention_hold_releases",
    "retention_horizons",
    "retention_plan_events",
    "retention_restored_events",
    "retention_plan_keys",
    "retention_plans",
    "retention_reports",
    "retention_purged_runs",
    "archived_event_months",
    "streams",
    "stream_heads",
    "stream_roots",
    "stream_policies",
    "stream_readers",
    "stream_parts",
    "stream_checkpoints",
    "removed_stream_files",
    "dataset_schema_alerts",
    *BY_UPGRADE,
}
"""Tables of raw events and of the work itself: what they hold is not a function of the set of events."""

RECEIVED_AT = "2026-06-01T00:00:00Z"
RECEIVED_BEFORE = "2025-12-01T00:00:00Z"
"""A month before the times of most events in tests."""


DEFAULT_NAMESPACE = """
INSERT INTO namespaces (uuid, created_at, updated_at, name, description)
VALUES (
    key_uuid('namespaces', 'default'), '1970-01-01Z', '1970-01-01Z', 'default',
    'The default global namespace for dataset, job, and run metadata not belonging to a user-specified namespace.'
)
"""
"""As the first migration makes it."""


def put(store: Store, events: Iterable[Any], received_at: str = RECEIVED_AT) -> None:
    """Stores raw events, in one transaction, as a producer's writer would; those of a clock that is ahead before their
    time."""
    with store.connect() as connection, connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO lineage_events (event_time, event, created_at) VALUES (%s, %s::jsonb, %s)",
            [
                (
                    event.get("eventTime"),
                    json.dumps(event),
                    RECEIVED_BEFORE if event.get("producer") == CLOCK_AHEAD else received_at,
                )
                for event in events
            ],
        )


def take_in(store: Store, events: Iterable[Any], *, tasks: int = 1, slice_bytes: int = 1 << 26) -> NormalizationOutcome:
    put(store, events)
    return normalize(store, SerialRunner(tasks), slice_bytes=slice_bytes)


def contents(store: Store, among: Collection[str] | None = None) -> dict[str, list[str]]:
    """Every row of every table that events fill, all columns, as sorted JSON texts. None may name what is not there.

    among: only of these tables, as a store of an earlier release lacks some.
    """
    if among is None:
        broken = broken_references(store)
        assert broken == [], broken
    with store.connect() as connection:
        return {
            table.name: sorted(
                text
                for (text,) in connection.execute(
                    sql.SQL("SELECT to_jsonb(r)::text FROM {} AS r").format(sql.Identifier(table.name))
                )
            )
            for table in all_tables()
            if table.name not in PLATFORM and (among is None or table.name in among)
        }


def differences(one: dict[str, list[str]], other: dict[str, list[str]]) -> dict[str, tuple[list[str], list[str]]]:
    """For each table that differs, the rows that only the one and only the other has."""
    found = {
        table: (
            list((Counter(one[table]) - Counter(other[table])).elements()),
            list((Counter(other[table]) - Counter(one[table])).elements()),
        )
        for table in one
    }
    return {table: rows for table, rows in found.items() if rows != ([], [])}


def rows(store: Store, query: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    with store.connect() as connection:
        return connection.execute(query, parameters).fetchall()


def empty(store: Store) -> None:
    """Leaves what an upgrade makes: removes every other row, raw events and watermark too, but for histories."""
    with store.connect() as connection:
        histories = {table.name for table in all_tables() if table.append_only}
        kept = BY_UPGRADE | histories | replaced_tables(connection)
        names = sql.SQL(", ").join(sql.Identifier(table.name) for table in all_tables() if table.name not in kept)
        connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(names))
        connection.execute(DEFAULT_NAMESPACE)
