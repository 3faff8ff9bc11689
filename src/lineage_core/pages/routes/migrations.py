"""Long migrations: how far they are, and what holds them."""

from __future__ import annotations

from typing_extensions import TypedDict

from lineage_core.long_migrations.store.records import Status, statuses
from lineage_core.pages.page import LineagePage, Reader


class MigrationsPage(TypedDict):
    """Those that were planned."""

    migrations: list[Status]


def migrations(store: Reader) -> MigrationsPage:
    """Every planned migration, with progress, rate, and when it ends."""
    return {"migrations": statuses(store)}


PAGE = LineagePage("migrations", "Migrations", 6, migrations)
