"""Logins that cannot do what their role may, or that are above all rights."""

from __future__ import annotations

from functools import partial

from lineage_core.health_check import HealthCheck, Looked
from lineage_core.model.tables import all_tables
from lineage_core.postgres.leases import APPLICATION
from lineage_core.postgres.typed_rows import every_value


def logins(looked: Looked, *, needs_person: bool) -> list[str]:
    """Logins whose rights do not fit their role: faults, or what is only worth a note."""
    about = {
        "tables": [table.name for table in all_tables()],
        "lease_session": APPLICATION,
        "needs_person": needs_person,
    }
    return every_value(looked.connection, str, "database/checks/logins", about)


HEALTH_CHECK = HealthCheck(
    "logins",
    partial(logins, needs_person=True),
    "Change it by ALTER ROLE or GRANT: a login inherits the rights of its role, and has none above them.",
)
