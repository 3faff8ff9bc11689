"""What operators ask of changelog streams: their health. An upgrade evolves the schemas of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lineage_core.capability import CheckedPlaces, HealthCheck, UpgradeStep
from lineage_core.changelog.bins import BinSizes
from lineage_core.postgres.connection import Connection
from lineage_core.streams.publisher_file import faults_of_root
from lineage_core.streams.registry import differing_streams, evolve_declared_streams
from lineage_core.streams.store.compacted import fragmented_streams
from lineage_core.streams.store.heads import unpublished_streams

MANY_PARTS = 1_000


def _fragmented(looked: CheckedPlaces) -> Iterator[str]:
    for stream in fragmented_streams(looked.connection, BinSizes().small, MANY_PARTS):
        yield f"The stream {stream.name} has {stream.small_parts} small parts, each a file to open for its readers"


FRAGMENTED_STREAMS = HealthCheck(
    "fragmented_streams",
    _fragmented,
    "`lineage stream compact` merges them. Is the DAG compact_streams paused?",
)
"""Streams of thousands of small parts: whoever reads them opens a file for every few records."""


def _faults(looked: CheckedPlaces) -> Iterable[str]:
    return () if looked.streams_url is None else faults_of_root(looked.connection, looked.streams_url)


STREAM_ROOT = HealthCheck(
    "stream_root",
    _faults,
    "Until then nothing is published. Does LINEAGE_STREAMS_URL name what Airflow's workers and Spark's publish to?",
)
"""A root of streams that is not the one of this database, or that lacks files of its streams."""


def _unpublished(looked: CheckedPlaces) -> Iterator[str]:
    for name in unpublished_streams(looked.connection):
        yield f"The stream {name} is on, and its changes have waited for more than a day"


UNPUBLISHED_STREAMS = HealthCheck(
    "unpublished_streams",
    _unpublished,
    "`lineage stream publish` publishes them; `lineage stream stop NAME` ends it. Is the DAG publish_streams paused?",
)
"""Streams that are on, and that are not published: their changes pile up."""


def _differences(connection: Connection) -> list[str]:
    return [f"stream {name} has another schema than is declared" for name in differing_streams(connection)]


STREAM_SCHEMAS = UpgradeStep(bring_up_to_date=evolve_declared_streams, differences=_differences)
