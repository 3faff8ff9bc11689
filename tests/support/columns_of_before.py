"""Stores whose columns name no schema, as an earlier release has left them."""

from __future__ import annotations

from typing import LiteralString

from lineage_core.postgres.store import Store

_AS_BEFORE: LiteralString = """
UPDATE dataset_fields AS field
SET schema_uuid = NULL, latest_event = schema.latest_event, updated_at = schema.updated_at
FROM dataset_schemas AS schema
WHERE schema.uuid = field.schema_uuid
"""


def kept_by_their_last_event(store: Store) -> None:
    """Leaves columns with the order of their last event, and with its time."""
    with store.connect() as connection:
        assert connection.execute(_AS_BEFORE).rowcount > 0
