"""Logins that may do more than the work of one part."""

from __future__ import annotations

from functools import partial

from lineage_core.database.checks.logins import logins
from lineage_core.health_check import HealthCheck

HEALTH_CHECK = HealthCheck(
    "broad_logins",
    partial(logins, needs_person=False),
    "A login of its own for each part, with one role, does less harm when it is stolen: docs/command-line.md, Logins.",
    needs_person=False,
)
