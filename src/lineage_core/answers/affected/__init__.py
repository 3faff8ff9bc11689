"""Which runs, versions and columns read something bad, directly or not, and which DAG runs to do again."""

from lineage_core.answers.affected.answer import (
    MOST_RUNS,
    Affected,
    AffectedColumn,
    AffectedRead,
    DagRun,
    PurgedNearby,
    Rerun,
    RunOutsideAirflow,
)
from lineage_core.answers.affected.question import affected_by_run, affected_by_version
from lineage_core.answers.affected.reruns import airflow_commands

__all__ = [
    "MOST_RUNS",
    "Affected",
    "AffectedColumn",
    "AffectedRead",
    "DagRun",
    "PurgedNearby",
    "Rerun",
    "RunOutsideAirflow",
    "affected_by_run",
    "affected_by_version",
    "airflow_commands",
]
