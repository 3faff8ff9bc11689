"""Makes the timetables of our DAGs known to Airflow."""

from __future__ import annotations

from airflow.plugins_manager import AirflowPlugin

from lineage_core.airflow.timetables import DailyByBackfill


class LineageTimetables(AirflowPlugin):
    name = "lineage_timetables"
    timetables = (DailyByBackfill,)
