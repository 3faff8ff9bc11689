"""Stores whose schemas have the keys of their fields in a second list of them, as an earlier release has left them."""

from __future__ import annotations

from typing import LiteralString

from lineage_core import statements
from lineage_core.postgres.store import Store
from tests.support.moved_rows import ALL

_AS_BEFORE: LiteralString = """
UPDATE dataset_schemas AS stored
SET field_keys = NULL,
    keyed_fields = (
        SELECT coalesce(jsonb_agg(to_jsonb(field) - 'place' ORDER BY field.place), '[]')
        FROM schema_fields(stored.fields, stored.field_keys, stored.keyed_fields) AS field
    )
"""


def kept_with_their_keys(store: Store) -> int:
    """Lists the fields of each schema again, each with its key; how many schemas there are."""
    with store.connect() as connection:
        return connection.execute(_AS_BEFORE).rowcount


def keys_moved(store: Store) -> None:
    """Gives each schema the array, as the long migration does."""
    with store.connect() as connection:
        connection.execute(statements.named("long_migrations/schema-keys/step"), ALL)
