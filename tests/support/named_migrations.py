"""The long migrations that an upgrade names."""

from __future__ import annotations

import re

from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store


def named_by_upgrade(store: Store) -> list[str]:
    return re.findall(r"`lineage migration run ([\w-]+)`", " ".join(whole_store.upgrade(store)))
