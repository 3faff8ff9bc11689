"""Applies retention on the Spark that spark-submit names: its tasks archive raw events, Postgres deletes."""

from __future__ import annotations

import sys

from lineage_core.cli import main

if __name__ == "__main__":
    main(["retention", "apply", "--on-submitted-spark", *sys.argv[1:]])
