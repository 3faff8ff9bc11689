"""Faults of the store that no run reports by itself, and what to do about each."""

from __future__ import annotations

from typing_extensions import TypedDict

from lineage_core.operate.whole_store import Finding, all_health_checks, examine
from lineage_core.pages.page import LineagePage, Reader
from lineage_core.settings import spool_from_environment


class HealthPage(TypedDict):
    """checks: how many there were. findings: what is wrong."""

    checks: int
    findings: list[Finding]


def health(store: Reader) -> HealthPage:
    """What `lineage doctor` finds in the store by reading alone; Airflow is not looked at."""
    checks = [check for check in all_health_checks() if check.only_reads]
    return {"checks": len(checks), "findings": examine(store, spool_from_environment(), checks=checks)}


PAGE = LineagePage("health", "Health", 8, health)
