"""What operators ask of schema alerts: how many schemas broke a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.capability import AskedStore, HealthCheck, StatusTopic, ago, by_statement
from lineage_core.postgres.typed_rows import one_row

SCHEMA_CHANGES = HealthCheck(
    "schema_changes",
    by_statement("schema_alerts/checks/schema_changes"),
    "`lineage schema alerts` says what they broke, and which job wrote them; tell who reads these datasets, then"
    " `lineage schema acknowledge`.",
    needs_person=False,
)
"""Schemas of users' datasets that broke a rule."""


@dataclass(frozen=True)
class RefusedSchemas:
    """Schemas of datasets that broke a rule, and that are not acknowledged; `last_at` is when the last one came."""

    alerts: int
    last_at: datetime | None


def _find(store: AskedStore) -> RefusedSchemas:
    return one_row(store.connection, RefusedSchemas, "schema_alerts/status/schema_changes")


def _lines(found: RefusedSchemas, now: datetime) -> Iterator[tuple[str, str]]:
    last = f", the last {ago(found.last_at, now)}" if found.last_at else ""
    yield "schema changes", f"{found.alerts:,} broke a rule{last}"


def _figures(found: RefusedSchemas, _now: datetime) -> Iterator[tuple[str, float]]:
    yield "schema_changes.alerts", found.alerts


REFUSED_SCHEMAS = StatusTopic("schema_changes", 60, _find, _lines, _figures)
