"""Raw events that no reader sees, as the transaction that wrote them has not ended."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "held_arrivals",
    by_statement("ingest/checks/held_arrivals"),
    "Let it commit (or COMMIT PREPARED): a later run then finds its events. If it is rolled back, they are not stored.",
)
