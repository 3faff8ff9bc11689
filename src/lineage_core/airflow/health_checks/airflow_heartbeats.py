"""Processes of Airflow that show no sign of life."""

from __future__ import annotations

from collections.abc import Iterator

from airflow.api.common.airflow_health import HEALTHY, get_airflow_health

from lineage_core.airflow.metadata import metadata
from lineage_core.health_check import HealthCheck, Looked

_WORK = {
    "scheduler": "no DAG run begins or ends",
    "dag_processor": "no changed DAG file is read",
    "triggerer": "no late normalization is reported",
}
"""What is not done without each."""


def _silent(_: Looked) -> Iterator[str]:
    with metadata():
        health = get_airflow_health()
    for process, missing in _WORK.items():
        if health[process]["status"] != HEALTHY:
            last = health[process][f"latest_{process}_heartbeat"]
            since = f"since {last}" if last else "and never had one"
            yield f"Airflow's {process.replace('_', ' ')} has no heartbeat {since}, so {missing}"


HEALTH_CHECK = HealthCheck(
    "airflow_heartbeats",
    _silent,
    "Start that process again, and see the end of its log for why it ended.",
)
