"""Runs or steers the long migration `facets`; its first argument is the command, `run` among them."""

from __future__ import annotations

import sys

from lineage_core.cli import main

if __name__ == "__main__":
    command, *rest = sys.argv[1:] or ["run"]
    on_spark = ["--on-submitted-spark"] if command == "run" else []
    main(["migration", command, "facets", *on_spark, *rest])
