"""All health checks of the store, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lineage_core.database import health_checks
from lineage_core.database.health_check import HealthCheck, Looked
from lineage_core.model.registry import declarations
from lineage_core.postgres.connection import connect
from lineage_core.postgres.failures import explained


@dataclass(frozen=True)
class Finding:
    """A fault: by which check, what is wrong, and what to do."""

    check: str
    what: str
    advice: str
    needs_person: bool


def all_health_checks() -> tuple[HealthCheck, ...]:
    """Every file of `health_checks/`."""
    return tuple(declarations(health_checks.__name__, "HEALTH_CHECK"))


def examine(dsn: str, spool: Path) -> list[Finding]:
    """Every fault that is there now. Only reads. Raises StoreUnavailable if the store cannot be reached."""
    with explained("lineage_reader"), connect(dsn, application_name="lineage doctor") as connection:
        looked = Looked(dsn, connection, spool)
        return [
            Finding(check.name, what, check.advice, check.needs_person)
            for check in all_health_checks()
            for what in check.find(looked)
        ]
