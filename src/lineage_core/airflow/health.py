"""The health checks of Airflow, which `lineage doctor` makes beside those of the store."""

from __future__ import annotations

from lineage_core.airflow.metadata import metadata
from lineage_core.capability import HealthCheck
from lineage_core.declare.registry import values_in
from lineage_core.errors import NeedsOperator


def airflow_health_checks() -> tuple[HealthCheck, ...]:
    """What `checks.py` declares; where Airflow's database cannot be read, one check that says so in their place.

    For a process that has the settings of an Airflow (`metadata.is_set_up`).
    """
    from airflow.models.pool import Pool

    from lineage_core.airflow import checks

    try:
        with metadata() as session:
            session.query(Pool.id).first()
    except NeedsOperator as error:
        reason = str(error)
        return (HealthCheck("airflow_metadata", lambda _: [reason], _ADVICE),)
    return values_in(checks, HealthCheck)


_ADVICE = "Give this command the settings of Airflow's processes, or repair that database: no DAG runs meanwhile."
