"""Processes that receive events, and have stopped to say so."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "silent_receivers",
    by_statement("receiver/checks/silent_receivers"),
    "It was killed, or cannot write: its log says which. Start it again; a new one on the same host ends this finding.",
)
