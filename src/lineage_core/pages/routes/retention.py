"""What is deleted, what is held, and what was deleted."""

from __future__ import annotations

from typing import Any

from lineage_core.pages.page import LineagePage, Reader
from lineage_core.pages.rows import listed
from lineage_core.reading.store import snapshot
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import policies, reports

PLANS = 5


def retention(store: Reader) -> dict[str, Any]:
    """The policies of retention, the legal holds, what would go by the last plans, and what applications deleted.
    `placed_by` has the person who placed a hold by its number, where one is recorded; a hold itself has the login."""
    holds = policies.holds(store)
    with snapshot(store) as connection:
        plans = listed(connection, "retention_plans", PLANS)
        subjects = {f"hold {one.id}": str(one.id) for one in holds}
        placed = listed(connection, "persons_of_holds", len(subjects), holds=list(subjects))
    return {
        "policies": [_policy(one) for one in policies.policies(store)],
        "holds": holds,
        "placed_by": {subjects[one["hold"]]: one["person"] for one in placed.rows},
        "plans": plans.rows,
        "reports": reports.reports(store),
    }


def _policy(policy: Policy) -> dict[str, Any]:
    return {
        "kind": policy.kind.value,
        "namespace_pattern": policy.namespace_pattern,
        "older_than": policy.older_than,
        "keep_last": policy.keep_last,
    }


PAGE = LineagePage("retention", "Retention", 7, retention)
