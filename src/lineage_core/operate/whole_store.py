"""The store with what every capability has in it: made, brought up to date, compared with what is declared."""

from __future__ import annotations

from lineage_core.database import store as database
from lineage_core.operate.capabilities import UPGRADE_STEPS
from lineage_core.postgres.store import Store


def upgrade(store: Store, role_prefix: str | None = None, *, with_old_mapping: bool = False) -> list[str]:
    """Create the store or bring it up to date, as `database.store.upgrade` says."""
    return database.upgrade(store, UPGRADE_STEPS, role_prefix, with_old_mapping=with_old_mapping)


def differences(store: Store) -> list[str]:
    """What differs between the database and the declarations, a sentence each. The database stays as it is."""
    return database.differences(store, UPGRADE_STEPS)


def what_helps(store: Store) -> str:
    """Against the differences that there are: a sentence for the owner."""
    return database.what_helps(store, UPGRADE_STEPS)
