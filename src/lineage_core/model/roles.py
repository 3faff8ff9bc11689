"""The group roles of the store: what each may do follows from the owners of columns (docs/decisions/0007)."""

from __future__ import annotations

INGEST = "lineage_ingest"
JOBS = "lineage_jobs"
OPERATORS = "lineage_operator"
MARQUEZ = "lineage_marquez"
READER = "lineage_reader"
ROLES = (INGEST, JOBS, MARQUEZ, OPERATORS, READER)
