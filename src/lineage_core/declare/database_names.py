"""Names in the database that both Python and SQL know: its group roles, and its schemas beside `public`."""

from __future__ import annotations

INGEST = "lineage_ingest"
JOBS = "lineage_jobs"
OPERATORS = "lineage_operator"
MARQUEZ = "lineage_marquez"
READER = "lineage_reader"
ROLES = (INGEST, JOBS, MARQUEZ, OPERATORS, READER)
"""What each may do follows from the owners of columns (docs/decisions/0007)."""

STAGING = "staging"
"""The first schema of staging tables, each named for the table that it feeds."""

STAGING_SCHEMAS = (STAGING, "staging_2")
"""Both hold the same tables: slices take them in turn, so that one is staged while the one before it is merged."""

CHANGES = "changes"
"""The Postgres schema of the captured changes, with a table for each table that is captured."""
