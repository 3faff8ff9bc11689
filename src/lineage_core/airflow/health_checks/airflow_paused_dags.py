"""DAGs whose work waits, and that are paused."""

from __future__ import annotations

from collections.abc import Iterator

from airflow.models.dag import DagModel

from lineage_core.airflow.metadata import metadata
from lineage_core.health_check import HealthCheck, Looked
from lineage_core.streams.store.switches import started_streams


def _paused(looked: Looked) -> Iterator[str]:
    needed = {"normalize_lineage": "events are normalized"}
    if started_streams(looked.connection):
        needed |= {"publish_streams": "streams are published", "compact_streams": "streams are compacted"}
    with metadata() as session:
        known = dict(session.query(DagModel.dag_id, DagModel.is_paused).filter(DagModel.dag_id.in_(needed)).all())
    for dag, what in needed.items():
        if known.get(dag, True):
            yield f"The DAG {dag} is {'paused' if dag in known else 'not there'}, so no {what} by schedule"


HEALTH_CHECK = HealthCheck(
    "airflow_paused_dags",
    _paused,
    "`airflow dags unpause DAG_ID`, unless something else does its work, as `lineage normalize --follow` does.",
    needs_person=False,
)
