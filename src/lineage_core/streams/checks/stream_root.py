"""A root of streams that is not the one of this database, or that lacks files of its streams."""

from __future__ import annotations

from collections.abc import Iterable

from lineage_core.health_check import HealthCheck, Looked
from lineage_core.streams.publisher_file import faults_of_root


def _faults(looked: Looked) -> Iterable[str]:
    return () if looked.streams_url is None else faults_of_root(looked.connection, looked.streams_url)


HEALTH_CHECK = HealthCheck(
    "stream_root",
    _faults,
    "Until then nothing is published. Does LINEAGE_STREAMS_URL name what Airflow's workers and Spark's publish to?",
)
