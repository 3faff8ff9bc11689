"""Makes Airflow's API server show the lineage pages below /lineage, and receive OpenLineage events there."""

from __future__ import annotations

from airflow.plugins_manager import AirflowPlugin

from lineage_core.airflow.mounted import mounted_applications, pages_in_airflow


class LineageWeb(AirflowPlugin):
    name = "lineage_web"
    fastapi_apps = mounted_applications()
    external_views = pages_in_airflow()
