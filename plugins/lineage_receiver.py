"""Makes Airflow's API server receive OpenLineage events: POST /lineage/api/v1/lineage, with a token."""

from __future__ import annotations

from airflow.plugins_manager import AirflowPlugin

from lineage_core.airflow.receiver import mounted_receivers


class LineageReceiver(AirflowPlugin):
    name = "lineage_receiver"
    fastapi_apps = mounted_receivers()
