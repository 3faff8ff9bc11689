"""All health checks of the store, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lineage_core.declare.registry import values_in
from lineage_core.errors import NeedsOperator, SchemaDiffers
from lineage_core.health_check import HealthCheck, Looked
from lineage_core.operate.capabilities import HEALTH_CHECKS, UPGRADE_STEPS
from lineage_core.postgres.failures import explained
from lineage_core.postgres.store import Store

_OTHER_LOGIN = "Run `lineage doctor` by a login that has this right; the owner of the store has all of them."


@dataclass(frozen=True)
class Finding:
    """A fault: by which check, what is wrong, and what to do."""

    check: str
    what: str
    advice: str
    needs_person: bool


def all_health_checks() -> tuple[HealthCheck, ...]:
    """What the `checks.py` of the capabilities declare, by name."""
    found = (check for checks in HEALTH_CHECKS for check in values_in(checks, HealthCheck))
    return tuple(sorted(found, key=lambda check: check.name))


def examine(
    store: Store,
    spool: Path,
    ingest_store: Store | None = None,
    checks: Sequence[HealthCheck] | None = None,
    *,
    streams_url: str | None = None,
) -> list[Finding]:
    """Every fault that is there now, and each check that this login may not do. Only reads. `checks` are all of the
    store otherwise.

    Raises StoreUnavailable if the store cannot be reached, SchemaDiffers if there is none.
    """
    with store.session("lineage_reader", application_name="lineage doctor") as connection:
        looked = Looked(store, connection, spool, ingest_store, streams_url, UPGRADE_STEPS)
        return [finding for check in checks or all_health_checks() for finding in _findings(check, looked)]


def _findings(check: HealthCheck, looked: Looked) -> list[Finding]:
    """What is found is read to its end here, as a check that fails ends its transaction."""
    try:
        with looked.connection.transaction(), explained("lineage_reader"):
            return [Finding(check.name, what, check.advice, check.needs_person) for what in check.find(looked)]
    except SchemaDiffers:
        raise
    except NeedsOperator as error:
        return [Finding(check.name, f"It cannot look: {str(error).rstrip('.')}", _OTHER_LOGIN, needs_person=True)]
