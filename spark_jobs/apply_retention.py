"""Applies retention on the Spark that spark-submit names: its tasks archive raw events, Postgres deletes."""

from __future__ import annotations

import sys

from lineage_core.cli import main_of_job

if __name__ == "__main__":
    main_of_job(["retention", "apply", "--on-submitted-spark"], sys.argv[1:])
