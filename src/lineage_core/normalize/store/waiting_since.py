"""Since when events wait for a normalization."""

from __future__ import annotations

from datetime import datetime

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import value_or_none


def waiting_since(connection: Connection) -> datetime | None:
    """When the first of what is not normalized arrived; None if nothing waits."""
    return value_or_none(connection, datetime, "normalize/waiting_since")
