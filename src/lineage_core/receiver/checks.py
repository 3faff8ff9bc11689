"""The health checks of the receiver and its tokens."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

EXPIRING_TOKENS = HealthCheck(
    "expiring_tokens",
    by_statement("receiver/checks/expiring_tokens"),
    "`lineage token create` makes the next one; give it to the producer, then `lineage token revoke` the old one.",
)
"""Tokens whose producers are refused soon, or by now."""

REFUSED_DOCUMENTS = HealthCheck(
    "refused_documents",
    by_statement("receiver/checks/refused_documents"),
    "The receiver's log names address and status of each request; `lineage quarantine list` has what was no event.",
    needs_person=False,
)
"""Refusals of the receiver that have become more."""

SILENT_RECEIVERS = HealthCheck(
    "silent_receivers",
    by_statement("receiver/checks/silent_receivers"),
    "It was killed, or cannot write: its log says which. Start it again; a new one on the same host ends this finding.",
)
"""Processes that receive events, and have stopped to say so."""
