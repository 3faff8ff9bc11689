"""Refusals of the receiver that have become more."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "refused_documents",
    by_statement("receiver/checks/refused_documents"),
    "The receiver's log names address and status of each request; `lineage quarantine list` has what was no event.",
    needs_person=False,
)
