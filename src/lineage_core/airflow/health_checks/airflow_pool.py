"""The pool in which normalizations take turns."""

from __future__ import annotations

from collections.abc import Iterator

from airflow.models.pool import Pool

from lineage_core.airflow.metadata import metadata
from lineage_core.health_check import HealthCheck, Looked
from lineage_core.local.airflow_environment import POOL


def _closed(_: Looked) -> Iterator[str]:
    with metadata() as session:
        slots = session.query(Pool.slots).filter(Pool.pool == POOL).scalar()
    if slots is None:
        yield f"Airflow has no pool {POOL}, so no task of normalize_lineage and replay_lineage begins"
    elif slots == 0:
        yield f"Airflow's pool {POOL} has no slots, so no task of normalize_lineage and replay_lineage begins"


HEALTH_CHECK = HealthCheck("airflow_pool", _closed, f"`airflow pools set {POOL} 1 'One normalization at a time'`.")
