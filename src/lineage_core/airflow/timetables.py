"""Timetables of our DAGs that Airflow has none for; `plugins/lineage_dags.py` makes them known to it."""

from __future__ import annotations

from typing import Any, Self

from airflow.timetables.base import DagRunInfo, DataInterval, TimeRestriction
from airflow.timetables.interval import CronDataIntervalTimetable


class DailyByBackfill(CronDataIntervalTimetable):
    """Days in UTC that no schedule ever begins. A backfill has them: it asks up to a date, the scheduler without end.

    A DAG without a schedule cannot be backfilled, and a run by schedule would take the date from a later backfill.
    """

    def __init__(self) -> None:
        super().__init__("0 0 * * *", timezone="UTC")
        self.description = "Daily, by backfill only"

    @property
    def summary(self) -> str:
        return "by backfill"

    def serialize(self) -> dict[str, Any]:
        return {}

    @classmethod
    def deserialize(cls, data: dict[str, Any]) -> Self:
        return cls()

    def next_dagrun_info(
        self, *, last_automated_data_interval: DataInterval | None, restriction: TimeRestriction
    ) -> DagRunInfo | None:
        if restriction.latest is None:
            return None
        return super().next_dagrun_info(
            last_automated_data_interval=last_automated_data_interval, restriction=restriction
        )
