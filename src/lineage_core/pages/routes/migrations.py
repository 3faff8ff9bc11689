"""Long migrations: how far they are, and what holds them."""

from __future__ import annotations

from typing import Any

from lineage_core.long_migrations.store.records import statuses
from lineage_core.pages.page import LineagePage, Reader


def migrations(store: Reader) -> dict[str, Any]:
    """Every planned migration, with progress, rate, and when it ends."""
    return {"migrations": statuses(store)}


PAGE = LineagePage("migrations", "Migrations", 6, migrations)
