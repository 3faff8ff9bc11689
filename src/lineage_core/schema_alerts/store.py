"""Alerts of schema changes: which there are, and that somebody knows of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from lineage_core.acts.store import record
from lineage_core.declare.database_names import OPERATORS, READER
from lineage_core.errors import WrongUsage
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, every_value


@dataclass(frozen=True)
class SchemaAlert:
    """A schema that broke a rule: of which dataset, since when, by which job, and what it broke.

    job: `namespace/name`, None if the schema was declared without a job. resolution: what the verdict became when
    events came late, `moved` if the version is no longer one of the dataset.
    """

    id: int
    dataset_namespace: str
    dataset_name: str
    version: UUID
    changed_at: datetime
    job: str | None
    run: UUID | None
    refusals: list[dict[str, Any]]
    raised_at: datetime
    is_open: bool
    resolved_at: datetime | None
    resolution: str | None
    acknowledged_at: datetime | None
    acknowledged_by: str | None
    reason: str | None


def alerts(store: Store, *, closed: bool = False) -> list[SchemaAlert]:
    """Those that are open, and if `closed` the others, too; in the order in which they were raised first."""
    with store.session(READER) as connection:
        return every_row(connection, SchemaAlert, "schema_alerts/alerts", {"closed": closed})


def acknowledge(store: Store, ids: Sequence[int], reason: str | None = None) -> None:
    """Says that the login knows of these alerts; all, or none if one is unknown. A repeat replaces the reason.

    Raises WrongUsage if there is no such alert.
    """
    with store.session(OPERATORS) as connection:
        parameters = {"ids": list(ids), "reason": reason}
        found = set(every_value(connection, int, "schema_alerts/acknowledge", parameters))
        unknown = sorted(set(ids) - found)
        if unknown:
            raise WrongUsage(
                f"There is no alert {', '.join(map(str, unknown))}, so none was acknowledged."
                " `lineage schema alerts --all` shows which there are."
            )
        alerts_named = f"alerts {', '.join(map(str, sorted(found)))}"
        record(connection, store, "schema acknowledge", alerts_named, reason or "acknowledged")
