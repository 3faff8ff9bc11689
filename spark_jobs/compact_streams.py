"""Compacts changelog streams on the Spark that spark-submit names; the database comes from LINEAGE_DSN."""

from __future__ import annotations

import sys

from lineage_core.cli import main_of_job

if __name__ == "__main__":
    main_of_job(["stream", "compact", "--on-submitted-spark"], sys.argv[1:])
