"""The schemas of the database that are ours beside `public`."""

from __future__ import annotations

STAGING = "staging"
"""The first schema of staging tables, each named for the table that it feeds."""

STAGING_SCHEMAS = (STAGING, "staging_2")
"""Both hold the same tables: slices take them in turn, so that one is staged while the one before it is merged."""

CHANGES = "changes"
"""The Postgres schema of the captured changes, with a table for each table that is captured."""
