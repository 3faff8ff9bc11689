"""The connection that says where Spark is."""

from __future__ import annotations

from collections.abc import Iterator

from airflow.configuration import ensure_secrets_loaded
from airflow.providers.apache.spark.hooks.spark_submit import SparkSubmitHook

from lineage_core.airflow.metadata import metadata
from lineage_core.health_check import HealthCheck, Looked

_CONNECTION = SparkSubmitHook.default_conn_name


def _missing(_: Looked) -> Iterator[str]:
    with metadata():
        known = any(backend.get_connection(conn_id=_CONNECTION) for backend in ensure_secrets_loaded())
    if not known:
        yield f"Airflow has no connection {_CONNECTION}, so it submits jobs to YARN"


HEALTH_CHECK = HealthCheck(
    "airflow_connection",
    _missing,
    f"`airflow connections add {_CONNECTION} --conn-type spark --conn-host …`: `local[*]`, or the address of a master.",
)
