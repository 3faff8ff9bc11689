"""Makes known to Airflow what our DAGs are declared with: timetables, and references of deadlines."""

from __future__ import annotations

from airflow.plugins_manager import AirflowPlugin

from lineage_core.airflow.deadlines import RunQueued
from lineage_core.airflow.timetables import DailyByBackfill


class LineageDags(AirflowPlugin):
    name = "lineage_dags"
    timetables = (DailyByBackfill,)
    deadline_references = (RunQueued,)
