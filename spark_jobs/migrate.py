"""Runs or steers a long migration. Its arguments: the migration's name, a command, and what belongs to the command."""

from __future__ import annotations

import sys

from lineage_core.cli import main_of_job

if __name__ == "__main__":
    name, (command, *rest) = sys.argv[1:2], sys.argv[2:] or ["run"]
    on_spark = ["--on-submitted-spark"] if command == "run" else []
    main_of_job(["migration", command, *name, *on_spark, *rest])
