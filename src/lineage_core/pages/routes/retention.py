"""What is deleted, what is held, and what was deleted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from typing_extensions import TypedDict

from lineage_core.pages.page import LineagePage, Reader
from lineage_core.pages.rows import listed
from lineage_core.reading.store import snapshot
from lineage_core.retention.policies import PolicyMembers
from lineage_core.retention.store import policies, reports
from lineage_core.retention.store.policies import LegalHold
from lineage_core.retention.store.reports import RetentionReport

PLANS = 5


class ListedPlan(TypedDict):
    """written: as it is written for whoever approves it. is_applied: whether it was carried out."""

    id: int
    as_of: datetime
    planned_at: datetime
    written: dict[str, Any]
    is_applied: bool


class RetentionPage(TypedDict):
    """policies: in the order in which they count. placed_by: the person who placed a hold, by its number, where one is
    recorded; a hold itself has the login."""

    policies: list[PolicyMembers]
    holds: list[LegalHold]
    placed_by: dict[str, str]
    plans: Sequence[ListedPlan]
    reports: list[RetentionReport]


class _Placed(TypedDict):
    hold: str
    person: str


def retention(store: Reader) -> RetentionPage:
    """The policies of retention, the legal holds, what would go by the last plans, and what applications deleted."""
    holds = policies.holds(store)
    with snapshot(store) as connection:
        plans = listed(connection, ListedPlan, "retention_plans", PLANS)
        subjects = {f"hold {one.id}": str(one.id) for one in holds}
        placed = listed(connection, _Placed, "persons_of_holds", len(subjects), holds=list(subjects))
    return {
        "policies": [one.members for one in policies.policies(store)],
        "holds": holds,
        "placed_by": {subjects[one["hold"]]: one["person"] for one in placed.rows},
        "plans": plans.rows,
        "reports": reports.reports(store),
    }


PAGE = LineagePage("retention", "Retention", 7, retention)
