"""What is deleted, what is held, and what was deleted."""

from __future__ import annotations

from typing import Any

from lineage_core.pages.page import LineagePage, Reader
from lineage_core.retention.store import policies, reports


def retention(store: Reader) -> dict[str, Any]:
    """The policies of retention, the legal holds, and what the last applications deleted."""
    return {
        "policies": policies.policies(store),
        "holds": policies.holds(store),
        "reports": reports.reports(store),
    }


PAGE = LineagePage("retention", "Retention", 7, retention)
